/** Turns a reading that names a rule head into a plan: which argument is asked for, and which records are given. */
import type { Filter, Plan, Why } from '../../contracts/index.ts'
import type { Ontology } from '../../ontology/index.ts'
import type { Assembled } from './assemble.ts'
import { labelOf } from './draft-plan.ts'
import { joinPaths } from './join-path.ts'
import type { Reading } from './readings.ts'
import { type RuleBook, argumentClasses } from './rule-heads.ts'

export function assembleWhy(ontology: Ontology, book: RuleBook, reading: Reading): Assembled | null {
  const meanings = reading.elements.flatMap(({ meaning }) => (meaning === null ? [] : [meaning]))
  const goals = meanings.filter((meaning) => meaning.kind === 'rule')
  const operations = reading.elements.flatMap(({ operation }) => (operation === null ? [] : [operation.kind]))
  if (goals.length !== 1 || operations.some((kind) => kind !== 'why' && kind !== 'negation' && kind !== 'who')) return null
  const predicate = goals[0]!.predicate
  const classes = argumentClasses(book, ontology, predicate)

  const filters = new Map<number, Filter[]>()
  let steps = 0
  for (const meaning of meanings) {
    if (meaning.kind === 'property') return null
    if (meaning.kind !== 'value') continue
    const place = nearestArgument(ontology, classes, meaning.cls.name)
    if (place === null) return null
    steps += place.path.length
    const filter: Filter = { path: [...place.path, meaning.property.name], op: '=', value: meaning.value }
    filters.set(place.argument, [...(filters.get(place.argument) ?? []), filter])
  }
  // two values of one property cannot both hold of one record, and which of them is meant is not ours to choose
  for (const list of filters.values()) if (new Set(list.map(({ path }) => path.join(' '))).size < list.length) return null

  const named = meanings.flatMap((meaning) => (meaning.kind === 'class' ? [meaning.cls.name] : []))
  if (named.some((name) => !classes.includes(name))) return null
  const given = [...filters.entries()]
    .map(([argument, where]) => ({ argument, class: classes[argument] ?? '', where }))
    .toSorted((a, b) => a.argument - b.argument)
  const free = classes.findIndex((cls, at) => cls !== null && named.includes(cls) && !filters.has(at))
  // "who is at risk from crt-07", "why is Acme at risk": without a class named, the head's first argument is its subject
  const ask = free !== -1 ? free : 0
  const negated = operations.includes('negation')
  // "which customers are not at risk" asks for a complement; only the absence of one given case can be explained here
  if (negated && !filters.has(ask)) return null
  const why: Why = { predicate, ask, given, negated }
  // the records that the question gives are read first; when it gives none, all records of the class asked for
  const first = given[0] ?? { class: classes[ask] ?? '', where: [] }
  const from = ontology.classes.find((cls) => cls.name === first.class)
  const label = from === undefined ? null : labelOf(from)
  if (from === undefined || label === null) return null
  const plan: Plan = {
    intent: 'why', from: from.name, select: [{ path: [label.name] }], where: first.where, group_by: [], order_by: [], distinct: false, why,
  }
  return { plan, steps }
}

/** The head argument that a value speaks of: of the value's own class, else the one that reaches it in the fewest steps. */
function nearestArgument(ontology: Ontology, classes: readonly (string | null)[], cls: string) {
  let best: { argument: number; path: string[] } | null = null
  for (const [argument, name] of classes.entries()) {
    if (name === null) continue
    const [path] = joinPaths(ontology, name, cls, { maxSteps: 2 })
    if (path !== undefined && (best === null || path.length < best.path.length)) best = { argument, path }
  }
  return best
}
