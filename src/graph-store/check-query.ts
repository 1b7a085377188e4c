/** What a query may be: SELECT or ASK, over the graph at hand and nothing else. */
import { Parser } from '@traqula/parser-sparql-1-2'
import { LIMITS, ServiceError } from '../contracts/index.ts'

// building its tables takes far longer than reading a query; prefixes and bases of one query do not reach the next
let parser: Parser | undefined

/** Only reading forms, only over the subgraph itself, and shallow enough for the parser's stack. Says which form it is. */
export function checkQuery(query: string): 'select' | 'ask' {
  if (nesting(query) > LIMITS.sparql_depth) {
    throw new ServiceError('unsupported_query', `the query nests deeper than ${LIMITS.sparql_depth} levels`)
  }
  let parsed: unknown
  try {
    parser ??= new Parser()
    parsed = parser.parse(query)
  } catch (error) {
    if (error instanceof RangeError) parser = undefined // out of stack: nobody knows what it left behind
    const [line, column] = /line:? ?(\d+),? ?col(?:umn)?:? ?(\d+)/i.exec(String(error))?.slice(1).map(Number) ?? []
    throw new ServiceError('unsupported_query', 'the query is not valid SPARQL', {
      errors: [{ message: 'syntax error', ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) }],
      cause: error,
    })
  }
  const { type, subType, queryType } = parsed as { type?: string; subType?: string; queryType?: string }
  const form = (subType ?? queryType ?? '').toLowerCase()
  if (type !== 'query' || (form !== 'select' && form !== 'ask')) {
    throw new ServiceError('unsupported_query', 'only SELECT and ASK are answered here')
  }
  if (mentions(parsed, (node) => node['subType'] === 'service' || node['type'] === 'service')) {
    throw new ServiceError('unsupported_query', 'SERVICE is not allowed: nothing leaves the host')
  }
  const datasets = (parsed as { datasets?: { clauses?: readonly unknown[] } }).datasets
  if ((datasets?.clauses?.length ?? 0) > 0) {
    throw new ServiceError('unsupported_query', 'FROM is not allowed: a query sees its own subgraph only')
  }
  return form
}

/** The LIMIT of the query itself, null where it has none; undefined for a text that is no query. */
export function limitOf(query: string): number | null | undefined {
  try {
    parser ??= new Parser()
    const { solutionModifiers } = parser.parse(query) as { solutionModifiers?: { limitOffset?: { limit?: number } } }
    return solutionModifiers?.limitOffset?.limit ?? null
  } catch {
    return undefined
  }
}

function nesting(text: string): number {
  let depth = 0
  let deepest = 0
  for (const character of text) {
    if (character === '{' || character === '(' || character === '[') deepest = Math.max(deepest, (depth += 1))
    if (character === '}' || character === ')' || character === ']') depth -= 1
  }
  return deepest
}

function mentions(root: unknown, test: (node: Record<string, unknown>) => boolean): boolean {
  const pending: unknown[] = [root]
  const seen = new Set<unknown>()
  for (let node = pending.pop(); pending.length > 0 || node !== undefined; node = pending.pop()) {
    if (typeof node !== 'object' || node === null || seen.has(node)) continue
    seen.add(node)
    if (!Array.isArray(node) && test(node as Record<string, unknown>)) return true
    for (const part of Object.values(node)) pending.push(part) // one by one: a long VALUES list does not fit into a call
  }
  return false
}
