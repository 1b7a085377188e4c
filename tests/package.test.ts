import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const full = process.env['WHEREFORE_FULL'] === '1'

it.skipIf(!full)('the packed package runs from an empty folder: SDK subpath, command line, examples', { timeout: 180_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'wherefore-pack-'))
  try {
    execFileSync('npm', ['pack', '--pack-destination', folder, '--loglevel=error'], { stdio: 'ignore' })
    const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? ''
    const home = join(folder, 'node_modules', 'wherefore')
    mkdirSync(home, { recursive: true })
    execFileSync('tar', ['xzf', join(folder, tarball), '--strip-components=1', '-C', home])
    // its dependencies, as an install would lay them beside it, but without asking a registry
    for (const name of readdirSync('node_modules')) {
      if (name !== 'wherefore' && !name.startsWith('.package')) symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name))
    }
    const script = `import { search } from 'wherefore/runtime/reasoning_search'
      const a = await search('How many alarms are open?', { flavor: 'network-ops' })
      console.log(JSON.stringify([a.status, a.claims[0].kind, a.subgraph.count]))`
    writeFileSync(join(folder, 'ask.mjs'), script)
    const env = { ...process.env, SERVICE_SEARCH: '1' }
    const sdk = execFileSync(process.execPath, ['ask.mjs'], { cwd: folder, env, encoding: 'utf8' })
    expect(JSON.parse(sdk)).toEqual(['ok', 'aggregate', 0])
    const cli = execFileSync(process.execPath, [join(home, 'bin', 'wherefore.js'), '--version'], { cwd: folder, encoding: 'utf8' })
    expect(cli).toMatch(/^\d+\.\d+\.\d+/)
    const words = ['WORDNET-LICENSE', 'forms.txt', 'vectors.bin', 'vectors.txt', 'wordnet.txt']
    expect(readdirSync(join(home, 'dist', 'search', 'language', 'data'))).toEqual(expect.arrayContaining(words))
    expect(readdirSync(join(home, 'dist'), { recursive: true }).filter((name) => String(name).includes('test'))).toEqual([])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
