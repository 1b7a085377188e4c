/** Formulas as alternatives of rule bodies, and the relations that a formula needs beside the triples. */
import type { Argument, Atom, BodyItem, DatalogRule, Expr } from '../datalog/index.ts'
import { XSD, literal } from '../term.ts'
import type { Term } from '../term.ts'
import type { Refuse } from './shapes-graph.ts'

export type Body = readonly BodyItem[]
/** It holds where one of the bodies does. */
export type Bodies = readonly Body[]

export const ALWAYS: Bodies = [[]]
export const NEVER: Bodies = []

/** A variable that a formula speaks about, and what gives it its values where the formula itself does not. */
export interface Focus {
  readonly variable: string
  readonly scope: Bodies
}

/** Where a rule's own relations and their rules come together. */
export interface Weaving {
  /** of the SHACL rule */
  readonly id: string
  readonly rules: Map<string, DatalogRule>
  /** what each of the rule's own relations holds, in words */
  readonly meanings: Map<string, string>
  /** classes whose instances the rule asks for, by their relation */
  readonly classes: Map<string, Term>
  /** closed shapes: the relation of the nodes that have another property, and the properties that they may have */
  readonly closed: Map<string, readonly string[]>
  /** how many rules each of the relations has */
  readonly sizes: Map<string, number>
  readonly refuse: Refuse
  /** numbers for what gets a name of its own */
  count: number
  /** how many formulas were woven: shapes that share shapes can grow without bound */
  visits: number
}

/** Relations of this room. The space keeps them apart from every property. */
export const SHACL_RELATION = 'shacl '
/** More alternatives than this become a relation of their own. */
const MAX_ALTERNATIVES = 12
const MAX_VISITS = 5_000

export const weaving = (id: string, refuse: Refuse): Weaving => ({
  id,
  rules: new Map(),
  meanings: new Map(),
  classes: new Map(),
  closed: new Map(),
  sizes: new Map(),
  refuse,
  count: 0,
  visits: 0,
})

export function visit(weave: Weaving): boolean {
  weave.visits += 1
  if (weave.visits === MAX_VISITS) weave.refuse('the shapes of this rule are too large together')
  return weave.visits < MAX_VISITS
}

/** Such a name is no variable of SPARQL, so it never meets one of a query; reports leave it out. */
export function fresh(weave: Weaving, hint: string): { variable: string } {
  weave.count += 1
  return { variable: `_:${hint}-${weave.count}` }
}

export function newRelation(weave: Weaving, kind: string, meaning: string): string {
  weave.count += 1
  const predicate = `${SHACL_RELATION}${kind} ${weave.id} ${weave.count}`
  weave.meanings.set(predicate, meaning)
  return predicate
}

export function addRules(weave: Weaving, predicate: string, args: readonly Argument[], bodies: Bodies): void {
  for (const body of bodies) {
    const n = (weave.sizes.get(predicate) ?? 0) + 1
    weave.sizes.set(predicate, n)
    const id = `${weave.id}~${predicate.slice(SHACL_RELATION.length).replace(` ${weave.id} `, '-')}.${n}`
    weave.rules.set(id, { id, head: { predicate, args }, body })
  }
}

export const atomItem = (atom: Atom): BodyItem => ({ kind: 'atom', atom })
export const notItem = (atom: Atom): BodyItem => ({ kind: 'not', atom })
export const testItem = (expr: Expr): BodyItem => ({ kind: 'test', expr })
export const call = (name: string, ...args: readonly Expr[]): Expr => ({ call: name, args })
export const constant = (term: Term): { readonly term: Term } => ({ term })
const FALSE = constant(literal('false', `${XSD}boolean`))
/** True exactly where the expression is not true: an error is not true. */
export const notTrue = (expr: Expr): Expr => call('!', call('coalesce', expr, FALSE))

export function and(...parts: readonly Bodies[]): Bodies {
  return parts.reduce((left, right) => left.flatMap((x) => right.map((y) => [...x, ...y])), ALWAYS)
}

export const binds = (body: Body, variable: string): boolean =>
  body.some((item) => {
    if (item.kind === 'atom') return item.atom.args.some((arg) => arg !== null && 'variable' in arg && arg.variable === variable)
    return (item.kind === 'assign' || item.kind === 'aggregate') && item.into === variable
  })

/** The bodies with the focus bound in each: by the body itself or, where it cannot, by where the focus comes from. */
export const safe = (bodies: Bodies, focus: Focus): Bodies =>
  bodies.flatMap((body) => (binds(body, focus.variable) ? [body] : and(focus.scope, [body])))

/** None of the bodies holds for the focus. */
export function deny(weave: Weaving, focus: Focus, bodies: Bodies, meaning: string): Bodies {
  if (bodies.length === 0) return ALWAYS
  if (bodies.some((body) => body.length === 0)) return NEVER
  const plain = bodies.length === 1 ? plainAtom(bodies[0] ?? [], focus) : undefined
  if (plain !== undefined) return [[notItem(plain)]]
  return [[notItem(relationFor(weave, focus, bodies, 'broken', meaning))]]
}

/** One relation in place of many alternatives. */
export function gathered(weave: Weaving, focus: Focus, bodies: Bodies, meaning: string, most = MAX_ALTERNATIVES): Bodies {
  if (bodies.length <= most) return bodies
  return [[atomItem(relationFor(weave, focus, bodies, 'some', meaning))]]
}

/** All parts hold. Alternatives multiply: before they become many, what stands so far becomes a relation. */
export function allOf(weave: Weaving, focus: Focus, parts: readonly Bodies[], meaning: string): Bodies {
  return parts.reduce((left, right) => {
    if (left.length * right.length <= MAX_ALTERNATIVES || left.length < 2 || right.length < 2) return and(left, right)
    const [fewer, more] = left.length < right.length ? [left, right] : [right, left]
    return and(fewer, gathered(weave, focus, more, meaning, 1))
  }, ALWAYS)
}

function relationFor(weave: Weaving, focus: Focus, bodies: Bodies, kind: string, meaning: string): Atom {
  const predicate = newRelation(weave, kind, meaning)
  const args = [{ variable: focus.variable }]
  addRules(weave, predicate, args, safe(bodies, focus))
  return { predicate, args }
}

/** A body that is one atom whose other variables stand once can be denied as it is. */
function plainAtom(body: Body, focus: Focus): Atom | undefined {
  const [item] = body
  if (body.length !== 1 || item?.kind !== 'atom') return undefined
  const variables = item.atom.args.flatMap((arg) => (arg !== null && 'variable' in arg ? [arg.variable] : []))
  const others = variables.filter((name) => name !== focus.variable)
  if (!variables.includes(focus.variable) || new Set(others).size < others.length) return undefined
  const args = item.atom.args.map((arg) => (arg !== null && 'variable' in arg && others.includes(arg.variable) ? null : arg))
  return { predicate: item.atom.predicate, args }
}

/** A relation that holds exactly these terms. */
export function termsRelation(weave: Weaving, terms: readonly Term[], meaning: string): string {
  const predicate = newRelation(weave, 'terms', meaning)
  for (const term of terms) addRules(weave, predicate, [constant(term)], ALWAYS)
  return predicate
}
