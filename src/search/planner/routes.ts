/** The ways from the root of a plan to everything else it speaks of, as far as they have been walked, and what they cost. */
import type { Path } from '../../contracts/index.ts'
import { compareText } from '../../kernel/term.ts'
import type { Ontology, OntologyClass, OntologyProperty } from '../../ontology/index.ts'
import type { Way, Ways } from './join-tree.ts'
import { type Ref, keyOf } from './sketch.ts'

const STEP = 0.15
const AMBIGUOUS = 0.35
/** Longer paths are no path of a plan, which ends on a property. */
const MAX_PATH = 7
/** The longest way at once. */
const LONG = 3

export class Routes {
  readonly root: string
  readonly ontology: Ontology
  readonly ways: Ways
  private readonly named: ReadonlySet<string>
  private readonly walked = new Map<string, readonly string[]>()
  private readonly steps = new Set<string>()
  private bent = 0
  /** the ways whose end something was asked of, and whether the foreign key holds all of it */
  private readonly held = new Map<string, boolean>()
  /** what was bent, by name */
  readonly notes: Record<string, number> = {}

  /** `named` are the classes that the question asks about, or names. */
  constructor(ontology: Ontology, ways: Ways, root: string, named: ReadonlySet<string>) {
    this.ontology = ontology
    this.ways = ways
    this.root = root
    this.named = named
    this.walked.set(root, [])
  }

  /** How far the parts lie from each other, and what was bent. */
  get cost(): number {
    return this.bent + STEP * this.steps.size
  }

  get stepCount(): number {
    return this.steps.size
  }

  /** What makes the plan less likely to be what was meant. */
  charge(name: string, cost: number, times = 1): void {
    this.bent += cost * times
    this.notes[name] = (this.notes[name] ?? 0) + times
  }

  /** Another way is as short. */
  chargeAmbiguity(): void {
    this.charge('ambiguous way', AMBIGUOUS)
  }

  /** A way that is walked apart from all others. */
  chargeSteps(count: number): void {
    this.charge('step apart', STEP, count)
  }

  cls(name: string): OntologyClass {
    return this.ontology.classes.find((cls) => cls.name === name)!
  }

  has(name: string): boolean {
    return this.walked.has(name)
  }

  /** Every class that has been reached, by name, with the way to it. */
  reached(): [string, readonly string[]][] {
    return [...this.walked].toSorted(([a], [b]) => compareText(a, b))
  }

  /** The way from the root, by the nearest class that has been reached already: what is said together hangs together. */
  to(name: string): readonly string[] | null {
    const known = this.walked.get(name)
    if (known !== undefined) return known
    let best: Way | null = null
    for (const [from, path] of this.reached()) {
      const way = this.ways.between(from, name)
      if (way === null || path.length + way.path.length > MAX_PATH) continue
      // rather from what the question asks about, or names, than from what a value happens to lie in
      const cost = way.cost + (this.named.has(from) ? 0.01 : 0.4) * path.length
      if (best === null || cost < best.cost) best = { path: [...path, ...way.path], cost, ambiguous: way.ambiguous }
    }
    if (best === null || this.strays(best.path)) return null
    this.walk(best)
    this.walked.set(name, best.path)
    return best.path
  }

  walk({ path, ambiguous }: Pick<Way, 'path' | 'ambiguous'>): void {
    if (ambiguous) this.chargeAmbiguity()
    let at = this.root
    for (const [i, step] of path.entries()) {
      this.steps.add(path.slice(0, i + 1).join(' '))
      at = this.stepFrom(at, step)
      if (!this.walked.has(at)) this.walked.set(at, path.slice(0, i + 1))
    }
  }

  /** All that is asked for of the record at the end of a way stands in the foreign key to it. */
  isHeld(way: readonly string[]): boolean {
    return this.held.get(way.join(' ')) === true
  }

  /** The path of a property. A foreign key stands for the key of the record behind it: a path ends on data. */
  path({ cls, property }: Ref): Path | null {
    const way = this.to(cls.name)
    if (way !== null) this.held.set(way.join(' '), this.held.get(way.join(' ')) !== false && this.holds(way, property))
    if (way === null || property.kind === 'data') return way === null ? null : [...way, property.name]
    const key = keyOf(this.cls(property.range))
    return key === undefined ? null : [...way, property.name, key.name]
  }

  /** The last foreign key of a way holds the property of the record that it leads to. */
  private holds(way: readonly string[], { kind, columns }: OntologyProperty): boolean {
    let at = this.root
    let held: readonly string[] = []
    for (const step of way) {
      const found = this.cls(at).properties.find(({ name, kind: own }) => own === 'object' && name === step)
      held = found?.refColumns ?? []
      at = this.stepFrom(at, step)
    }
    return kind === 'data' && columns.length > 0 && columns.every((column) => held.includes(column))
  }

  /** Every record has one at the end of the way. */
  isRequired(way: readonly string[]): boolean {
    let at = this.root
    for (const step of way) {
      const property = this.cls(at).properties.find(({ name, kind }) => name === step && kind === 'object')
      if (property?.required !== true || property.inferred !== null) return false
      at = property.range
    }
    return true
  }

  /** A long way that turns round connects things through a third one that the question does not speak of. */
  private strays(path: readonly string[]): boolean {
    const shared = [...this.walked.values()].filter((known) => startsWith(path, known)).map(({ length }) => length)
    const extra = path.slice(Math.max(0, ...shared))
    // customer <- order <- line -> product: what lies between belongs to both
    return extra.length > LONG || (extra.length === LONG && extra.some((_, i) => sharesAt(extra, i)))
  }

  private stepFrom(at: string, step: string): string {
    if (step.startsWith('^')) return step.slice(1).split('.', 1)[0]!
    return this.cls(at).properties.find(({ name, kind }) => name === step && kind === 'object')?.range ?? at
  }
}

export const startsWith = (path: readonly string[], way: readonly string[]): boolean => way.every((step, i) => path[i] === step)

/** The way goes up to one record and down to others that have it too. */
const sharesAt = (way: readonly string[], at: number): boolean =>
  at > 0 && way[at]!.startsWith('^') && !way[at - 1]!.startsWith('^')

export const leadsToMany = (way: readonly string[]): boolean => way.some((step) => step.startsWith('^'))
