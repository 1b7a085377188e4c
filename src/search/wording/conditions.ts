/**
 * The records that conditions select, as a noun with what describes it: "open alarms with severity critical of the resource
 * crt-07 and without any ticket". Filters that share a way speak of one record, so they are said of one noun.
 */
import type { Condition, Filter, Having, Plan } from '../../contracts/index.ts'
import { plural } from '../../kernel/text/index.ts'
import type { Ontology, OntologyClass } from '../../ontology/index.ts'
import { type Manner, type Phrase, type SayPlan, amountWords, comparisonPhrase } from './comparisons.ts'
import { listed, spelled, withArticle } from './english.ts'
import { sayValue } from './values.ts'
import { type Stride, classNoun, classOf, hasTwin, isJunction, propertyNoun, strideNoun, strideNouns, strideOf, wayOf } from './ways.ts'

export interface Words {
  readonly ontology: Ontology
  readonly sayPlan: SayPlan
}

/** Words in the manner of one place of a sentence. */
type Said = Words & Manner
const many = (words: Words): Said => ({ ...words, singular: false, adjectives: true })
const single = (words: Words): Said => ({ ...words, singular: true, adjectives: true })
/** In a part of its own a state follows the noun: "with state open". */
const apart = (words: Said): Said => ({ ...words, adjectives: false })

/** What is said of a noun, by where it stands. */
interface Description {
  readonly before: string[]
  /** the value of the label: "the resource crt-07" */
  names: string | null
  readonly after: string[]
  readonly withs: string[]
  /** which records it belongs to: "of the resource crt-07" */
  readonly owners: string[]
  /** whole parts of their own: "with an open alarm", "without any ticket" */
  readonly tails: string[]
}

/** Deeper than any plan that can run; what lies below is not said. */
const MAX_DEPTH = 8

/** "open alarms of the resource crt-07" for the records that a plan is about, or one of them. */
export function recordsOf(words: Words, plan: Pick<Plan, 'from' | 'where'>, cls: OntologyClass | null, singular = false): string {
  const said = describe(singular ? single(words) : many(words), cls, plan.where, 0)
  const noun = classNoun(cls, plan.from)
  return phrase(said, singular ? noun : plural(noun), said.names === null ? '' : nameWords(cls, said.names))
}

/** "the resource crt-07", "the open alarm with severity critical": the one record that a plan found. */
export function theRecord(words: Words, plan: Pick<Plan, 'from' | 'where'>, cls: OntologyClass | null): string {
  const said = describe(single(words), cls, plan.where, 0)
  return `the ${phrase(said, classNoun(cls, plan.from), said.names ?? '')}`
}

/** "the open alarm X", "an open alarm": one record. */
function oneOf(words: Words, cls: OntologyClass | null, where: readonly Condition[], noun: string, depth: number): string {
  const said = describe(single(words), cls, where, depth)
  return said.names === null ? withArticle(phrase(said, noun, '')) : `the ${phrase(said, noun, said.names)}`
}

function phrase({ before, after, withs, owners, tails }: Description, noun: string, name: string): string {
  const list = withs.length === 0 ? [] : [`with ${listed(withs)}`]
  const head = [...before, noun, ...(name === '' ? [] : [name]), ...gathered(after), ...list, ...owners].join(' ')
  if (tails.length === 0) return head
  const goesOn = list.length + owners.length > 0 && tails[0]?.startsWith('with') === true
  return `${head}${goesOn ? ' and' : ''} ${tails.join(' and ')}`
}

/** "raised since 1 March and before 1 April": what begins with the same word says it once. */
function gathered(parts: readonly string[]): string[] {
  const byWord = new Map<string, string[]>()
  for (const part of parts) {
    const [word = '', ...rest] = part.split(' ')
    byWord.set(word, [...(byWord.get(word) ?? []), rest.join(' ')])
  }
  return [...byWord].map(([word, rests]) => `${word} ${rests.join(' and ')}`)
}

/** Of several records: "named crt-07" where the label is a name, else "with title X". */
function nameWords(cls: OntologyClass | null, name: string): string {
  const label = cls?.properties.find((property) => property.name === cls.labelProperty) ?? null
  const noun = propertyNoun(label, cls?.labelProperty ?? '')
  return /(^| )name$/.test(noun) ? `named ${name}` : `with ${noun} ${name}`
}

const isFilter = (condition: Condition): condition is Filter => 'path' in condition

