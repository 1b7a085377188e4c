/** A plain evaluator for tests: every rule over every combination of facts, again and again, layer by layer. */
import { literal, termKey, XSD } from '../term.ts'
import type { Term } from '../term.ts'
import type { Aggregate, Argument, Atom, BodyItem, Condition, Expr, Fact, Program } from './program.ts'
import { DERIVED, integer } from './random-programs.test-support.ts'

type Values = ReadonlyMap<string, Term>
type TermOf = (arg: Argument) => Term | undefined

export const key = ({ predicate, args }: Fact) => `${predicate}(${args.map((term) => (term ? keyOf(term) : 'null')).join()})`

const keys = new WeakMap<Term, string>()
function keyOf(term: Term): string {
  let known = keys.get(term)
  if (known === undefined) keys.set(term, (known = termKey(term)))
  return known
}

export interface PlainModel {
  readonly keys: ReadonlySet<string>
  /** every instance of every rule that holds: the rule, its conclusion, and the facts of its positive atoms */
  readonly instances: ReadonlySet<string>
}

export function plainModel(program: Program, base: readonly Fact[]): PlainModel {
  const known = new Map<string, Map<string, Fact>>()
  const add = (fact: Fact): boolean => {
    let facts = known.get(fact.predicate)
    if (facts === undefined) known.set(fact.predicate, (facts = new Map()))
    if (facts.has(key(fact))) return false
    facts.set(key(fact), fact)
    return true
  }
  const factsOf = (predicate: string) => [...(known.get(predicate)?.values() ?? [])]
  for (const fact of base) add(fact)
  const instances = new Set<string>()
  for (const layer of DERIVED) {
    const rules = program.rules.filter((rule) => rule.head.predicate === layer)
    for (let grows = true; grows; ) {
      grows = false
      for (const { id, head, body } of rules) {
        const atoms = body.flatMap((item) => (item.kind === 'atom' ? [item.atom] : []))
        for (const { values, facts } of allMatches(atoms, factsOf, new Map())) {
          const full = withResults(body, values, factsOf)
          if (full === undefined || !holds(body, full, factsOf)) continue
          const fact = { predicate: head.predicate, args: head.args.map((arg) => (arg && valueIn(full)(arg)) ?? null) }
          instances.add(`${id} ${key(fact)} <- ${facts.map(key).join(' ')}`)
          if (add(fact)) grows = true
        }
      }
    }
  }
  return { keys: new Set([...known.values()].flatMap((facts) => [...facts.keys()])), instances }
}

const valueIn = (values: Values): TermOf => (arg) => ('term' in arg ? arg.term : values.get(arg.variable))

function unify({ args }: Atom, fact: Fact, values: Values): Values | undefined {
  const more = new Map(values)
  for (const [i, arg] of args.entries()) {
    const value = fact.args[i] ?? null
    if (arg === null) continue
    const wanted = 'term' in arg ? arg.term : (more.get(arg.variable) ?? value)
    if (value === null || wanted === null || keyOf(wanted) !== keyOf(value)) return undefined
    if ('variable' in arg) more.set(arg.variable, value)
  }
  return more
}

interface Match {
  readonly values: Values
  readonly facts: readonly Fact[]
}

type FactsOf = (predicate: string) => readonly Fact[]

const allMatches = (atoms: readonly Atom[], factsOf: FactsOf, start: Values): Match[] =>
  atoms.reduce<Match[]>(
    (found, atom) => {
      const facts = factsOf(atom.predicate)
      return found.flatMap((match) =>
        facts.flatMap((fact) => {
          const values = unify(atom, fact, match.values)
          return values === undefined ? [] : [{ values, facts: [...match.facts, fact] }]
        }),
      )
    },
    [{ values: start, facts: [] }],
  )

/** Aggregates, then calculations: the random rules never use a result inside another. */
function withResults(body: readonly BodyItem[], values: Values, factsOf: FactsOf): Values | undefined {
  const full = new Map(values)
  for (const item of body) {
    if (item.kind !== 'aggregate' && item.kind !== 'assign') continue
    const result = item.kind === 'aggregate' ? plainFold(item, values, factsOf) : plainValue(item.expr, valueIn(values))
    if (result === undefined) return undefined
    full.set(item.into, result)
  }
  return full
}

