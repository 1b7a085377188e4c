/**
 * Places where a reading may go more than one way. A pass asks `pick` and goes the likeliest way; the places it met are gone
 * through again with one of them turned. So each pass stays a plain walk, and what was turned is evidence that ranking weighs.
 */
export interface Turn {
  readonly name: string
  readonly way: number
}

export class Choices {
  /** each place that was met, in order, with the number of its ways */
  readonly met = new Map<string, number>()
  private readonly turns: ReadonlyMap<string, number>

  constructor(turns: readonly Turn[] = []) {
    this.turns = new Map(turns.map(({ name, way }) => [name, way]))
  }

  /** Which way to go, 0 being the likeliest. `at` tells places of one name apart. */
  pick(name: string, at: number | string = '', ways = 2): number {
    const place = at === '' ? name : `${name}@${at}`
    this.met.set(place, ways)
    return this.turns.get(place) ?? 0
  }

  turned(name: string, at: number | string = ''): boolean {
    return this.pick(name, at) === 1
  }
}

/** Every other way at each place that was met. */
export const turnsOf = ({ met }: Choices): Turn[] =>
  [...met].flatMap(([name, ways]) => Array.from({ length: ways - 1 }, (_, at) => ({ name, way: at + 1 })))

/** The name of a place without where it stands: what ranking knows it by. */
export const kindOfTurn = ({ name, way }: Turn): string => `${name.split('@', 1)[0]}${way > 1 ? `-${way}` : ''}`
