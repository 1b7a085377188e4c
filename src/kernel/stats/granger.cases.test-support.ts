/** Series whose Granger test statsmodels has computed too: made from a seed, so that only the figures need to be kept. */
import { rng } from './rng.ts'

export interface GrangerCase {
  readonly name: string
  readonly x: readonly number[]
  readonly y: readonly number[]
  readonly order: number
}

export interface GoldenGranger {
  readonly name: string
  readonly f: number
  readonly p: number
}

const noise = (seed: number, n: number): number[] => {
  const random = rng(seed)
  return Array.from({ length: n }, () => Math.round((random() + random() + random() - 1.5) * 1e6) / 1e6)
}
const counts = (seed: number, n: number, rate: number): number[] => {
  const random = rng(seed)
  return Array.from({ length: n }, () => (random() < rate ? 1 : 0) + (random() < rate / 4 ? 2 : 0))
}
const led = (x: readonly number[], rest: readonly number[], lag: number, weight: number): number[] =>
  rest.map((e, t) => Math.round((weight * (x[t - lag] ?? 0) + e) * 1e6) / 1e6)

export function grangerCases(): GrangerCase[] {
  const plain = [1, 2, 3, 5].flatMap((order) => [
    { name: `independent noise, order ${order}`, x: noise(order, 120), y: noise(order + 50, 120), order },
    { name: `counts, order ${order}`, x: counts(order, 500, 0.05), y: counts(order + 50, 500, 0.1), order },
    { name: `y follows x, order ${order}`, x: noise(order, 200), y: led(noise(order, 200), noise(order + 90, 200), order, 0.4), order },
  ])
  const spikes = counts(7, 500, 0.03)
  return [
    ...plain,
    { name: 'rare causes', x: spikes, y: led(spikes, counts(8, 500, 0.02), 2, 1), order: 3 },
    { name: 'far from zero', x: noise(3, 90).map((v) => v + 1000), y: noise(4, 90).map((v) => 5000 + 3 * v), order: 2 },
    { name: 'few points', x: noise(5, 12), y: noise(6, 12), order: 2 },
    { name: 'trend', x: noise(9, 150).map((v, t) => v + t / 50), y: noise(10, 150).map((v, t) => v + t / 40), order: 4 },
  ]
}
