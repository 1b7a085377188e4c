/** Fits a sketch to the tables: chooses whose rows the answer is made of, and the way from them to everything else. */
import type { Condition, Having, Path, Plan, Selection } from '../../contracts/index.ts'
import type { Ontology, OntologyClass } from '../../ontology/index.ts'
import { classNamed, resolvePath } from '../compiler/resolve.ts'
import { isDetermined, isFolded, sameSelection } from '../compiler/shape.ts'
import { selectionsOf } from './columns.ts'
import { groupPathsOf, keyPaths } from './grouping.ts'
import { type Ways, rootFor } from './join-tree.ts'
import { measureClass, selectionOf } from './measures.ts'
import { conditionsOf, folding } from './restrict.ts'
import { Routes } from './routes.ts'
import { classOf, twoPlansOf, withAbsences } from './sets.ts'
import { type Ref, type Shown, type Sketch, isKey, isRef, keyOf } from './sketch.ts'

export interface Composed {
  readonly plan: Plan
  /** how far the parts lie from each other, and what was bent */
  readonly cost: number
  /** the same by name */
  readonly notes: Readonly<Record<string, number>>
  /** the classes that connect what is asked for, and that the question does not speak of */
  readonly between?: readonly string[]
  /** the same along another foreign key, where nothing chooses */
  readonly others?: readonly Plan[]
}

/** Rows of the answer that stand for several records of its root. */
const NOT_PLAIN = 0.6

export function compose(ontology: Ontology, ways: Ways, sketch: Sketch, shownOrder: boolean | null): Composed | null {
  const shown = sketch.shown.length > 0 ? sketch.shown : sketch.groups.map(shownGroup)
  if (shown.length === 0) return null
  const two = twoPlansOf(ways, { ...sketch, shown })
  if (two === null) return oneOf(ontology, ways, { ...sketch, shown }, shownOrder)
  // "colours that have both lamp X and lamp Y": no row has both, so what two plans show is compared
  const [first, second] = [two.first, two.second].map((each) => compose(ontology, ways, each, null))
  if (first == null || second == null) return null
  return { ...first, plan: { ...first.plan, set_op: { op: two.op, plan: second.plan } } }
}

/** One plan. Where a table that nobody named connects what is asked for, another one may be meant. */
function oneOf(ontology: Ontology, ways: Ways, sketch: Sketch, shownOrder: boolean | null): Composed | null {
  const along = (own: Ways): Composed | null => {
    // composing settles orders, so each way has its own sketch
    const copy = { ...sketch, orders: [...sketch.orders], restrictions: [...sketch.restrictions], notes: { ...sketch.notes } }
    return new Composer(ontology, own, withAbsences(own, copy), shownOrder).compose()
  }
  const nearest = along(ways)
  const between = nearest?.between?.[0]
  if (between === undefined || !sketch.choices.turned('another table between', between)) return nearest
  return along(ways.without(between))
}

const shownGroup = (group: Ref | OntologyClass): Shown =>
  isRef(group) ? { kind: 'property', ref: group, at: 0 } : { kind: 'record', cls: group, at: 0 }


class Composer {
  private readonly ontology: Ontology
  private readonly ways: Ways
  private readonly sketch: Sketch
  private readonly shownOrder: boolean | null

  constructor(ontology: Ontology, ways: Ways, sketch: Sketch, shownOrder: boolean | null) {
    this.ontology = ontology
    this.ways = ways
    this.sketch = sketch
    this.shownOrder = shownOrder
  }

