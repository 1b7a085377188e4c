/** One string for all that are equal. A string cut out of a larger one would keep that in memory: what is kept is a copy. */
export class Interned {
  readonly #known = new Map<string, string>()

  of(text: string): string {
    const known = this.#known.get(text)
    if (known !== undefined) return known
    const copy = Buffer.from(text, 'utf8').toString('utf8')
    this.#known.set(copy, copy)
    return copy
  }
}
