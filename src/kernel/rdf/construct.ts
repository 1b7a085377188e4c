/**
 * SPARQL CONSTRUCT as Datalog, so that what it derives has premises: triple patterns become atoms, FILTER comparisons
 * become conditions, FILTER NOT EXISTS becomes stratified negation, `p+` a recursive relation, each template triple a rule.
 * Whatever has no such reading is refused by name and place.
 */
import type { Argument, Atom, BodyItem, Comparison, DatalogRule, RuleFault } from '../datalog/index.ts'
import { literal } from '../term.ts'
import { RESOURCE, laterPredicate, meaningOf, nonePredicate, tripleHead } from './partition.ts'
import type { Reading } from './pattern.ts'
import { argumentOf, prefixesOf, readBgp, termOfTree } from './pattern.ts'
import { RDF_TYPE } from './quad.ts'
import type { Bgp, Construct, Expression, Pattern, Placed } from './sparql.ts'
import { offsetOf, parseConstruct, placeAt } from './sparql.ts'

export interface ConstructOptions {
  /** the first template triple's rule carries this id, further ones `<id>~2`, `<id>~3` ... */
  readonly id: string
  /** whole seconds: the later time of `FILTER(?later > ?earlier)` lies at most so long after the earlier one */
  readonly windowSeconds?: number
}

export type CompiledConstruct =
  { readonly ok: true; readonly rules: readonly DatalogRule[] } | { readonly ok: false; readonly faults: readonly RuleFault[] }

/** The rule that a person knows, from the id of one of the rules it was compiled to. */
export const baseRule = (id: string): string => id.split('~', 1)[0] ?? id

export function compileConstruct(text: string, { id, windowSeconds }: ConstructOptions): CompiledConstruct {
  const parsed = parseConstruct(text)
  if (!parsed.ok) return { ok: false, faults: [parsed.fault] }
  const { query } = parsed
  const faults: RuleFault[] = []
  const refuse = (node: Placed, message: string) => {
    faults.push({ message, ...placeAt(text, offsetOf(node) ?? offsetOf(query.where) ?? 0) })
  }
  const reading: Reading = { prefixes: prefixesOf(query, refuse), refuse }
  refuseModifiers(query, refuse)
  const where = readWhere(query.where.patterns, { id, reading })
  // what WHERE binds is not known while a part of it cannot be read
  if (faults.length > 0) return { ok: false, faults }
  if (where.atoms.length === 0) refuse(query.where, 'WHERE holds no triple pattern')
  checkBound(where, refuse)
  const window = windowSeconds === undefined ? [] : windowItems(where, windowSeconds, query, refuse)
  const heads = readTemplate(query.template, where, reading)
  if (faults.length > 0) return { ok: false, faults }
  const body = [
    ...where.atoms.map((atom) => ({ kind: 'atom' as const, atom })),
    ...where.conditions,
    ...window,
    ...where.absences,
  ]
  const rules = heads.map((head, n) => ({ id: n === 0 ? id : `${id}~${n + 1}`, head, body: guarded(head, where.atoms, body) }))
  return { ok: true, rules: [...rules, ...where.auxiliary] }
}

interface Condition {
  readonly kind: 'compare'
  readonly op: Comparison
  readonly left: Argument
  readonly right: Argument
  readonly node: Placed
}

interface Where {
  readonly atoms: Atom[]
  readonly conditions: Condition[]
  readonly absences: BodyItem[]
  readonly auxiliary: DatalogRule[]
}

interface Compiling {
  readonly id: string
  readonly reading: Reading
}

function refuseModifiers(query: Construct, refuse: Reading['refuse']): void {
  if (query.datasets.clauses.length > 0) refuse(query.datasets, 'FROM is not supported: a rule reads the whole graph')
  const modifiers = { group: 'GROUP BY', having: 'HAVING', order: 'ORDER BY', limitOffset: 'LIMIT and OFFSET' } as const
  for (const [key, word] of Object.entries(modifiers)) {
    const modifier = query.solutionModifiers[key as keyof typeof modifiers]
    if (modifier !== undefined) refuse(modifier, `${word} is not supported in a rule`)
  }
  if (query.values !== undefined) refuse(query.values, 'VALUES is not supported')
}

