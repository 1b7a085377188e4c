/**
 * A market for the planner's tests: what the shop has, and whatever else a schema may have. Two foreign keys between the same
 * classes, a table that only connects, dates, a flag, a share, records that are known by a number alone. With it, a way to ask
 * and a way to say a plan in one line.
 */
import type { Condition, Flavor, Plan, Selection } from '../../contracts/index.ts'
import { XSD } from '../../kernel/term.ts'
import type { Ontology, OntologyClass, OntologyProperty, OntologyRelationship } from '../../ontology/index.ts'
import type { FoundValue } from '../values/find-values.ts'
import type { Confirmed } from './pattern.ts'
import { plainScore } from './rank.ts'
import { type Read, readQuestion } from './read-question.ts'
import { type Token, tokenise } from './tokens.ts'
import { vocabularyOf } from './vocabulary.ts'
import { kindsOf, timeReader } from './word-kinds.ts'

const BASE = 'https://market.example/ontology#'

const data = (name: string, range = 'string', required = false): OntologyProperty => ({
  name, iri: '', label: name.replaceAll('_', ' '), synonyms: [], tier: 'Internal', kind: 'data', columns: [name],
  range: `${XSD}${range}`, refColumns: [], required, functional: true, inferred: null,
})
const link = (name: string, range: string, required = true): OntologyProperty => ({
  ...data(name), kind: 'object', columns: [`${name}_id`], range, refColumns: ['id'], required,
})
function cls(name: string, table: string, labelProperty: string | null, own: readonly OntologyProperty[]): OntologyClass {
  const properties = [data('id', 'integer', true), ...own].map((each) => ({ ...each, iri: `${BASE}${name}.${each.name}` }))
  return {
    name, iri: `${BASE}${name}`, label: table.replaceAll('_', ' '), synonyms: [], table, key: ['id'], labelProperty,
    tier: 'Internal', instances: 0, properties,
  }
}

/** Orders hold products, by lines. */
const holding: OntologyRelationship = {
  name: 'product', iri: `${BASE}Order.product`, label: 'product', description: '', from: 'Order', to: 'Product', junction: 'Line',
  fromProperty: 'order', toProperty: 'product', functional: false, tier: 'Internal',
}

export const market: Ontology = {
  baseIri: BASE,
  recordBase: 'https://market.example/record/',
  dialect: 'sqlite',
  relationships: [holding],
  classes: [
    cls('City', 'city', 'name', [data('name'), data('population', 'integer')]),
    cls('Customer', 'customer', 'name', [
      data('name'), data('age', 'integer'), data('phone_number'), data('trusted', 'boolean'), link('city', 'City'),
    ]),
    cls('Order', 'orders', 'number', [
      data('number'), data('total', 'decimal'), data('status'), data('placed_on', 'date'), link('customer', 'Customer'),
    ]),
    cls('Product', 'product', 'name', [data('name'), data('price', 'decimal'), data('category'), data('tax_rate', 'decimal')]),
    cls('Line', 'line', null, [link('order', 'Order'), link('product', 'Product'), data('quantity', 'integer')]),
    cls('Driver', 'driver', 'last_name', [data('first_name'), data('last_name'), data('birth_date', 'date')]),
    cls('Trip', 'trip', 'code', [
      data('code'), data('weight', 'decimal'), { ...data('crate_count'), figures: true }, data('left_on', 'date'), data('arrived_on', 'date'),
      link('origin', 'City'), link('destination', 'City'), link('driver', 'Driver', false),
    ]),
  ],
}

/** What stands in the text columns. */
const STORED: readonly (readonly [cls: string, property: string, values: string])[] = [
  ['City', 'name', 'Oslo|Bergen|Lima|New York'],
  ['Customer', 'name', 'Ada Berg|Bo Lind'],
  ['Order', 'number', 'A-17|A-18'],
  ['Order', 'status', 'open|closed'],
  ['Product', 'name', 'blue lamp|red lamp'],
  ['Product', 'category', 'tools|toys'],
  ['Driver', 'last_name', 'Moss'],
  ['Trip', 'code', 'T-1'],
]

export const STORED_WORDS: readonly string[] = STORED.flatMap(([, , values]) => values.split('|'))

