/**
 * Which values a datatype has. The language looks at values as things of their own, not as a query does: 1 and 1.0 are one
 * decimal, but no double is a decimal, and a moment keeps its zone. What is not known here stays unknown and concludes nothing.
 */
import type { Argument, BodyItem } from '../datalog/index.ts'
import { RDF, RDFS, XSD } from '../rdf/index.ts'
import type { Term } from '../term.ts'
import { termKey } from '../term.ts'
import { valueOf } from '../values/index.ts'
import type { List } from './lists.ts'
import { EQUIVALENT_CLASS, owl, rdfs } from './rule.ts'

export type Literal = Extract<Term, { kind: 'literal' }>

/** A value: two literals have the same one exactly when space and key are equal. */
export interface DataValue {
  readonly space: string
  readonly key: string
}

/** `ill` where the text is not one of its datatype's, undefined where the datatype is not known. */
export function dataValue(literal: Literal): DataValue | 'ill' | undefined {
  if (literal.language !== undefined) return { space: 'language', key: `${literal.value}@${literal.language.toLowerCase()}` }
  const { value: text, datatype } = literal
  if (datatype === `${RDF}HTML`) return { space: datatype, key: text }
  if (datatype === `${RDF}XMLLiteral`) return isXml(text) ? { space: datatype, key: text } : 'ill'
  if (!KNOWN.has(datatype)) return undefined
  const name = datatype.slice(XSD.length)
  if (STRINGS[name] !== undefined) return STRINGS[name].test(text) ? { space: 'string', key: text } : 'ill'
  if (name === 'anyURI') return { space: name, key: text }
  if (name === 'hexBinary') return /^([0-9a-fA-F]{2})*$/.test(text) ? { space: name, key: text.toUpperCase() } : 'ill'
  if (name === 'base64Binary') return base64(text)
  const value = valueOf(literal)
  switch (value.kind) {
    case 'exact': {
      const exact = normal(value.digits, value.scale)
      return exact.scale === 0 && !within(name, exact.digits)
        ? 'ill'
        : { space: 'decimal', key: `${exact.digits}e-${exact.scale}` }
    }
    case 'double': {
      const number = name === 'float' ? Math.fround(value.number) : value.number
      return { space: name, key: Object.is(number, -0) ? '-0' : String(number) }
    }
    case 'boolean':
      return { space: 'boolean', key: String(value.value) }
    case 'opaque':
    case 'string':
      return 'ill'
    case 'duration':
      return { space: 'duration', key: `${datatype} ${text}` }
    default:
      if (name === 'dateTimeStamp' && !value.zoned) return 'ill'
      return { space: value.kind, key: `${value.seconds} ${value.fraction} ${value.zoned ? zoneOf(text) : 'local'}` }
  }
}

/** Whether a value is one of the datatype's. */
function isIn(datatype: string, literal: Literal): boolean | undefined {
  const value = dataValue(literal)
  if (value === 'ill') return KNOWN.has(datatype) || GENERAL.has(datatype) ? false : undefined
  if (datatype === `${RDFS}Literal`) return true
  if (value === undefined) return literal.datatype === datatype ? true : undefined
  if (datatype === `${RDF}PlainLiteral`) return value.space === 'string' || value.space === 'language'
  if (datatype === `${RDF}langString`) return value.space === 'language'
  if (datatype === `${RDF}XMLLiteral` || datatype === `${RDF}HTML`) return value.space === datatype
  if (!KNOWN.has(datatype)) return undefined
  const name = datatype.slice(XSD.length)
  const strings = STRINGS[name]
  if (strings !== undefined) return value.space === 'string' && strings.test(value.key)
  if (name === 'decimal') return value.space === 'decimal'
  if (name in BOUNDS) return value.space === 'decimal' && value.key.endsWith('e-0') && within(
    name, BigInt(value.key.slice(0, -3))
  )
  if (name === 'dateTimeStamp') return value.space === 'dateTime' && !value.key.endsWith('local')
  if (
    value.space === 'duration'
  ) return name === 'duration' || literal.datatype === datatype ? true : name.endsWith('Duration') ? undefined : false
  return value.space === name
}

