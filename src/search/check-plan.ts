/**
 * A plan against the vocabulary, whoever wrote it: terms that exist under the ceiling, operators with values of the right shape,
 * aggregates over what can be folded, sub-plans that give what is asked of them, and a why-goal that fits its rule's head.
 * Everything wrong is listed, with its place. What passes here compiles.
 */
import { isDeepStrictEqual } from 'node:util'
import { type Condition, type Fault, type Filter, type Having, type Path, type Plan, type Selection, ServiceError, type Why } from '../contracts/index.ts'
import type { Ontology, OntologyClass } from '../ontology/index.ts'
import { type ResolvedPath, UnknownTerm, classNamed, resolvePath } from './compiler/resolve.ts'
import { givesOneRow, isDetermined, isFolded, kindOf, rangeOf, readPaths, sameSelection } from './compiler/shape.ts'
import { multiplied } from './compiler/multiplied.ts'
import { type RuleBook, argumentClasses, isAvailable } from './planner/rule-heads.ts'

const MAX_PLAN_DEPTH = 4
/** Brackets within brackets that every engine still reads. */
const MAX_CONDITION_DEPTH = 24
/** All conditions of a plan together, those of its sub-plans included. */
const MAX_CONDITIONS = 400
/** MySQL joins 61 tables, SQLite 64. */
const MAX_JOINS = 50

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
  const checking = new Checking(ontology)
  checking.plan(plan, 'plan', 1)
  if (ontology.classes.some(({ name }) => name === plan.from)) checking.why(book, plan)
  return checking.faults
}

/** What a sub-plan is asked for. */
type Wanted = 'value' | 'column'

class Checking {
  readonly faults: Fault[] = []
  private readonly ontology: Ontology
  private conditionCount = 0

  constructor(ontology: Ontology) {
    this.ontology = ontology
  }

  private add(path: string, message: string): void {
    this.faults.push({ path, message })
  }

  /** The path's meaning, or null after its fault has been noted. */
  private resolved(root: OntologyClass, path: Path, place: string): ResolvedPath | null {
    try {
      return resolvePath(this.ontology, root, path)
    } catch (error) {
      if (!(error instanceof UnknownTerm)) throw error
      this.add(place, `unknown term ${error.term}`)
      return null
    }
  }

  plan(plan: Plan, place: string, depth: number): void {
    if (depth > MAX_PLAN_DEPTH) return this.add(place, `plans nest at most ${MAX_PLAN_DEPTH} deep`)
    if (depth > 1 && (plan.why !== undefined || plan.intent === 'why')) this.add(`${place}.why`, 'only the outermost plan may ask why')
    const root = this.ontology.classes.find(({ name }) => name === plan.from)
    if (root === undefined) return this.add(`${place}.from`, `unknown term ${plan.from}`)
    const before = this.faults.length
    if (plan.select.length === 0) this.add(`${place}.select`, 'at least one column must be selected')
    for (const [i, selection] of plan.select.entries()) this.selection(root, selection, `${place}.select.${i}`)
    this.conditions(root, plan.where, `${place}.where`, depth, 1)
    for (const [i, path] of plan.group_by.entries()) {
      const said = plan.group_by.findIndex((other) => other.join(' ') === path.join(' '))
      if (said < i) this.add(`${place}.group_by.${i}`, 'it is grouped by already')
      const end = this.resolved(root, path, `${place}.group_by.${i}`)
      if (end !== null && end.property === null && end.cls.key.length === 0) this.add(`${place}.group_by.${i}`, `records of ${end.cls.name} have no key to be grouped by`)
    }
    for (const [i, having] of plan.having.entries()) this.having(root, having, `${place}.having.${i}`, depth)
    for (const [i, { by }] of plan.order_by.entries()) this.selection(root, by, `${place}.order_by.${i}.by`)
    if (plan.set_op !== undefined) this.plan(plan.set_op.plan, `${place}.set_op.plan`, depth + 1)
    // the rest reads paths that are known to be right
    if (this.faults.length > before) return
    this.grouping(root, plan, place)
    for (const fault of multiplied(plan)) this.add(`${place}.${fault.path}`, fault.message)
    this.together(root, plan, place)
    const joins = new Set(readPaths(plan).flatMap((path) => path.map((_, end) => path.slice(0, end + 1).join('\n'))))
    if (joins.size > MAX_JOINS) this.add(place, `at most ${MAX_JOINS} properties and ways to them can be read at once`)
  }

