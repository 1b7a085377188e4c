/** The lowest point of a smooth function, by L-BFGS (Nocedal & Wright, algorithm 7.5) with a step that halves until it descends. */

/** Value at a point; writes the gradient there. */
export type Smooth = (at: Float64Array, gradient: Float64Array) => number

export interface MinimiseOptions {
  readonly start: Float64Array
  /** enough for a hundred weights; more only polishes digits that are rounded away */
  readonly iterations?: number
  /** steps that the curvature is remembered from */
  readonly memory?: number
  /** a gradient shorter than this is flat */
  readonly flat?: number
}

interface Step {
  readonly s: Float64Array
  readonly y: Float64Array
  readonly rho: number
}

const ARMIJO = 1e-4
const HALVINGS = 40

/** Never ends higher than it started. */
export function minimise(f: Smooth, { start, iterations = 100, memory = 8, flat = 1e-5 }: MinimiseOptions): Float64Array {
  let at = start.slice()
  let gradient = new Float64Array(at.length)
  let value = f(at, gradient)
  const steps: Step[] = []
  for (let round = 0; round < iterations && length(gradient) > flat; round += 1) {
    let direction = downhill(gradient, steps)
    let slope = product(direction, gradient)
    if (slope >= 0) {
      // rounding has spoilt the curvature: begin anew along the gradient
      steps.length = 0
      direction = gradient.map((each) => -each)
      slope = product(direction, gradient)
    }
    let size = steps.length === 0 ? Math.min(1, 1 / length(gradient)) : 1
    const next = new Float64Array(at.length)
    const nextGradient = new Float64Array(at.length)
    let found = false
    for (let halving = 0; halving < HALVINGS && !found; halving += 1, size /= 2) {
      for (let i = 0; i < at.length; i += 1) next[i] = at[i]! + size * direction[i]!
      const there = f(next, nextGradient)
      found = there <= value + ARMIJO * size * slope
      if (found) value = there
    }
    if (!found) break
    const s = next.map((each, i) => each - at[i]!)
    const y = nextGradient.map((each, i) => each - gradient[i]!)
    const curvature = product(s, y)
    if (curvature > 1e-12) steps.push({ s, y, rho: 1 / curvature })
    if (steps.length > memory) steps.shift()
    at = next
    gradient = nextGradient
  }
  return at
}

/** The two loops: the gradient turned by what the last steps say of the curvature. */
function downhill(gradient: Float64Array, steps: readonly Step[]): Float64Array<ArrayBuffer> {
  const q = Float64Array.from(gradient)
  const alphas = steps.map(() => 0)
  for (let k = steps.length - 1; k >= 0; k -= 1) {
    const { s, y, rho } = steps[k]!
    const alpha = rho * product(s, q)
    alphas[k] = alpha
    for (let i = 0; i < q.length; i += 1) q[i]! -= alpha * y[i]!
  }
  const last = steps.at(-1)
  const scale = last === undefined ? 1 : 1 / (last.rho * product(last.y, last.y))
  for (let i = 0; i < q.length; i += 1) q[i]! *= scale
  for (const [k, { s, y, rho }] of steps.entries()) {
    const beta = rho * product(y, q)
    for (let i = 0; i < q.length; i += 1) q[i]! += (alphas[k]! - beta) * s[i]!
  }
  for (let i = 0; i < q.length; i += 1) q[i] = -q[i]!
  return q
}

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i += 1) sum += a[i]! * b[i]!
  return sum
}

const length = (a: Float64Array): number => Math.sqrt(product(a, a))