  compose(): Composed | null {
    const { sketch } = this
    const counts = sketch.shown.filter(({ kind }) => kind === 'count' || kind === 'fold')
    const plainShown = sketch.shown.filter(({ kind }) => kind === 'property' || kind === 'record')
    const few = this.withFew(counts, plainShown)
    if (few !== undefined) return few
    const nested = this.figureOfGroups(counts, plainShown)
    if (nested !== null) return nested
    if (this.countsTwoThings() || (sketch.each && sketch.limit !== null)) return null
    const measures = [...sketch.orders, ...sketch.groupConditions].map(({ measure }) => measure)
    const folds = measures.filter(({ kind }) => kind !== 'property')
    const grouped = sketch.groups.length > 0 || (counts.length > 0 && plainShown.length > 0) || folds.length > 0
    const counted = [...counts.map(classOf), ...folds.flatMap((measure) => measureClass(measure) ?? [])]
    this.extremesOfParents(plainShown)
    const routes = this.routes(grouped, counted, plainShown)
    if (routes === null) return null

    const select = selectionsOf(routes, sketch, grouped)
    if (select === null || select.length === 0) return null
    const where = conditionsOf(routes, sketch)
    if (where === null) return null
    where.push(...this.measured(routes, where))
    const groupBy = grouped ? groupPathsOf(routes, sketch, plainShown) : []
    if (groupBy === null) return null
    const having = this.havings(routes)
    const orderBy = this.orderings(routes, select)
    if (having === null || orderBy === null) return null
    // a bound on a count is on the count of each group; without groups it would be on all of them together
    if (having.length > 0 && groupBy.length === 0) return null
    if (sketch.limit !== null && orderBy.length === 0) return null
    const folded = select.some(({ aggregate }) => aggregate !== undefined)
    if (this.saysNothing(routes, select, where, groupBy)) return null
    const counting = counts.some(({ kind }) => kind === 'count') && !counts.some(({ kind }) => kind === 'fold')
    const plan = this.orderedOnce({
      intent: counting ? 'count' : folded ? 'aggregate' : 'list',
      from: routes.root,
      select,
      where,
      group_by: folded || grouped ? groupBy : [],
      having,
      order_by: orderBy,
      ...(sketch.limit === null ? {} : { limit: sketch.limit }),
      distinct: !folded && !grouped && this.listsOnce(plainShown),
    })
    if (plan === null || this.ordersByLetters(plan)) return null
    const notes = { ...sketch.notes, ...routes.notes, step: routes.stepCount }
    return { plan, cost: routes.cost + sketch.penalty, notes, between: this.between(routes) }
  }

  /** The classes on the ways that the question does not speak of. */
  private between(routes: Routes): string[] {
    const { shown, groups, orders, groupConditions, restrictions, absent, named } = this.sketch
    const spokenOf = new Set([
      ...shown.map(classOf), ...groups.map((group) => (isRef(group) ? group.cls : group)), ...named,
      ...[...orders, ...groupConditions].flatMap(({ measure }) => measureClass(measure) ?? []),
      ...restrictions.map(({ ref }) => ref.cls), ...absent.map(({ cls }) => cls),
    ].map(({ name }) => name))
    return routes.reached().map(([name]) => name).filter((name) => !spokenOf.has(name))
  }

  /** Numbers kept as text stand in the order of their letters, 9 above 10: neither an order nor an extreme of them is an answer. */
  private ordersByLetters({ from, select, having, order_by }: Plan): boolean {
    const root = classNamed(this.ontology, from)
    const extremes = [...select, ...having.map(({ by }) => by)].filter(({ aggregate }) => aggregate === 'min' || aggregate === 'max')
    const ordered = order_by.map(({ by }) => by).filter(({ aggregate }) => aggregate === undefined || aggregate === 'min' || aggregate === 'max')
    return [...extremes, ...ordered].some(
      ({ path }) => path !== undefined && resolvePath(this.ontology, root, path).property?.figures === true,
    )
  }

  /** A count of each record by itself, an order of one figure, a name that the question gave: true, and no answer. */
  private saysNothing(routes: Routes, select: readonly Selection[], where: readonly Condition[], groupBy: readonly Path[]): boolean {
    const { sketch } = this
    const counts = [...sketch.orders, ...sketch.groupConditions].some(({ measure }) => measure.kind === 'count')
    const keys = keyPaths(this.ontology.classes.find(({ name }) => name === routes.root)!)
    const ownKey = groupBy.length > 0 && keys.length > 0 && keys.every((key) => groupBy.some((path) => path.join(' ') === key.join(' ')))
    if (counts && ownKey) return true
    if (sketch.limit !== null && groupBy.length === 0 && select.every(({ aggregate }) => aggregate !== undefined)) return true
    const [only] = select
    const given = where.some((condition) => 'path' in condition && condition.op === '=' && condition.plan === undefined
      && condition.path.join(' ') === only?.path?.join(' '))
    return select.length === 1 && only?.aggregate === undefined && given && sketch.asksOther && !sketch.whether
  }

