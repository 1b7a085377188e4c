/** Lets so many through at once. Others wait in line; who finds the line full or waits too long is sent away. */
import { ServiceError } from '../contracts/index.ts'

export interface TurnstileOptions {
  readonly atOnce: number
  readonly waiting: number
}

export interface Patience {
  readonly waitMs: number
  readonly signal?: AbortSignal
}

export class Turnstile {
  readonly #waiting = new Set<() => void>()
  readonly #options: TurnstileOptions
  #inside = 0

  constructor(options: TurnstileOptions) {
    this.#options = options
  }

  /** Throws where the next one would be sent away at once. */
  demandRoom(): void {
    if (this.#inside >= this.#options.atOnce && this.#waiting.size >= this.#options.waiting) throw sentAway()
  }

  /** Resolves when it is one's turn, with the function that ends it. Who came first is asked first. */
  async enter({ waitMs, signal }: Patience): Promise<() => void> {
    this.demandRoom()
    if (signal?.aborted === true) throw left()
    if (this.#inside >= this.#options.atOnce) await this.#turn(waitMs, signal)
    else this.#inside += 1
    let inside = true
    return () => {
      if (!inside) return
      inside = false
      this.#next()
    }
  }

  /** The one who leaves hands the place over, so that nobody can slip in between. */
  #next(): void {
    const [first] = this.#waiting
    if (first === undefined) this.#inside -= 1
    else first()
  }

  #turn(waitMs: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (error: ServiceError | null): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', leave)
        this.#waiting.delete(go)
        if (error === null) resolve()
        else reject(error)
      }
      const go = (): void => settle(null)
      const leave = (): void => settle(left())
      const timer = setTimeout(() => settle(sentAway()), waitMs)
      signal?.addEventListener('abort', leave, { once: true })
      this.#waiting.add(go)
    })
  }
}

const sentAway = (): ServiceError =>
  new ServiceError('too_many_requests', 'too many are asking at once', { hint: 'ask again in a moment' })
const left = (): ServiceError => new ServiceError('cancelled', 'the client left before its turn came')
