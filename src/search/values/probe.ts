/** Columns that are not indexed are asked for the words of the question, by bound equality. */
import type { Source } from '../../sources/index.ts'
import type { Span } from './spans.ts'
import { type TextColumn, probeQuery, textOfCell } from './text-columns.ts'
import type { LookLimits } from './value-shelf.ts'
import { formOf, normalise } from './normalise.ts'

const MAX_VALUES_PER_COLUMN = 50
/** A longer question has more ways to be spelled than a statement should carry; its first words come first. */
const MAX_SPELLINGS = 5000

export interface Probed {
  readonly span: Span
  readonly column: TextColumn
  readonly value: string
  readonly count: number
}

export async function probe(source: Source, columns: readonly TextColumn[], spans: readonly Span[], limits: LookLimits): Promise<Probed[]> {
  if (columns.length === 0 || spans.length === 0) return []
  const byForm = Map.groupBy(spans, ({ form }) => form)
  const lower = spellingsOf(spans, smallLetters)
  const cased = spellingsOf(spans, variants)
  const found = await Promise.all(
    columns.map(async (column) => {
      const query = probeQuery(source.dialect, column, column.small ? lower : cased)
      const { rows } = await source.select(query, { maxRows: MAX_VALUES_PER_COLUMN, ...limits })
      return rows.flatMap(([cell, count]) => {
        const value = textOfCell(cell)
        if (value === null) return []
        return (byForm.get(formOf(normalise(value))) ?? []).map((span) => ({ span, column, value, count: Number(count) }))
      })
    }),
  )
  return found.flat()
}

const spellingsOf = (spans: readonly Span[], ways: (span: Span) => string[]): string[] =>
  [...new Set(spans.flatMap(ways))].slice(0, MAX_SPELLINGS)

/** For a column that is read through, with its values in small letters. */
const smallLetters = ({ text, norm, form }: Span): string[] => [
  text.toLowerCase(), norm, form, norm.replaceAll(' ', '_'), norm.replaceAll(' ', '-'), form.replaceAll(' ', '_'),
]

/** For a column that is asked by its index, which knows a value by its exact spelling. */
const variants = ({ text, norm }: Span): string[] => {
  const titled = norm.replaceAll(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase())
  return [text, text.toLowerCase(), text.toUpperCase(), titled, norm.charAt(0).toUpperCase() + norm.slice(1)]
}
