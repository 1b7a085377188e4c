/** What has to hold for a rule to fire, as triples and conditions: relations that the compiler made are unfolded to what they rest on. */
import type { Aggregate, Argument, Atom, BodyItem, DatalogRule, Expr } from '../../kernel/datalog/index.ts'
import { mapArguments } from '../../kernel/datalog/index.ts'
import { RDF_TYPE, TRIPLE, classOf, inVocabulary, meaningOf } from '../../kernel/rdf/index.ts'
import { iri, termKey } from '../../kernel/term.ts'

export interface Pattern {
  readonly subject: Argument
  readonly property: string
  readonly object: Argument
}

export type Check =
  | Extract<BodyItem, { kind: 'compare' | 'test' }>
  /** two things that must be the same term */
  | { readonly kind: 'same'; readonly left: Argument; readonly right: Argument }

export type Computed =
  | { readonly kind: 'assign'; readonly into: string; readonly expr: Expr }
  | { readonly kind: 'fold'; readonly into: string; readonly aggregate: Aggregate; readonly of: readonly string[]; readonly by: readonly string[] }

export interface Goal {
  readonly patterns: readonly Pattern[]
  readonly checks: readonly Check[]
  readonly computed: readonly Computed[]
}

const EMPTY: Goal = { patterns: [], checks: [], computed: [] }
const DEEPEST = 8
/** How many matches an aggregate gets, the likeliest first. */
const MATCHES = [1, 2, 3, 0, 4]

const joined = (x: Goal, y: Goal): Goal => ({
  patterns: [...x.patterns, ...y.patterns], checks: [...x.checks, ...y.checks], computed: [...x.computed, ...y.computed],
})

/** The ways in which a rule can fire, the plainest first; without end where it recurs, so whoever asks takes as many as needed. */
export function goalsOf(rule: DatalogRule, rules: readonly DatalogRule[], openProperty: string): Iterable<Goal> {
  const byHead = Map.groupBy(rules, ({ head }) => head.predicate)
  let fresh = 0
  const renaming = (suffix: string) => (arg: Argument): Argument => ('variable' in arg ? { variable: `${arg.variable}${suffix}` } : arg)

  function* ofBody(body: readonly BodyItem[], depth: number): Generator<Goal> {
    const [item, ...rest] = body
    if (item === undefined) {
      yield EMPTY
      return
    }
    for (const first of ofItem(item, depth)) for (const more of ofBody(rest, depth)) yield joined(first, more)
  }

  function* ofItem(item: BodyItem, depth: number): Generator<Goal> {
    if (item.kind === 'not') yield EMPTY
    else if (item.kind === 'compare' || item.kind === 'test') yield { ...EMPTY, checks: [item] }
    else if (item.kind === 'assign') yield { ...EMPTY, computed: [item] }
    else if (item.kind === 'atom') yield* ofAtom(item.atom, depth)
    else yield* ofAggregate(item, depth)
  }

  function* ofAtom({ predicate, args }: Atom, depth: number): Generator<Goal> {
    const [subject = null, object = null] = args
    const cls = classOf(predicate)
    const open = (): Argument => ({ variable: `any${(fresh += 1)}` })
    if (cls !== undefined) {
      if (cls.kind === 'iri' && inVocabulary(cls.value)) return void (yield EMPTY)
      return void (yield { ...EMPTY, patterns: [{ subject: subject ?? open(), property: RDF_TYPE, object: { term: cls } }] })
    }
    const meaning = meaningOf(predicate)
    if (meaning.kind === 'resource') return void (yield EMPTY)
    if (predicate === TRIPLE) {
      const [s, property, o] = args
      const named = property !== null && property !== undefined && 'term' in property ? property.term.value : openProperty
      const bound: Check[] = property !== null && property !== undefined && 'variable' in property
        ? [{ kind: 'same', left: property, right: { term: iri(named) } }] : []
      return void (yield { ...EMPTY, patterns: [{ subject: s ?? open(), property: named, object: o ?? open() }], checks: bound })
    }
    if (meaning.kind === 'property') {
      // axioms are there: the rule brings them
      if (inVocabulary(meaning.property)) return void (yield EMPTY)
      return void (yield { ...EMPTY, patterns: [{ subject: subject ?? open(), property: meaning.property, object: object ?? open() }] })
    }
    if (depth >= DEEPEST) return
    for (const rule of plainFirst(byHead.get(predicate) ?? [])) {
      const rename = renaming(`'${(fresh += 1)}`)
      const { head, body } = renamed(rule, rename)
      noteOutside(head, body)
      const checks = args.flatMap((arg, n): Check[] => {
        const given = head.args[n]
        return arg === null || given === null || given === undefined ? [] : [{ kind: 'same', left: given, right: arg }]
      })
      for (const inner of ofBody(body, depth + 1)) yield joined({ ...EMPTY, checks }, inner)
    }
  }

  function* ofAggregate(item: Aggregate, depth: number): Generator<Goal> {
    const inner = new Set(variablesOf([...item.body.map((atom) => ({ kind: 'atom' as const, atom })), ...(item.where ?? [])]))
    const local = (outer: ReadonlySet<string>) => [...inner].filter((name) => !outer.has(name))
    for (const matches of MATCHES) {
      let goals: Goal[] = [EMPTY]
      const [of, by]: [string[], string[]] = [[], []]
      const own = new Set(local(outerOf(item)))
      for (let n = 0; n < matches; n += 1) {
        const suffix = `#${n + 1}`
        const rename = (arg: Argument): Argument =>
          'variable' in arg && own.has(arg.variable) ? { variable: `${arg.variable}${suffix}` } : arg
        const named = (name: string) => (own.has(name) ? `${name}${suffix}` : name)
        if (item.of !== null) of.push(named(item.of))
        if (item.by !== undefined) by.push(named(item.by))
        const atoms = item.body.map((atom): BodyItem => ({ kind: 'atom', atom: { ...atom, args: atom.args.map((arg) => (arg === null ? null : rename(arg))) } }))
        const where = (item.where ?? []).map((one) => renamedItem(one, rename))
        const [one] = ofBody([...atoms, ...where], depth + 1)
        if (one === undefined) return
        goals = goals.map((goal) => joined(goal, one))
      }
      const blank = Array.from({ length: matches }, () => '')
      const fold: Computed = { kind: 'fold', into: item.into, aggregate: item, of: item.of === null ? blank : of, by }
      for (const goal of goals) yield joined(goal, { ...EMPTY, computed: [fold] })
    }
  }

  // a variable of the matches that also stands outside of them is shared, not counted
  const outside = new Map<Aggregate, ReadonlySet<string>>()
  const outerOf = (item: Aggregate): ReadonlySet<string> => outside.get(item) ?? new Set()
  const noteOutside = (head: Atom, body: readonly BodyItem[]): void => {
    for (const item of body) {
      if (item.kind !== 'aggregate') continue
      const rest = body.filter((other) => other !== item)
      outside.set(item, new Set(variablesOf([{ kind: 'atom', atom: head }, ...rest])))
    }
  }
  noteOutside(rule.head, rule.body)
  return ofBody(rule.body, 0)
}