/** What data ranges are made of, as far as the axioms say. */
export interface Ranges {
  instances(cls: string): readonly Term[]
  objects(subject: Term, property: string): readonly Term[]
  list(head: Term): List | undefined
}

const named = new WeakMap<Ranges, ReadonlySet<string>>()

export function isDatatype(term: Term, ranges: Ranges): boolean {
  if (term.kind === 'iri' && (KNOWN.has(term.value) || GENERAL.has(term.value) || term.value.startsWith(XSD))) return true
  let declared = named.get(ranges)
  if (declared === undefined) named.set(ranges, (declared = new Set(ranges.instances(rdfs('Datatype')).map(termKey))))
  return declared.has(termKey(term))
}

/** Whether a value is in a data range; undefined where that cannot be told. */
export function contains(range: Term, literal: Literal, ranges: Ranges, seen: readonly string[] = []): boolean | undefined {
  const key = termKey(range)
  if (seen.includes(key)) return undefined
  const inner = (part: Term) => (part.kind === 'literal' ? undefined : contains(part, literal, ranges, [...seen, key]))
  if (range.kind === 'iri' && (KNOWN.has(range.value) || GENERAL.has(range.value))) return isIn(range.value, literal)
  const listed = (property: string) => ranges.objects(range, owl(property)).flatMap((head) => ranges.list(head) ?? [])
  const [all] = listed('intersectionOf')
  if (all !== undefined) return conjunction(all.members.map(inner))
  const [any] = listed('unionOf')
  if (any !== undefined) return negated(conjunction(any.members.map((part) => negated(inner(part)))))
  const [one] = listed('oneOf')
  if (one !== undefined) return negated(
    conjunction(one.members.map((value) => (value.kind === 'literal' ? negated(isSame(value, literal)) : undefined)))
  )
  const [other] = ranges.objects(range, owl('datatypeComplementOf'))
  if (other !== undefined) return negated(inner(other))
  const [definition] = ranges.objects(range, EQUIVALENT_CLASS)
  return definition === undefined ? undefined : inner(definition)
}

/** The literals whose membership in a range a rule asks for; a literal is no subject of a triple, so not by its type. */
export const dataRange = (range: Term): string => `value of ${termKey(range)}`
export const inDataRange = (value: Argument, range: Term): BodyItem => ({
  kind: 'atom',
  atom: { predicate: dataRange(range), args: [value] },
})

export function isSame(x: Literal, y: Literal): boolean | undefined {
  const [a, b] = [dataValue(x), dataValue(y)]
  if (a === undefined || b === undefined || a === 'ill' || b === 'ill') return termKey(x) === termKey(y) ? true : undefined
  return a.space === b.space && a.key === b.key
}

/** Whether whatever is in all of the ranges is in the target too; false also where that is not known. */
export function isWithin(ranges: readonly string[], target: string): boolean {
  if (ranges.includes(target) || (target === `${RDFS}Literal` && ranges.some((range) => KNOWN.has(range)))) return true
  const names = ranges.filter((range) => KNOWN.has(range)).map((range) => range.slice(XSD.length))
  const name = target.slice(XSD.length)
  if (names.some((one) => (WIDER[one] ?? []).includes(name))) return true
  const wanted = KNOWN.has(target) ? BOUNDS[name] : undefined
  const given = names.flatMap((one) => (BOUNDS[one] === undefined ? [] : [BOUNDS[one]]))
  if (given.length === 0) return false
  if (name === 'decimal') return true
  if (wanted === undefined) return false
  const [least, most] = wanted
  const isAbove = least === null || given.some(([low]) => low !== null && low >= least)
  const isBelow = most === null || given.some(([, high]) => high !== null && high <= most)
  return isAbove && isBelow
}

/** Datatypes of text and of time, by those that have all of their values. */
const WIDER: Readonly<Record<string, readonly string[]>> = {
  normalizedString: ['string'],
  token: ['normalizedString', 'string'],
  language: ['token', 'normalizedString', 'string'],
  NMTOKEN: ['token', 'normalizedString', 'string'],
  Name: ['NMTOKEN', 'token', 'normalizedString', 'string'],
  NCName: ['Name', 'NMTOKEN', 'token', 'normalizedString', 'string'],
  dateTimeStamp: ['dateTime'],
  yearMonthDuration: ['duration'],
  dayTimeDuration: ['duration'],
}

