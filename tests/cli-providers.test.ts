/** wherefore providers, as a person calls it. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { fakeModels } from './support-models.ts'

const folder = mkdtempSync(join(tmpdir(), 'wherefore-providers-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function wherefore(args: readonly string[], env: Record<string, string> = {}) {
  const { PATH = '', HOME = '' } = process.env
  const run = promisify(execFile)(process.execPath, [resolve('src/surfaces/cli/main.ts'), ...args], { cwd: folder, env: { PATH, HOME, ...env } })
  return run.then(({ stdout, stderr }) => ({ code: 0, stdout, stderr }), ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }))
}

it('lists, tries, and keeps keys to itself', async () => {
  const fake = await fakeModels({ key: 'CANARY-RIGHT' })
  const config = { providers: { catalogue: { openai: { base_url: `${fake.origin}/v1` } } } }
  writeFileSync(join(folder, 'wherefore.json'), JSON.stringify(config))
  try {
    const [list, json, works, refused] = await Promise.all([
      wherefore(['providers']),
      wherefore(['providers', '--json'], { OPENAI_API_KEY: 'CANARY-RIGHT' }),
      wherefore(['providers', 'test', 'openai', '--json'], { OPENAI_API_KEY: 'CANARY-RIGHT' }),
      wherefore(['providers', 'test', 'openai'], { OPENAI_API_KEY: 'CANARY-WRONG' }),
    ])
    expect(list).toMatchObject({ code: 0, stdout: expect.stringMatching(/ok +embedded \(default\)[\s\S]*warn +openai .*key not set \(OPENAI_API_KEY\)/) })
    expect(JSON.parse(json.stdout)).toMatchObject({ default: 'embedded', providers: expect.arrayContaining([expect.objectContaining({ id: 'openai', ready: true })]) })
    expect(JSON.parse(works.stdout)).toMatchObject({ id: 'openai', ok: true })
    expect(refused).toMatchObject({ code: 69, stdout: 'openai: the provider openai refused the key: OPENAI_API_KEY\n' })
    expect(JSON.stringify([list, json, works, refused])).not.toContain('CANARY')
  } finally {
    await fake.close()
  }
})
