/** Paths as atoms: a step is a triple, a repeated path is a recursive relation, an empty way ends where it begins. */
import type { Argument, Atom, BodyItem, DatalogRule } from '../datalog/index.ts'
import { tripleAtom } from '../rdf/index.ts'
import type { Bodies, Body, Focus, Weaving } from './bodies.ts'
import { SHACL_RELATION, addRules, atomItem, call, fresh, newRelation, safe, testItem } from './bodies.ts'
import type { Path } from './path.ts'
import { pathText, sayPath } from './path.ts'

/** One way along a path. The way that leads nowhere has no parts and ends at its beginning. */
export interface Way {
  readonly items: Body
  readonly end: Argument
}

interface Walking {
  fresh(hint: string): Argument
  readonly rules: Map<string, DatalogRule>
}

/** All ways along a path from a node, each with a variable of its own for its end. */
export function walk(path: Path, from: Argument, weave: Weaving): readonly Way[] {
  return ways(path, from, { fresh: (hint) => fresh(weave, hint), rules: weave.rules })
}

function ways(path: Path, from: Argument, walking: Walking): readonly Way[] {
  switch (path.kind) {
    case 'property': {
      const end = walking.fresh(localName(path.iri))
      return [{ items: [stepItem(path, from, end)], end }]
    }
    case 'sequence':
      return path.parts.reduce<readonly Way[]>(
        (before, part) =>
          before.flatMap(({ items, end }) =>
            ways(part, end, walking).map((next) => ({ items: [...items, ...next.items], end: next.end })),
          ),
        [{ items: [], end: from }],
      )
    case 'alternative':
      return path.parts.flatMap((part) => ways(part, from, walking))
    case 'optional':
      return [{ items: [], end: from }, ...ways(path.inner, from, walking).filter(({ items }) => items.length > 0)]
    default: {
      const end = walking.fresh('end')
      const some = { items: [atomItem({ predicate: closure(path.inner, walking.rules), args: [from, end] })], end }
      return path.kind === 'some' ? [some] : [{ items: [], end: from }, some]
    }
  }
}

/** The path leads from one node to the other. */
export function connect(path: Path, from: Argument, to: Argument, weave: Weaving): Bodies {
  if (path.kind === 'property') return [[stepItem(path, from, to)]]
  return walk(path, from, weave).map(({ items, end }) =>
    items.length === 0 ? [testItem(call('sameterm', from, to))] : replaceEnd(items, end, to),
  )
}

/** The pairs of a focus and its values along a path as one relation, which can be counted and denied. */
export function valuesAtom(path: Path, focus: Focus, value: Argument | null, weave: Weaving): Atom {
  const from = { variable: focus.variable }
  if (path.kind === 'property') return stepAtom(path, from, value)
  if (path.kind === 'some') return { predicate: closure(path.inner, weave.rules), args: [from, value] }
  const predicate = newRelation(weave, 'values', `values of ${sayPath(path)}`)
  for (const { items, end } of walk(path, from, weave)) addRules(weave, predicate, [from, end], safe([items], focus))
  return { predicate, args: [from, value] }
}

type Property = Extract<Path, { kind: 'property' }>

const stepItem = (path: Property, from: Argument, to: Argument): BodyItem => atomItem(stepAtom(path, from, to))

function stepAtom({ iri, inverse }: Property, from: Argument, to: Argument | null): Atom {
  return inverse ? tripleAtom(to, iri, from) : tripleAtom(from, iri, to)
}

/** `p+`: a step, or a step after a path. Names depend on the path alone, so that rules with the same path share its relation. */
function closure(inner: Path, rules: Map<string, DatalogRule>): string {
  const predicate = `${SHACL_RELATION}path ${pathText({ kind: 'some', inner })}`
  if (rules.has(`${predicate} 1 step`)) return predicate
  let count = 0
  const walking: Walking = { fresh: () => ({ variable: `_:step-${(count += 1)}` }), rules }
  const [x, y] = [{ variable: '_:from' }, { variable: '_:by' }]
  const add = (rule: DatalogRule) => rules.set(rule.id, rule)
  const steps = (from: Argument) => ways(inner, from, walking).filter(({ items }) => items.length > 0)
  for (const [n, { items, end }] of steps(x).entries()) {
    add({ id: `${predicate} ${n + 1} step`, head: { predicate, args: [x, end] }, body: items })
  }
  for (const [n, { items, end }] of steps(y).entries()) {
    const body = [atomItem({ predicate, args: [x, y] }), ...items]
    add({ id: `${predicate} ${n + 1} path`, head: { predicate, args: [x, end] }, body })
  }
  return predicate
}

/** Ways hold atoms only, and their end is a variable that nothing else uses. */
function replaceEnd(items: Body, end: Argument, to: Argument): Body {
  const changed = (arg: Argument | null) =>
    arg !== null && 'variable' in arg && 'variable' in end && arg.variable === end.variable ? to : arg
  return items.map((item) =>
    item.kind === 'atom' ? atomItem({ predicate: item.atom.predicate, args: item.atom.args.map(changed) }) : item,
  )
}

/** The last part of an IRI, to name a variable after. */
export const localName = (iri: string): string => /[^/#:]*$/.exec(iri)?.[0] || 'value'
