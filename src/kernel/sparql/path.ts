/**
 * Property paths. Sequences, inverses and alternatives are patterns over hidden variables and count as such; `+`, `*`, `?` are
 * relations of their own, which rules share when they share the path. A path of no steps leads from every term of the graph,
 * and from a term that the pattern names, to itself.
 */
import type { Argument, Atom, DatalogRule } from '../datalog/index.ts'
import { TRIPLE, pathPredicate, tripleAtom } from '../rdf/index.ts'
import { iri, termKey } from '../term.ts'
import type { Term } from '../term.ts'
import type { Alternative } from './alternative.ts'
import { UNIT, binding, call, having, holds, joined, ofAtoms, test } from './alternative.ts'
import type { Compiling } from './compiling.ts'
import type { Path, TreeTerm } from './syntax.ts'
import { iriOf } from './terms.ts'

/** holds of every subject and object of the graph */
export const GRAPH_TERM = 'graph term'

type Step = Path | Extract<TreeTerm, { subType: 'namedNode' }>

/** `known` are variables that have a term of the graph as their value already. */
export function readPath(
  from: Argument,
  path: Step,
  to: Argument,
  compiling: Compiling,
  known: ReadonlySet<string> = new Set(),
): readonly Alternative[] {
  if (path.type === 'term') {
    const property = iriOf(path, compiling)
    return property === undefined ? [] : [ofAtoms([tripleAtom(from, property, to)])]
  }
  const items = itemsOf(path)
  const [inner] = items
  switch (path.subType) {
    case '^':
      return items.flatMap((item) => readPath(to, item, from, compiling, known))
    case '|':
      return items.flatMap((item) => readPath(from, item, to, compiling, known))
    case '/':
      return sequence(from, items, to, compiling, known)
    case '!':
      return items.flatMap((item) => negatedSet(from, item, to, compiling))
    case '+':
    case '*':
    case '?': {
      if (inner === undefined) return []
      const stepwise = path.subType === '+' ? undefined : noneOrSome(path.subType, inner, from, to, compiling, known)
      if (stepwise !== undefined) return stepwise
      const atom = closure(path.subType, inner, from, to, compiling)
      return atom === undefined ? [] : [ofAtoms([atom])]
    }
  }
}

const itemsOf = (path: Path): readonly Step[] => path.items as readonly Step[]

/** Whether a path may have no steps at all. */
function isNullable(path: Step): boolean {
  if (path.type === 'term' || path.subType === '!') return false
  if (path.subType === '*' || path.subType === '?') return true
  return path.subType === '/' ? itemsOf(path).every(isNullable) : itemsOf(path).some(isNullable)
}

function sequence(
  from: Argument,
  items: readonly Step[],
  to: Argument,
  compiling: Compiling,
  known: ReadonlySet<string>,
): readonly Alternative[] {
  // beside a real step, `p*` is left out, or leads to another term: what it starts from is then a term of the graph
  const at = items.findIndex((item) => isRepetition(item, ['*', '?']))
  const optionals = items.filter((item) => isRepetition(item, ['*', '?'])).length
  if (at >= 0 && optionals <= MAX_EXPANDED && items.some((item) => !isNullable(item))) {
    const optional = items[at] as Path
    const [inner] = itemsOf(optional)
    const some = inner === undefined ? undefined : someSteps(optional.subType as '*' | '?', inner, compiling)
    if (some !== undefined) {
      const without = sequence(from, items.toSpliced(at, 1), to, compiling, known)
      return compiling.limited([...without, ...withSome(from, items, to, compiling, { at, some })], optional)
    }
  }
  return steps(from, items, to, compiling, known)
}

/** Each doubles the ways; a path with more of them goes through the relations of all terms. */
const MAX_EXPANDED = 4

const isRepetition = (item: Step, signs: readonly string[]): boolean => item.type === 'path' && signs.includes(item.subType)

/** The atoms of at least one step of a path, as a set: undefined where that takes a relation of its own. */
type SomeSteps = (from: Argument, to: Argument) => Atom

