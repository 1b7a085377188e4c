/**
 * How fast the sweep over the number of hidden states is, against hmmlearn on the same sequences in the same run: 2 to 6 states,
 * 200 sequences of 50 out of 40 symbols. hmmlearn fits each size once; ours tries four starts for each, and must end at a
 * likelihood at least as high. Goal: 5 times as fast. Run it with `node bench/hmm.bench.ts`; `--json` prints one document.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fitHmm, rng } from '../src/kernel/stats/index.ts'
import { miningPython } from './mining-python.ts'

const [SEQUENCES, LENGTH, SYMBOLS, TRUE_STATES] = [200, 50, 40, 4]
const STATES = [2, 3, 4, 5, 6]
const GOAL = 5
/** hmmlearn's own ends: 100 rounds, or a gain below .01. */
const ENDS = { iterations: 100, tolerance: 0.01 }

interface Fit {
  readonly states: number
  readonly seconds: number
  readonly iterations: number
  readonly logLikelihood: number
}

const sequences = sequencesOf(7)
fitHmm(sequences.slice(0, 20), 2, { symbols: SYMBOLS, random: rng(1) }) // compiled before the clock runs
const ours = STATES.map((states): Fit => [1, 2, 3].map(() => fitted(states)).toSorted((x, y) => x.seconds - y.seconds)[1]!)
const peers = miningPython()
const theirs = peers.ready ? hmmlearn(peers.python) : null
if (!peers.ready) console.error(`without hmmlearn: ${peers.missing}`)
report()

function fitted(states: number): Fit {
  const since = performance.now()
  const tolerance = ENDS.tolerance / (SEQUENCES * LENGTH) // ours is per symbol
  const options = { symbols: SYMBOLS, random: rng(7), restarts: 4, iterations: ENDS.iterations, tolerance }
  const { iterations, logLikelihood } = fitHmm(sequences, states, options)
  return { states, seconds: (performance.now() - since) / 1000, iterations, logLikelihood }
}

function hmmlearn(python: string): Fit[] {
  const task = { sequences, states: STATES, symbols: SYMBOLS, seed: 7, ...ENDS }
  const { status, stdout, stderr } = spawnSync(python, [join(import.meta.dirname, 'hmm-peer.py')], {
    input: JSON.stringify(task), encoding: 'utf8', maxBuffer: 1 << 28,
  })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as Fit[]
}

function report(): void {
  const total = (fits: readonly Fit[]): number => fits.reduce((sum, { seconds }) => sum + seconds, 0)
  const ratio = theirs === null ? null : total(theirs) / total(ours)
  const asLikely = theirs === null ? null : ours.every((fit, i) => fit.logLikelihood >= theirs[i]!.logLikelihood - 0.5)
  if (process.argv.includes('--json')) {
    console.log(JSON.stringify({ ours, hmmlearn: theirs, ratio, as_likely: asLikely, goal: GOAL }, null, 2))
    return
  }
  console.log('states      ours s   log-likelihood    hmmlearn s   log-likelihood')
  for (const [i, fit] of ours.entries()) {
    const other = theirs?.[i]
    const peer = other === undefined ? '' : `${other.seconds.toFixed(2).padStart(14)}${other.logLikelihood.toFixed(1).padStart(17)}`
    console.log(`${String(fit.states).padEnd(8)}${fit.seconds.toFixed(2).padStart(10)}${fit.logLikelihood.toFixed(1).padStart(17)}${peer}`)
  }
  if (ratio !== null) console.log(`\n${ratio.toFixed(1)} times as fast (goal ${GOAL}), likelihood at least as high: ${asLikely === true ? 'yes' : 'no'}`)
}

/** Drawn from a model with states that prefer symbols of their own. */
function sequencesOf(seed: number): number[][] {
  const random = rng(seed)
  const row = (width: number, sharp: number): number[] => {
    const draws = Array.from({ length: width }, () => (-Math.log(1 - random())) ** sharp)
    const sum = draws.reduce((total, value) => total + value, 0)
    return draws.map((value) => value / sum)
  }
  const pick = (weights: readonly number[]): number => {
    let left = random()
    for (const [i, weight] of weights.entries()) if ((left -= weight) < 0) return i
    return weights.length - 1
  }
  const transition = Array.from({ length: TRUE_STATES }, () => row(TRUE_STATES, 2))
  const emission = Array.from({ length: TRUE_STATES }, () => row(SYMBOLS, 3))
  return Array.from({ length: SEQUENCES }, () => {
    let state = pick(row(TRUE_STATES, 1))
    return Array.from({ length: LENGTH }, () => {
      const symbol = pick(emission[state]!)
      state = pick(transition[state]!)
      return symbol
    })
  })
}
