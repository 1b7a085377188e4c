/** PostgreSQL's types: what a column of each holds, and how the text the server sends becomes a cell (see cells.ts). */
import { type Rows, decimalCell, floatCell, integerCell, timestampCell } from '../cells.ts'
import type { ValueType } from '../source.ts'

type Cell = Rows['rows'][number][number]

/** By the type's own number, which never changes for built-in types. Whatever is not here stays text. */
const READERS: ReadonlyMap<number, (text: string) => Cell> = new Map<number, (text: string) => Cell>([
  [16, (text) => (text === 't' ? 1 : 0)], // bool
  [17, bytes], // bytea
  [20, integerCell], // int8
  [21, Number], // int2
  [23, Number], // int4
  [26, Number], // oid
  [700, (text) => floatCell(Number(text))], // float4: printed as its shortest decimal already
  [701, (text) => floatCell(Number(text))], // float8
  [1042, (text) => text.replace(/ +$/, '')], // char(n): the padding means nothing
  [1114, timestampCell], // timestamp
  [1184, (text) => timestampCell(text.replace(/\+00$/, 'Z'))], // timestamptz: the session's zone is UTC
  [1700, decimalCell], // numeric
])

export const readerOf = (typeNumber: number): ((text: string) => Cell) => READERS.get(typeNumber) ?? String

/** `\x00ff`, the server's hex spelling. */
function bytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text.slice(2), 'hex'))
}

export interface PostgresType {
  /** the type's name in pg_type; of a domain, that of the type below it */
  readonly name: string
  /** digits after the point where the type says so */
  readonly scale: number | null
}

export function valueTypeOf({ name, scale }: PostgresType): ValueType {
  switch (name) {
    case 'bool':
      return 'boolean'
    case 'int2':
    case 'int4':
    case 'int8':
    case 'oid':
      return 'integer'
    case 'numeric':
      return scale === 0 ? 'integer' : 'decimal'
    case 'float4':
    case 'float8':
      return 'decimal'
    case 'date':
      return 'date'
    case 'timestamp':
    case 'timestamptz':
      return 'datetime'
    case 'bytea':
      return 'blob'
    default: // text, enum, uuid, json, arrays, times, ranges, ...
      return 'text'
  }
}
