/**
 * Whether a plan is about the question. A model may have been talked into anything by a text that it read, or may guess: so every
 * value must stand in the question or be what its words were found to mean, what the question plainly names must be used, and a
 * term that no word of the question leads to needs a word that leads to nothing else.
 */
import type { Fault, Plan } from '../../../contracts/index.ts'
import type { Ontology } from '../../../ontology/index.ts'
import type { FoundValue } from '../../values/find-values.ts'
import { normalise } from '../../values/normalise.ts'
import type { Element } from '../elements.ts'
import { type Token, numberOf } from '../tokens.ts'
import { GENERIC_NOUNS, LINKING_VERBS, isGlue } from '../words.ts'
import { type Literal, type Used, usedIn } from './used-terms.ts'

export interface Said {
  readonly question: string
  readonly tokens: readonly Token[]
  readonly mentions: readonly Element[]
  readonly values: readonly FoundValue[]
}

/** The plan has been checked against the ontology before. */
export function baselessIn(ontology: Ontology, plan: Plan, said: Said): Fault[] {
  const used = usedIn(ontology, plan)
  return [
    ...used.literals.filter((literal) => !isSaid(literal, said))
      .map(({ value, place }) => ({ path: place, message: `the question does not say ${JSON.stringify(value)}` })),
    ...unused(used, said).map((words) => ({ message: `the question says "${words}", and the plan does not use it` })),
    ...undone(plan, used, said).map((words) => ({ message: `the question says "${words}", and the plan does nothing of the kind` })),
    ...unasked(ontology, used, said).map((term) => ({ message: `nothing in the question asks for ${term}` })),
  ]
}

/** Yes and no, none and one are said without a word for them. */
const UNSAID: ReadonlySet<string> = new Set(['0', '1', '2', 'true', 'false'])
const FIRST_YEAR = 1000
const MOMENT = /^(\d{4})-\d\d(-\d\d)?([T ]\d\d:\d\d.*)?$/

function isSaid({ value, term }: Literal, { question, tokens, mentions, values }: Said): boolean {
  const text = String(value)
  if (typeof value === 'boolean' || UNSAID.has(text)) return true
  if (typeof value === 'number' || /^-?\d+(\.\d+)?$/.test(text)) {
    // "after 2000" may be from 2001 on
    const apart = Number(text) >= FIRST_YEAR ? 1 : 0
    return tokens.some((token) => Math.abs((numberOf(token) ?? NaN) - Number(text)) <= apart) || standsIn(question, text)
  }
  const year = MOMENT.exec(text)?.[1]
  // what "last week" comes to is for a clock to say
  if (year !== undefined) return mentions.some(({ kind }) => kind === 'time') || question.includes(year)
  const bare = text.replaceAll(/^[%*]+|[%*]+$/g, '')
  if (bare !== '' && standsIn(question, bare)) return true
  return values.some(({ cls, property, value: found }) => found === text && (term === null || term === `${cls.name}.${property.name}`))
}

/** As whole words, whatever their case. */
function standsIn(question: string, text: string): boolean {
  const [whole, part] = [` ${normalise(question)} `, ` ${normalise(text)}`]
  return whole.includes(`${part} `) || whole.includes(`${part}s `)
}

/** Stretches that are the whole name of something, or plainly a value, none of whose meanings the plan uses. */
function unused(used: Used, { tokens, mentions }: Said): string[] {
  const operations = mentions.filter(({ kind }) => kind === 'operation' || kind === 'time' || kind === 'number')
  const plain = mentions.filter(isPlain)
  return plain.flatMap(({ start, end }) => {
    const inside = operations.some((each) => each.start < end && each.end > start)
    // a longer name says what the shorter one in it means
    const longer = plain.some((each) => each.start <= start && each.end >= end && each.end - each.start > end - start)
    if (inside || longer || tokens.slice(start, end).every(({ lemma }) => GENERIC_NOUNS.has(lemma))) return []
    const meanings = mentions.filter((each) => each.start < end && each.end > start)
    return meanings.some((each) => uses(used, each)) ? [] : [tokens.slice(start, end).map(({ text }) => text).join(' ')]
  }).filter((words, at, all) => all.indexOf(words) === at)
}
const PLAIN = 0.95

function isPlain(mention: Element): boolean {
  if (mention.kind === 'class' || mention.kind === 'property') return mention.link === 'whole' && mention.weight >= PLAIN
  return mention.kind === 'value' && (mention.how === 'exact' || mention.how === 'folded') && mention.plain !== true
}

/** Numbers, times and operations of which the plan shows no trace. A stretch that may be a name as well is left to the names. */
function undone(plan: Plan, used: Used, { tokens, mentions }: Said): string[] {
  const shown = JSON.stringify(plan)
  return mentions.flatMap((mention) => {
    const { start, end } = mention
    const other = mentions.some((each) => each !== mention && each.start < end && each.end > start && (each.end - each.start > end - start || isTermLike(each)))
    if (other || leavesTrace(mention, shown, used)) return []
    return [tokens.slice(start, end).map(({ text }) => text).join(' ')]
  })
}