/** A rule that does not come back to itself ends sooner. */
const plainFirst = (rules: readonly DatalogRule[]): DatalogRule[] => {
  const recurs = ({ head, body }: DatalogRule) => body.some((item) => item.kind === 'atom' && item.atom.predicate === head.predicate)
  return rules.toSorted((x, y) => Number(recurs(x)) - Number(recurs(y)))
}

type Rename = (arg: Argument) => Argument
const renamedAtom = ({ predicate, args }: Atom, rename: Rename): Atom => ({ predicate, args: args.map((arg) => (arg === null ? null : rename(arg))) })
const nameIn = (rename: Rename, name: string): string => {
  const arg = rename({ variable: name })
  return 'variable' in arg ? arg.variable : name
}

function renamedItem<Item extends BodyItem>(item: Item, rename: Rename): Item
function renamedItem(item: BodyItem, rename: Rename): BodyItem {
  if (item.kind === 'atom' || item.kind === 'not') return { ...item, atom: renamedAtom(item.atom, rename) }
  if (item.kind === 'compare') return { ...item, left: rename(item.left), right: rename(item.right) }
  if (item.kind === 'test') return { ...item, expr: mapArguments(item.expr, rename) }
  if (item.kind === 'assign') return { ...item, into: nameIn(rename, item.into), expr: mapArguments(item.expr, rename) }
  return {
    ...item,
    into: nameIn(rename, item.into),
    of: item.of === null ? null : nameIn(rename, item.of),
    ...(item.by === undefined ? {} : { by: nameIn(rename, item.by) }),
    body: item.body.map((atom) => renamedAtom(atom, rename)),
    ...(item.where === undefined ? {} : { where: item.where.map((one) => renamedItem(one, rename)) }),
  }
}

const renamed = ({ head, body }: DatalogRule, rename: Rename) => ({
  head: renamedAtom(head, rename), body: body.map((item) => renamedItem(item, rename)),
})

function variablesOf(items: readonly BodyItem[]): string[] {
  const names: string[] = []
  const note = (arg: Argument): Argument => {
    if ('variable' in arg) names.push(arg.variable)
    return arg
  }
  for (const item of items) renamedItem(item, note)
  return names
}

export const argumentKey = (arg: Argument): string => ('variable' in arg ? `?${arg.variable}` : termKey(arg.term))
