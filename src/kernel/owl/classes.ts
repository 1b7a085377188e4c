/** Table 6: what class expressions say about their members. */
import type { Argument, BodyItem, DatalogRule } from '../datalog/index.ts'
import type { Term } from '../term.ts'
import { iri } from '../term.ts'
import { compareValues, valueOf } from '../values/index.ts'
import { inconsistent } from './inconsistency.ts'
import { MOST_MEMBERS, listMember, listRules, wholeList } from './lists.ts'
import type { List } from './lists.ts'
import { mergeRules } from './merge.ts'
import { edge } from './properties.ts'
import type { OwlOptions } from './rule.ts'
import { NOTHING, THING, X, Y, Z, ground, holds, is, member, owl, rule, typed } from './rule.ts'
import type { Restriction, Tbox } from './tbox.ts'
import { inDataRange, isDatatype } from './value-space.ts'

export function classRules(tbox: Tbox, options: OwlOptions): DatalogRule[] {
  const isClass = (term: Term) => member(is(term), iri(owl('Class')))
  return [
    ...(options.trivial ? [rule('cls-thing', [], isClass(THING)), rule('cls-nothing1', [], isClass(NOTHING))] : []),
    rule('cls-nothing2', [], inconsistent('cls-nothing2', X), typed(X, NOTHING)),
    ...overLists(tbox),
    ...tbox.triples(owl('complementOf')).flatMap(({ subject: c, object: d }) =>
      d.kind === 'literal'
        ? []
        : [
          rule(
            'cls-com',
            [c, d],
            inconsistent('cls-com', X, is(c), is(d)),
            ground(c, owl('complementOf'), d),
            typed(X, c),
            typed(X, d),
          )
        ],
    ),
    ...tbox.restrictions(owl('someValuesFrom')).flatMap((one) => someValues(one, tbox)),
    ...tbox.restrictions(owl('allValuesFrom')).flatMap((one) => allValues(one, tbox, options)),
    ...tbox.restrictions(owl('hasValue')).flatMap(hasValue),
    ...tbox.restrictions(owl('maxCardinality')).flatMap((one) => atMost(one, options)),
    ...tbox.restrictions(owl('maxQualifiedCardinality')).flatMap((one) =>
      tbox.objects(one.cls, owl('onClass')).flatMap((cls) => atMostOf(one, cls, options)),
    ),
  ]
}

function overLists(tbox: Tbox): DatalogRule[] {
  const each = (property: string, make: (cls: Term, list: List, axiom: BodyItem) => DatalogRule[]): DatalogRule[] =>
    tbox.triples(owl(property)).flatMap(({ subject: cls, object: head }) => {
      const list = tbox.list(head)
      if (list === undefined || isDatatype(cls, tbox)) return []
      return [...listRules(list), ...make(cls, list, ground(cls, owl(property), head))]
    })
  const parts = ({ members }: List) => members.entries().filter(([, part]) => part.kind !== 'literal').toArray()
  return [
    ...each('intersectionOf', (cls, list, axiom) => {
      const all = parts(list)
      const isWhole = all.length === list.members.length && all.length > 0 && all.length <= MOST_MEMBERS
      const into = rule(
        'cls-int1',
        [cls, list.head],
        member(X, cls),
        axiom,
        ...wholeList(list),
        ...all.map(([, part]) => typed(X, part)),
      )
      const outOf = all.map(
        ([i, part]) => rule('cls-int2', [cls, list.head, part], member(X, part), axiom, ...listMember(list, i), typed(X, cls))
      )
      return isWhole ? [into, ...outOf] : outOf
    }),
    ...each('unionOf', (cls, list, axiom) =>
      parts(list).map(
        ([i, part]) => rule('cls-uni', [cls, list.head, part], member(X, cls), axiom, ...listMember(list, i), typed(X, part))
      ),
    ),
    ...each('oneOf', (cls, list, axiom) =>
      parts(list).map(
        ([i, part]) => rule('cls-oo', [cls, list.head, part], member(is(part), cls), axiom, ...listMember(list, i))
      ),
    ),
  ]
}

