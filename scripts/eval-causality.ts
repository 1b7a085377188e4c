/**
 * `npm run eval:causality`: how well causes are found in generated logs whose truth is known, how many edges are left when every
 * template is turned round the clock by itself, and how many are found in noise.
 *
 *   --seeds N        20
 *   --dense N        seeds at 5,000 lines a minute (3)
 *   --noise N        runs on noise (60)
 *   --through-miner  from lines of text through the whole miner, not from the columns of events
 */
import { parseArgs } from 'node:util'
import {
  type Corpus, type EdgeScores, corpusColumns, corpusRecords, evaluateCausality, evaluateColumns, makeCorpus, truthOf,
} from '../src/evaluation/causality/index.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' }, dense: { type: 'string', default: '3' }, noise: { type: 'string', default: '60' },
    'through-miner': { type: 'boolean', default: false },
  },
})

function measured(corpus: Corpus, seed: number): { sound: EdgeScores; stated: EdgeScores; shuffled: number } {
  if (!values['through-miner']) return evaluateColumns(corpusColumns(corpus), truthOf(corpus), { seed })
  const { figures } = evaluateCausality(corpusRecords(corpus), truthOf(corpus), { seed })
  return { sound: figures.sound, stated: figures.stated, shuffled: figures.shuffled.edges }
}

const percent = (part: number, whole: number): string =>
  (whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`).padStart(8)
const sum = (scores: readonly EdgeScores[], of: (score: EdgeScores) => number): number =>
  scores.reduce((total, each) => total + of(each), 0)
const right8 = (score: EdgeScores): number => Math.round((score.recall_8 ?? 0) * score.true_edges_8)

console.log('lines/min  seeds  precision  recall 8+  recall   direction  shuffled | stated: precision  recall 8+   seconds/seed')
const [seedCount, denseCount] = [Number(values.seeds), Number(values.dense)]
for (const [linesPerMinute, seeds] of [[50, seedCount], [500, seedCount], [5000, denseCount]] as const) {
  const start = performance.now()
  const runs = Array.from({ length: seeds }, (_, i) => measured(makeCorpus({ seed: i + 1, linesPerMinute }), i + 1))
  if (runs.length === 0) continue
  const row = (scores: readonly EdgeScores[]): string[] => {
    const [found, right, reversed] = [sum(scores, (s) => s.found), sum(scores, (s) => s.right), sum(scores, (s) => s.reversed)]
    const often = percent(sum(scores, right8), sum(scores, (s) => s.true_edges_8))
    return [percent(right, found), often, percent(right, sum(scores, (s) => s.true_edges)), percent(right, right + reversed)]
  }
  const sound = runs.map((run) => run.sound)
  const left = percent(runs.reduce((total, run) => total + run.shuffled, 0), sum(sound, (s) => s.found))
  const seconds = (performance.now() - start) / 1000 / runs.length
  const stated = row(runs.map((run) => run.stated)).slice(0, 2)
  const run = [String(linesPerMinute).padStart(9), String(seeds).padStart(5)]
  console.log([...run, ...row(sound), left, '|', ...stated, seconds.toFixed(1)].join('   '))
}

const noise = Number(values.noise)
const clean = Array.from({ length: noise }, (_, i) =>
  measured(makeCorpus({ seed: 1000 + i, linesPerMinute: i % 2 === 0 ? 50 : 200, minutes: 60, effects: false }), i + 1).sound.found,
).filter((found) => found === 0).length
console.log(`independent noise: no causal edge in ${clean} of ${noise} runs`)
