/**
 * A plan against the vocabulary, whoever wrote it: terms that exist under the ceiling, operators with values of the right shape,
 * aggregates over what can be folded, and a why-goal that fits its rule's head. Everything wrong is listed, with its place.
 */
import { type Fault, type Filter, type Plan, type Selection, ServiceError } from '../contracts/index.ts'
import { XSD } from '../kernel/term.ts'
import type { Ontology, OntologyClass } from '../ontology/index.ts'
import { type ResolvedPath, UnknownTerm, classNamed, resolvePath } from './compiler/resolve.ts'
import { type RuleBook, argumentClasses, isAvailable } from './planner/rule-heads.ts'

const NUMERIC = new Set(['integer', 'decimal', 'double', 'float'].map((name) => `${XSD}${name}`))

/** Throws invalid_request when anything is wrong. */
export function checkPlan(ontology: Ontology, book: RuleBook, plan: Plan): void {
  const faults = faultsOf(ontology, book, plan)
  if (faults.length === 0) return
  throw new ServiceError('invalid_request', 'the plan does not fit the vocabulary', {
    stage: 'plan',
    errors: faults,
    hint: 'GET /api/ontology/vocabulary lists what can be named',
  })
}

export function faultsOf(ontology: Ontology, book: RuleBook, plan: Plan): Fault[] {
  const root = ontology.classes.find(({ name }) => name === plan.from)
  if (root === undefined) return [{ path: 'plan.from', message: `unknown term ${plan.from}` }]
  const faults: Fault[] = []
  const at = (path: string, check: () => string | null) => {
    try {
      const message = check()
      if (message !== null) faults.push({ path, message })
    } catch (error) {
      if (!(error instanceof UnknownTerm)) throw error
      faults.push({ path, message: `unknown term ${error.term}` })
    }
  }
  if (plan.select.length === 0) faults.push({ path: 'plan.select', message: 'at least one column must be selected' })
  for (const [i, selection] of plan.select.entries()) at(`plan.select.${i}`, () => selectionFault(ontology, root, selection))
  for (const [i, filter] of plan.where.entries()) at(`plan.where.${i}`, () => filterFault(ontology, root, filter))
  for (const [i, path] of plan.group_by.entries()) at(`plan.group_by.${i}`, () => endFault(resolvePath(ontology, root, path)))
  for (const [i, { by }] of plan.order_by.entries()) at(`plan.order_by.${i}`, () => selectionFault(ontology, root, by))
  const folded = plan.select.some(({ aggregate }) => aggregate !== undefined)
  const grouped = new Set(plan.group_by.map((path) => path.join(' ')))
  for (const [i, { path, aggregate }] of plan.select.entries()) {
    if (folded && aggregate === undefined && !grouped.has((path ?? []).join(' '))) {
      faults.push({ path: `plan.select.${i}`, message: 'a column beside an aggregate must stand in group_by' })
    }
  }
  return [...faults, ...whyFaults(ontology, book, plan)]
}

const endFault = ({ property }: ResolvedPath): string | null =>
  property === null || property.kind !== 'data' ? 'the path must end on a data property' : null

function selectionFault(ontology: Ontology, root: OntologyClass, { path, aggregate }: Selection): string | null {
  if (path === undefined) return aggregate === 'count' ? null : 'only count goes without a path'
  const resolved = resolvePath(ontology, root, path)
  const fault = endFault(resolved)
  if (fault !== null) return fault
  const isNumber = NUMERIC.has(resolved.property?.range ?? '')
  return (aggregate === 'sum' || aggregate === 'avg') && !isNumber ? `${aggregate} needs a number` : null
}

function filterFault(ontology: Ontology, root: OntologyClass, { path, op, value }: Filter): string | null {
  const resolved = resolvePath(ontology, root, path)
  const asksExistence = op === 'exists' || op === 'not_exists'
  if (resolved.property === null) return asksExistence ? null : `${op} needs a property to compare`
  if (resolved.property.kind !== 'data') return 'the path must end on a data property or a class'
  const scalar = value !== undefined && value !== null && !Array.isArray(value)
  switch (op) {
    case 'is_null':
    case 'exists':
    case 'not_exists':
      return value === undefined ? null : `${op} takes no value`
    case 'in':
      return Array.isArray(value) && value.length > 0 && !value.includes(null) ? null : 'in takes a list of values'
    case 'between':
      return Array.isArray(value) && value.length === 2 && !value.includes(null) ? null : 'between takes two values'
    case 'like':
      return typeof value === 'string' ? null : 'like takes a text'
    default:
      return scalar ? null : `${op} takes one value; use is_null to ask for a missing one`
  }
}

function whyFaults(ontology: Ontology, book: RuleBook, { why, intent }: Plan): Fault[] {
  if (why === undefined) return intent === 'why' ? [{ path: 'plan.why', message: 'a why-plan names its goal' }] : []
  if (!isAvailable(book, why.predicate)) return [{ path: 'plan.why.predicate', message: `no rule derives ${why.predicate}` }]
  const classes = argumentClasses(book, ontology, why.predicate)
  const faults: Fault[] = []
  if (why.ask >= classes.length) faults.push({ path: 'plan.why.ask', message: `${why.predicate} has ${classes.length} arguments` })
  for (const [i, given] of why.given.entries()) {
    const place = `plan.why.given.${i}`
    if (given.argument >= classes.length) faults.push({ path: place, message: `${why.predicate} has ${classes.length} arguments` })
    else if (classes[given.argument] !== given.class) faults.push({ path: place, message: `this argument is a ${classes[given.argument] ?? 'value'}` })
    else {
      const cls = classNamed(ontology, given.class)
      for (const filter of given.where) {
        try {
          const message = filterFault(ontology, cls, filter)
          if (message !== null) faults.push({ path: place, message })
        } catch (error) {
          if (!(error instanceof UnknownTerm)) throw error
          faults.push({ path: place, message: `unknown term ${error.term}` })
        }
      }
    }
  }
  return faults
}
