/**
 * Writes the golden values of the hidden Markov model anew: `node scripts/hmm-golden.ts`. hmmlearn gives the forward
 * log-likelihoods and one step of EM for fixed models and sequences; the difference in git is what there is to review.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { miningPython } from '../bench/mining-python.ts'
import { integerIn, rng } from '../src/kernel/stats/index.ts'

const peers = miningPython()
if (!peers.ready) {
  console.error(`the golden values stay as they are: ${peers.missing}`)
  process.exit(1)
}
const SHAPES = [
  { states: 1, symbols: 3, sequences: 3 },
  { states: 2, symbols: 2, sequences: 5 },
  { states: 3, symbols: 6, sequences: 12 },
  { states: 4, symbols: 15, sequences: 20 },
  { states: 6, symbols: 40, sequences: 30 },
]
const cases = SHAPES.map((shape, i) => caseOf(shape, i + 1))
const { status, stdout, stderr } = spawnSync(peers.python, [join(import.meta.dirname, '../bench/hmm-peer.py')], {
  input: JSON.stringify({ cases }), encoding: 'utf8', maxBuffer: 1 << 28,
})
if (status !== 0) throw new Error(stderr)
const answers = JSON.parse(stdout) as object[]
const folder = join(import.meta.dirname, '../src/kernel/stats/golden')
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'hmm.json'), `[\n${cases.map((one, i) => JSON.stringify({ given: one, hmmlearn: answers[i] })).join(',\n')}\n]\n`)
console.log(`wrote ${cases.length} cases`)

function caseOf({ states, symbols, sequences }: (typeof SHAPES)[number], seed: number) {
  const random = rng(seed)
  const row = (width: number): number[] => {
    const draws = Array.from({ length: width }, () => integerIn(random, 1, 100))
    const sum = draws.reduce((total, value) => total + value, 0)
    return draws.map((value) => value / sum)
  }
  const rows = (width: number): number[][] => Array.from({ length: states }, () => row(width))
  const sequence = (): number[] => Array.from({ length: integerIn(random, 1, 30) }, () => integerIn(random, 0, symbols))
  return { start: row(states), transition: rows(states), emission: rows(symbols), sequences: Array.from({ length: sequences }, sequence) }
}
