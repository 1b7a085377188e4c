/** The functions that rules call on terms, by name. An argument that is undefined is an error; most functions hand it on. */
import { iri, literal, termKey, XSD } from '../term.ts'
import type { Term } from '../term.ts'
import { dividedBy, minus, opposite, plus, ROUNDINGS, secondsBetween, times } from './arithmetic.ts'
import { fieldsOf, printZone } from './calendar.ts'
import type { Fields, Moment } from './calendar.ts'
import { CASTS } from './casts.ts'
import { compareTerms, isSameValue } from './compare.ts'
import { truncate, whole } from './decimal.ts'
import type { Decimal } from './decimal.ts'
import { sha256 } from './digest.ts'
import { duration } from './duration.ts'
import { booleanTerm, integerTerm, isBinary, isDuration, isExact, isMoment, isNumeric } from './scalar.ts'
import { RDF_LANG_STRING, scalarOf, termOf, textTerm } from './scalar.ts'
import type { Numeric, Scalar } from './scalar.ts'
import * as strings from './strings.ts'

type Result = Term | undefined
type Arguments = readonly (Term | undefined)[]

interface Definition {
  readonly least: number
  readonly most: number
  readonly call: (args: Arguments) => Result
}

/** undefined where SPARQL raises an error. */
export function callFunction(name: string, args: Arguments): Result {
  const definition = DEFINITIONS.get(name)
  if (definition === undefined) throw new Error(`no function is called ${name}`)
  if (!isFunction(name, args.length)) throw new Error(`${name} does not take ${args.length} arguments`)
  return definition.call(args)
}

export function isFunction(name: string, arity: number): boolean {
  const definition = DEFINITIONS.get(name)
  return definition !== undefined && arity >= definition.least && arity <= definition.most
}

/** What a FILTER makes of a value; undefined for a value that is neither true nor false. */
export function effectiveBoolean(term: Term | undefined): boolean | undefined {
  const value = term === undefined ? undefined : scalarOf(term)
  if (value === undefined) return undefined
  if (value.kind === 'boolean') return value.value
  if (isExact(value)) return value.digits !== 0n
  if (isBinary(value)) return value.number !== 0 && !Number.isNaN(value.number)
  return value.kind === 'text' && value.language === undefined ? value.text !== '' : undefined
}

/** A function that has no result where an argument has none. */
function strict(least: number, most: number, call: (...args: [Term, ...Term[]]) => Result): Definition {
  return {
    least,
    most,
    call: (args) => (args.every((arg) => arg !== undefined) ? call(...(args as unknown as [Term, ...Term[]])) : undefined),
  }
}

const lax = (least: number, most: number, call: (args: Arguments) => Result): Definition => ({ least, most, call })
const unary = (call: (term: Term) => Result): Definition => strict(1, 1, call)
const binary = (call: (left: Term, right: Term) => Result): Definition => strict(2, 2, (left, right) => call(left, right!))
const whether = (value: boolean | undefined): Result => (value === undefined ? undefined : booleanTerm(value))
const calculated = (operation: (left: Scalar, right: Scalar) => Scalar | undefined): Definition =>
  binary((left, right) => termOf(operation(scalarOf(left), scalarOf(right))))
const ordered = (holds: (order: number) => boolean): Definition =>
  binary((left, right) => {
    const order = compareTerms(left, right)
    return order === undefined ? undefined : booleanTerm(holds(order))
  })

const OPERATORS: Readonly<Record<string, Definition>> = {
  '=': binary((left, right) => whether(isSameValue(left, right))),
  '!=': binary((left, right) => negation(whether(isSameValue(left, right)))),
  '<': ordered((order) => order < 0),
  '<=': ordered((order) => order <= 0),
  '>': ordered((order) => order > 0),
  '>=': ordered((order) => order >= 0),
  '+': calculated(plus),
  '-': calculated(minus),
  '*': calculated(times),
  '/': calculated(dividedBy),
  neg: unary((term) => termOf(opposite(scalarOf(term)))),
  pos: unary((term) => {
    const value = scalarOf(term)
    return isNumeric(value) || isDuration(value) ? termOf(value) : undefined
  }),
  '!': lax(1, 1, ([term]) => negation(whether(effectiveBoolean(term)))),
  '&&': lax(1, Infinity, (args) => decided(args, false)),
  '||': lax(1, Infinity, (args) => decided(args, true)),
  in: lax(1, Infinity, ([sought, ...among]) => isAmong(sought, among)),
  'not in': lax(1, Infinity, ([sought, ...among]) => negation(isAmong(sought, among))),
  bound: lax(1, 1, ([term]) => booleanTerm(term !== undefined)),
  /** a blank node that is the same for the same arguments: what a template's blank node becomes for a solution */
  skolem: strict(1, Infinity, (...args) => ({ kind: 'bnode', value: `new-${sha256(args.map(termKey).join(' ')).slice(0, 32)}` })),
}

function negation(term: Result): Result {
  return term === undefined ? undefined : booleanTerm(term.value !== 'true')
}

/** One operand may settle it, even where another has no value. */
function decided(args: Arguments, settling: boolean): Result {
  const values = args.map(effectiveBoolean)
  if (values.includes(settling)) return booleanTerm(settling)
  return values.includes(undefined) ? undefined : booleanTerm(!settling)
}

function isAmong(sought: Term | undefined, among: Arguments): Result {
  if (sought === undefined) return undefined
  const found = among.map((term) => (term === undefined ? undefined : isSameValue(sought, term)))
  if (found.includes(true)) return booleanTerm(true)
  return found.includes(undefined) ? undefined : booleanTerm(false)
}