  /** Beside an aggregate stands only what is the same for all records of a group. */
  private grouping(root: OntologyClass, plan: Plan, place: string): void {
    const check = ({ path, aggregate }: Selection, at: string) => {
      if (path === undefined || aggregate !== undefined || isDetermined(this.ontology, root, plan.group_by, path)) return
      this.add(at, 'a column beside an aggregate must stand in group_by, or belong to a record that does')
    }
    if (isFolded(plan)) {
      for (const [i, selection] of plan.select.entries()) check(selection, `${place}.select.${i}`)
      if (plan.set_op === undefined) for (const [i, { by }] of plan.order_by.entries()) check(by, `${place}.order_by.${i}.by`)
    }
    if (!plan.distinct && plan.set_op === undefined) return
    for (const [i, { by }] of plan.order_by.entries()) {
      if (plan.select.some((shown) => sameSelection(shown, by))) continue
      this.add(`${place}.order_by.${i}.by`, `rows that are ${plan.distinct ? 'distinct' : 'put together'} are ordered by a selected column`)
    }
  }

  private together(root: OntologyClass, plan: Plan, place: string): void {
    if (plan.set_op === undefined) return
    const { select, from } = plan.set_op.plan
    if (plan.why !== undefined) this.add(`${place}.set_op`, 'a why-plan is not put together with another')
    if (select.length !== plan.select.length) {
      return this.add(`${place}.set_op.plan.select`, `both plans must select equally many columns: ${plan.select.length} and ${select.length}`)
    }
    const other = classNamed(this.ontology, from)
    for (const [i, selection] of select.entries()) {
      const [own, theirs] = [rangeOf(this.ontology, root, plan.select[i] ?? {}), rangeOf(this.ontology, other, selection)].map(kindOf)
      if (own !== theirs) this.add(`${place}.set_op.plan.select.${i}`, `${theirs} cannot be put together with ${own}`)
    }
  }

  private selection(root: OntologyClass, { path, aggregate }: Selection, place: string): void {
    if (path === undefined) {
      if (aggregate !== 'count') this.add(place, 'only count goes without a path')
      return
    }
    const end = this.resolved(root, path, `${place}.path`)
    if (end === null) return
    if (end.property === null) {
      if (aggregate !== 'count' && aggregate !== 'count_distinct') this.add(`${place}.path`, 'the path must end on a data property')
      else if (aggregate === 'count_distinct' && end.cls.key.length === 0) this.add(`${place}.path`, `records of ${end.cls.name} have no key to be told apart by`)
      return
    }
    const kind = end.property.figures === true && (aggregate === 'sum' || aggregate === 'avg') ? 'number' : kindOf(end.property.range)
    if ((aggregate === 'sum' || aggregate === 'avg') && kind !== 'number') this.add(place, `${aggregate} needs a number`)
    if ((aggregate === 'min' || aggregate === 'max') && kind === 'bytes') this.add(place, `${aggregate} needs something that has an order`)
  }

  private conditions(cls: OntologyClass, where: readonly Condition[], place: string, depth: number, brackets: number): void {
    if (brackets > MAX_CONDITION_DEPTH) return this.add(place, `conditions nest at most ${MAX_CONDITION_DEPTH} deep`)
    this.conditionCount += where.length
    if (this.conditionCount > MAX_CONDITIONS) return this.add(place, `a plan has at most ${MAX_CONDITIONS} conditions`)
    for (const [i, condition] of where.entries()) {
      const at = `${place}.${i}`
      if ('any' in condition) this.conditions(cls, condition.any, `${at}.any`, depth, brackets + 1)
      else if ('all' in condition) this.conditions(cls, condition.all, `${at}.all`, depth, brackets + 1)
      else this.filter(cls, condition, at, depth, brackets)
    }
  }

  private filter(cls: OntologyClass, filter: Filter, place: string, depth: number, brackets: number): void {
    const { path, op, where } = filter
    const end = this.resolved(cls, path, `${place}.path`)
    if (end === null) return
    const asksExistence = op === 'exists' || op === 'not_exists'
    if (where !== undefined) {
      if (!asksExistence) this.add(`${place}.where`, 'only exists and not_exists carry conditions of their own')
      else if (end.property !== null) this.add(`${place}.where`, 'conditions of its own need a path that ends on a class')
      else this.conditions(end.cls, where, `${place}.where`, depth, brackets + 1)
    }
    if (end.property === null && !asksExistence) return this.add(`${place}.path`, `${op} needs a property to compare`)
    this.comparison(filter, place, depth)
  }

  private having(root: OntologyClass, having: Having, place: string, depth: number): void {
    if (having.by.aggregate === undefined) this.add(`${place}.by`, 'a condition on a group compares an aggregate')
    else this.selection(root, having.by, `${place}.by`)
    this.comparison(having, place, depth)
  }

