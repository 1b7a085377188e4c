/** A condition on one property of a record, in words: "severity critical", "no vendor", "raised since 12 March 2026". */
import type { Filter, Having, Plan, Scalar } from '../../contracts/index.ts'
import { XSD } from '../../kernel/term.ts'
import type { OntologyClass, OntologyProperty } from '../../ontology/index.ts'
import { listed, withArticle } from './english.ts'
import { isNumeric, unitOf } from './units.ts'
import { type Column, isYes, sayText, sayValue } from './values.ts'

/** Where a phrase stands: before the noun ("open alarms"), right after it ("raised since May"), or in the list after "with". */
export type Phrase = { readonly place: 'before' | 'after' | 'with'; readonly text: string }

export interface Compared {
  readonly property: OntologyProperty | null
  readonly cls: OntologyClass | null
  /** what the property is called */
  readonly noun: string
}

/** Says what a nested plan comes to: "the average total of orders". */
export type SayPlan = (plan: Plan, op: Filter['op']) => string

/** How a condition is said: of one record or of many, and whether a state may stand before the noun. */
export interface Manner {
  readonly singular: boolean
  readonly adjectives: boolean
}

const STATES = new Set(['status', 'state', 'severity', 'priority'])
/** Values that English uses as adjectives of the thing itself; any other value is named with its property. */
const ADJECTIVES = new Set(
  `open closed active inactive pending critical major minor degraded failed failing cleared resolved unresolved cancelled canceled
  completed incomplete approved rejected expired suspended terminated enabled disabled online offline available unavailable confirmed
  unconfirmed paid unpaid overdue shipped delivered returned draft planned scheduled running stopped retired blocked archived deleted
  new urgent high medium low normal healthy operational enrolled withdrawn acknowledged unacknowledged`.split(/\s+/),
)

export function comparisonPhrase(filter: Filter, about: Compared, sayPlan: SayPlan, manner: Manner): Phrase {
  const { op, value, plan } = filter
  const { property, noun } = about
  const adjective = plan === undefined && manner.adjectives ? adjectiveOf(filter, property) : null
  if (adjective !== null) return { place: 'before', text: adjective }
  if (op === 'exists') return { place: 'with', text: withArticle(noun) }
  if (op === 'not_exists' || op === 'is_null') return { place: 'with', text: `no ${noun}` }
  const yesOrNo = plan === undefined ? booleanPhrase(filter, property, manner.singular) : null
  if (yesOrNo !== null) return yesOrNo
  const dated = isDate(property)
  const verb = dated && plan === undefined ? participleOf(property) : null
  if (plan === undefined && (op === 'like' || op === 'not_like')) {
    return { place: 'with', text: `${noun} ${likeWords(String(value ?? ''), op === 'not_like')}` }
  }
  const said = plan === undefined ? valuesOf(value, columnFor(about)) : [sayPlan(plan, op)]
  const say = dated ? dateWords : isNumeric(property) ? numberWords : textWords
  const words = say(op, said, dated ? verb !== null : plan !== undefined)
  return verb === null ? { place: 'with', text: `${noun} ${words}` } : { place: 'after', text: `${verb} ${words}` }
}

/** "more than two", "at least 12 ms", "between two and five" */
export function amountWords({ op, value }: Pick<Having, 'op' | 'value'>, say: (value: Scalar) => string): string {
  const [first = 'unknown', second = 'unknown'] = (Array.isArray(value) ? value : [value ?? null]).map(say)
  switch (op) {
    case '=':
      return `exactly ${first}`
    case '!=':
      return `other than ${first}`
    case '<':
      return `fewer than ${first}`
    case '<=':
      return `at most ${first}`
    case '>':
      return `more than ${first}`
    case '>=':
      return `at least ${first}`
    case 'between':
      return `between ${first} and ${second}`
  }
}

export function numberWords(op: Filter['op'], said: readonly string[], nested: boolean): string {
  const [first = 'unknown'] = said
  switch (op) {
    case '<':
      return `below ${first}`
    case '<=':
      return `of at most ${first}`
    case '>':
      return `above ${first}`
    case '>=':
      return `of at least ${first}`
    default:
      return textWords(op, said, nested)
  }
}

function dateWords(op: Filter['op'], said: readonly string[], verb: boolean): string {
  const [first = 'unknown'] = said
  switch (op) {
    case '=':
      return verb ? `on ${first}` : first
    case '<':
      return `before ${first}`
    case '<=':
      return `up to ${first}`
    case '>':
      return `after ${first}`
    case '>=':
      return `since ${first}`
    default:
      return textWords(op, said, false)
  }
}