const rounded = (round: (value: Numeric) => Numeric): Definition =>
  unary((term) => {
    const value = scalarOf(term)
    return isNumeric(value) ? termOf(round(value)) : undefined
  })

/** A field of a date (where dates have it) or of a time (where times have it). */
const field = (without: Moment['kind'], read: (fields: Fields, moment: Moment) => Term): Definition =>
  unary((term) => {
    const value = scalarOf(term)
    return isMoment(value) && value.kind !== without ? read(fieldsOf(value), value) : undefined
  })

const decimal = (value: Decimal): Result => termOf({ kind: 'decimal', ...value })
const between = (result: (seconds: Decimal) => Result): Definition =>
  binary((from, to) => {
    const [x, y] = [scalarOf(from), scalarOf(to)]
    const seconds = isMoment(x) && isMoment(y) ? secondsBetween(x, y) : undefined
    return seconds && result(seconds)
  })

const FUNCTIONS: Readonly<Record<string, Definition>> = {
  abs: rounded(ROUNDINGS.abs),
  ceil: rounded(ROUNDINGS.ceil),
  coalesce: lax(1, Infinity, (args) => args.find((term) => term !== undefined)),
  concat: strict(0, Infinity, (...args) => strings.concat(args)),
  contains: binary(strings.contains),
  datatype: unary((term) => {
    if (term.kind !== 'literal') return undefined
    return iri(term.language === undefined ? term.datatype : RDF_LANG_STRING)
  }),
  day: field('time', ({ day }) => integerTerm(day)),
  /** whole days from the first to the second, negative where the second is earlier */
  days_between: between((seconds) => integerTerm(truncate(seconds) / 86_400n)),
  encode_for_uri: unary(strings.encodeForUri),
  floor: rounded(ROUNDINGS.floor),
  hours: field('date', ({ hour }) => integerTerm(hour)),
  if: lax(3, 3, ([condition, then, otherwise]) => {
    const holds = effectiveBoolean(condition)
    return holds === undefined ? undefined : holds ? then : otherwise
  }),
  /** a relative IRI needs the base that comes second */
  iri: strict(1, 2, strings.toIri),
  isblank: unary((term) => booleanTerm(term.kind === 'bnode')),
  isiri: unary((term) => booleanTerm(term.kind === 'iri')),
  isliteral: unary((term) => booleanTerm(term.kind === 'literal')),
  isnumeric: unary((term) => booleanTerm(isNumeric(scalarOf(term)))),
  lang: unary((term) => (term.kind === 'literal' ? textTerm((term.language ?? '').toLowerCase()) : undefined)),
  langmatches: binary(strings.langmatches),
  lcase: unary(strings.lcase),
  md5: unary(strings.DIGESTS.md5),
  minutes: field('date', ({ minute }) => integerTerm(minute)),
  month: field('time', ({ month }) => integerTerm(month)),
  regex: strict(2, 3, (text, pattern, flags) => strings.regex(text, pattern!, flags)),
  replace: strict(3, 4, (text, pattern, by, flags) => strings.replace(text, pattern!, by!, flags)),
  round: rounded(ROUNDINGS.round),
  sameterm: binary((left, right) => booleanTerm(termKey(left) === termKey(right))),
  seconds: field('date', ({ second }, { fraction }) =>
    literal(`${second}${fraction === '' ? '' : `.${fraction}`}`, `${XSD}decimal`),
  ),
  /** from the first to the second, with their fraction */
  seconds_between: between(decimal),
  sha1: unary(strings.DIGESTS.sha1),
  sha256: unary(strings.DIGESTS.sha256),
  sha384: unary(strings.DIGESTS.sha384),
  sha512: unary(strings.DIGESTS.sha512),
  str: unary((term) => (term.kind === 'bnode' ? undefined : textTerm(term.value))),
  strafter: binary(strings.strafter),
  strbefore: binary(strings.strbefore),
  strdt: binary((text, datatype) => {
    const value = scalarOf(text)
    if (value.kind !== 'text' || value.language !== undefined || datatype.kind !== 'iri') return undefined
    // a text in a language that has no language is nothing
    return datatype.value === RDF_LANG_STRING ? undefined : literal(value.text, datatype.value)
  }),
  strends: binary(strings.strends),
  strlang: binary(strings.strlang),
  strlen: unary(strings.strlen),
  strstarts: binary(strings.strstarts),
  substr: strict(2, 3, (text, start, length) => strings.substr(text, start!, length)),
  timezone: unary((term) => {
    const value = scalarOf(term)
    if (!isMoment(value) || value.offset === undefined) return undefined
    return termOf(duration('dayTimeDuration', 0n, whole(BigInt(value.offset) * 60n)))
  }),
  tz: unary((term) => {
    const value = scalarOf(term)
    return isMoment(value) ? textTerm(printZone(value.offset)) : undefined
  }),
  ucase: unary(strings.ucase),
  year: field('time', ({ year }) => integerTerm(year)),
}

const DEFINITIONS: ReadonlyMap<string, Definition> = new Map([
  ...Object.entries(OPERATORS),
  ...Object.entries(FUNCTIONS),
  ...[...CASTS].map(([name, cast]): [string, Definition] => [name, unary(cast)]),
])

/** What a rule may call by its name; operators have signs, and casts are called by the IRI of their type. */
export const FUNCTION_NAMES: readonly string[] = Object.keys(FUNCTIONS)