function holds(body: readonly BodyItem[], values: Values, factsOf: FactsOf): boolean {
  return body.every((item) => {
    if (item.kind === 'not') return allMatches([item.atom], factsOf, values).length === 0
    return item.kind === 'compare' || item.kind === 'test' ? plainHolds(item, values) : true
  })
}

function plainHolds(condition: Condition, values: Values): boolean {
  if (condition.kind === 'test') return plainTruth(plainValue(condition.expr, valueIn(values))) === true
  const [left, right] = [valueIn(values)(condition.left), valueIn(values)(condition.right)]
  return left !== undefined && right !== undefined && plainCompare(condition.op, left, right)
}

const isNumber = (term: Term) => term.kind === 'literal' && !isText(term) && term.datatype !== `${XSD}boolean`
const isText = (term: Term) => term.kind === 'literal' && term.datatype === `${XSD}string`

/** As the rule text compares: values of two kinds differ. */
function plainCompare(op: string, x: Term, y: Term): boolean {
  if (isNumber(x) !== isNumber(y) || isText(x) !== isText(y)) return op === '!='
  const [a, b] = isNumber(x) ? [Number(x.value), Number(y.value)] : [x.value, y.value]
  return op === '=' ? a === b : op === '!=' ? a !== b : op === '<' ? a < b : op === '>' ? a > b : a >= b
}

function plainFold(item: Aggregate, values: Values, factsOf: FactsOf): Term | undefined {
  const matches = allMatches(item.body, factsOf, values).filter(({ values }) =>
    (item.where ?? []).every((condition) => plainHolds(condition, values)),
  )
  if (item.fn === 'count') return integer(matches.length)
  const terms = matches.flatMap(({ values }) => values.get(item.of ?? '') ?? [])
  if (item.fn === 'latest') {
    const by = matches.flatMap(({ values }) => values.get(item.by ?? '') ?? [])
    const top = by.filter((term) => by.every((other) => isComparable(term, other) && !plainCompare('>', other, term)))
    const best = new Map(terms.flatMap((term, n) => (top.includes(by[n] as Term) ? [[keyOf(term), term] as const] : [])))
    return best.size === 1 ? [...best.values()][0] : undefined
  }
  if (item.fn === 'sum') {
    if (terms.length === 0) return undefined
    return terms.slice(1).reduce<Term | undefined>(
      (sum, term) => sum && plainValue({ op: '+', left: { term: sum }, right: { term } }, valueIn(new Map())),
      plainValue({ op: '+', left: { term: integer(0) }, right: { term: terms[0] as Term } }, valueIn(new Map())),
    )
  }
  const beats = item.fn === 'min' ? '<' : '>'
  const best = terms.filter((term) => terms.every((other) => isComparable(term, other) && !plainCompare(beats, other, term)))
  return best.toSorted((x, y) => (keyOf(x) < keyOf(y) ? -1 : 1))[0]
}

const isComparable = (x: Term, y: Term): boolean => isNumber(x) === isNumber(y) && isText(x) === isText(y)

const boolean = (value: boolean): Term => literal(String(value), `${XSD}boolean`)

function plainTruth(term: Term | undefined): boolean | undefined {
  if (term === undefined || term.kind !== 'literal') return undefined
  if (term.datatype === `${XSD}boolean`) return term.value === 'true'
  return isText(term) ? term.value !== '' : Number(term.value) !== 0
}