const negated = (known: boolean | undefined): boolean | undefined => (known === undefined ? undefined : !known)
const conjunction = (parts: readonly (boolean | undefined)[]): boolean | undefined =>
  parts.includes(false) ? false : parts.includes(undefined) ? undefined : true

function normal(digits: bigint, scale: number): { digits: bigint; scale: number } {
  let [rest, places] = [digits, scale]
  while (places > 0 && rest % 10n === 0n) [rest, places] = [rest / 10n, places - 1]
  return { digits: rest, scale: places }
}

function base64(text: string): DataValue | 'ill' {
  const packed = text.replaceAll(/\s/g, '')
  return /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(packed)
    ? { space: 'base64Binary', key: packed }
    : 'ill'
}

/** Whether a text is balanced markup. What is inside tags is not looked at. */
function isXml(text: string): boolean {
  const open: string[] = []
  const rest = text.replaceAll(/<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>/g, '')
  for (const [, close, name, empty] of rest.matchAll(/<(\/?)([\w:.-]+)(?:\s[^<>]*?)?(\/?)>/g)) {
    if (close === '/' && open.pop() !== name) return false
    if (close !== '/' && empty !== '/') open.push(name ?? '')
  }
  return open.length === 0 && !rest.replaceAll(/<\/?[\w:.-]+(?:\s[^<>]*?)?\/?>/g, '').includes('<')
}

const zoneOf = (text: string): string =>
  /(Z|[+-]\d\d:\d\d)$/.exec(text)?.[0].replace('Z', '+00:00').replace('-00:00', '+00:00') ?? ''

const ANY = /^[\s\S]*$/
const STRINGS: Readonly<Record<string, RegExp>> = {
  string: ANY,
  normalizedString: /^[^\t\n\r]*$/,
  token: /^([^\s]+( [^\s]+)*)?$/,
  language: /^[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*$/,
  Name: /^[\p{L}_:][\p{L}\p{N}\p{M}._:-]*$/u,
  NCName: /^[\p{L}_][\p{L}\p{N}\p{M}._-]*$/u,
  NMTOKEN: /^[\p{L}\p{N}\p{M}._:-]+$/u,
}

type Bounds = readonly [least: bigint | null, most: bigint | null]
const signed = (bits: bigint): Bounds => [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n]
const unsigned = (bits: bigint): Bounds => [0n, 2n ** bits - 1n]
const BOUNDS: Readonly<Record<string, Bounds>> = {
  integer: [null, null],
  nonNegativeInteger: [0n, null],
  positiveInteger: [1n, null],
  nonPositiveInteger: [null, 0n],
  negativeInteger: [null, -1n],
  long: signed(64n),
  int: signed(32n),
  short: signed(16n),
  byte: signed(8n),
  unsignedLong: unsigned(64n),
  unsignedInt: unsigned(32n),
  unsignedShort: unsigned(16n),
  unsignedByte: unsigned(8n),
}

function within(name: string, digits: bigint): boolean {
  const [least, most] = BOUNDS[name] ?? [null, null]
  return (least === null || digits >= least) && (most === null || digits <= most)
}

const OTHERS = ['decimal float double boolean hexBinary base64Binary anyURI', 'date time dateTime dateTimeStamp']
  .concat('duration yearMonthDuration dayTimeDuration')
  .join(' ')
/** The datatypes whose values are known here. */
export const KNOWN: ReadonlySet<string> = new Set(
  [...Object.keys(STRINGS), ...Object.keys(BOUNDS), ...OTHERS.split(' ')].map((name) => XSD + name)
)
const GENERAL: ReadonlySet<string> = new Set(
  [`${RDFS}Literal`, ...['PlainLiteral', 'langString', 'XMLLiteral', 'HTML'].map((name) => RDF + name)]
)
/** The datatypes that the profile itself names. */
export const DATATYPES: readonly string[] = [
  ...[...KNOWN].filter((name) => !/#(date|time|\w*[dD]uration)$/.test(name)),
  `${RDF}PlainLiteral`,
  `${RDF}XMLLiteral`,
  `${RDFS}Literal`,
].toSorted()
