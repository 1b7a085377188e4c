/** SHACL and OWL rules are Turtle fragments: the standard prefixes need not be declared in each of them. */
import { type ParsedTurtle, parseTurtle, STANDARD_PREFIXES } from '../kernel/rdf/index.ts'

export function parseFragment(body: string): ParsedTurtle {
  const header = Object.entries(STANDARD_PREFIXES).map(([prefix, namespace]) => `@prefix ${prefix}: <${namespace}> .`)
  const parsed = parseTurtle(`${header.join(' ')}\n${body}`)
  if (parsed.ok) return parsed
  // the header is one line long: places are told as they stand in the fragment
  const line = Math.max(1, parsed.fault.line - 1)
  const { column = firstColumn(body, line) } = parsed.fault
  return { ok: false, fault: { ...parsed.fault, line, column } }
}

/** The parser knows the line alone. */
const firstColumn = (text: string, line: number): number => {
  const start = text.split('\n')[line - 1]?.search(/\S/) ?? 0
  return Math.max(0, start) + 1
}
