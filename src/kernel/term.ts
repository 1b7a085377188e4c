/** A ground term, shared by the Datalog engine and the RDF code: what a record, a value or a class is to a proof. */
export type Term =
  | { readonly kind: 'iri'; readonly value: string }
  | { readonly kind: 'bnode'; readonly value: string }
  | { readonly kind: 'literal'; readonly value: string; readonly datatype: string; readonly language?: string }

export const XSD = 'http://www.w3.org/2001/XMLSchema#'

export const iri = (value: string): Term => ({ kind: 'iri', value })
export const literal = (value: string, datatype = `${XSD}string`): Term => ({ kind: 'literal', value, datatype })

/** A string that two terms share exactly when they are the same term. Also the N-Triples spelling, but for escapes. */
export function termKey(term: Term): string {
  if (term.kind === 'iri') return `<${term.value}>`
  if (term.kind === 'bnode') return `_:${term.value}`
  const text = JSON.stringify(term.value)
  if (term.language !== undefined) return `${text}@${term.language}`
  return term.datatype === `${XSD}string` ? text : `${text}^^<${term.datatype}>`
}

/** Code-unit order. `localeCompare` depends on the host's ICU data, golden files must not. */
export const compareText = (x: string, y: string): number => (x < y ? -1 : x > y ? 1 : 0)

/** A value as it comes from a database row or a JSON document, as a term. */
export function termOf(value: string | number | bigint | boolean, datatype?: string): Term {
  if (datatype !== undefined) return literal(String(value), datatype)
  if (typeof value === 'string') return literal(value)
  if (typeof value === 'boolean') return literal(String(value), `${XSD}boolean`)
  if (typeof value === 'bigint' || Number.isInteger(value)) return literal(String(value), `${XSD}integer`)
  return literal(String(value), `${XSD}double`)
}
