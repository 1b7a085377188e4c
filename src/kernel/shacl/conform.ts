/**
 * Conformance as rule bodies. A shape has two readings, where it holds and where it fails, and each is the exact opposite of
 * the other: what must hold of every value is said by denying a value of which it fails.
 */
import type { Argument, Atom, BodyItem } from '../datalog/index.ts'
import { tripleAtom } from '../rdf/index.ts'
import { XSD, literal } from '../term.ts'
import type { Term } from '../term.ts'
import type { Bodies, Focus, Weaving } from './bodies.ts'
import {
  ALWAYS,
  NEVER,
  SHACL_RELATION,
  addRules,
  allOf,
  and,
  atomItem,
  binds,
  call,
  constant,
  deny,
  fresh,
  gathered,
  newRelation,
  notItem,
  notTrue,
  safe,
  termsRelation,
  testItem,
  visit,
} from './bodies.ts'
import { instanceRelation } from './instances.ts'
import type { Path } from './path.ts'
import { sayPath } from './path.ts'
import type { SetConstraint, Shape, ValueConstraint } from './shape.ts'
import { sayConstraints } from './shape.ts'
import { NO_LANGUAGE, oneOfTest } from './value-tests.ts'
import type { Way } from './walk.ts'
import { connect, valuesAtom, walk } from './walk.ts'

/** The focus node conforms to the shape. */
export function holds(shape: Shape, focus: Focus, weave: Weaving): Bodies {
  if (shape.deactivated) return ALWAYS
  if (!visit(weave)) return NEVER
  const sets = shape.sets.map((constraint) => setHolds(constraint, shape, focus, weave))
  if (shape.path === undefined) {
    const values = shape.values.map((constraint) => valueHolds(constraint, focus, weave))
    return allOf(weave, focus, [...sets, ...values], `nodes that conform to ${shape.name}`)
  }
  const what = `a value of ${sayPath(shape.path)} that breaks ${sayConstraints(shape)}`
  const values = deny(weave, focus, brokenValues(shape, focus, weave), what)
  return allOf(weave, focus, [...sets, values], `nodes that conform to ${shape.name}`)
}

/** The focus node does not conform to the shape. */
export function fails(shape: Shape, focus: Focus, weave: Weaving): Bodies {
  if (shape.deactivated || !visit(weave)) return NEVER
  const sets = shape.sets.flatMap((constraint) => setFails(constraint, shape, focus, weave))
  return gathered(weave, focus, [...sets, ...brokenValues(shape, focus, weave)], `nodes that do not conform to ${shape.name}`)
}

/** The focus has a value of which one of the constraints on single values fails. */
function brokenValues(shape: Shape, focus: Focus, weave: Weaving): Bodies {
  if (shape.values.length === 0) return NEVER
  return waysOf(shape, focus, weave).flatMap((way) => {
    const value = focusAt(way, focus)
    return and([way.items], shape.values.flatMap((constraint) => valueFails(constraint, value, weave)))
  })
}

/** A node shape has one value, the focus itself. */
const waysOf = ({ path }: Shape, focus: Focus, weave: Weaving): readonly Way[] =>
  path === undefined ? [{ items: [], end: { variable: focus.variable } }] : walk(path, { variable: focus.variable }, weave)

function focusAt({ items, end }: Way, focus: Focus): Focus {
  if (!('variable' in end) || end.variable === focus.variable) return focus
  return { variable: end.variable, scope: binds(items, end.variable) ? [items] : and(focus.scope, [items]) }
}

const MOST_IN_A_TEST = 8

function valueHolds(constraint: ValueConstraint, focus: Focus, weave: Weaving): Bodies {
  const value = { variable: focus.variable }
  const held = (shapes: readonly Shape[]) => shapes.map((shape) => holds(shape, focus, weave))
  switch (constraint.kind) {
    case 'test':
      return [[testItem(constraint.test(value))]]
    case 'in':
      return [[inItem(constraint.terms, value, true, weave)]]
    case 'class':
      return [[atomItem({ predicate: instanceRelation(constraint.cls, weave), args: [value] })]]
    case 'closed':
      return [closedItems(constraint.allowed, value, true, weave)]
    case 'conforms':
      return holds(constraint.shape, focus, weave)
    case 'not':
      return fails(constraint.shape, focus, weave)
    case 'and':
      return allOf(weave, focus, held(constraint.shapes), 'nodes that conform to all of sh:and')
    case 'or':
      return gathered(weave, focus, held(constraint.shapes).flat(), 'nodes that conform to one of sh:or')
    case 'xone':
      // by place, not by shape: a shape that stands twice in the list counts twice
      return constraint.shapes.flatMap((_, one) => {
        const parts = constraint.shapes.map((shape, n) => (n === one ? holds : fails)(shape, focus, weave))
        return allOf(weave, focus, parts, 'nodes that conform to one of sh:xone')
      })
  }
}

