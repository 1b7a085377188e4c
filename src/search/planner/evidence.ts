/** What speaks for a plan as the reading of a question, and what against it: named figures, which ranking weighs. */
import type { Condition, Plan } from '../../contracts/index.ts'
import type { Composed } from './compose.ts'
import type { Reading } from './covers.ts'
import { type Turn, kindOfTurn } from './choices.ts'
import type { Element } from './elements.ts'
import type { Token } from './tokens.ts'

export type Evidence = Readonly<Record<string, number>>

export interface Weighed {
  readonly tokens: readonly Token[]
  /** of the question, found once for all its plans */
  readonly cues: readonly string[]
  readonly reading: Reading
  readonly composed: Composed
  readonly plan: Plan
  readonly turns: readonly Turn[]
  /** how many other meanings the same words have, of those that weigh about as much */
  readonly rivals: (element: Element) => number
  /** a person has confirmed this form of plan for this form of question */
  readonly confirmed: boolean
}

export function evidenceOf({ tokens, cues, reading, composed, plan, turns, confirmed, rivals }: Weighed): Evidence {
  const found: Record<string, number> = { reading: reading.score, cost: composed.cost }
  const add = (name: string, amount = 1): void => {
    found[name] = (found[name] ?? 0) + amount
  }
  for (const [name, amount] of Object.entries(composed.notes)) add(`note ${name}`, amount)
  if (confirmed) add('confirmed')
  for (const turn of turns) add(`turn ${kindOfTurn(turn)}`)
  for (const element of reading.elements) {
    if (element.kind === 'class' || element.kind === 'property') {
      add(`${element.kind} match`, 1 - Math.min(1, element.weight))
      add(`${element.kind} by ${element.link}`)
    } else if (element.kind === 'value') {
      add(`value ${element.how}`)
      if (element.plain === true) add('plain value')
    } else if (element.kind === 'word' && element.passed !== undefined) add(`passed over ${element.passed}`)
    else if (element.kind === 'word' && element.content === 'verb') add('verb passed over')
    if (element.kind !== 'word') add('other meanings', Math.log2(1 + rivals(element)))
  }
  add('words', tokens.length)
  if (tokens.some(({ opens }, at) => opens && at > 0)) add('sentences')
  const traits = traitsOf(plan)
  for (const trait of traits) add(`plan ${trait}`)
  for (const cue of cues) for (const trait of traits) add(`${cue} & ${trait}`)
  return found
}

/** Words and phrases of a question that say what kind of answer it wants. */
const CUES: ReadonlySet<string> = new Set(`
  how many|number of|how much|count|total|sum|average|mean|maximum|minimum|highest|lowest|most|least|fewest|more than|less than|at least
  each|every|per|by|all|any|different|distinct|unique|common|popular|both|and|or|not|never|no|without|except|but|also|either
  which|what|who|where|when|list|show|find|give|return|count|sorted|ordered|order|descending|ascending|alphabetical
  top|first|last|older|larger|greater|above|below|between|before|after|their|corresponding|along with|as well as|for each|of each
  whose|that|with|id|ids|name|names|type|types|kind|times|some|only|one`.trim().split(/\s*[|\n]\s*/))

export function cuesOf(tokens: readonly Token[]): string[] {
  const words = tokens.filter(({ quoted }) => !quoted).map(({ lower }) => lower)
  const pairs = words.map((word, at) => `${word} ${words[at + 1] ?? ''}`)
  const opening = words.slice(0, 2).join(' ')
  return [...new Set([...words, ...pairs].filter((phrase) => CUES.has(phrase))), `^${CUES.has(opening) ? opening : (words[0] ?? '')}`]
}

function traitsOf(plan: Plan): string[] {
  const figures = plan.select.filter(({ aggregate }) => aggregate !== undefined)
  const steps = new Set(pathsOf(plan).flatMap((path) => path.slice(0, -1).map((_, at) => path.slice(0, at + 1).join(' '))))
  const conditions = plan.where.flatMap(leavesOf)
  const traits: (string | false)[] = [
    `shows ${Math.min(4, plan.select.length)}`,
    figures.length > 0 && (figures.length === plan.select.length ? 'figures alone' : 'figures beside others'),
    ...new Set(figures.map(({ aggregate }) => `shows ${aggregate}`)),
    plan.group_by.length > 0 && 'groups',
    plan.group_by.length > 0 && figures.length === 0 && 'groups without figure',
    plan.group_by.length > 1 && 'groups by several',
    plan.having.length > 0 && 'having',
    plan.distinct && 'distinct',
    plan.order_by.length > 0 && 'ordered',
    plan.order_by.some(({ by }) => by.aggregate !== undefined) && 'ordered by figure',
    plan.limit !== undefined && (plan.limit === 1 ? 'one row' : 'few rows'),
    `conditions ${Math.min(4, conditions.length)}`,
    `steps ${Math.min(4, steps.size)}`,
    plan.set_op !== undefined && plan.set_op.op,
    plan.where.some((condition) => 'any' in condition) && 'alternatives',
    conditions.some(({ op }) => op === 'not_exists') && 'absence',
    conditions.some(({ op }) => op === 'exists') && 'presence',
    conditions.some(({ op }) => op === '!=' || op === 'not_in' || op === 'not_like') && 'denial',
    conditions.some(({ op }) => op === 'is_null') && 'unknown',
    conditions.some((condition) => condition.plan !== undefined) && 'plan within',
  ]
  return traits.filter((trait) => trait !== false)
}

type Leaf = Exclude<Condition, { any: unknown } | { all: unknown }>

function leavesOf(condition: Condition): Leaf[] {
  if ('any' in condition) return condition.any.flatMap(leavesOf)
  if ('all' in condition) return condition.all.flatMap(leavesOf)
  return [condition]
}

const pathsOf = (plan: Plan): (readonly string[])[] => [
  ...plan.select.flatMap(({ path }) => (path === undefined ? [] : [path])),
  ...plan.where.flatMap(leavesOf).map(({ path }) => path),
  ...plan.order_by.flatMap(({ by: { path } }) => (path === undefined ? [] : [path])),
]