function textWords(op: Filter['op'], said: readonly string[], nested: boolean): string {
  const [first = 'unknown', second = 'unknown'] = said
  switch (op) {
    case '=':
      return nested ? `equal to ${first}` : first
    case '!=':
      return `other than ${first}`
    case 'in':
      return nested ? `among ${first}` : listed(said, said.length, 'or')
    case 'not_in':
      if (nested) return `not among ${first}`
      return said.length === 1 ? `other than ${first}` : `neither ${listed(said, said.length, 'nor')}`
    case 'between':
      return `between ${first} and ${second}`
    case 'like':
      return `like ${first}`
    case 'not_like':
      return `not like ${first}`
    default:
      // texts and anything else that has an order
      return `${op === '<' ? 'before' : op === '<=' ? 'up to' : op === '>' ? 'after' : 'from'} ${first} in order`
  }
}

/** `%fan%` is "containing", `fan%` "starting with"; a pattern of another shape is quoted whole. */
function likeWords(pattern: string, negated: boolean): string {
  const [, before = '', inner = '', after = ''] = /^(%?)(.*?)(%?)$/s.exec(pattern) ?? []
  const not = negated ? 'not ' : ''
  if (inner === '' || /[%_\\]/.test(inner)) return `${not}matching ${quoted(pattern)}`
  if (before !== '' && after !== '') return `${not}containing ${quoted(inner)}`
  if (after !== '') return `${not}starting with ${quoted(inner)}`
  return before === '' ? `${not}matching ${quoted(inner)}` : `${not}ending with ${quoted(inner)}`
}

const quoted = (text: string): string => `"${sayText(text).replaceAll('"', "'")}"`

function adjectiveOf({ op, value }: Filter, property: OntologyProperty | null): string | null {
  const last = property?.name.toLowerCase().split(/[^a-z]+/).at(-1) ?? ''
  return op === '=' && typeof value === 'string' && STATES.has(last) && ADJECTIVES.has(value) ? value : null
}

/** `is_active = true` is "that are active", `has_battery = false` "that have no battery". */
function booleanPhrase({ op, value }: Filter, property: OntologyProperty | null, singular: boolean): Phrase | null {
  if (property?.range !== `${XSD}boolean` || (op !== '=' && op !== '!=')) return null
  const match = /^(is|has)_(.+)$/.exec(property.name)
  if (!/^([01]|true|false)$/.test(String(value)) || match === null) return null
  const holds = isYes(value as Scalar) === (op === '=')
  const rest = (match[2] ?? '').replaceAll('_', ' ')
  if (match[1] === 'is') return { place: 'after', text: `that ${singular ? 'is' : 'are'} ${holds ? '' : 'not '}${rest}` }
  return { place: 'after', text: `that ${singular ? 'has' : 'have'} ${holds ? '' : 'no '}${rest}` }
}

export const isDate = (property: OntologyProperty | null): boolean =>
  property?.range === `${XSD}date` || property?.range === `${XSD}dateTime`

/** `raised_at` is "raised", `expires_on` is "expiring"; null when the name is no verb. */
export function participleOf(property: OntologyProperty | null): string | null {
  const verb = isDate(property) ? /^([a-z]+)_(?:at|on)$/.exec(property?.name ?? '')?.[1] : undefined
  if (verb === undefined) return null
  if (verb.endsWith('ed') || IRREGULAR.has(verb)) return verb
  if (!/[^s]s$/.test(verb)) return null
  const stem = verb.slice(0, -1)
  return stem === 'begin' ? 'beginning' : `${stem.replace(/e$/, '')}ing`
}
const IRREGULAR = new Set('sent seen taken made begun paid sold bought born built written given lost found met held'.split(' '))

const columnFor = ({ property, cls }: Compared): Column => ({ property, cls, amount: false, unit: unitOf(property) })

function valuesOf(value: Filter['value'], column: Column): string[] {
  const values = Array.isArray(value) ? value : [value ?? null]
  return values.map((each) => (each === null ? 'unknown' : apart(sayValue(each, column), typeof each)))
}

/** A text that could be taken for part of the sentence stands in quotation marks. */
function apart(text: string, type: string): string {
  const isDated = /^\d+ [A-Z]\w+ \d{4}(, \d|$)/.test(text)
  const runsOn = type === 'string' && text !== '(empty)' && /[,;:"()]| and | or | with | of /.test(text)
  return runsOn && !isDated ? `"${text.replaceAll('"', "'")}"` : text
}
