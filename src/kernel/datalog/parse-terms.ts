/** Reads the smallest parts of rule text: variables and values. */
import { iri, literal, XSD } from '../term.ts'
import type { Term } from '../term.ts'
import { isTyped, valueOf } from '../values/index.ts'
import type { Cursor } from './parse-cursor.ts'
import type { Argument } from './program.ts'

const LANG_STRING = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#langString'

export function readArgument(cursor: Cursor, expected: string): Argument {
  const token = cursor.peek()
  if (token.kind === 'variable') return { variable: cursor.variable() }
  if (token.kind === 'string') return { term: readString(cursor) }
  if (token.kind === 'name' && (token.text === 'true' || token.text === 'false')) {
    cursor.skip()
    return { term: literal(token.text, `${XSD}boolean`) }
  }
  if (token.kind === 'iri') {
    cursor.skip()
    return { term: iri(token.text) }
  }
  if (token.kind === 'number') {
    cursor.skip()
    const type = /[eE]/.test(token.text) ? 'double' : token.text.includes('.') ? 'decimal' : 'integer'
    return { term: literal(token.text, XSD + type) }
  }
  return cursor.stop(expected)
}

/** A string, with `^^xsd:date`, `^^<iri>` or `@en` behind it. */
function readString(cursor: Cursor): Term {
  const start = cursor.peek()
  const value = start.text
  cursor.skip()
  if (cursor.take('@')) {
    const language = cursor.peek()
    if (language.kind !== 'name') cursor.stop('a language tag')
    cursor.skip()
    return { kind: 'literal', value, datatype: LANG_STRING, language: language.text }
  }
  if (!cursor.take('^^')) return literal(value)
  const datatype = readDatatype(cursor)
  const term = literal(value, datatype)
  if (isTyped(datatype) && valueOf(term).kind === 'opaque') {
    cursor.fail(`${JSON.stringify(value)} is no xsd:${datatype.slice(XSD.length)}`, start)
  }
  return term
}

function readDatatype(cursor: Cursor): string {
  const type = cursor.peek()
  if (cursor.isName('xsd') && cursor.isMark(':', 1) && cursor.peek(2).kind === 'name') {
    const local = cursor.peek(2)
    // no datatype has a hyphen: this is `"3"^^xsd:integer-1`, a subtraction without spaces
    if (local.text.includes('-')) cursor.leave(`there is no xsd:${local.text}; a subtraction has spaces around its minus`, local)
    cursor.skip(3)
    return XSD + local.text
  }
  if (type.kind !== 'iri') cursor.stop('a datatype: xsd:name or <iri>')
  cursor.skip()
  return type.text
}
