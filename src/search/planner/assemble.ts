/** Turns one reading into a plan, or says why it cannot. */
import type { Filter, Plan, Selection } from '../../contracts/index.ts'
import { XSD } from '../../kernel/term.ts'
import type { Ontology, OntologyClass, OntologyProperty } from '../../ontology/index.ts'
import { joinPaths } from './join-path.ts'
import type { Element, Reading } from './readings.ts'
import { classOf } from './readings.ts'

export interface Assembled {
  readonly plan: Plan
  /** foreign keys walked in all: the longer the way, the less sure the reading */
  readonly steps: number
}

const NUMERIC = new Set(['integer', 'decimal', 'double', 'float'].map((name) => `${XSD}${name}`))
const isNumeric = (property: OntologyProperty) => property.kind === 'data' && NUMERIC.has(property.range)

/** A list, count or aggregate plan; null when the reading does not hang together. */
export function assemble(ontology: Ontology, reading: Reading): Assembled | null {
  const { elements } = reading
  const operations = elements.flatMap(({ operation }) => (operation === null ? [] : [operation]))
  // an absence needs a nested plan and "why" needs a rule: neither is guessed at here
  if (operations.some(({ kind }) => kind === 'negation' || kind === 'why')) return null
  const focus = focusOf(elements)
  if (focus === null) return null
  const draft = new Draft(ontology, focus)
  const counting = operations.some(({ kind }) => kind === 'count')

  for (const [at, element] of elements.entries()) {
    if (!draft.add(elements, at, element, counting)) return null
  }
  return draft.finish(counting)
}

/** What is asked for: the first class named, else the class of the first property or value. */
function focusOf(elements: readonly Element[]): OntologyClass | null {
  const first = elements.find(({ meaning }) => meaning?.kind === 'class') ?? elements.find(({ meaning }) => classOf(meaning) !== null)
  const meaning = first?.meaning
  return meaning === null || meaning === undefined || meaning.kind === 'rule' ? null : meaning.cls
}

class Draft {
  private readonly select: Selection[] = []
  private readonly where: Filter[] = []
  private readonly groupBy: string[][] = []
  private readonly named = new Set<string>()
  private readonly visited = new Set<string>()
  private steps = 0
  private readonly ontology: Ontology
  private readonly focus: OntologyClass

  constructor(ontology: Ontology, focus: OntologyClass) {
    this.ontology = ontology
    this.focus = focus
  }

  /** Places one element; false when it does not fit. */
  add(elements: readonly Element[], at: number, { meaning, operation }: Element, counting: boolean): boolean {
    const before = elements[at - 1]
    if (operation?.kind === 'compare') {
      const target = elements.slice(0, at).findLast(({ meaning: m }) => m?.kind === 'property')?.meaning
      if (target?.kind !== 'property' || !isNumeric(target.property)) return false
      return this.filter(target.cls, target.property, operation.op, operation.value)
    }
    if (operation?.kind === 'aggregate') {
      const target = elements.slice(at + 1).find(({ meaning: m }) => m?.kind === 'property')?.meaning
      return target?.kind === 'property' && isNumeric(target.property)
    }
    if (operation?.kind === 'per') return ['property', 'class'].includes(elements[at + 1]?.meaning?.kind ?? '')
    if (meaning === null || meaning.kind === 'rule') return meaning === null
    if (meaning.kind === 'class') {
      this.named.add(meaning.cls.name)
      return before?.operation?.kind !== 'per' || this.group(meaning.cls, labelOf(meaning.cls))
    }
    if (meaning.kind === 'value') return this.value(elements, at, meaning.cls, meaning.property, meaning.value)
    if (meaning.property.kind === 'object') return this.reference(elements, at, meaning.cls, meaning.property)
    if (before?.operation?.kind === 'per') return this.group(meaning.cls, meaning.property)
    if (before?.operation?.kind === 'aggregate') {
      return this.project(meaning.cls, meaning.property, before.operation.fn)
    }
    const compared = elements[at + 1]?.operation?.kind === 'compare'
    return counting || compared ? true : this.project(meaning.cls, meaning.property)
  }

