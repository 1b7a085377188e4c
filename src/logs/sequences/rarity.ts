/** How rare the rarest template of a sequence is, by the sequences that hold it. */
import { compareText } from '../../kernel/term.ts'
import type { Rarity } from './verdict.ts'

export interface RarestTemplate extends Rarity {
  readonly rarest: string
  /** templates that no other sequence holds */
  readonly own: readonly string[]
}

type Templates = readonly string[]

/** Of each sequence among all of them. */
export function raritiesOf(sequences: readonly Templates[]): RarestTemplate[] {
  const holders = holdersOf(sequences)
  const found = sequences.map((sequence) => rarestOf(sequence, holders, 0))
  const levels = levelsOf(found)
  return found.map((each) => ({ ...each, ...levels(each.holders), sequences: sequences.length }))
}

/** Of one more sequence, as if it stood among these. */
export function rarityAmong(sequences: readonly Templates[]): (templates: Templates) => RarestTemplate {
  const holders = holdersOf(sequences)
  const levels = levelsOf(sequences.map((sequence) => rarestOf(sequence, holders, 0)))
  return (templates) => {
    const found = rarestOf(templates, holders, 1)
    const { asRare, nextHolders } = levels(found.holders)
    return { ...found, asRare: 1 + asRare, nextHolders, sequences: sequences.length + 1 }
  }
}

function holdersOf(sequences: readonly Templates[]): Map<string, number> {
  const holders = new Map<string, number>()
  for (const sequence of sequences) for (const id of new Set(sequence)) holders.set(id, (holders.get(id) ?? 0) + 1)
  return holders
}

/** `more`: 1 when the sequence itself is not among the holders yet. */
function rarestOf(sequence: Templates, holders: ReadonlyMap<string, number>, more: 0 | 1) {
  const count = (id: string): number => (holders.get(id) ?? 0) + more
  const ids = [...new Set(sequence)].toSorted((x, y) => count(x) - count(y) || compareText(x, y))
  const [rarest = ''] = ids
  return { rarest, holders: rarest === '' ? 0 : count(rarest), own: ids.filter((id) => count(id) === 1) }
}

/** How many sequences have a rarest template with at most so many holders, and how many holders the next have. */
function levelsOf(found: readonly { readonly holders: number }[]): (holders: number) => Pick<Rarity, 'asRare' | 'nextHolders'> {
  const counts = new Map<number, number>()
  for (const { holders } of found) counts.set(holders, (counts.get(holders) ?? 0) + 1)
  const levels = [...counts.keys()].toSorted((x, y) => x - y)
  return (holders) => ({
    asRare: levels.reduce((sum, level) => (level <= holders ? sum + (counts.get(level) ?? 0) : sum), 0),
    nextHolders: levels.find((level) => level > holders) ?? found.length,
  })
}
