/**
 * Writes a large log with a known truth: `node scripts/make-log-corpus.ts OUT [--density 500] [--seed 1] [--minutes 120]`.
 * OUT/logs holds one file per service, OUT/truth.json the statements and the edges between them.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { corpusFiles, makeCorpus, truthOf } from '../src/evaluation/causality/index.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    density: { type: 'string', default: '500' }, seed: { type: 'string', default: '1' }, minutes: { type: 'string', default: '120' },
  },
})
const [out = 'log-corpus'] = positionals
const corpus = makeCorpus({ seed: Number(values.seed), linesPerMinute: Number(values.density), minutes: Number(values.minutes) })
mkdirSync(join(out, 'logs'), { recursive: true })
for (const { file, text } of corpusFiles(corpus)) writeFileSync(join(out, 'logs', file), text)
writeFileSync(join(out, 'truth.json'), `${JSON.stringify(truthOf(corpus), null, 1)}\n`)
console.log(`${corpus.events.length} lines, ${corpus.statements.length} statements, ${corpus.edges.length} edges in ${out}`)
