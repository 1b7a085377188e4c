/** JSON columns: read with patience, because older programs wrote them. */

/** An object as it was stored. Plain text is kept under `text`, any other value under `value`: nothing is thrown away. */
export function objectOf(column: unknown): Record<string, unknown> {
  if (typeof column !== 'string' || column === '') return {}
  try {
    const value: unknown = JSON.parse(column)
    if (value === null) return {}
    return typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : { value }
  } catch {
    return { text: column }
  }
}

/** A list as it was stored; anything else counts as an empty one. */
export function listOf(column: string): unknown[] {
  try {
    const value: unknown = JSON.parse(column)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

export const stringsOf = (column: string): string[] => listOf(column).filter((value) => typeof value === 'string')