/** undefined where there is no result. */
function plainValue(expr: Expr, termOf: TermOf): Term | undefined {
  if ('op' in expr || 'minus' in expr) {
    const ratio = plainRatio(expr, termOf)
    return ratio && written(ratio)
  }
  if (!('call' in expr)) return termOf(expr)
  const args = expr.args.map((arg) => plainValue(arg, termOf))
  const [x, y, z] = args
  const truths = args.map(plainTruth)
  switch (expr.call) {
    case 'coalesce':
      return args.find((arg) => arg !== undefined)
    case 'if':
      return truths[0] === undefined ? undefined : truths[0] ? y : z
    case '!':
      return truths[0] === undefined ? undefined : boolean(!truths[0])
    case '&&':
      return truths.includes(false) ? boolean(false) : truths.includes(undefined) ? undefined : boolean(true)
    case '||':
      return truths.includes(true) ? boolean(true) : truths.includes(undefined) ? undefined : boolean(false)
    case 'in': {
      const found = args.slice(1).map((arg) => x && arg && sparqlCompare('=', x, arg))
      if (found.includes(true)) return boolean(true)
      return found.includes(undefined) ? undefined : boolean(false)
    }
  }
  if (x === undefined || args.includes(undefined)) return undefined
  switch (expr.call) {
    case 'str':
      return literal(x.value)
    case 'abs':
      return isNumber(x) ? plainAbs(x) : undefined
    case 'strlen':
      return isText(x) ? integer(x.value.length) : undefined
    case 'ucase':
      return isText(x) ? literal(x.value.toUpperCase()) : undefined
    case 'lcase':
      return isText(x) ? literal(x.value.toLowerCase()) : undefined
  }
  if (y === undefined) return undefined
  const bothText = isText(x) && isText(y)
  if (expr.call === 'concat') return bothText ? literal(x.value + y.value) : undefined
  if (expr.call === 'contains') return bothText ? boolean(x.value.includes(y.value)) : undefined
  const compared = sparqlCompare(expr.call, x, y)
  return compared === undefined ? undefined : boolean(compared)
}

/** As SPARQL compares: two kinds are unequal and have no order. */
function sparqlCompare(op: string, x: Term, y: Term): boolean | undefined {
  if (isComparable(x, y)) return plainCompare(op, x, y)
  return op === '=' ? false : op === '!=' ? true : undefined
}

const plainAbs = (term: Term): Term | undefined => {
  const ratio = plainRatio({ term }, valueIn(new Map()))
  return ratio && written([ratio[0] < 0n ? -ratio[0] : ratio[0], ratio[1], ratio[2]])
}

/** A ratio of whole numbers, with a mark for what is no integer. */
type Ratio = readonly [above: bigint, below: bigint, decimal: boolean]

/** School arithmetic on ratios; only a quotient is rounded, to 18 digits. */
function plainRatio(expr: Expr, termOf: TermOf): Ratio | undefined {
  if ('minus' in expr) {
    const ratio = plainRatio(expr.minus, termOf)
    return ratio && [-ratio[0], ratio[1], ratio[2]]
  }
  if ('op' in expr) {
    const [x, y] = [plainRatio(expr.left, termOf), plainRatio(expr.right, termOf)]
    if (x === undefined || y === undefined || (expr.op === '/' && y[0] === 0n)) return undefined
    const decimal = x[2] || y[2] || expr.op === '/'
    if (expr.op === '+') return [x[0] * y[1] + y[0] * x[1], x[1] * y[1], decimal]
    if (expr.op === '-') return [x[0] * y[1] - y[0] * x[1], x[1] * y[1], decimal]
    if (expr.op === '*') return [x[0] * y[0], x[1] * y[1], decimal]
    const [above, below] = [x[0] * y[1] * 10n ** 19n, x[1] * y[0]]
    const digits = above / below // one digit too many, toward zero; the last one decides
    return [(digits + (digits < 0n ? -5n : 5n)) / 10n, 10n ** 18n, decimal]
  }
  const term = plainValue(expr, termOf)
  if (term === undefined || !isNumber(term)) return undefined
  const [whole = '', behind = ''] = term.value.split('.')
  return [BigInt(whole + behind), 10n ** BigInt(behind.length), term.kind === 'literal' && term.datatype === `${XSD}decimal`]
}

function written([above, below, decimal]: Ratio): Term {
  if (!decimal) return integer(above / below)
  const digits = (above < 0n ? -above : above) * (10n ** 200n / below)
  const text = `${digits / 10n ** 200n}.${String(digits % 10n ** 200n).padStart(200, '0')}`.replace(/\.?0+$/, '')
  return literal(`${above < 0n ? '-' : ''}${text}`, `${XSD}decimal`)
}
