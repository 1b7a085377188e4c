/** What a row that stands for a group says: the name of the group, and what is folded over it. */
import type { Cell } from '../../sources/index.ts'
import { measureNoun } from './measures.ts'
import { type Told, sayCell } from './told.ts'

type Row = readonly Cell[]

/** The places of what is shown of a group itself, and of what is folded. */
export const plainOf = ({ plan }: Told): number[] => plan.select.flatMap(({ aggregate }, at) => (aggregate === undefined ? [at] : []))
export const foldsOf = ({ plan }: Told): number[] => plan.select.flatMap(({ aggregate }, at) => (aggregate === undefined ? [] : [at]))

/** "number 4, average total 12.4"; one alone goes without its name. */
export function detailsOf(told: Told, row: Row, folds: readonly number[], alwaysNamed = false): string {
  const named = alwaysNamed || folds.length > 1
  const noun = (at: number) => (named ? `${measureNoun(told.ontology, told.cls, told.plan.select[at] ?? {})} ` : '')
  return folds.map((at) => `${noun(at)}${sayFold(told, row, at)}`).join(', ')
}

export const nameOf = (told: Told, row: Row): string => plainOf(told).map((at) => sayCell(told, row, at)).join(' / ')
export const sayFold = (told: Told, row: Row, at: number): string => ((row[at] ?? null) === null ? 'unknown' : sayCell(told, row, at))
