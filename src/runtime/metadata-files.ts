/** Metadata as a file that people edit: CSV for spreadsheets, YAML for editors. Reading is strict; every fault has its place. */
import { LineCounter, type Node, isMap, isSeq, parseDocument, stringify } from 'yaml'
import { type Fault, MetadataRow, type StoredMetadata, metadataKey } from '../contracts/index.ts'
import { readCsv, writeCsv } from './csv.ts'

export const METADATA_FORMATS = ['csv', 'yaml'] as const
export type MetadataFormat = (typeof METADATA_FORMATS)[number]

/** A row of a file. `proposed: false` takes a proposal over as it is; what the file does not say of it is undefined. */
export interface FileRow {
  readonly row: MetadataRow
  readonly proposed: boolean | undefined
  readonly line: number
}

export type FileRows =
  | { readonly ok: true; readonly rows: readonly FileRow[] }
  | { readonly ok: false; readonly faults: readonly Fault[] }

const FIELDS = Object.keys(MetadataRow.shape) as (keyof MetadataRow)[]
const COLUMNS = [...FIELDS, 'proposed'] as const
type Column = (typeof COLUMNS)[number]
const LISTS: ReadonlySet<Column> = new Set(['synonyms', 'has_key_columns'])
const FLAGS: ReadonlySet<Column> = new Set([
  'is_event_class', 'is_transitive', 'is_symmetric', 'is_functional', 'is_inverse_functional', 'proposed',
])
/** enough to repair a file in one go, few enough to read */
const MAX_FAULTS = 50
const MAX_ROWS = 200_000

export function writeMetadata(rows: readonly StoredMetadata[], format: MetadataFormat): string {
  if (format === 'csv') return writeCsv([COLUMNS, ...rows.map((row) => COLUMNS.map((column) => cellOf(row[column])))])
  const said = rows.map((row) => {
    const fields = COLUMNS.map((column) => [column, row[column]] as const)
    return Object.fromEntries(fields.filter(([, value]) => !isSilent(value)))
  })
  // the library's block scalars lose spaces before a line break; quotes keep every character
  return stringify(said, { lineWidth: 0, blockQuote: false })
}

export function readMetadata(text: string, format: MetadataFormat): FileRows {
  const { drafts, faults } = format === 'csv' ? fromCsv(text) : fromYaml(text)
  if (faults.length > 0) return { ok: false, faults: faults.slice(0, MAX_FAULTS) }
  const rows: FileRow[] = []
  const seen = new Map<string, number>()
  for (const { line, fields, lineOf } of drafts) {
    const { proposed, ...said } = fields
    const column_name = said['column_name'] ?? null
    const parsed = MetadataRow.safeParse({ target_type: column_name === null ? 'table' : 'column', ...said, column_name })
    if (!parsed.success) {
      faults.push(
        ...parsed.error.issues.map(({ path, message }) => ({
          ...(path.length === 0 ? {} : { path: path.join('.') }), line: lineOf(String(path[0] ?? '')), message,
        })),
      )
    } else if (proposed !== undefined && typeof proposed !== 'boolean') {
      faults.push({ path: 'proposed', line: lineOf('proposed'), message: 'true, false or nothing' })
    } else {
      const before = seen.get(metadataKey(parsed.data))
      if (before !== undefined) faults.push({ path: 'table_name', line, message: `line ${before} speaks of the same place` })
      seen.set(metadataKey(parsed.data), line)
      rows.push({ row: parsed.data, proposed, line })
    }
  }
  return faults.length > 0 ? { ok: false, faults: faults.slice(0, MAX_FAULTS) } : { ok: true, rows }
}

interface Draft {
  readonly line: number
  readonly fields: Readonly<Record<string, unknown>>
  readonly lineOf: (field: string) => number
}

interface Drafts {
  readonly drafts: readonly Draft[]
  readonly faults: Fault[]
}

