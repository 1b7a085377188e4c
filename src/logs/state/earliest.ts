/** Which lines of a shape may be among its earliest ones, told line by line: some too many, never one too few. */
export class Earliest {
  readonly file: number
  readonly #limit: number
  readonly #times: number[] = []
  #bound = Infinity

  /** Of one file: there a line further on is later among lines of one time. */
  constructor(file: number, limit: number) {
    this.file = file
    this.#limit = limit
  }

  /** Whether fewer than `limit` lines so far are earlier than this one. */
  takes(tsMs: number): boolean {
    if (tsMs >= this.#bound || this.#limit === 0) return false
    const times = this.#times
    times.push(tsMs)
    // sorted only now and then: a log that runs backwards must not sort at every line
    if (times.length === this.#limit || times.length >= 2 * this.#limit) {
      times.sort((x, y) => x - y)
      times.length = this.#limit
      this.#bound = times[this.#limit - 1] as number
    }
    return true
  }
}
