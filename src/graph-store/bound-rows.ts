/** The same query, held to a number of rows, so that an endless one cannot fill the memory before anybody counts. */

/** How many places in the text are tried; a query that hides its end behind more look-alikes is not bound. */
const TRIED = 20

/**
 * The query with `LIMIT rows`, or null where the place for it is not found. SPARQL has that place at the end, before a VALUES
 * clause if there is one; which VALUES or LIMIT of the text is the query's own, only reading the changed text can tell.
 */
export function withRowBound(query: string, rows: number, limitOf: (query: string) => number | null | undefined): string | null {
  const own = limitOf(query)
  if (own !== null && own !== undefined && own <= rows) return query
  const tries = own === null || own === undefined ? insertions(query, rows) : replacements(query, rows)
  return tries.find((text) => limitOf(text) === rows) ?? null
}

/** A line break ends a comment that may stand at the end. */
const insertions = (query: string, rows: number): string[] =>
  [query.length, ...lastOf(query, /\bvalues\b/gi).map(({ index }) => index)].map(
    (at) => `${query.slice(0, at)}\nLIMIT ${rows} ${query.slice(at)}`,
  )

const replacements = (query: string, rows: number): string[] =>
  lastOf(query, /\blimit\s+\d+/gi).map(
    ({ index, 0: found }) => `${query.slice(0, index)}LIMIT ${rows}${query.slice(index + found.length)}`,
  )

const lastOf = (query: string, pattern: RegExp): RegExpExecArray[] => [...query.matchAll(pattern)].slice(-TRIED).toReversed()

/** How many solutions a text of results holds; an ASK holds none. */
export function rowsIn(text: string, format: 'json' | 'csv' | 'tsv' | 'xml'): number {
  switch (format) {
    case 'json':
      return (JSON.parse(text) as { results?: { bindings: unknown[] } }).results?.bindings.length ?? 0
    case 'xml':
      return text.split('<result>').length - 1
    case 'tsv': // escapes every line break in its values
      return Math.max(0, text.split('\n').length - 2)
    case 'csv': // quotes a value that has a line break, and doubles a quote within it
      return Math.max(0, text.split('"').filter((_, at) => at % 2 === 0).join('').split('\n').length - 2)
  }
}
