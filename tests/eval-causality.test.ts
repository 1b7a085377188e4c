import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { corpusFiles, makeCorpus, truthOf } from '../src/evaluation/causality/index.ts'
import { main } from '../src/surfaces/cli/program.ts'

let folder: string
const corpus = makeCorpus({ seed: 2, linesPerMinute: 50, minutes: 60 })
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wherefore-causality-'))
  mkdirSync(join(folder, 'logs'))
  for (const { file, text } of corpusFiles(corpus)) writeFileSync(join(folder, 'logs', file), text)
  writeFileSync(join(folder, 'truth.json'), JSON.stringify(truthOf(corpus)))
  writeFileSync(join(folder, 'bad.json'), '{"edges": []}')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(() => vi.restoreAllMocks())

async function run(args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const [out, err]: [string[], string[]] = [[], []]
  vi.spyOn(console, 'log').mockImplementation((text: string) => void out.push(text))
  vi.spyOn(console, 'error').mockImplementation((text: string) => void err.push(text))
  const code = await main(['eval', 'causality', '--log-path', join(folder, 'logs'), ...args])
  return { code, out: out.join('\n'), err: err.join('\n') }
}

describe('wherefore eval causality', () => {
  it('prints a table, and writes one line per edge that can be scored again', async () => {
    const file = join(folder, 'edges.jsonl')
    const { code, out } = await run(['--truth', join(folder, 'truth.json'), '--out', file])
    expect(code).toBe(0)
    expect(out).toMatch(/precision +\d+\.\d %/)
    expect(out).toMatch(/edges on shuffled data +\d+/)
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>)
    const truth = new Set(corpus.edges.map(({ cause, effect }) => `${cause} ${effect}`))
    const causal = lines.filter((edge) => edge['verdict'] === 'LOG_CAUSAL_EDGE')
    const right = causal.filter((edge) => truth.has(`${edge['cause']} ${edge['effect']}`)).length
    expect(right / causal.length).toBeGreaterThanOrEqual(0.85)
    expect(out.split('\n').find((line) => line.startsWith('precision'))).toContain(` ${((100 * right) / causal.length).toFixed(1)} %`)
    const figures = ['n', 'p', 'q', 'z', 'granger_p', 'pmi', 'lead', 'lag_ms_p50', 'stated_verdict', 'failed_conditions']
    for (const edge of lines) expect(Object.keys(edge)).toEqual(expect.arrayContaining(figures))
  }, 60_000)

  it('refuses a truth that says nothing, and a gate that is none', async () => {
    expect(await run(['--truth', join(folder, 'bad.json')])).toMatchObject({ code: 1 })
    expect((await run(['--truth', join(folder, 'truth.json'), '--gate', 'loose'])).err).toContain('a gate is sound or stated')
  })
})