function fromCsv(text: string): Drafts {
  const read = readCsv(text)
  if (!read.ok) return { drafts: [], faults: [...read.faults] }
  const [header, ...records] = read.records
  if (header === undefined) return refused('the file is empty; its first line names the columns', 1)
  const names = header.cells.map((name) => name.trim())
  const faults: Fault[] = names.flatMap((name, i): Fault[] => {
    if (!COLUMNS.some((column) => column === name)) {
      const separated = names.length === 1 && /[;\t]/.test(name) ? '; cells are separated by commas' : ''
      return [{ path: name, line: header.line, message: `no such column${separated}; known: ${COLUMNS.join(', ')}` }]
    }
    return names.indexOf(name) < i ? [{ path: name, line: header.line, message: 'this column stands twice' }] : []
  })
  if (!names.includes('table_name')) faults.push({ path: 'table_name', line: header.line, message: 'this column is needed' })
  if (records.length > MAX_ROWS) return refused(`more than ${MAX_ROWS} rows`, header.line)
  if (faults.length > 0) return { drafts: [], faults }
  const drafts = records.map(({ line, cells }): Draft => {
    if (cells.length !== names.length) {
      faults.push({ line, message: `${cells.length} cells, but the first line names ${names.length} columns` })
    }
    const fields = names.flatMap((name, i): [string, unknown][] => {
      const value = valueOf(name as Column, cells[i] ?? '')
      if (value === BAD) faults.push({ path: name, line, message: 'true, false or nothing' })
      return value === undefined || value === BAD ? [] : [[name, value]]
    })
    return { line, fields: Object.fromEntries(fields), lineOf: () => line }
  })
  return { drafts, faults }
}

const BAD = Symbol('bad cell')

/** An empty cell says nothing. Spreadsheets write TRUE and FALSE. */
function valueOf(column: Column, cell: string): unknown {
  if (cell === '') return undefined
  if (LISTS.has(column)) return splitList(cell)
  if (!FLAGS.has(column)) return cell
  const word = cell.trim().toLowerCase()
  return word === 'true' ? true : word === 'false' ? false : BAD
}

function cellOf(value: StoredMetadata[Column]): string {
  if (value === null) return ''
  if (Array.isArray(value)) return value.map((each: string) => each.replaceAll(/^\s|[\\;]/g, '\\$&')).join('; ')
  return String(value)
}

/** `a; b\; c` is "a" and "b; c". */
function splitList(text: string): string[] {
  const parts = ['']
  for (const [, escaped, separator, other] of text.matchAll(/\\([\s\S])|(;\s*)|([\s\S])/g)) {
    if (separator !== undefined) parts.push('')
    else parts[parts.length - 1] += escaped ?? other ?? ''
  }
  return parts.filter((part) => part !== '')
}

const isSilent = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0)

function fromYaml(text: string): Drafts {
  const lines = new LineCounter()
  const document = parseDocument(text, { schema: 'core', uniqueKeys: true, lineCounter: lines })
  const at = (node: unknown): number => {
    const offset = (node as Node | null)?.range?.[0]
    return offset === undefined ? 1 : lines.linePos(offset).line
  }
  if (document.errors.length > 0) {
    const faults = document.errors.map(({ message, linePos }) => ({
      message: message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? 'not YAML',
      ...(linePos === undefined ? {} : { line: linePos[0].line, column: linePos[0].col }),
    }))
    return { drafts: [], faults }
  }
  if (!isSeq(document.contents)) return refused('the file is a list with one entry per table or column', 1)
  if (document.contents.items.length > MAX_ROWS) return refused(`more than ${MAX_ROWS} entries`, 1)
  const faults: Fault[] = []
  const drafts = document.contents.items.flatMap((item): Draft[] => {
    const line = at(item)
    if (!isMap(item)) {
      faults.push({ line, message: 'an entry is a mapping of names to values' })
      return []
    }
    const places = new Map(item.items.map(({ key }) => [String(key), at(key)]))
    for (const [path, place] of places) {
      if (COLUMNS.some((column) => column === path)) continue
      faults.push({ path, line: place, message: `no such name; known: ${COLUMNS.join(', ')}` })
    }
    try {
      // anchors have no use here, and a bomb made of them ends at the first reference
      const fields = item.toJS(document, { maxAliasCount: 0 }) as Record<string, unknown>
      const said = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
      return [{ line, fields: said, lineOf: (field) => places.get(field) ?? line }]
    } catch {
      faults.push({ line, message: 'anchors and aliases are not read here' })
      return []
    }
  })
  return { drafts, faults }
}

const refused = (message: string, line: number): Drafts => ({ drafts: [], faults: [{ message, line }] })
