/** The types of MySQL and MariaDB: what a column of each holds, and how a value the driver read becomes a cell (see cells.ts). */
import { decimalCell, floatCell, integerCell, plainCell, timestampCell } from '../cells.ts'
import type { Cell, ValueType } from '../source.ts'

/** Numbers of the wire protocol. */
const DECIMAL = 0
const FLOAT = 4
const DOUBLE = 5
const TIMESTAMP = 7
const LONGLONG = 8
const DATETIME = 12
const BIT = 16
const NEWDECIMAL = 246

export interface Field {
  readonly name: string
  readonly columnType?: number
  readonly type?: number
}

/** The driver is asked for big integers, decimals and dates as text, so nothing has been rounded before this. */
export function readerOf(field: Field): (value: unknown) => Cell {
  switch (field.columnType ?? field.type) {
    case LONGLONG:
      return (value) => integerCell(String(value))
    case DECIMAL:
    case NEWDECIMAL:
      return (value) => decimalCell(String(value))
    case FLOAT:
      return (value) => floatCell(Number(value), 4)
    case DOUBLE:
      return (value) => floatCell(Number(value))
    case TIMESTAMP:
    case DATETIME:
      return (value) => timestampCell(String(value))
    case BIT:
      return (value) => (value instanceof Uint8Array ? bits(value) : otherwise(value))
    default:
      return otherwise
  }
}

function otherwise(value: unknown): Cell {
  if (value === null || value === undefined) return null
  if (value instanceof Uint8Array) return new Uint8Array(value) // a copy: the driver's buffer holds the whole packet
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return plainCell(value)
  return JSON.stringify(value)
}

const bits = (value: Uint8Array): Cell => integerCell(`0x${Buffer.from(value).toString('hex')}`)

/** `declared` is the whole type as the schema spells it, `decimal(10,0) unsigned`. */
export function valueTypeOf(declared: string): ValueType {
  const [, name = '', size = ''] = /^([a-z0-9_]+)(?:\(([^)]*)\))?/i.exec(declared) ?? []
  switch (name.toLowerCase()) {
    case 'tinyint': // BOOLEAN is another word for tinyint(1)
    case 'bit':
      return size === '1' ? 'boolean' : 'integer'
    case 'smallint':
    case 'mediumint':
    case 'int':
    case 'integer':
    case 'bigint':
    case 'year':
      return 'integer'
    case 'decimal':
    case 'numeric':
      return /,\s*[1-9]/.test(size) ? 'decimal' : 'integer'
    case 'float':
    case 'double':
    case 'real':
      return 'decimal'
    case 'date':
      return 'date'
    case 'datetime':
    case 'timestamp':
      return 'datetime'
    case 'binary':
    case 'varbinary':
    case 'tinyblob':
    case 'blob':
    case 'mediumblob':
    case 'longblob':
    case 'geometry':
    case 'point':
    case 'linestring':
    case 'polygon':
    case 'multipoint':
    case 'multilinestring':
    case 'multipolygon':
    case 'geometrycollection':
    case 'vector':
      return 'blob'
    default: // char, text, enum, set, json, time, uuid, inet6, ...
      return 'text'
  }
}