function describe(words: Said, cls: OntologyClass | null, where: readonly Condition[], depth: number): Description {
  const said: Description = { before: [], names: null, after: [], withs: [], owners: [], tails: [] }
  const shared = new Map<string, { stride: Stride; rest: Filter[] }>()
  if (depth > MAX_DEPTH) return said
  for (const condition of where) {
    if (!isFilter(condition)) {
      const inner = apart(words)
      const tail = 'any' in condition ? alternatives(inner, cls, condition.any, depth) : tailOf(inner, cls, condition.all, depth)
      said.tails.push(tail)
      continue
    }
    const { path, op } = condition
    const way = wayOf(words.ontology, cls, path)
    const toClass = way.strides.length === path.length
    const first = way.strides[0]
    if (op === 'not_exists' && toClass) said.tails.push(without(words, condition, way.strides, way.cls, depth))
    else if (op === 'exists' && toClass && condition.where !== undefined) {
      said.tails.push(`with ${chain(words, way.strides, condition.where, depth)}`)
    } else if (first === undefined) place(words, said, condition, cls)
    else if (!first.back && (op === 'is_null' || op === 'not_exists') && !way.strides.some(({ back }) => back)) {
      // a record that refers to nothing has no such value either
      const nouns = strideNouns(words.ontology, way.strides)
      const owners = nouns.toReversed().map((noun, at) => ` of ${at === nouns.length - 1 && !words.singular ? 'their' : 'its'} ${noun}`)
      said.withs.push(`no ${propertyNoun(way.property, path.at(-1) ?? '')}${owners.join('')}`)
    } else {
      const group = shared.get(first.name) ?? { stride: first, rest: [] }
      if (path.length > 1) group.rest.push({ ...condition, path: path.slice(1) })
      shared.set(first.name, group)
    }
  }
  for (const { stride, rest } of shared.values()) {
    if (stride.back) said.tails.push(`with ${reached(words, stride, rest, depth)}`)
    else said.owners.push(`of ${reached(words, stride, rest, depth)}`)
  }
  // two names of one record cannot both hold; which of them is meant is for the list to say
  said.before.sort((a, b) => Number(LAST.has(a)) - Number(LAST.has(b)))
  return said
}

/** Grades stand next to the noun: "open critical alarms". */
const LAST = new Set(['critical', 'major', 'minor', 'high', 'medium', 'low', 'normal', 'urgent'])

function place(words: Said, said: Description, filter: Filter, cls: OntologyClass | null): void {
  const name = filter.path[0] ?? ''
  const property = cls?.properties.find((candidate) => candidate.name === name) ?? null
  const isLabel = property !== null && property.name === cls?.labelProperty
  if (isLabel && said.names === null && filter.plan === undefined && (filter.op === '=' || filter.op === 'in')) {
    const values = Array.isArray(filter.value) ? filter.value : [filter.value ?? null]
    const column = { property, cls, amount: false, unit: null }
    said.names = listed(values.map((value) => sayValue(value, column)), values.length, 'or')
    return
  }
  const counted = countedWords(words, filter, cls)
  if (counted !== null) {
    said.withs.push(counted)
    return
  }
  const present = filter.op === 'exists' || filter.op === 'not_exists' || filter.op === 'is_null'
  // a missing "response minutes" is not a missing response
  const noun = present && property !== null ? property.label.toLowerCase().replaceAll('_', ' ') : propertyNoun(property, name)
  add(said, comparisonPhrase(filter, { property, cls, noun }, words.sayPlan, words))
}

/** "more than three open orders": records that are, or are not, among those to which so many others belong. */
function countedWords(words: Said, { path, op, plan }: Filter, cls: OntologyClass | null): string | null {
  const [bound] = plan?.having ?? []
  const own = cls?.key.length === 1 && cls.properties.find(({ name }) => name === path[0])?.columns[0] === cls.key[0]
  if (plan === undefined || bound === undefined || plan.having.length > 1 || !own || (op !== 'in' && op !== 'not_in')) return null
  const plain = bound.by.aggregate === 'count' && bound.by.path === undefined && typeof bound.value === 'number'
  if (!plain || plan.set_op !== undefined || plan.limit !== undefined) return null
  const turned = op === 'in' ? bound.op : OPPOSITE[bound.op]
  const group = classOf(words.ontology, plan.from)
  if (turned === undefined) return null
  if (turned === '<=' && bound.value === 0) return `no ${recordsOf(words, plan, group, true)}`
  const records = recordsOf(words, plan, group, bound.value === 1)
  return `${amountWords({ op: turned, value: bound.value }, (value) => spelled(Number(value)))} ${records}`
}
const OPPOSITE: Partial<Record<Having['op'], Having['op']>> = { '>': '<=', '>=': '<' }

function add(said: Description, { place: where, text }: Phrase): void {
  const list = where === 'before' ? said.before : where === 'after' ? said.after : said.withs
  if (!list.includes(text)) list.push(text)
}

