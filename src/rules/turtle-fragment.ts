/** SHACL and OWL rules are Turtle fragments: the standard prefixes need not be declared in each of them. */
import { type ParsedTurtle, parseTurtle, STANDARD_PREFIXES } from '../kernel/rdf/index.ts'

export function parseFragment(body: string): ParsedTurtle {
  const header = Object.entries(STANDARD_PREFIXES).map(([prefix, namespace]) => `@prefix ${prefix}: <${namespace}> .`)
  const parsed = parseTurtle(`${header.join(' ')}\n${body}`)
  // the header is one line long: places are told as they stand in the fragment
  return parsed.ok ? parsed : { ok: false, fault: { ...parsed.fault, line: Math.max(1, parsed.fault.line - 1) } }
}
