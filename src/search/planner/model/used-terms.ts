/** What a plan speaks of, at any depth: classes, properties, rule heads, and the values that it compares with. */
import type { Condition, Path, Plan, Scalar } from '../../../contracts/index.ts'
import type { Ontology } from '../../../ontology/index.ts'
import { resolvePath } from '../../compiler/resolve.ts'
import { readPaths } from '../../compiler/shape.ts'

export interface Literal {
  readonly value: Exclude<Scalar, null>
  readonly place: string
  /** `Class.property`; none for a number that groups are compared with */
  readonly term: string | null
}

export interface Used {
  readonly classes: ReadonlySet<string>
  /** classes whose records are asked for, here or in a plan within */
  readonly roots: ReadonlySet<string>
  /** `Class.property` */
  readonly terms: ReadonlySet<string>
  readonly predicates: ReadonlySet<string>
  readonly literals: readonly Literal[]
}

/** The plan fits the ontology. */
export function usedIn(ontology: Ontology, whole: Plan): Used {
  const classes = new Set<string>()
  const roots = new Set<string>()
  const terms = new Set<string>()
  const predicates = new Set<string>()
  const literals: Literal[] = []
  const walkPath = (from: string, path: Path): { term: string | null; end: string } => {
    const root = ontology.classes.find(({ name }) => name === from)
    if (root === undefined) return { term: null, end: from }
    const { steps, property, cls } = resolvePath(ontology, root, path)
    for (const { to } of steps) classes.add(to.name)
    if (property !== null) terms.add(`${cls.name}.${property.name}`)
    return { term: property === null ? null : `${cls.name}.${property.name}`, end: cls.name }
  }
  const note = (value: Scalar | Scalar[] | undefined, term: string | null, place: string): void => {
    for (const each of Array.isArray(value) ? value : [value ?? null]) if (each !== null) literals.push({ value: each, term, place })
  }
  const walkConditions = (from: string, where: readonly Condition[], place: string): void => {
    for (const [i, condition] of where.entries()) {
      const at = `${place}.${i}`
      if ('any' in condition) walkConditions(from, condition.any, at)
      else if ('all' in condition) walkConditions(from, condition.all, at)
      else {
        const { term, end } = walkPath(from, condition.path)
        note(condition.value, term, at)
        if (condition.plan !== undefined) walk(condition.plan, `${at}.plan`)
        if (condition.where !== undefined) walkConditions(end, condition.where, `${at}.where`)
      }
    }
  }
  const walk = (plan: Plan, place: string): void => {
    classes.add(plan.from)
    roots.add(plan.from)
    for (const path of readPaths(plan)) walkPath(plan.from, path)
    walkConditions(plan.from, plan.where, `${place}.where`)
    for (const { value, plan: inner } of plan.having) {
      note(value, null, `${place}.having`)
      if (inner !== undefined) walk(inner, `${place}.having`)
    }
    if (plan.limit !== undefined) note(plan.limit, null, `${place}.limit`)
    if (plan.set_op !== undefined) walk(plan.set_op.plan, `${place}.set_op`)
    if (plan.why !== undefined) predicates.add(plan.why.predicate)
    for (const { class: name, where } of plan.why?.given ?? []) {
      classes.add(name)
      walkConditions(name, where, `${place}.why.given`)
    }
  }
  walk(whole, 'plan')
  return { classes, roots, terms, predicates, literals }
}