/** One record that a step leads to. A table that only connects is passed over for what it connects to. */
function reached(words: Words, stride: Stride, rest: readonly Filter[], depth: number): string {
  const next = rest[0]?.path[0] ?? ''
  const goesOn = rest.length > 0 && rest.every(({ path }) => path[0] === next && path.length > 1)
  if (goesOn && stride.back && isJunction(words.ontology, stride.to)) {
    const beyond = strideOf(words.ontology, stride.to, next)
    const there = rest.map((filter) => ({ ...filter, path: filter.path.slice(1) }))
    if (!beyond.back && beyond.to !== null) return reached(words, beyond, there, depth + 1)
  }
  return `${oneOf(words, stride.to, rest, strideNoun(stride), depth + 1)}${roleOf(stride)}`
}

const roleOf = (stride: Stride): string => (hasTwin(stride) ? ` (as its ${propertyNoun(stride.property)})` : '')

/** "an order with an open alarm": the record at the end of a way, said from its beginning. */
function chain(words: Words, strides: readonly Stride[], where: readonly Condition[], depth: number): string {
  const [first, ...rest] = strides
  if (first === undefined) return 'a record'
  if (rest.length === 0) return `${oneOf(words, first.to, where, strideNoun(first), depth + 1)}${roleOf(first)}`
  const inner = chain(words, rest, where, depth + 1)
  if (first.back && rest[0]?.back === false && isJunction(words.ontology, first.to)) return inner
  return `${withArticle(strideNoun(first))}${roleOf(first)} ${rest[0]?.back === true ? 'with' : 'of'} ${inner}`
}

/** "without any open alarm", "without any ticket of its resource" */
function without(words: Said, filter: Filter, strides: readonly Stride[], cls: OntologyClass | null, depth: number): string {
  const last = strides.at(-1)
  const noun = last === undefined ? 'record' : strideNoun(last)
  const said = describe(single(words), cls, filter.where ?? [], depth + 1)
  const what = phrase(said, noun, said.names ?? '')
  const role = last === undefined ? '' : roleOf(last)
  const isPassed = ({ back, to }: Stride, at: number) => back && strides[at + 1]?.back === false && isJunction(words.ontology, to)
  const via = strides.slice(0, -1).filter((stride, at) => !isPassed(stride, at))
  const its = (stride: Stride) => (stride === strides[0] && !words.singular ? 'their' : 'its')
  const owner = (stride: Stride) => (stride.back ? withArticle(strideNoun(stride)) : `${its(stride)} ${strideNoun(stride)}`)
  const owners = via.toReversed().map((stride) => ` of ${owner(stride)}`)
  return `without any ${what}${role}${owners.join('')}`
}

/** Conditions that hold together, as one part of a sentence: "with severity critical and no vendor". */
function tailOf(words: Said, cls: OntologyClass | null, where: readonly Condition[], depth: number): string {
  return tailParts(words, cls, where, depth).join(' and ')
}

function tailParts(words: Said, cls: OntologyClass | null, where: readonly Condition[], depth: number): string[] {
  const said = describe(words, cls, where, depth + 1)
  const name = said.names === null ? [] : [nameWords(cls, said.names)]
  const withs = said.withs.length === 0 ? [] : [`with ${listed(said.withs)}`]
  const parts = [...name, ...gathered(said.after), ...withs, ...said.owners, ...said.tails]
  return parts.length === 0 ? ['of any kind'] : parts
}

/** "with severity critical or major", "either raised since 1 May 2026 or of the resource crt-07" */
function alternatives(words: Said, cls: OntologyClass | null, any: readonly Condition[], depth: number): string {
  const merged = oneProperty(any)
  if (merged !== null) return tailOf(words, cls, [merged], depth)
  const said = any.map((condition) => {
    const inner = 'all' in condition ? condition.all : [condition]
    const parts = tailParts(words, cls, inner, depth)
    return parts.length === 1 && inner.length === 1 ? (parts[0] ?? '') : `(${parts.join(' and ')})`
  })
  return `either ${listed(said, said.length, 'or')}`
}

/** Alternatives that give one property different values are one list of values. */
function oneProperty(any: readonly Condition[]): Filter | null {
  const filters = any.filter(isFilter)
  const [first] = filters
  const key = JSON.stringify(first?.path)
  const isValue = ({ path, op, plan, value }: Filter) =>
    op === '=' && plan === undefined && !Array.isArray(value) && JSON.stringify(path) === key
  if (first === undefined || filters.length !== any.length || !filters.every(isValue)) return null
  return { path: first.path, op: 'in', value: filters.map(({ value }) => (Array.isArray(value) ? null : (value ?? null))) }
}
