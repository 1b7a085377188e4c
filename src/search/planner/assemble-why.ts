/** Turns a reading that names a rule head into a plan: which argument is asked for, and which records are given. */
import type { Filter, Plan, Why } from '../../contracts/index.ts'
import type { Ontology } from '../../ontology/index.ts'
import type { Composed } from './compose.ts'
import type { Element } from './elements.ts'
import type { Ways } from './join-tree.ts'
import { type RuleBook, argumentClasses } from './rule-heads.ts'
import { labelsOf } from './sketch.ts'

const STEP = 0.4
const NEAR_COST = 2.5
const UNDERSTOOD: ReadonlySet<string> = new Set(['why', 'negation', 'ask'])

export function assembleWhy(ontology: Ontology, ways: Ways, book: RuleBook, elements: readonly Element[]): Composed | null {
  const said = elements.filter(({ kind }) => kind !== 'word')
  const goals = said.filter((element) => element.kind === 'rule')
  const operations = said.flatMap((element) => (element.kind === 'operation' ? [element.operation.kind] : []))
  if (goals.length !== 1 || operations.some((kind) => !UNDERSTOOD.has(kind))) return null
  if (said.some(({ kind }) => kind === 'property' || kind === 'number' || kind === 'time' || kind === 'text')) return null
  const { predicate } = goals[0]!
  const classes = argumentClasses(book, ontology, predicate)

  const filters = new Map<number, Filter[]>()
  let steps = 0
  for (const element of said) {
    if (element.kind !== 'value') continue
    const place = nearestArgument(ways, classes, element.cls.name)
    if (place === null) return null
    steps += place.path.length
    const filter: Filter = { path: [...place.path, element.property.name], op: '=', value: element.value }
    filters.set(place.argument, [...(filters.get(place.argument) ?? []), filter])
  }
  // two values of one property cannot both hold of one record, and which of them is meant is not ours to choose
  for (const list of filters.values()) if (new Set(list.map(({ path }) => path.join(' '))).size < list.length) return null

  const named = said.flatMap((element) => (element.kind === 'class' ? [element.cls.name] : []))
  if (named.some((name) => !classes.includes(name))) return null
  const given = [...filters.entries()]
    .map(([argument, where]) => ({ argument, class: classes[argument] ?? '', where }))
    .toSorted((a, b) => a.argument - b.argument)
  const free = classes.findIndex((cls, at) => cls !== null && named.includes(cls) && (!filters.has(at) || named.length === 1))
  // "who is late because of X", "why is X late": without a class named, the head's first argument is its subject
  const ask = free !== -1 ? free : 0
  const negated = operations.includes('negation')
  // "which orders are not late" asks for the others; "why is X not late" for the reason
  const complement = negated && !operations.includes('why') && named.includes(classes[ask] ?? '')
  if (complement && !filters.has(ask)) {
    const all = ontology.classes.find(({ name }) => name === classes[ask])
    const label = all === undefined ? undefined : labelsOf(all)[0]
    if (all === undefined || label === undefined) return null
    given.push({ argument: ask, class: all.name, where: [{ path: [label.property.name], op: 'exists' }] })
    given.sort((a, b) => a.argument - b.argument)
  } else if (negated && !filters.has(ask)) return null
  const why: Why = { predicate, ask, given, negated, complement }
  // the records that the question gives are read first; when it gives none, all records of the class asked for
  const all = { class: classes[ask] ?? '', where: [] }
  const first = given.find(({ argument }) => complement && argument === ask) ?? given[0] ?? all
  const from = ontology.classes.find((cls) => cls.name === first.class)
  const label = from === undefined ? undefined : labelsOf(from)[0]
  if (from === undefined || label === undefined) return null
  const plan: Plan = {
    intent: 'why', from: from.name, select: [{ path: [label.property.name] }], where: first.where,
    group_by: [], having: [], order_by: [], distinct: false, why,
  }
  return { plan, cost: STEP * steps, notes: { step: steps } }
}

/** The head argument that a value speaks of: of the value's own class, else the one that reaches it in the fewest steps. */
function nearestArgument(ways: Ways, classes: readonly (string | null)[], cls: string) {
  let best: { argument: number; path: readonly string[]; cost: number } | null = null
  for (const [argument, name] of classes.entries()) {
    const way = name === null ? null : ways.between(name, cls)
    if (way === null || way.cost > NEAR_COST) continue
    if (best === null || way.cost < best.cost) best = { argument, path: way.path, cost: way.cost }
  }
  return best
}
