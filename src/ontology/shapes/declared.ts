/**
 * SQLite lets a column declared INTEGER or DATE hold any text. Where it does, the ontology types the column as text, because
 * that is what its values are; the declaration is still what somebody meant, and the values that break it are worth a line.
 */
import { XSD } from '../../kernel/term.ts'
import type { Table } from '../../sources/index.ts'
import type { OntologyProperty } from '../ontology.ts'
import { DATE_PATTERN, DATE_TIME_PATTERN } from './patterns.ts'

export type DeclaredType = 'integer' | 'decimal' | 'date'

export interface Contradicted {
  readonly declared: DeclaredType
  /** the same demand upon the text of a value, for a shape */
  readonly pattern: string
  readonly says: string
}

const PATTERNS: Readonly<Record<DeclaredType, string>> = {
  integer: '^[+-]?[0-9]+$',
  decimal: '^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$',
  date: `^(${DATE_PATTERN}|${DATE_TIME_PATTERN})$`,
}

/** null where the declaration says nothing that the ontology does not say. */
export function contradictedType(property: OntologyProperty, table: Table | undefined): Contradicted | null {
  const column = table?.columns.find(({ name }) => name === property.columns[0])
  if (column === undefined || property.kind !== 'data' || property.range !== `${XSD}string`) return null
  const declared = declaredKind(column.declaredType)
  if (declared === null) return null
  return { declared, pattern: PATTERNS[declared], says: `be of the declared type ${column.declaredType}` }
}

/** By whole words: to SQLite's own affinity rules POINT is an integer and ENUM('a') a number, but nobody meant that. */
function declaredKind(declaredType: string): DeclaredType | null {
  const type = declaredType.toUpperCase()
  if (/\b(DATE|TIMESTAMP)/.test(type)) return 'date'
  if (/\b(TINY|SMALL|MEDIUM|BIG)?INT(EGER|\d)?\b/.test(type)) return 'integer'
  return /\b(REAL|FLOAT|DOUBLE|DEC(IMAL)?|NUM(BER|ERIC)?|MONEY)\b/.test(type) ? 'decimal' : null
}
