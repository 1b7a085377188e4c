/**
 * How long a catalogue takes to become an ontology, and how that grows: 250, 500 and 1,000 made-up tables of 20 columns through
 * propose, build, Turtle, mapping and vocabulary. Goal: at most 5 s for 1,000 tables, growing nearly in line with the tables.
 * Run it with `node bench/ontology.bench.ts`.
 */
import { arch, cpus, platform } from 'node:os'
import { performance } from 'node:perf_hooks'
import {
  buildOntology, cutOntology, mappingCsv, ontologyTurtle, proposeMetadata, recommendProfile, vocabularyOf,
} from '../src/ontology/index.ts'
import { rng } from '../src/kernel/stats/index.ts'
import type { Catalogue, Column, ForeignKey, Table, ValueType } from '../src/sources/index.ts'

const SEED = 7
const SIZES = [250, 500, 1000]
const COLUMNS = 20
const RUNS = 5
const GOAL_MS = 5000
const BASES = { baseIri: 'https://bench.example/ontology#', recordBase: 'https://bench.example/record/' }

const NOUNS = ['customer', 'order', 'invoice', 'site', 'device', 'ticket', 'payment', 'contract', 'sensor', 'employee']
const VALUES: readonly (readonly [name: string, type: ValueType, samples: readonly string[]])[] = [
  ['name', 'text', ['Ada', 'Bob', 'Cyd']],
  ['email', 'text', ['a@b.example', 'c@d.example', 'e@f.example']],
  ['status', 'text', ['open', 'closed']],
  ['event_type', 'text', ['created', 'moved', 'closed']],
  ['amount', 'decimal', ['1.5', '20', '3.25']],
  ['count', 'integer', ['1', '2', '3']],
  ['active', 'boolean', ['0', '1']],
  ['started_on', 'date', ['2024-01-01']],
  ['occurred_at', 'datetime', ['2024-01-01 00:00:00']],
  ['note', 'text', ['A remark that somebody left here and that goes on for more than sixty characters.']],
]

function catalogueOf(size: number): Catalogue {
  const random = rng(SEED)
  const below = (n: number): number => Math.floor(random() * n)
  const tables = Array.from({ length: size }, (_, i): Table => {
    const name = `${NOUNS[i % NOUNS.length]}_${i}`
    // every seventh table only connects two others; the rest refer to earlier ones, sometimes to a later one
    const junction = i % 7 === 6
    const foreignKeys = Array.from({ length: junction ? 2 : below(4) }, (_, n): ForeignKey => {
      const other = below(size)
      return { columns: [`ref${n}_id`], refTable: `${NOUNS[other % NOUNS.length]}_${other}`, refColumns: ['id'], inferred: null }
    })
    const references = foreignKeys.map(({ columns }) => columnOf(columns.join(), 'integer', ['1', '2'], false))
    const values = Array.from({ length: junction ? 0 : COLUMNS - 1 - references.length }, (_, n) => {
      const [word, type, samples] = VALUES[n % VALUES.length] ?? ['value', 'text', []]
      return columnOf(n < VALUES.length ? word : `${word}_${n}`, type, samples, random() < 0.5)
    })
    return {
      name, kind: 'table', columns: [columnOf('id', 'integer', ['1'], false), ...references, ...values], primaryKey: ['id'],
      uniques: [], foreignKeys, rowCount: 1000, comment: null, checks: [],
    }
  })
  return { dialect: 'sqlite', tables: tables.toSorted((x, y) => (x.name < y.name ? -1 : 1)) }
}

const columnOf = (name: string, valueType: ValueType, samples: readonly string[], nullable: boolean): Column => ({
  name, declaredType: '', valueType, nullable, generated: false, comment: null, samples,
})

/** Milliseconds by stage. */
type Times = Readonly<Record<string, number>>

/** Of this thread's processor time, so that a busy machine does not look like slow code; wall time is the same on an idle one. */
const threadMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function measure(catalogue: Catalogue): Times {
  const times: Record<string, number> = {}
  const timed = <Out>(stage: string, work: () => Out): Out => {
    const start = threadMs()
    const out = work()
    times[stage] = threadMs() - start
    return out
  }
  const metadata = timed('propose', () => proposeMetadata(catalogue))
  const ontology = timed('build', () => buildOntology(catalogue, { ...BASES, metadata }))
  timed('turtle', () => ontologyTurtle(ontology))
  timed('mapping', () => mappingCsv(ontology))
  timed('vocabulary', () => vocabularyOf(ontology))
  timed('profile', () => recommendProfile(ontology))
  timed('cut', () => cutOntology(ontology, 'Internal'))
  return times
}

const total = (times: Times): number => Object.values(times).reduce((sum, ms) => sum + ms, 0)
/** What else the machine does can only add time, so the quickest run tells most about the code. */
const quickest = (runs: readonly Times[]): Times => runs.toSorted((x, y) => total(x) - total(y))[0] ?? {}

console.log(`node ${process.version}, ${platform()} ${arch()}, ${cpus().length} cores; seed ${SEED}, ${COLUMNS} columns a table`)
measure(catalogueOf(50))
const results = SIZES.map((size) => {
  const catalogue = catalogueOf(size)
  const start = performance.now()
  const times = quickest(Array.from({ length: RUNS }, () => measure(catalogue)))
  return { size, times, wallMs: (performance.now() - start) / RUNS }
})
for (const { size, times, wallMs } of results) {
  const stages = Object.entries(times).map(([stage, ms]) => `${stage} ${ms.toFixed(0)}`)
  const figures = `${total(times).toFixed(0).padStart(6)} ms of processor, ${wallMs.toFixed(0).padStart(6)} ms on the clock`
  console.log(`${String(size).padStart(5)} tables: ${figures} (${stages.join(', ')})`)
}
for (const [i, { size, times }] of results.entries()) {
  const before = results[i - 1]
  if (before === undefined) continue
  console.log(`${before.size} -> ${size} tables: time x ${(total(times) / total(before.times)).toFixed(2)}`)
}
const last = total(results.at(-1)?.times ?? {})
const verdict = last <= GOAL_MS ? 'met' : 'MISSED'
console.log(`goal ${GOAL_MS} ms for ${SIZES.at(-1)} tables: ${verdict}, ${(last / GOAL_MS).toFixed(2)} of it in processor time`)
