/** What a SQLite column holds, from its declared type and from what stands in it: SQLite itself promises neither. */
import type { ValueType } from './source.ts'

/** What was seen of a column: the storage classes of its values, and the values themselves as text where they are short. */
export interface Seen {
  readonly storage: ReadonlySet<string>
  readonly values: readonly string[]
}

const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/
const ISO_DATETIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?$/

/** The declared type decides unless the values contradict it; a column without a type is what its values are. */
export function valueTypeOf(declaredType: string, seen: Seen): ValueType {
  const declared = declaredValueType(declaredType)
  const found = foundValueType(seen)
  if (found === null) return declared ?? 'text'
  switch (declared) {
    case null:
    case 'blob':
    case 'date':
    case 'datetime':
      return found
    case 'text':
      return found === 'date' || found === 'datetime' ? found : 'text'
    case 'boolean':
      return found === 'integer' || found === 'text' ? 'boolean' : found
    case 'integer':
    case 'decimal':
      return found === 'integer' || found === 'decimal' ? wider(declared, found) : found
  }
}

/** By name first, then by SQLite's affinity rules. null: the declaration says nothing. */
export function declaredValueType(declaredType: string): ValueType | null {
  const type = declaredType.toUpperCase()
  if (type.trim() === '') return null
  if (type.includes('BOOL')) return 'boolean'
  if (type.includes('DATETIME') || type.includes('TIMESTAMP')) return 'datetime'
  if (type.includes('DATE')) return 'date'
  if (type.includes('INT')) return 'integer'
  if (type.includes('CHAR') || type.includes('CLOB') || type.includes('TEXT')) return 'text'
  if (type.includes('BLOB')) return 'blob'
  if (type.includes('REAL') || type.includes('FLOA') || type.includes('DOUB')) return 'decimal'
  if (type.includes('DEC') || type.includes('NUM') || type.includes('MONEY')) return 'decimal'
  return null
}

function foundValueType({ storage, values }: Seen): ValueType | null {
  if (storage.size === 0) return null
  if (storage.has('blob')) return storage.size === 1 ? 'blob' : 'text'
  if (!storage.has('text')) return storage.has('real') ? 'decimal' : 'integer'
  if (storage.size > 1 || values.length === 0) return 'text'
  if (values.every((value) => ISO_DATE.test(value))) return 'date'
  return values.every((value) => ISO_DATETIME.test(value)) ? 'datetime' : 'text'
}

const wider = (declared: 'integer' | 'decimal', found: 'integer' | 'decimal'): ValueType =>
  declared === 'decimal' || found === 'decimal' ? 'decimal' : 'integer'