/** Values as they stand or in other letters: what the value index finds, without an index. */
export function valuesIn(ontology: Ontology, question: string, tokens: readonly Token[]): FoundValue[] {
  const found: FoundValue[] = []
  for (const [name, own, values] of STORED) {
    const cls = ontology.classes.find((candidate) => candidate.name === name)
    const property = cls?.properties.find((candidate) => candidate.name === own)
    if (cls === undefined || property === undefined) continue
    for (const value of values.split('|')) {
      for (const start of tokens.keys()) {
        const end = start + value.split(' ').length
        const text = tokens[start]!.quoted ? tokens[start]!.text : question.slice(tokens[start]!.from, tokens[end - 1]?.to ?? 0)
        const stop = tokens[start]!.quoted ? start + 1 : end
        if (text.toLowerCase() !== value.toLowerCase()) continue
        found.push({ start, end: stop, cls, property, value, count: 1, how: text === value ? 'exact' : 'folded' })
      }
    }
  }
  return found
}

export const NO_RULES: Flavor = { name: 'plain', label: 'Plain', synonyms: {}, rules: [] }
const TODAY = new Date('2026-03-03T00:00:00Z')

export interface Asking {
  readonly ontology?: Ontology
  readonly flavor?: Flavor
  readonly earlier?: Plan
  readonly confirmed?: Confirmed
}

export function read(question: string, { ontology = market, flavor = NO_RULES, earlier, confirmed }: Asking = {}): Read {
  const tokens = tokenise(question)
  return readQuestion({
    question, tokens, ontology, ...vocabularyOf(ontology, flavor), values: valuesIn(ontology, question, tokens),
    weigh: plainScore, time: timeReader(tokens, TODAY), kindOf: kindsOf(tokens), ...(earlier === undefined ? {} : { earlier }), ...(confirmed === undefined ? {} : { confirmed }),
  })
}

/** The plan of the best reading. */
export function planFor(question: string, asking?: Asking): Plan {
  const { options, unplaced } = read(question, asking)
  if (options[0] === undefined) throw new Error(`no reading of ${JSON.stringify(question)}; left over: ${unplaced.join(', ')}`)
  return options[0].plan
}

/** The best plan in one line, or what was left over when there is none. */
export function said(question: string, asking?: Asking): string {
  const { options, unplaced } = read(question, asking)
  return options[0] === undefined ? `refused: ${unplaced.join(', ')}` : inWords(options[0].plan)
}

/** `Order: customer.name, count; by customer; having count > 3; order count desc; limit 1` */
export function inWords(plan: Plan): string {
  const kind = `${plan.intent === 'exists' ? 'any ' : ''}${plan.distinct ? 'distinct ' : ''}`
  const parts = [
    `${kind}${plan.from}: ${plan.select.map(column).join(', ')}`,
    ...plan.where.map((condition) => `where ${conditionInWords(condition)}`),
    ...(plan.group_by.length === 0 ? [] : [`by ${plan.group_by.map((path) => path.join('.')).join(', ')}`]),
    ...plan.having.map(({ by, op, value, plan: inner }) => {
      return `having ${column(by)} ${op} ${inner === undefined ? scalar(value) : `(${inWords(inner)})`}`
    }),
    ...plan.order_by.map(({ by, direction }) => `order ${column(by)} ${direction}`),
    ...(plan.limit === undefined ? [] : [`limit ${plan.limit}`]),
    ...(plan.set_op === undefined ? [] : [`${plan.set_op.op} (${inWords(plan.set_op.plan)})`]),
  ]
  return parts.join('; ')
}

const column = ({ path, aggregate }: Selection): string =>
  [aggregate, path?.join('.')].filter((part) => part !== undefined).join(' ')

const scalar = (value: unknown): string => (Array.isArray(value) ? value.join(' | ') : String(value))

function conditionInWords(condition: Condition): string {
  if ('any' in condition) return `(${condition.any.map(conditionInWords).join(' or ')})`
  if ('all' in condition) return `(${condition.all.map(conditionInWords).join(' and ')})`
  const { path, op, value, plan, where } = condition
  const own = where === undefined ? '' : ` [${where.map(conditionInWords).join(' and ')}]`
  const against = plan === undefined ? (value === undefined ? '' : ` ${scalar(value)}`) : ` (${inWords(plan)})`
  return `${path.join('.')} ${op}${against}${own}`
}