function valueFails(constraint: ValueConstraint, focus: Focus, weave: Weaving): Bodies {
  const value = { variable: focus.variable }
  const failed = (shapes: readonly Shape[]) => shapes.map((shape) => fails(shape, focus, weave))
  switch (constraint.kind) {
    case 'test':
      return [[testItem(notTrue(constraint.test(value)))]]
    case 'in':
      return [[inItem(constraint.terms, value, false, weave)]]
    case 'class':
      return [[notItem({ predicate: instanceRelation(constraint.cls, weave), args: [value] })]]
    case 'closed':
      return [closedItems(constraint.allowed, value, false, weave)]
    case 'conforms':
      return fails(constraint.shape, focus, weave)
    case 'not':
      return holds(constraint.shape, focus, weave)
    case 'and':
      return failed(constraint.shapes).flat()
    case 'or':
      return allOf(weave, focus, failed(constraint.shapes), 'nodes that conform to none of sh:or')
    case 'xone':
      return [
        ...allOf(weave, focus, failed(constraint.shapes), 'nodes that conform to none of sh:xone'),
        ...constraint.shapes.flatMap((one, n) =>
          constraint.shapes.slice(n + 1).flatMap((other) => {
            const parts = [holds(one, focus, weave), holds(other, focus, weave)]
            return allOf(weave, focus, parts, 'nodes that conform to two of sh:xone')
          }),
        ),
      ]
  }
}

function inItem(terms: readonly Term[], value: Argument, isIn: boolean, weave: Weaving): BodyItem {
  if (terms.length <= MOST_IN_A_TEST) {
    const expr = oneOfTest(terms)(value)
    return testItem(isIn ? expr : notTrue(expr))
  }
  const atom: Atom = { predicate: termsRelation(weave, terms, 'terms of sh:in'), args: [value] }
  return isIn ? atomItem(atom) : notItem(atom)
}

/** Holds once the rules for the properties of a graph are there; without them nobody knows what a closed shape leaves out. */
export const SPECIALISED: Atom = { predicate: `${SHACL_RELATION}specialised graph`, args: [constant(literal('all'))] }

function closedItems(allowed: readonly string[], value: Argument, isClosed: boolean, weave: Weaving): BodyItem[] {
  const isSame = (other: readonly string[]) => other.length === allowed.length && other.every((name, n) => name === allowed[n])
  const known = [...weave.closed].find(([, other]) => isSame(other))
  const predicate = known?.[0] ?? newRelation(weave, 'open', 'nodes with a property that the closed shape does not list')
  weave.closed.set(predicate, allowed)
  const atom: Atom = { predicate, args: [value] }
  return isClosed ? [atomItem(SPECIALISED), notItem(atom)] : [atomItem(atom)]
}

function setHolds(constraint: SetConstraint, shape: Shape, focus: Focus, weave: Weaving): Bodies {
  const { path } = shape
  if (constraint.kind === 'count') return countHolds(constraint, path, focus, weave)
  if (constraint.kind === 'hasValue') return hasValue(constraint.term, path, focus, weave)
  if (constraint.kind === 'qualified') return qualified(constraint, shape, focus, weave, true)
  const words = 'property' in constraint ? `${constraint.kind} ${constraint.property}` : constraint.kind
  return deny(weave, focus, setFails(constraint, shape, focus, weave), `nodes that break ${words}`)
}

function setFails(constraint: SetConstraint, shape: Shape, focus: Focus, weave: Weaving): Bodies {
  const { path } = shape
  const node = { variable: focus.variable }
  switch (constraint.kind) {
    case 'count':
      return countFails(constraint, path, focus, weave)
    case 'hasValue': {
      const has = hasValue(constraint.term, path, focus, weave)
      if (path === undefined) return [[testItem(notTrue(call('sameterm', node, constant(constraint.term))))]]
      return deny(weave, focus, has, `nodes that have the value`)
    }
    case 'qualified':
      return qualified(constraint, shape, focus, weave, false)
    case 'equals': {
      const other = fresh(weave, 'other')
      const unmatched = waysOf(shape, focus, weave).map(({ items, end }) => [
        ...items,
        notItem(tripleAtom(node, constraint.property, end)),
      ])
      const isNoValue =
        path === undefined ? testItem(notTrue(call('sameterm', node, other))) : notItem(valuesAtom(path, focus, other, weave))
      return [...unmatched, [atomItem(tripleAtom(node, constraint.property, other)), isNoValue]]
    }
    case 'disjoint':
      return waysOf(shape, focus, weave).map(({ items, end }) => [...items, atomItem(tripleAtom(node, constraint.property, end))])
    case 'order': {
      const other = fresh(weave, 'other')
      return waysOf(shape, focus, weave).map(({ items, end }) => [
        ...items,
        atomItem(tripleAtom(node, constraint.property, other)),
        // only literals have an order; a store may still find a node not greater than itself
        testItem(notTrue(call('&&', call('isliteral', end), call(constraint.op, end, other)))),
      ])
    }
    case 'uniqueLang':
      return waysOf(shape, focus, weave).flatMap((first) =>
        waysOf(shape, focus, weave).map((second) => [...first.items, ...second.items, ...sameLanguage(first.end, second.end)]),
      )
  }
}