const isTermLike = ({ kind }: Element): boolean => kind === 'class' || kind === 'property' || kind === 'value' || kind === 'rule'

function leavesTrace(mention: Element, shown: string, { literals }: Used): boolean {
  if (mention.kind === 'number') return literals.some(({ value }) => Number(value) === mention.value)
  if (mention.kind === 'time') return literals.some(({ value }) => /\d/.test(String(value)))
  const trace = mention.kind === 'operation' ? TRACES[mention.operation.kind] : undefined
  return trace === undefined || trace.test(shown)
}

/** What a plan has that does such a thing. */
const TRACES: Readonly<Record<string, RegExp>> = {
  count: /"aggregate":/,
  fold: /"aggregate":|"order_by":\[\{/,
  extreme: /"order_by":\[\{|"aggregate":"(?:max|min)"/,
  most: /"order_by":\[\{|"aggregate":"(?:max|min)"/,
  top: /"limit":\d/,
  compare: /"op":"(?:[<>]=?|between|=|!=)"/,
  between: /"op":"(?:between|[<>]=?)"/,
  negation: /"op":"(?:not_exists|!=|not_in|not_like|is_null|<=?)"|"except"|"negated":true|"complement":true|"op":"="/,
  like: /"op":"(?:not_)?like"/,
  missing: /"op":"(?:is_null|not_exists|exists)"/,
  why: /"why":/,
}

function uses({ classes, terms, predicates, literals }: Used, mention: Element): boolean {
  switch (mention.kind) {
    case 'class':
      return classes.has(mention.cls.name)
    case 'property':
      // a foreign key may be asked for as its record
      return terms.has(`${mention.cls.name}.${mention.property.name}`) || (mention.property.kind === 'object' && classes.has(mention.property.range))
    case 'value':
      return literals.some(({ value, term }) => value === mention.value || term === `${mention.cls.name}.${mention.property.name}`)
    case 'rule':
      return predicates.has(mention.predicate)
    default:
      return false
  }
}

/** Terms that no word leads to, as far as they outnumber the words that lead nowhere. */
function unasked(ontology: Ontology, used: Used, { tokens, mentions }: Said): string[] {
  const named = mentions.filter(({ kind }) => kind === 'class' || kind === 'property' || kind === 'value' || kind === 'rule')
  const classes = new Set(named.flatMap((each) => ('cls' in each ? [each.cls.name] : [])))
  const properties = new Set(named.flatMap((each) => ('property' in each ? [`${each.cls.name}.${each.property.name}`] : [])))
  const roots = ontology.classes.filter(({ name }) => used.roots.has(name) && !classes.has(name)).filter((cls) => !isBetween(cls)).map(({ name }) => name)
  const idle = roots.concat(ontology.classes.flatMap((cls) => {
    const own = [...used.terms].filter((term) => term.startsWith(`${cls.name}.`) && !properties.has(term))
    const usual = new Set([cls.labelProperty, ...(cls.labelProperties ?? []), ...keyNames(cls)])
    // the name and the key of what is asked for come with it
    return own.filter((term) => !(classes.has(cls.name) && usual.has(term.slice(cls.name.length + 1))))
  }))
  // "everything about" asks for what nobody names
  if (mentions.some((each) => each.kind === 'operation' && each.operation.kind === 'everything')) return []
  const isWhen = (at: number): boolean => mentions.some(({ kind, start, end }) => kind === 'time' && start <= at && at < end)
  const leadsNowhere = (token: Token, at: number): boolean =>
    !isGlue(token) && !LINKING_VERBS.has(token.lower) && !named.some(({ start, end }) => start <= at && at < end) &&
    (isWhen(at) || (numberOf(token) === null && !isMereForm(mentions, at)))
  const free = tokens.filter(leadsNowhere)
  return idle.length > free.length ? idle : []
}

/** What leads to two others or more may only connect them. */
const isBetween = ({ properties }: Ontology['classes'][number]): boolean => properties.filter(({ kind }) => kind === 'object').length > 1

const keyNames = ({ key, properties }: Ontology['classes'][number]): string[] =>
  properties.filter(({ columns }) => columns.length === 1 && key.includes(columns[0]!)).map(({ name }) => name)

/** Words such as "how many" and "average" say what to do with a term; "oldest" says which one. */
const isMereForm = (mentions: readonly Element[], at: number): boolean =>
  mentions.some((each) => each.start <= at && at < each.end && (each.kind === 'number' || (each.kind === 'operation' && !SAYS_WHAT.has(each.operation.kind))))
const SAYS_WHAT: ReadonlySet<string> = new Set(['extreme', 'compare', 'graded', 'how', 'ask', 'aged'])
