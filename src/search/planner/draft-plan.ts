/** A plan while it is being put together: what is shown, filtered and grouped, always along the one shortest way. */
import type { Filter, Plan, Selection } from '../../contracts/index.ts'
import { XSD } from '../../kernel/term.ts'
import type { Ontology, OntologyClass, OntologyProperty } from '../../ontology/index.ts'
import type { Assembled } from './assemble.ts'
import { joinPaths } from './join-path.ts'

const NUMERIC = new Set(['integer', 'decimal', 'double', 'float'].map((name) => `${XSD}${name}`))
export const isNumeric = (property: OntologyProperty): boolean => property.kind === 'data' && NUMERIC.has(property.range)

/** A value that names a record may lie this many foreign keys away without its class being named. */
const NEAR_STEPS = 2
const MAX_PARTS = 40

const isBack = (step: string): boolean => step.startsWith('^')

/** A long way that turns round connects things through a third one that the question does not speak of. */
const isPlain = (path: readonly string[]): boolean => path.length <= 2 || path.every(isBack) || !path.some(isBack)

/** Sums and averages over a parent's column count it once per child; keys and shares are no quantities to add up. */
function canFold(cls: OntologyClass, property: OntologyProperty, aggregate: Selection['aggregate'], steps: number): boolean {
  if (property.columns.some((column) => cls.key.includes(column))) return false
  if (aggregate === 'min' || aggregate === 'max') return true
  const isShare = /(^|_)(percent|percentage|pct|ratio|rate|share)(_|$)/.test(property.name)
  return steps === 0 && !(aggregate === 'sum' && isShare)
}

/** The property that names a record of the class to people: its label, else its first data property. */
export function labelOf(cls: OntologyClass): OntologyProperty | null {
  return (
    cls.properties.find((property) => property.name === cls.labelProperty) ??
    cls.properties.find((property) => property.kind === 'data') ??
    null
  )
}

/** Each method places one thing and says whether it fits. */
export class Draft {
  private readonly select: Selection[] = []
  private readonly where: Filter[] = []
  private readonly groups: { readonly shown: string[]; readonly by: string[][] }[] = []
  private readonly mentioned = new Set<string>()
  private readonly visited = new Set<string>()
  /** classes that a describing value ("open") speaks of without the question naming them */
  private readonly unnamed = new Set<string>()
  private different: OntologyProperty | null = null
  private steps = 0
  private readonly ontology: Ontology
  private readonly focus: OntologyClass
  private readonly counting: boolean

  constructor(ontology: Ontology, focus: OntologyClass, counting: boolean) {
    this.ontology = ontology
    this.focus = focus
    this.counting = counting
  }

  get focusName(): string {
    return this.focus.name
  }

  mention(cls: OntologyClass): void {
    this.mentioned.add(cls.name)
  }

  filter(cls: OntologyClass, property: OntologyProperty, op: Filter['op'], value: string | number): boolean {
    const path = this.pathTo(cls)
    if (path === null) return false
    // a property of a class that the question does not name must be near, or it was probably not meant
    if (path.length > 1 || path.some(isBack)) this.unnamed.add(cls.name)
    this.where.push({ path: [...path, property.name], op, value })
    return true
  }

  /** A value that names a record (its label) may lie anywhere; one that describes it ("open") only on a class the question names. */
  value(cls: OntologyClass, property: OntologyProperty, value: string): boolean {
    const path = this.pathTo(cls)
    if (path === null) return false
    const names = property.name === cls.labelProperty && path.length <= NEAR_STEPS
    if (cls.name !== this.focus.name && !names) this.unnamed.add(cls.name)
    this.where.push({ path: [...path, property.name], op: '=', value })
    return true
  }

  /** "how many vendors": the different values of a property. */
  countDifferent(cls: OntologyClass, property: OntologyProperty): boolean {
    if (cls.name !== this.focus.name || this.different !== null) return false
    this.different = property
    return true
  }

  project(cls: OntologyClass, property: OntologyProperty, aggregate?: Selection['aggregate']): boolean {
    if (this.counting) return false
    const path = this.pathTo(cls)
    // a way to many records would show or add up a record once for each of them
    if (path === null || path.some(isBack)) return false
    if (path.length > 1) this.unnamed.add(cls.name)
    if (aggregate !== undefined && !canFold(cls, property, aggregate, path.length)) return false
    this.select.push({ path: [...path, property.name], aggregate })
    return true
  }

  showClass(cls: OntologyClass): boolean {
    const [own, label] = [labelOf(this.focus), labelOf(cls)]
    if (own === null || label === null || cls.name === this.focus.name) return false
    const path = this.pathTo(cls)
    if (path === null || this.counting) return false
    if (this.select.length === 0) this.select.push({ path: [own.name] })
    this.select.push({ path: [...path, label.name] })
    return true
  }

  /** Shows the label but groups by the key: two things of the same name are still two things. */
  groupByClass(cls: OntologyClass): boolean {
    const label = labelOf(cls)
    const path = label === null ? null : this.pathTo(cls)
    if (path === null || label === null || path.some(isBack)) return false
    const keys = cls.properties.filter((property) => property.kind === 'data' && property.columns.every((column) => cls.key.includes(column)))
    this.groups.push({ shown: [...path, label.name], by: [...keys, label].map((property) => [...path, property.name]) })
    return true
  }