function sameLanguage(one: Argument, other: Argument): BodyItem[] {
  const language = call('lang', one)
  return [
    testItem(call('!=', language, NO_LANGUAGE)),
    testItem(call('=', language, call('lang', other))),
    testItem(call('!', call('sameterm', one, other))),
  ]
}

function hasValue(term: Term, path: Path | undefined, focus: Focus, weave: Weaving): Bodies {
  const node = { variable: focus.variable }
  return path === undefined ? [[testItem(call('sameterm', node, constant(term)))]] : connect(path, node, constant(term), weave)
}

type Count = Extract<SetConstraint, { kind: 'count' }>

function countHolds({ min, max }: Count, path: Path | undefined, focus: Focus, weave: Weaving): Bodies {
  if (path === undefined || (min === 0 && max === undefined)) return ALWAYS
  const some = () => walk(path, { variable: focus.variable }, weave).map(({ items }) => items)
  if (min === 1) return some()
  if (max === 0) return deny(weave, focus, some(), 'nodes with a value')
  const counted = valuesAtom(path, focus, fresh(weave, 'each'), weave)
  return [max === undefined ? countItems(counted, '>=', min, weave) : countItems(counted, '<=', max, weave)]
}

function countFails({ min, max }: Count, path: Path | undefined, focus: Focus, weave: Weaving): Bodies {
  if (path === undefined || (min === 0 && max === undefined)) return NEVER
  const some = () => walk(path, { variable: focus.variable }, weave).map(({ items }) => items)
  if (min === 1) return deny(weave, focus, some(), 'nodes with a value')
  if (max === 0) return some()
  const counted = valuesAtom(path, focus, fresh(weave, 'each'), weave)
  return [max === undefined ? countItems(counted, '<', min, weave) : countItems(counted, '>', max, weave)]
}

/** The atom's free variable is counted: relations are sets, so each value counts once. */
function countItems(atom: Atom, op: '<' | '<=' | '>' | '>=', limit: number, weave: Weaving): BodyItem[] {
  const { variable } = fresh(weave, 'count')
  return [
    { kind: 'aggregate', into: variable, fn: 'count', of: null, body: [atom] },
    { kind: 'compare', op, left: { variable }, right: constant(literal(String(limit), `${XSD}integer`)) },
  ]
}

type Qualified = Extract<SetConstraint, { kind: 'qualified' }>

function qualified(constraint: Qualified, shape: Shape, focus: Focus, weave: Weaving, isHeld: boolean): Bodies {
  const { shape: inner, apart, min, max } = constraint
  const some = (): { body: Bodies; end: Argument }[] =>
    waysOf(shape, focus, weave).map((way) => {
      const value = focusAt(way, focus)
      const others = apart.map((sibling) => fails(sibling, value, weave))
      const conforming = allOf(weave, value, [holds(inner, value, weave), ...others], `nodes that conform to ${inner.name} alone`)
      return { body: and([way.items], conforming), end: way.end }
    })
  const any = () => some().flatMap(({ body }) => body)
  const none = () => deny(weave, focus, any(), `nodes with a value that conforms to ${inner.name}`)
  const parts: Bodies[] = []
  if (min === 1) parts.push(isHeld ? any() : none())
  if (max === 0) parts.push(isHeld ? none() : any())
  if (min > 1 || (max !== undefined && max > 0)) {
    const predicate = newRelation(weave, 'qualified', `values that conform to ${inner.name}`)
    for (const { body, end } of some()) addRules(weave, predicate, [{ variable: focus.variable }, end], safe(body, focus))
    const counted = () => ({ predicate, args: [{ variable: focus.variable }, fresh(weave, 'each')] })
    if (min > 1) parts.push([countItems(counted(), isHeld ? '>=' : '<', min, weave)])
    if (max !== undefined && max > 0) parts.push([countItems(counted(), isHeld ? '<=' : '>', max, weave)])
  }
  return isHeld ? and(...parts) : parts.flat()
}