  /** Chooses the root and walks to everything that is shown, grouped by, counted, ordered by or named. */
  private routes(grouped: boolean, counted: readonly OntologyClass[], plainShown: readonly Shown[]): Routes | null {
    const { sketch } = this
    const terminals = [
      ...plainShown.map(classOf),
      ...sketch.groups.map((group) => (isRef(group) ? group.cls : group)),
      ...counted,
      ...sketch.orders.flatMap(({ measure }) => measureClass(measure) ?? []),
    ].map(({ name }) => name)
    const first = classOf(sketch.shown[0]!)
    const wanted = (grouped ? (counted[0] ?? first) : first).name
    const chosen = rootFor(this.ways, wanted, terminals.length === 0 ? [wanted] : terminals)
    if (chosen === null) return null
    const named = new Set([...sketch.named, ...sketch.shown.map(classOf)].map(({ name }) => name))
    const routes = new Routes(this.ontology, this.ways, chosen.root, named)
    if (!chosen.plain) routes.charge('rows of several records', NOT_PLAIN)
    for (const terminal of terminals) {
      const way = chosen.plain ? this.ways.between(chosen.root, terminal, true) : null
      if (way !== null && !routes.has(terminal)) routes.walk(way)
      else if (routes.to(terminal) === null) return null
    }
    // classes that the question names lie on the ways to what it says of them
    for (const cls of sketch.named) if (routes.to(cls.name) === null) return null
    return routes
  }

  /**
   * Rows that are shown once each, or made of many records, have one place in an order only by what they show or hold together.
   * Distinct rows become groups, each in the place of its first record; a group has no place by one of its many records.
   */
  private orderedOnce(plan: Plan): Plan | null {
    if (plan.distinct) {
      const shown = (by: Selection) => plan.select.some((selection) => sameSelection(selection, by))
      if (plan.order_by.every(({ by }) => shown(by))) return plan
      return {
        ...plan,
        group_by: plan.select.flatMap(({ path }) => (path === undefined ? [] : [path])),
        order_by: plan.order_by.map(({ by, direction }) => ({
          by: shown(by) ? by : { ...by, aggregate: direction === 'asc' ? ('min' as const) : ('max' as const) }, direction,
        })),
        distinct: false,
      }
    }
    if (!isFolded(plan)) return plan
    const root = this.ontology.classes.find(({ name }) => name === plan.from)!
    const hasPlace = ({ path, aggregate }: Selection) =>
      path === undefined || aggregate !== undefined || isDetermined(this.ontology, root, plan.group_by, path)
    return plan.order_by.every(({ by }) => hasPlace(by)) ? plan : null
  }

  /** Counts of different things in one row would each count the rows of the other. */
  private countsTwoThings(): boolean {
    const measures = [...this.sketch.orders, ...this.sketch.groupConditions].map(({ measure }) => measure)
    const counted = [
      ...this.sketch.shown.flatMap((shown) => (shown.kind === 'count' && !isRef(shown.of) ? [shown.of.name] : [])),
      ...measures.flatMap((measure) => (measure.kind === 'count' && measure.cls !== null ? [measure.cls.name] : [])),
    ]
    return new Set(counted).size > 1
  }

  /** The first or last of an order has what it is ordered by: what is unknown is neither. */
  private measured(routes: Routes, said: readonly Condition[]): Condition[] {
    if (this.sketch.limit === null) return []
    return this.sketch.orders.flatMap(({ measure }): Condition[] => {
      if (measure.kind !== 'property' || (measure.ref.property.required && measure.ref.cls.name === routes.root)) return []
      const path = routes.path(measure.ref)
      const known = path === null || said.some((condition) => 'path' in condition && condition.path.join(' ') === path.join(' '))
      return known ? [] : [{ path, op: 'exists' }]
    })
  }

  private havings(routes: Routes): Having[] | null {
    const out: Having[] = []
    for (const { measure, op, value, fold } of this.sketch.groupConditions) {
      const by = selectionOf(routes, measure)
      if (by === null) return null
      if (fold === undefined || measure.kind !== 'fold') out.push({ by, op, value })
      else out.push({ by, op, plan: folding(measure.ref, fold, []) })
    }
    return out
  }

  private orderings(routes: Routes, select: readonly Selection[]): Plan['order_by'] | null {
    const out: Plan['order_by'] = []
    for (const { measure, up } of this.sketch.orders) {
      const by = selectionOf(routes, measure)
      if (by === null) return null
      out.push({ by, direction: up ? 'asc' : 'desc' })
    }
    const first = select.find(({ aggregate }) => aggregate === undefined)
    if (out.length === 0 && this.shownOrder !== null && first !== undefined) {
      out.push({ by: first, direction: this.shownOrder ? 'asc' : 'desc' })
    }
    return out
  }