  groupByProperty(cls: OntologyClass, property: OntologyProperty): boolean {
    const path = this.pathTo(cls)
    if (path === null || path.some(isBack)) return false
    const shown = [...path, property.name]
    this.groups.push({ shown, by: [shown] })
    return true
  }

  /** "services that depend on X": the relation's own foreign key leads to the value, another one leads to the relation. */
  relation(cls: OntologyClass, property: OntologyProperty, target: { property: OntologyProperty; value: string }): boolean {
    const [path, ...others] = joinPaths(this.ontology, this.focus.name, cls.name, { avoid: `^${cls.name}.${property.name}` })
    if (path === undefined || others.length > 0) return false
    this.note([...path, property.name])
    this.where.push({ path: [...path, property.name, target.property.name], op: '=', value: target.value })
    return true
  }

  finish(): Assembled | null {
    if ([...this.unnamed].some((name) => !this.mentioned.has(name)) || !this.requireMentioned()) return null
    const where = merged(this.where)
    if (where === null) return null
    const folds = this.select.filter(({ aggregate }) => aggregate !== undefined)
    if (folds.length > 0 && folds.length < this.select.length) return null
    const groupBy = [...new Map(this.groups.flatMap(({ by }) => by).map((path) => [path.join(' '), path])).values()]
    const shown: Selection[] = this.groups.map((group) => ({ path: group.shown }))
    const base = { from: this.focus.name, where, order_by: [], distinct: false }
    const alone = this.mentioned.size === 0
    if (this.different !== null) {
      const counted: Selection = { path: [this.different.name], aggregate: 'count_distinct' }
      return this.groups.length > 0 || !alone ? null : this.done({ intent: 'count', ...base, select: [counted], group_by: [] })
    }
    if (this.counting) return this.done({ intent: 'count', ...base, select: [...shown, { aggregate: 'count' }], group_by: groupBy })
    if (folds.length > 0) return this.done({ intent: 'aggregate', ...base, select: [...shown, ...folds], group_by: groupBy })
    if (this.groups.length > 0) return null
    const label = labelOf(this.focus)
    const select: Selection[] = this.select.length > 0 ? this.select : label === null ? [] : [{ path: [label.name] }]
    // "list the vendors": a property asked for without its class means its different values
    const distinct = alone && this.select.length === 1 && where.length === 0
    return select.length === 0 ? null : this.done({ intent: 'list', ...base, select, group_by: [], distinct })
  }

  private done(plan: Plan): Assembled | null {
    return plan.where.length > MAX_PARTS || plan.select.length > MAX_PARTS ? null : { plan, steps: this.steps }
  }

  /** A class that is named but lies on no way used so far still has to be there. */
  private requireMentioned(): boolean {
    for (const name of this.mentioned) {
      if (name === this.focus.name || this.visited.has(name)) continue
      const [path, ...others] = joinPaths(this.ontology, this.focus.name, name)
      if (path === undefined || others.length > 0 || !isPlain(path)) return false
      this.steps += path.length
      const many = path.some((step) => step.startsWith('^'))
      this.where.push({ path: many ? path : [...path, labelOf(this.target(path))?.name ?? ''], op: 'exists' })
    }
    return true
  }

  /** The one shortest way; two ways of the same length are two readings, and this planner does not choose blindly. */
  private pathTo(cls: OntologyClass): string[] | null {
    const [path, ...others] = joinPaths(this.ontology, this.focus.name, cls.name)
    if (path === undefined || others.length > 0 || !isPlain(path)) return null
    this.note(path)
    return path
  }

  private note(path: readonly string[]): void {
    this.steps += path.length
    for (let length = 1; length <= path.length; length += 1) this.visited.add(this.target(path.slice(0, length)).name)
  }

  private target(path: readonly string[]): OntologyClass {
    let cls = this.focus
    for (const step of path) {
      const name = step.startsWith('^') ? step.slice(1).split('.')[0] : cls.properties.find((p) => p.name === step)?.range
      cls = this.ontology.classes.find((candidate) => candidate.name === name) ?? cls
    }
    return cls
  }
}

/**
 * Two values of one property mean either of them ("alarms of crt-07 and crt-08"). Along a way to many records they could also
 * mean both at once, so there the plan is refused.
 */
function merged(where: readonly Filter[]): Filter[] | null {
  const byPath = new Map<string, Filter[]>()
  for (const filter of where) byPath.set(JSON.stringify(filter.path), [...(byPath.get(JSON.stringify(filter.path)) ?? []), filter])
  const out: Filter[] = []
  for (const filters of byPath.values()) {
    const equal = filters.filter(({ op }) => op === '=')
    const [first] = equal
    if (first === undefined || equal.length === 1) out.push(...filters)
    else if (equal.length < filters.length || first.path.some((step) => step.startsWith('^'))) return null
    else out.push({ path: first.path, op: 'in', value: equal.map(({ value }) => value as string) })
  }
  return out
}
