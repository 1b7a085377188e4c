/**
 * Planted sequences in generated logs: how many of each kind phase sequence finds, and how many ordinary ones it proposes.
 * `node scripts/eval-planted-sequences.ts [seeds]`. The log itself is all there is to learn from, planted sequences included.
 */
import { type LogEvent, columnsOf, learnSequences } from '../src/logs/index.ts'
import { type Rng, integerIn, rng } from '../src/kernel/stats/index.ts'

const SEEDS = Number(process.argv[2] ?? 10)
const TEMPLATES = 10
const SIZES = [60, 300]

type Change = (templates: string[], random: Rng) => string[]
const KINDS: Readonly<Record<string, Change | null>> = {
  none: null,
  'template of its own': (given, random) => given.toSpliced(integerIn(random, 0, given.length), 0, 'planted'),
  'order shuffled': (given, random) => given.map((each) => ({ each, at: random() })).toSorted((x, y) => x.at - y.at).map(({ each }) => each),
  'broken off': (given) => given.slice(0, 3),
  'one repeated 12 times': (given) => given.toSpliced(3, 0, ...Array.from({ length: 12 }, () => given[3]!)),
  'two swapped': (given) => given.with(2, given[6]!).with(6, given[2]!),
  'three missing': (given) => given.toSpliced(3, 3),
}

console.log(`${SEEDS} seeds; found / planted, and ordinary sequences proposed\n`)
for (const shape of ['sessions', 'slices'] as const) {
  for (const size of SIZES) {
    for (const [kind, change] of Object.entries(KINDS)) console.log(rowOf(shape, size, kind, change))
  }
}

function rowOf(shape: 'sessions' | 'slices', size: number, kind: string, change: Change | null): string {
  let [found, planted, alarms, ordinary] = [0, 0, 0, 0]
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const random = rng(seed)
    const draw = workflow(random, shape)
    const sequences = Array.from({ length: size }, draw)
    const odd = new Set(change === null ? [] : Array.from({ length: Math.max(1, Math.floor(size / 150)) }, () => integerIn(random, 0, size)))
    const given = sequences.map((each, i) => (odd.has(i) && change !== null ? change(each, random) : each))
    const events = eventsOf(given)
    const proposed = new Set(learnSequences({ events, columns: columnsOf(events), templates: [] }).candidates.map(({ evidence }) => Number(evidence['sequence'])))
    found += [...odd].filter((i) => proposed.has(i)).length
    planted += odd.size
    alarms += [...proposed].filter((i) => !odd.has(i)).length
    ordinary += size - odd.size
  }
  const share = `${((100 * alarms) / ordinary).toFixed(2)} %`
  return `${shape.padEnd(10)}${String(size).padStart(5)}  ${kind.padEnd(24)}${`${found} / ${planted}`.padStart(9)}${share.padStart(10)}`
}

/** Templates in a circle, one step in six or so to somewhere else. Sessions begin at the first, slices anywhere. */
function workflow(random: Rng, shape: 'sessions' | 'slices'): () => string[] {
  const weights = Array.from({ length: TEMPLATES }, (_, i) =>
    Array.from({ length: TEMPLATES }, (_, j) => (j === (i + 1) % TEMPLATES ? 6 : random() < 0.1 ? random() : 0)))
  return () => {
    let at = shape === 'sessions' ? 0 : integerIn(random, 0, TEMPLATES)
    return Array.from({ length: shape === 'sessions' ? TEMPLATES + integerIn(random, 0, 3) : integerIn(random, 15, 40) }, () => {
      const template = `T${at}`
      const row = weights[at]!
      let left = random() * row.reduce((sum, weight) => sum + weight, 0)
      at = Math.max(0, row.findIndex((weight) => (left -= weight) < 0))
      return template
    })
  }
}

function eventsOf(sequences: readonly (readonly string[])[]): LogEvent[] {
  return sequences.flatMap((templates, i) =>
    templates.map((clusterId, k): LogEvent => ({
      clusterId, tsMs: i * 60_000 + k, service: 'generated', trace: String(i), entities: [], severity: 'INFO', file: '', offset: i * 1000 + k,
    })))
}