  /** "gifts of the youngest guest": all of them, not the first row of an order by a parent's figure. */
  private extremesOfParents(plainShown: readonly Shown[]): void {
    const [order] = this.sketch.orders
    // "the average age of the guests of the largest table" has no row to be the first of
    const figures = plainShown.length === 0 && this.sketch.groups.length === 0
    const first = figures ? this.sketch.shown[0] : plainShown[0]
    if (order?.measure.kind !== 'property' || this.sketch.orders.length !== 1) return
    if (this.sketch.limit !== 1 || first === undefined) return
    const { ref } = order.measure
    if (!figures && plainShown.some((shown) => classOf(shown).name === ref.cls.name)) return
    const way = this.ways.between(classOf(first).name, ref.cls.name, !figures)
    if (way === null || (way.path.length === 0 && !figures)) return
    if (!figures && this.sketch.choices.turned('first row by a parent')) return
    this.sketch.orders.length = 0
    this.sketch.limit = null
    this.sketch.restrictions.push({ ref, op: '=', fold: order.up ? 'min' : 'max', at: 0 })
  }

  /** A property alone, of a class that the question does not name, asks for its different values; of one that it names it may. */
  private listsOnce(plainShown: readonly Shown[]): boolean {
    const { sketch } = this
    if (sketch.distinct) return true
    const [only] = plainShown
    if (plainShown.length !== 1 || only?.kind !== 'property' || isKey(only.ref)) return false
    const restricted = sketch.restrictions.length + sketch.absent.length + sketch.named.length + sketch.orders.length
    const once = restricted === 0 && only.ref.property.name !== only.ref.cls.labelProperty
    return once !== sketch.choices.turned('each once')
  }

  /** "How many guests gave more than 3 gifts", "the average age of guests who gave ...": a figure of groups, not of their rows. */
  private figureOfGroups(counts: readonly Shown[], plainShown: readonly Shown[]): Composed | null {
    const { sketch } = this
    const [figure] = counts
    if (figure === undefined || counts.length !== 1 || sketch.groupConditions.length !== 1) return null
    if (plainShown.length > 0 || sketch.groups.length > 0) return null
    const group = classOf(figure)
    return this.among(group, 'in', sketch.groupConditions[0]!)
  }

  /** "guests with fewer than 2 gifts" includes those with none: everyone but those with more. undefined when nothing of the kind is asked. */
  private withFew(counts: readonly Shown[], plainShown: readonly Shown[]): Composed | null | undefined {
    const { sketch } = this
    const [condition] = sketch.groupConditions
    if (condition === undefined || sketch.groupConditions.length > 1) return undefined
    const { measure, op, value, denied } = condition
    const turned = denied === true ? op : op === '<' ? '>=' : op === '<=' ? '>' : op === '=' && value === 0 ? '>' : null
    if (measure.kind !== 'count' || measure.cls === null || turned === null) return undefined
    const shown = [...plainShown, ...counts]
    const group = classOf(shown[0]!)
    const alone = shown.every((item) => classOf(item).name === group.name) && sketch.groups.length === 0 && sketch.orders.length === 0
    if (!alone || group.name === measure.cls.name) return undefined
    // some mean by it that there is one at least
    if (denied !== true && value !== 0 && sketch.choices.turned('few are some')) return undefined
    return this.among(group, 'not_in', { ...condition, op: turned, denied: false })
  }

  /** The records of a class that are, or are not, among those whose groups meet a condition. What is said of what is counted counts there. */
  private among(group: OntologyClass, op: 'in' | 'not_in', condition: Sketch['groupConditions'][number]): Composed | null {
    const { sketch } = this
    const key = keyOf(group)
    const counted = measureClass(condition.measure)
    if (key === undefined || counted === null || counted.name === group.name) return null
    const inside = sketch.restrictions.filter(({ ref }) => ref.cls.name === counted.name)
    const inner = compose(this.ontology, this.ways, {
      ...sketch, shown: [{ kind: 'property', ref: { cls: group, property: key }, at: 0 }], restrictions: inside, absent: [],
      groupConditions: [condition],
      named: [], orders: [], limit: null, penalty: 0, notes: {},
    }, null)
    const outside = sketch.restrictions.filter((each) => !inside.includes(each))
    const named = sketch.named.filter(({ name }) => name !== counted.name)
    const outer = compose(this.ontology, this.ways, { ...sketch, restrictions: outside, named, groupConditions: [] }, this.shownOrder)
    if (inner === null || outer === null || outer.plan.from !== group.name) return null
    const plan: Plan = { ...outer.plan, where: [...outer.plan.where, { path: [key.name], op, plan: inner.plan }] }
    return { plan, cost: outer.cost + inner.cost, notes: { ...inner.notes, ...outer.notes, 'plan within': 1 } }
  }
}