const NAMES: Readonly<Record<string, string>> = {
  optional: 'OPTIONAL',
  union: 'UNION',
  minus: 'MINUS',
  bind: 'BIND',
  values: 'VALUES',
  graph: 'GRAPH',
  service: 'SERVICE',
  group: 'a nested group',
  select: 'a sub-SELECT',
}

function readWhere(patterns: readonly Pattern[], compiling: Compiling): Where {
  const { reading } = compiling
  const where: Where = { atoms: [], conditions: [], absences: [], auxiliary: [] }
  const filters: Expression[] = []
  for (const pattern of patterns) {
    if (pattern.subType === 'bgp') {
      const { atoms, rules } = readBgp(pattern, reading)
      where.atoms.push(...atoms)
      where.auxiliary.push(...rules)
    } else if (pattern.subType === 'filter') filters.push(pattern.expression)
    else reading.refuse(pattern, `${NAMES[pattern.subType] ?? pattern.subType} is not supported`)
  }
  // a FILTER speaks about its whole group, wherever in it it stands
  for (const filter of filters) readFilter(filter, where, compiling)
  return where
}

const COMPARISONS: ReadonlySet<string> = new Set(['=', '!=', '<', '<=', '>', '>='])
const isComparison = (operator: string): operator is Comparison => COMPARISONS.has(operator)

function readFilter(filter: Expression, where: Where, compiling: Compiling): void {
  const { reading } = compiling
  // `a && b && c` is a tree as deep as it is long, hence a list of what is still to read and no recursion
  const pending: Expression[] = [filter]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type !== 'expression') reading.refuse(node, 'a FILTER needs a comparison')
    else if (node.subType === 'patternOperation') {
      if (node.operator === 'notexists') readNotExists(node.args.patterns, node, where, compiling)
      else reading.refuse(node, 'EXISTS is not supported: write its pattern into WHERE')
    } else if (node.subType !== 'operation') reading.refuse(node, 'a function or aggregate in FILTER is not supported')
    else if (node.operator === '&&') pending.push(...node.args.toReversed())
    else if (!isComparison(node.operator)) reading.refuse(node, `${node.operator.toUpperCase()} in FILTER is not supported`)
    else {
      const [left, right] = node.args.map((side) => operand(side, reading))
      if (left !== undefined && right !== undefined)
        where.conditions.push({ kind: 'compare', op: node.operator, left, right, node })
    }
  }
}

function operand(side: Expression, reading: Reading): Argument | undefined {
  if (side.type === 'term') {
    if (side.subType === 'variable') return { variable: side.value }
    const term = termOfTree(side, reading)
    return term === undefined ? undefined : { term }
  }
  const what = side.subType === 'operation' ? side.operator.toUpperCase() : 'an expression'
  reading.refuse(side, `${what} inside a comparison is not supported: compare variables and constants`)
  return undefined
}

/**
 * One atom whose local variables each occur once can be denied as it stands. Anything larger gets a relation of its own
 * over the variables it shares with the outside, and that relation is denied.
 */
function readNotExists(patterns: readonly Pattern[], node: Placed, where: Where, { id, reading }: Compiling): void {
  const inner: Atom[] = []
  for (const pattern of patterns) {
    if (pattern.subType !== 'bgp') {
      reading.refuse(pattern, `${NAMES[pattern.subType] ?? pattern.subType.toUpperCase()} inside NOT EXISTS is not supported`)
      continue
    }
    const { atoms, rules } = readBgp(pattern, reading)
    inner.push(...atoms)
    where.auxiliary.push(...rules)
  }
  if (inner.length === 0) return reading.refuse(node, 'NOT EXISTS holds no triple pattern')
  const outside = variablesIn(where.atoms)
  const occurrences = inner.flatMap(variablesOf)
  const local = (name: string) => !outside.has(name)
  if (
    inner.length === 1 &&
    occurrences.every((name) => !local(name) || occurrences.filter((other) => other === name).length === 1)
  ) {
    const [atom] = inner
    const args = atom!.args.map((arg) => (arg !== null && 'variable' in arg && local(arg.variable) ? null : arg))
    where.absences.push({ kind: 'not', atom: { predicate: atom!.predicate, args } })
    return
  }
  const shared = [...new Set(occurrences)].filter((name) => !local(name)).map((variable) => ({ variable }))
  // relations have at least one argument; a pattern that shares nothing is denied as a whole
  const args = shared.length > 0 ? shared : [{ term: literal('any') }]
  const n = where.auxiliary.filter((rule) => meaningOf(rule.head.predicate).kind === 'none').length + 1
  const head = { predicate: nonePredicate(id, n), args }
  where.auxiliary.push({ id: `${id}~none-${n}`, head, body: inner.map((atom) => ({ kind: 'atom', atom })) })
  where.absences.push({ kind: 'not', atom: head })
}