const isThing = (term: Term): boolean => term.kind === 'iri' && term.value === THING.value

function someValues({ cls, property: p, value: filler, premises, key }: Restriction, tbox: Tbox): DatalogRule[] {
  if (filler.kind === 'literal') return []
  if (isThing(filler)) return [rule('cls-svf2', key, member(X, cls), ...premises, edge(p, X, Y))]
  const inFiller = isDatatype(filler, tbox) ? inDataRange(Y, filler) : typed(Y, filler)
  return [rule('cls-svf1', key, member(X, cls), ...premises, edge(p, X, Y), inFiller)]
}

function allValues(
  { cls, property: p, value: filler, premises, key }: Restriction,
  tbox: Tbox,
  { trivial }: OwlOptions,
): DatalogRule[] {
  if (filler.kind === 'literal' || (isDatatype(filler, tbox) && !trivial)) return []
  const body = [...premises, typed(X, cls), edge(p, X, Y)]
  const rules = [rule('cls-avf', key, member(Y, filler), ...body)]
  // a literal is never written as a member of a class, but in the empty one it must not go unseen
  if (filler.kind === 'iri' && filler.value === NOTHING.value) rules.push(
    rule('cls-nothing2', ['cls-avf', ...key], inconsistent('cls-nothing2', Y), ...body)
  )
  return rules
}

function hasValue({ cls, property: p, value, premises, key }: Restriction): DatalogRule[] {
  const found = rule('cls-hv2', key, member(X, cls), ...premises, edge(p, X, is(value)))
  if (p.inverse && value.kind === 'literal') return []
  const given = p.inverse ? holds(is(value), p.name, X) : holds(X, p.name, is(value))
  return [rule('cls-hv1', key, given, ...premises, typed(X, cls)), found]
}

const isNumber = (term: Term, number: string): boolean =>
  compareValues(
    valueOf(term), valueOf({ kind: 'literal', value: number, datatype: 'http://www.w3.org/2001/XMLSchema#integer' })
  ) === 0

function atMost(one: Restriction, options: OwlOptions): DatalogRule[] {
  const { cls, property: p, premises, key, value } = one
  if (isNumber(value, '0')) {
    return [rule('cls-maxc1', key, inconsistent('cls-maxc1', X, on(one), Y), ...premises, typed(X, cls), edge(p, X, Y))]
  }
  if (!isNumber(value, '1')) return []
  const body = [...premises, typed(X, cls), edge(p, X, Y), edge(p, X, Z)]
  return mergeRules({ name: 'cls-maxc2', key, left: Y, right: Z, about: [X, on(one), Y, Z], body }, options)
}

function atMostOf(one: Restriction, filler: Term, options: OwlOptions): DatalogRule[] {
  const { cls, property: p, value } = one
  if (filler.kind === 'literal') return []
  const key = [...one.key, filler]
  const premises = [...one.premises, ground(cls, owl('onClass'), filler), typed(X, cls)]
  const any = isThing(filler)
  const value1 = any ? [edge(p, X, Y)] : [edge(p, X, Y), typed(Y, filler)]
  if (isNumber(value, '0')) {
    const name = any ? 'cls-maxqc2' : 'cls-maxqc1'
    return [rule(name, key, inconsistent(name, X, on(one), Y), ...premises, ...value1)]
  }
  if (!isNumber(value, '1')) return []
  const value2 = any ? [edge(p, X, Z)] : [edge(p, X, Z), typed(Z, filler)]
  const name = any ? 'cls-maxqc4' : 'cls-maxqc3'
  return mergeRules(
    { name, key, left: Y, right: Z, about: [X, on(one), Y, Z], body: [...premises, ...value1, ...value2] }, options
  )
}

/** The property as the axiom names it. */
const on = ({ key }: Restriction): Argument => is(key[1] ?? THING)
