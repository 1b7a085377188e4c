/** Changes that a person makes to metadata: what a file or a flag would change, checked before anything is stored. */
import { MetadataRow, ServiceError, type StoredMetadata, metadataKey } from '../contracts/index.ts'
import type { FileRow } from './metadata-files.ts'

export interface Place {
  readonly table: string
  readonly column: string | null
}

export interface FieldChange extends Place {
  readonly field: string
  readonly from: unknown
  readonly to: unknown
}

export interface EditPlan {
  readonly rows: readonly MetadataRow[]
  readonly changes: readonly FieldChange[]
  /** rows that say what is stored already */
  readonly unchanged: number
}

const PLACE = ['target_type', 'table_name', 'column_name'] as const
const FIELDS = Object.keys(MetadataRow.shape) as (keyof MetadataRow)[]

/**
 * What storing the rows of a file would change. A row that only repeats a proposal leaves it a proposal, unless the file says
 * `proposed: false`. Whether there is such a table or column is not decided here: the database knows.
 */
export function planEdit(current: readonly StoredMetadata[], asked: readonly FileRow[]): EditPlan {
  const known = new Map(current.map((row) => [metadataKey(row), row]))
  const rows: MetadataRow[] = []
  const changes: FieldChange[] = []
  for (const { row, proposed } of asked) {
    const before = known.get(metadataKey(row))
    const differing = fieldChanges(before, row)
    if (differing.length === 0 && !(before?.proposed === true && proposed === false)) continue
    rows.push(row)
    const place = { table: row.table_name, column: row.column_name }
    changes.push(...differing, ...(before?.proposed === true ? [{ ...place, field: 'proposed', from: true, to: false }] : []))
  }
  return { rows, changes, unchanged: asked.length - rows.length }
}

/** One row with some of its fields said anew; the others stay as they are stored. */
export function editRow(current: readonly StoredMetadata[], place: string, said: Partial<MetadataRow>): MetadataRow {
  const { table, column } = placeNamed(current, place)
  const before = current.find((row) => row.table_name === table && row.column_name === column)
  const parsed = MetadataRow.safeParse({
    ...(before === undefined ? {} : Object.fromEntries(FIELDS.map((field) => [field, before[field]]))),
    ...said,
    target_type: column === null ? 'table' : 'column',
    table_name: table,
    column_name: column,
  })
  if (parsed.success) return parsed.data
  throw new ServiceError('invalid_request', 'this cannot be said of a table or column', {
    errors: parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })),
  })
}

/** `customer` or `customer.email`. Names may hold dots themselves, so what is stored decides; without that, the last dot does. */
export function placeNamed(current: readonly StoredMetadata[], place: string): Place {
  const readings: Place[] = [{ table: place, column: null }]
  for (let dot = place.lastIndexOf('.'); dot > 0; dot = place.lastIndexOf('.', dot - 1)) {
    readings.push({ table: place.slice(0, dot), column: place.slice(dot + 1) })
  }
  const known = new Set(current.map(metadataKey))
  const found = readings.find(({ table, column }) => known.has(metadataKey({ table_name: table, column_name: column })))
  return found ?? readings[1] ?? { table: place, column: null }
}

function fieldChanges(before: MetadataRow | undefined, after: MetadataRow): FieldChange[] {
  const place = { table: after.table_name, column: after.column_name }
  return FIELDS.filter((field) => !PLACE.some((each) => each === field)).flatMap((field) => {
    const [from, to] = [quiet(before?.[field]), quiet(after[field])]
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ ...place, field, from, to }]
  })
}

/** Nothing, an empty text and an empty list say the same. */
const quiet = (value: unknown): unknown => {
  const empty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  return empty ? null : value
}
