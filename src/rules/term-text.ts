/** Names from logs and people as IRIs. Whoever writes the log chooses these words, so none may break out of a query or a file. */
import type { Term } from '../kernel/term.ts'
import { XSD } from '../kernel/term.ts'

/** The IRI of a class or property: the project's base and the name, percent-encoded where an IRI needs it. */
export const termIri = (baseIri: string, name: string): string => `${baseIri}${encodeURIComponent(name.toWellFormed())}`

const LOCAL_NAME = /^[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*$/

/** The same in SPARQL and Turtle under the prefix `:`; a name that is no plain local name is written as a full IRI. */
export const termText = (baseIri: string, name: string): string =>
  LOCAL_NAME.test(name) ? `:${name}` : `<${termIri(baseIri, name)}>`

/** An IRI that can stand between angle brackets. */
export const isIri = (text: string): boolean => /^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"{}|^`\\\p{Cc}]*$/u.test(text)

/** An IRI as Turtle or SPARQL text, under the prefix `:` where it lies below the base. */
export function iriText(baseIri: string, value: string): string {
  const local = value.startsWith(baseIri) ? value.slice(baseIri.length) : ''
  return LOCAL_NAME.test(local) ? `:${local}` : `<${value}>`
}

/** A literal as Turtle text. JSON's escapes are all escapes of Turtle too, once no half of a surrogate pair is left. */
export function literalText(term: Extract<Term, { kind: 'literal' }>): string {
  const { value, datatype, language } = term
  const text = JSON.stringify(value.toWellFormed())
  if (language !== undefined) return `${text}@${language}`
  if (datatype === `${XSD}string`) return text
  const plain =
    (datatype === `${XSD}integer` && /^[+-]?\d+$/.test(value)) ||
    (datatype === `${XSD}decimal` && /^[+-]?\d*\.\d+$/.test(value)) ||
    (datatype === `${XSD}boolean` && /^(?:true|false)$/.test(value))
  return plain ? value : `${text}^^<${datatype}>`
}

/** `entity/node/` in the IRI of everything that log lines name as their node. It can stand in a text of SPARQL as it is. */
export const entityPath = (slot: string): string => `entity/${encodeURIComponent(slot.toWellFormed())}/`
