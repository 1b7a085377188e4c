/**
 * The Granger test of 1,000 pairs of 500 bins at 3 lags, against statsmodels on the same series in the same run; both must agree.
 * Goal: 20 times as fast. Run it with `node bench/granger.bench.ts`.
 */
import { arch, cpus, platform } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { granger, rng } from '../src/kernel/stats/index.ts'
import { askPython, miningPython } from './mining-python.ts'

const [PAIRS, BINS, ORDER, GOAL] = [1000, 500, 3, 20]
const random = rng(7)
const series = (): Float64Array => Float64Array.from({ length: BINS }, () => (random() < 0.1 ? 1 : 0) + (random() < 0.02 ? 2 : 0))
const pairs = Array.from({ length: PAIRS }, () => ({ x: series(), y: series() }))
const ours = (): number[] => pairs.map(({ x, y }) => granger(x, y, ORDER)?.p ?? Number.NaN)

ours() // both sides are warm when the clock starts
const times = Array.from({ length: 5 }, () => {
  const start = performance.now()
  ours()
  return (performance.now() - start) / 1000
})
const seconds = times.toSorted((x, y) => x - y)[2] ?? 0
const host = `node ${process.version}, ${platform()} ${arch()}, ${cpus().length} cores`
console.log(`${PAIRS} pairs x ${BINS} bins x ${ORDER} lags, ${host}`)
console.log(`wherefore    ${seconds.toFixed(3)} s`)

const peers = miningPython()
if (!peers.ready) console.log(`statsmodels  not measured: ${peers.missing}`)
else {
  const cases = pairs.map(({ x, y }, i) => ({ name: String(i), x: [...x], y: [...y], order: ORDER }))
  const script = join(import.meta.dirname, '..', 'scripts', 'granger-golden.py')
  const peer = askPython(peers.python, [script, '--time'], cases) as { seconds: number; ps: number[] }
  const apart = Math.max(...ours().map((p, i) => Math.abs(p - (peer.ps[i] ?? 0))))
  console.log(`statsmodels  ${peer.seconds.toFixed(3)} s`)
  const factor = peer.seconds / seconds
  console.log(`${factor.toFixed(1)} times as fast (goal ${GOAL}: ${factor >= GOAL ? 'reached' : 'missed'})`)
  console.log(`p differ by at most ${apart.toExponential(1)}`)
}