function someSteps(sign: '*' | '?', inner: Step, compiling: Compiling): SomeSteps | undefined {
  if (sign === '?' && inner.type !== 'term') return undefined
  const text = textOf(inner, compiling)
  if (text === undefined) return undefined
  if (sign === '?') return (from, to) => tripleAtom(from, text, to)
  const predicate = addSteps(text, inner, compiling)
  return (from, to) => ({ predicate, args: [from, to] })
}

/** Steps that lead elsewhere; those that lead back are the path of no steps once more. */
const elsewhere = (some: SomeSteps, from: Argument, to: Argument): Alternative =>
  having(ofAtoms([some(from, to)]), [test(call('!', call('sameterm', from, to)))])

/** The ways in which the item at a place leads elsewhere. */
function withSome(
  from: Argument,
  items: readonly Step[],
  to: Argument,
  compiling: Compiling,
  { at, some }: { readonly at: number; readonly some: SomeSteps },
): readonly Alternative[] {
  const [before, after] = [items.slice(0, at), items.slice(at + 1)]
  const start = before.length === 0 ? from : { variable: compiling.fresh() }
  const end = after.length === 0 ? to : { variable: compiling.fresh() }
  const nothing: ReadonlySet<string> = new Set()
  const parts = [
    ...(before.length === 0 ? [] : [steps(from, before, start, compiling, nothing)]),
    [elsewhere(some, start, end)],
    ...(after.length === 0 ? [] : [sequence(end, after, to, compiling, new Set('variable' in end ? [end.variable] : []))]),
  ]
  return parts.reduce((ways, part) => ways.flatMap((way) => part.map((each) => joined(way, each, compiling.fresh))), [UNIT])
}

/** One item after the other. */
function steps(
  from: Argument,
  items: readonly Step[],
  to: Argument,
  compiling: Compiling,
  known: ReadonlySet<string>,
): readonly Alternative[] {
  let ways: readonly Alternative[] = [UNIT]
  let at = from
  for (const [n, item] of items.entries()) {
    const next = n === items.length - 1 ? to : { variable: compiling.fresh() }
    const parts = readPath(at, item, next, compiling, known)
    ways = compiling.limited(ways.flatMap((way) => parts.map((part) => joined(way, part, compiling.fresh))), item)
    at = next
  }
  return ways
}

/**
 * `p*` or `p?` from or to a term that is known: that term itself, or steps to another one. Without a known end it takes a
 * relation of every term of the graph.
 */
function noneOrSome(
  sign: '*' | '?',
  inner: Step,
  from: Argument,
  to: Argument,
  compiling: Compiling,
  known: ReadonlySet<string>,
): readonly Alternative[] | undefined {
  const isKnown = (end: Argument) => 'term' in end || known.has(end.variable)
  const anchor = [from, to].find(isKnown)
  const some = anchor === undefined ? undefined : someSteps(sign, inner, compiling)
  if (anchor === undefined || some === undefined) return undefined
  return [...staying(anchor, anchor === from ? to : from, isKnown), elsewhere(some, from, to)]
}

/** No steps: the other end is the same term. */
function staying(anchor: Argument, other: Argument, isKnown: (end: Argument) => boolean): Alternative[] {
  if ('term' in anchor && 'term' in other) return termKey(anchor.term) === termKey(other.term) ? [UNIT] : []
  if (isKnown(other)) return [having(UNIT, [test(call('sameterm', anchor, other))])]
  return 'variable' in other ? [binding(UNIT, { kind: 'assign', into: other.variable, expr: anchor }, [other.variable])] : []
}

/** `!(:p|^:q)`: any property forward but those named forward, and any backward but those named backward. */
function negatedSet(from: Argument, set: Step, to: Argument, compiling: Compiling): Alternative[] {
  const members = set.type === 'path' && set.subType === '|' ? (set.items as readonly Step[]) : [set]
  const named: Record<'forward' | 'backward', Term[]> = { forward: [], backward: [] }
  for (const member of members) {
    const inner = member.type === 'path' ? (member.items[0] as Step | undefined) : member
    const property = inner?.type === 'term' ? iriOf(inner, compiling) : undefined
    if (property !== undefined) named[member.type === 'path' ? 'backward' : 'forward'].push(iri(property))
  }
  const other = (start: Argument, end: Argument, but: readonly Term[]): Alternative => {
    const variable = compiling.fresh()
    const differs = but.map((term) => test(call('!', call('sameterm', { variable }, { term }))))
    return having(ofAtoms([tripleAtom(start, { variable }, end)]), differs)
  }
  return [
    ...(named.forward.length > 0 || members.length === 0 ? [other(from, to, named.forward)] : []),
    ...(named.backward.length > 0 ? [other(to, from, named.backward)] : []),
  ]
}

