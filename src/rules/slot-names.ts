/** How the slots of a rule name classes, properties, paths and values, and how these become terms and names again. */
import { ServiceError } from '../contracts/index.ts'
import { RDF_TYPE } from '../kernel/rdf/index.ts'
import type { Term } from '../kernel/term.ts'
import { XSD } from '../kernel/term.ts'
import type { SlotValue } from '../contracts/index.ts'
import { isIri, termIri } from './term-text.ts'

/** One step of a path: a property, followed forwards or backwards. */
export interface Step {
  readonly property: string
  readonly inverse: boolean
}

// what a path is made of cannot be part of a name in it
const RESERVED = /[/^<>\s]/

/** A name below the base (`Alarm`, `:Alarm`) or a full IRI, as an IRI. */
export function resolveName(name: string, baseIri: string, where: string): string {
  if (isIri(name)) return name
  const local = name.startsWith(':') ? name.slice(1) : name
  if (local === '' || local !== local.trim()) throw slotFault(where, 'a class or property is named here by its name or its IRI')
  return termIri(baseIri, local)
}

/** The shortest name that resolves to this IRI again. */
export function nameOfIri(value: string, baseIri: string): string {
  if (!value.startsWith(baseIri)) return value
  const local = decoded(value.slice(baseIri.length))
  const plain = local !== undefined && local !== '' && !RESERVED.test(local) && !local.startsWith(':') && !isIri(local)
  // `a` is rdf:type
  return plain && local !== 'a' && local === local.trim() && termIri(baseIri, local) === value ? local : value
}

/** A property may also be `a`, which gives or asks for a class. */
export const resolveProperty = (name: string, baseIri: string, where: string): string =>
  name === 'a' ? RDF_TYPE : resolveName(name, baseIri, where)
export const nameOfProperty = (value: string, baseIri: string): string =>
  value === RDF_TYPE ? 'a' : nameOfIri(value, baseIri)

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

export function resolvePath(path: string, baseIri: string, where: string): Step[] {
  if (isIri(path)) return [{ property: path, inverse: false }]
  const steps = path.match(/\^?(?:<[^<>]*>|[^/^<>]+)/g) ?? []
  if (steps.join('/') !== path) throw slotFault(where, 'a path is properties joined by /, each with ^ before it at will')
  return steps.map((step) => {
    const inverse = step.startsWith('^')
    const name = inverse ? step.slice(1) : step
    if (!name.startsWith('<')) return { property: resolveProperty(name, baseIri, where), inverse }
    const value = name.slice(1, -1)
    if (!isIri(value)) throw slotFault(where, `<${value}> is not an IRI`)
    return { property: value, inverse }
  })
}

export function pathText(steps: readonly Step[], baseIri: string): string {
  const [only, ...more] = steps
  if (only !== undefined && more.length === 0 && !only.inverse) return nameOfProperty(only.property, baseIri)
  return steps
    .map(({ property, inverse }) => {
      const name = nameOfProperty(property, baseIri)
      return `${inverse ? '^' : ''}${name === property ? `<${property}>` : name}`
    })
    .join('/')
}

export function termOfSlot(value: SlotValue, baseIri: string, where: string): Exclude<Term, { kind: 'bnode' }> {
  if (typeof value === 'string') return literalOf(value, `${XSD}string`)
  if (typeof value === 'boolean') return literalOf(String(value), `${XSD}boolean`)
  if (typeof value === 'number') return numberOf(value, where)
  if ('iri' in value) return { kind: 'iri', value: resolveName(value.iri, baseIri, where) }
  if ('language' in value) return { ...literalOf(value.value, LANG_STRING), language: value.language }
  if (!isIri(value.datatype)) throw slotFault(where, `the datatype ${JSON.stringify(value.datatype)} is not an IRI`)
  return literalOf(value.value, value.datatype)
}

/** undefined for a term that no slot can hold. */
export function slotOfTerm(term: Term, baseIri: string): SlotValue | undefined {
  if (term.kind === 'bnode') return undefined
  if (term.kind === 'iri') return { iri: nameOfIri(term.value, baseIri) }
  if (term.language !== undefined) return { value: term.value, language: term.language }
  if (term.datatype === `${XSD}string`) return term.value
  if (term.datatype === `${XSD}boolean` && /^(?:true|false)$/.test(term.value)) return term.value === 'true'
  const number = Number(term.value)
  const plain = Number.isFinite(number) ? numberOf(number, '') : undefined
  if (plain?.kind === 'literal' && plain.value === term.value && plain.datatype === term.datatype) return number
  return { value: term.value, datatype: term.datatype }
}

const LANG_STRING = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#langString'
const literalOf = (value: string, datatype: string): Extract<Term, { kind: 'literal' }> => ({ kind: 'literal', value, datatype })

function numberOf(value: number, where: string): Extract<Term, { kind: 'literal' }> {
  if (!Number.isFinite(value)) throw slotFault(where, 'this is not a number that can be written down')
  const text = String(value === 0 ? 0 : value) // minus zero is zero
  if (text.includes('e')) return literalOf(text, `${XSD}double`)
  return literalOf(text, text.includes('.') ? `${XSD}decimal` : `${XSD}integer`)
}

export const slotFault = (path: string, message: string): ServiceError =>
  new ServiceError('invalid_rule', 'the slots of this rule do not make a rule', { errors: [{ path, message }] })