function checkBound(where: Where, refuse: Reading['refuse']): void {
  const bound = variablesIn(where.atoms)
  for (const { left, right, node } of where.conditions) {
    for (const side of [left, right]) {
      if ('variable' in side && !bound.has(side.variable))
        refuse(node, `?${side.variable} in FILTER is bound by no triple pattern`)
    }
  }
}

/** `?later <= ?limit`, the limit being so many seconds after the earlier time: one fact per time, one condition in the proof. */
function windowItems(where: Where, seconds: number, query: Construct, refuse: Reading['refuse']): BodyItem[] {
  const directions = where.conditions.flatMap(({ op, left, right }) => {
    if (!('variable' in left) || !('variable' in right)) return []
    if (op === '>') return [{ earlier: right, later: left }]
    return op === '<' ? [{ earlier: left, later: right }] : []
  })
  const [direction] = directions
  if (direction === undefined || directions.length > 1) {
    refuse(query.where, 'a rule with a window needs exactly one FILTER(?later > ?earlier) over its times')
    return []
  }
  if (!Number.isInteger(seconds) || seconds <= 0) {
    refuse(query.where, 'a window is a whole number of seconds, at least 1')
    return []
  }
  const limit = { variable: '_:limit' }
  return [
    { kind: 'atom', atom: { predicate: laterPredicate(seconds), args: [direction.earlier, limit] } },
    { kind: 'compare', op: '<=', left: direction.later, right: limit },
  ]
}

function readTemplate(template: Bgp, where: Where, reading: Reading): Atom[] {
  const bound = variablesIn(where.atoms)
  if (template.triples.length === 0) reading.refuse(template, 'the template holds no triple')
  return template.triples.flatMap((triple) => {
    if (triple.type !== 'triple' || triple.subject.type !== 'term' || triple.object.type !== 'term') {
      reading.refuse(triple, 'a blank node, list or reified triple in the template is not supported')
      return []
    }
    const { subject, predicate, object } = triple
    for (const node of [subject, predicate, object]) {
      if (node.type === 'term' && node.subType === 'blankNode')
        reading.refuse(triple, 'a blank node in the template is not supported')
      if (node.type === 'term' && node.subType === 'variable' && !bound.has(node.value)) {
        reading.refuse(node, `?${node.value} in the template is bound by no triple pattern`)
      }
    }
    if (subject.subType === 'literal') reading.refuse(triple, 'a literal cannot be a subject')
    if (predicate.type !== 'term' || predicate.subType !== 'namedNode') {
      reading.refuse(triple, 'the template needs a named property')
      return []
    }
    const property = termOfTree(predicate, reading)
    const ends = [argumentOf(subject, reading), argumentOf(object, reading)] as const
    if (property === undefined || ends[0] === undefined || ends[1] === undefined) return []
    if (property.value === RDF_TYPE && 'variable' in ends[1])
      reading.refuse(object, 'a variable as a class in the template is not supported: name the class')
    return [tripleHead(ends[0], property.value, ends[1])]
  })
}

/** SPARQL leaves out a triple whose subject turns out to be a literal. A variable that is a subject in the body never does. */
function guarded(head: Atom, atoms: readonly Atom[], body: readonly BodyItem[]): readonly BodyItem[] {
  const [subject] = head.args
  if (!subject || !('variable' in subject)) return body
  const safe = atoms.some(({ args: [first] }) => first && 'variable' in first && first.variable === subject.variable)
  return safe ? body : [...body, { kind: 'atom', atom: { predicate: RESOURCE, args: [subject] } }]
}

const variablesOf = (atom: Atom): string[] =>
  atom.args.flatMap((arg) => (arg !== null && 'variable' in arg ? [arg.variable] : []))
const variablesIn = (atoms: readonly Atom[]): ReadonlySet<string> => new Set(atoms.flatMap(variablesOf))