type Repetition = '+' | '*' | '?'

const [X, Y, Z] = ['x', 'y', 'z'].map((variable) => ({ variable })) as [Argument, Argument, Argument]

/** The ids depend on the path alone, so rules that share a path share its relation. */
function closure(sign: Repetition, inner: Step, from: Argument, to: Argument, compiling: Compiling): Atom | undefined {
  const text = textOf(inner, compiling)
  if (text === undefined) return undefined
  const args = [from, to]
  if (sign === '+') return { predicate: addSteps(text, inner, compiling), args }
  const named = args.flatMap((arg) => ('term' in arg ? [arg.term] : []))
  const at = named.map((term) => ` at ${termKey(term)}`).join('')
  const predicate = `path${sign} ${text}${at}`
  const rule = (id: string, head: readonly [Argument, Argument], body: DatalogRule['body']): DatalogRule => ({
    id: `${predicate} ${id}`,
    head: { predicate, args: head },
    body,
  })
  if (compiling.has(`${predicate} stay`)) return { predicate, args }
  compiling.add(...termRules(), rule('stay', [X, X], [holds({ predicate: GRAPH_TERM, args: [X] })]))
  for (const [n, term] of named.entries()) compiling.add(rule(`stay at ${n + 1}`, [{ term }, { term }], []))
  if (sign === '*') compiling.add(rule('go', [X, Y], [holds({ predicate: addSteps(text, inner, compiling), args: [X, Y] })]))
  else for (const [n, { body }] of stepsOf(X, inner, Y, compiling).entries()) compiling.add(rule(`step ${n + 1}`, [X, Y], body))
  return { predicate, args }
}

/** `p+`: a step, or a step after a path. */
function addSteps(text: string, inner: Step, compiling: Compiling): string {
  const predicate = pathPredicate(text)
  if (compiling.has(`${predicate} step`)) return predicate
  const suffix = (n: number) => (n === 0 ? '' : ` ${n + 1}`)
  for (const [n, { body }] of stepsOf(X, inner, Y, compiling).entries()) {
    compiling.add({ id: `${predicate} step${suffix(n)}`, head: { predicate, args: [X, Y] }, body })
  }
  for (const [n, { body }] of stepsOf(Y, inner, Z, compiling).entries()) {
    const before = holds({ predicate, args: [X, Y] })
    compiling.add({ id: `${predicate} path${suffix(n)}`, head: { predicate, args: [X, Z] }, body: [before, ...body] })
  }
  return predicate
}

/** One step, with hidden variables that depend on the step alone. */
function stepsOf(from: Argument, inner: Step, to: Argument, compiling: Compiling): readonly Alternative[] {
  let hidden = 0
  return readPath(from, inner, to, { ...compiling, fresh: () => `_:${++hidden}` })
}

const termRules = (): DatalogRule[] =>
  [X, Y].map((arg, n) => ({
    id: `${GRAPH_TERM} ${n + 1}`,
    head: { predicate: GRAPH_TERM, args: [arg] },
    body: [holds({ predicate: TRIPLE, args: n === 0 ? [X, null, null] : [null, null, Y] })],
  }))

/** The path in its canonical spelling; a single property is spelled as its IRI alone. */
function textOf(path: Step, compiling: Compiling, nested = false): string | undefined {
  if (path.type === 'term') return iriOf(path, compiling)
  const items = (path.items as readonly Step[]).map((item) => textOf(item, compiling, true))
  if (items.includes(undefined)) return undefined
  const named = items.map((item, n) => ((path.items[n] as Step).type === 'term' ? `<${item}>` : item))
  const { subType } = path
  if (subType === '/' || subType === '|') return nested ? `(${named.join(subType)})` : named.join(subType)
  return subType === '^' || subType === '!' ? `${subType}${named.join('')}` : `(${named.join('')})${subType}`
}