  /** The operator against its value or its plan. */
  private comparison({ op, value, plan }: Pick<Filter, 'op' | 'value' | 'plan'>, place: string, depth: number): void {
    if (plan !== undefined) {
      if (value !== undefined) this.add(place, 'either a value or a plan, not both')
      if (!COMPARES_WITH_PLAN.has(op)) return this.add(`${place}.plan`, `${op} takes no plan`)
      return this.subPlan(plan, op === 'in' || op === 'not_in' ? 'column' : 'value', `${place}.plan`, depth + 1)
    }
    const fault = valueFault(op, value)
    if (fault !== null) this.add(`${place}.value`, fault)
  }

  private subPlan(plan: Plan, wanted: Wanted, place: string, depth: number): void {
    this.plan(plan, place, depth)
    if (plan.select.length > 1) this.add(`${place}.select`, 'a plan to compare with selects one column')
    if (wanted === 'value' && !givesOneRow(plan)) this.add(place, 'a plan to compare with gives one value: an aggregate without groups, or limit 1')
  }

  why(book: RuleBook, plan: Plan): void {
    const { why, intent } = plan
    if (why === undefined) {
      if (intent === 'why') this.add('plan.why', 'a why-plan names its goal')
      return
    }
    if (plan.having.length > 0 || plan.group_by.length > 0) this.add('plan.why', 'a why-plan asks about records, not about groups')
    if (plan.select.some(({ aggregate }) => aggregate !== undefined)) this.add('plan.select', 'a why-plan shows records, not aggregates')
    if (plan.limit !== undefined) this.add('plan.limit', 'a why-plan gives all that is derived: leave limit out')
    if (plan.order_by.length > 0) this.add('plan.order_by', 'what is derived has an order of its own: leave order_by out')
    if (plan.distinct) this.add('plan.distinct', 'what is derived is told once anyway: leave distinct out')
    if (!isAvailable(book, why.predicate)) return this.add('plan.why.predicate', `no rule derives ${why.predicate}`)
    const classes = argumentClasses(book, this.ontology, why.predicate)
    if (why.ask >= classes.length) return this.add('plan.why.ask', `${why.predicate} has ${classes.length} arguments`)
    const before = this.faults.length
    for (const [i, given] of why.given.entries()) {
      const place = `plan.why.given.${i}`
      if (given.argument >= classes.length) this.add(place, `${why.predicate} has ${classes.length} arguments`)
      else if (classes[given.argument] !== given.class) this.add(place, `this argument is a ${classes[given.argument] ?? 'value'}`)
      else if (why.given.findIndex(({ argument }) => argument === given.argument) < i) this.add(place, 'this argument is given already')
      else this.conditions(classNamed(this.ontology, given.class), given.where, `${place}.where`, 1, 1)
    }
    if (this.faults.length === before) this.readsWhatIsGiven(plan, why, classes[why.ask] ?? null)
  }

  /** What the plan shows as read is what the goal is derived from: else its conditions would stand there and hold of nothing. */
  private readsWhatIsGiven({ from, where }: Plan, { ask, given, complement }: Why, asked: string | null): void {
    const own = given.find(({ argument }) => argument === ask)
    if (complement && own === undefined) return this.add('plan.why.given', 'the others of what? Give the records of the argument asked for')
    const first = (complement ? own : given[0]) ?? { class: asked, where: [] }
    if (from !== first.class) this.add('plan.from', first.class === null ? 'the argument asked for is a value: give records' : `the goal is asked of ${first.class}`)
    else if (!isDeepStrictEqual(where, first.where)) this.add('plan.where', 'it must say what why.given says of these records, and nothing more')
  }
}

const COMPARES_WITH_PLAN: ReadonlySet<string> = new Set(['=', '!=', '<', '<=', '>', '>=', 'in', 'not_in'])

function valueFault(op: Filter['op'], value: Filter['value']): string | null {
  switch (op) {
    case 'is_null':
    case 'exists':
    case 'not_exists':
      return value === undefined ? null : `${op} takes no value`
    case 'in':
    case 'not_in':
      return Array.isArray(value) && value.length > 0 && !value.includes(null) ? null : `${op} takes a list of values`
    case 'between':
      return Array.isArray(value) && value.length === 2 && !value.includes(null) ? null : 'between takes two values'
    case 'like':
    case 'not_like':
      return typeof value === 'string' ? null : `${op} takes a text`
    default: {
      const scalar = value !== undefined && value !== null && !Array.isArray(value)
      return scalar ? null : `${op} takes one value; use is_null to ask for a missing one`
    }
  }
}