  finish(counting: boolean): Assembled | null {
    // a class that is named but lies on no way used so far still has to be there
    for (const name of this.named) {
      if (name === this.focus.name || this.visited.has(name)) continue
      const [path, ...others] = joinPaths(this.ontology, this.focus.name, name)
      if (path === undefined || others.length > 0) return null
      this.steps += path.length
      if (path.some((step) => step.startsWith('^'))) this.where.push({ path, op: 'exists' })
      else this.where.push({ path: [...path, labelOf(this.target(path))?.name ?? ''], op: 'exists' })
    }
    const aggregated = this.select.some(({ aggregate }) => aggregate !== undefined)
    const base = { from: this.focus.name, where: this.where, order_by: [], distinct: false }
    if (counting) {
      const select: Selection[] = [...this.groupBy.map((path) => ({ path })), { aggregate: 'count' }]
      return { plan: { intent: 'count', ...base, select, group_by: this.groupBy }, steps: this.steps }
    }
    if (aggregated) {
      const select: Selection[] = [...this.groupBy.map((path) => ({ path })), ...this.select.filter(({ aggregate }) => aggregate !== undefined)]
      return { plan: { intent: 'aggregate', ...base, select, group_by: this.groupBy }, steps: this.steps }
    }
    if (this.groupBy.length > 0) return null
    const label = labelOf(this.focus)
    const select: Selection[] = this.select.length > 0 ? this.select : label === null ? [] : [{ path: [label.name] }]
    return select.length === 0 ? null : { plan: { intent: 'list', ...base, select, group_by: [] }, steps: this.steps }
  }

  private value(elements: readonly Element[], at: number, cls: OntologyClass, property: OntologyProperty, value: string): boolean {
    // "depends on web-vpn-12": a value right after a relation belongs to that relation, which has placed it already
    const relation = elements[at - 1]?.meaning
    if (relation?.kind === 'property' && relation.property.kind === 'object' && relation.property.range === cls.name) return true
    return this.filter(cls, property, '=', value)
  }

  private reference(elements: readonly Element[], at: number, cls: OntologyClass, property: OntologyProperty): boolean {
    const next = elements[at + 1]?.meaning
    if (next?.kind !== 'value' || next.cls.name !== property.range) return false
    const [path, ...others] = joinPaths(this.ontology, this.focus.name, cls.name, { avoid: `^${cls.name}.${property.name}` })
    if (path === undefined || others.length > 0) return false
    this.note([...path, property.name])
    this.where.push({ path: [...path, property.name, next.property.name], op: '=', value: next.value })
    return true
  }

  private group(cls: OntologyClass, property: OntologyProperty | null): boolean {
    const path = property === null ? null : this.pathTo(cls)
    if (path === null || property === null || path.some((step) => step.startsWith('^'))) return false
    this.groupBy.push([...path, property.name])
    return true
  }

  private project(cls: OntologyClass, property: OntologyProperty, aggregate?: Selection['aggregate']): boolean {
    const path = this.pathTo(cls)
    if (path === null) return false
    this.select.push({ path: [...path, property.name], aggregate })
    return true
  }

  private filter(cls: OntologyClass, property: OntologyProperty, op: Filter['op'], value: string | number): boolean {
    const path = this.pathTo(cls)
    if (path === null) return false
    this.where.push({ path: [...path, property.name], op, value })
    return true
  }

  /** The one shortest way; two ways of the same length are two readings, and this planner does not choose blindly. */
  private pathTo(cls: OntologyClass): string[] | null {
    const [path, ...others] = joinPaths(this.ontology, this.focus.name, cls.name)
    if (path === undefined || others.length > 0) return null
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

/** The property that names a record of the class to people: its label, else its first data property. */
export function labelOf(cls: OntologyClass): OntologyProperty | null {
  return (
    cls.properties.find((property) => property.name === cls.labelProperty) ??
    cls.properties.find((property) => property.kind === 'data') ??
    null
  )
}
