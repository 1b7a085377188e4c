/**
 * Table 4: equality. Replacing equals by equals touches every property, so its rules are made only where the graph holds an
 * equality: without one they would tie every relation to every other and gain nothing.
 */
import type { BodyItem, DatalogRule } from '../datalog/index.ts'
import type { GraphView } from '../rdf/index.ts'
import { RDF_TYPE } from '../rdf/index.ts'
import type { Term } from '../term.ts'
import { iri, termKey } from '../term.ts'
import { inconsistent } from './inconsistency.ts'
import type { List } from './lists.ts'
import { listMember, listRules } from './lists.ts'
import type { OwlOptions } from './rule.ts'
import { FIRST, REST, SAME_AS, X, Y, Z, call, ground, holds, is, member, owl, rule, test, triple, typed, unequal } from './rule.ts'
import type { Tbox } from './tbox.ts'

/** The relations that triples stand in by now, or will by the other rules. */
export interface Partitions {
  readonly properties: readonly string[]
  readonly classes: readonly Term[]
}

/** `merges`: other rules may find equalities, so that it is cheaper to be ready for them than to start again. */
export function equalityRules(tbox: Tbox, graph: GraphView, partitions: Partitions, options: OwlOptions, merges: boolean): DatalogRule[] {
  const pairs = graph.triples(SAME_AS).filter(({ subject, object }) => termKey(subject) !== termKey(object))
  return [
    ...(options.trivial ? reflexive(partitions) : []),
    rule('eq-diff1', [], inconsistent('eq-diff1', X, Y), triple(X, SAME_AS, Y), triple(X, owl('differentFrom'), Y)),
    rule('eq-diff1', ['self'], inconsistent('eq-diff1', X, X), triple(X, owl('differentFrom'), X)),
    ...(pairs.length === 0 && !merges ? [] : [...equivalence(options), ...replacing(pairs, partitions), ...allDifferent(tbox, pairs)]),
  ]
}

function reflexive({ properties, classes }: Partitions): DatalogRule[] {
  const self = (name: string, about: readonly (Term | string)[], premise: BodyItem) => [
    rule('eq-ref', [name, 'subject', ...about], holds(X, SAME_AS, X), premise),
    rule('eq-ref', [name, 'object', ...about], holds(Y, SAME_AS, Y), premise),
  ]
  return [
    ...properties.flatMap((name) => [
      ...(name === SAME_AS || name === RDF_TYPE ? [] : self('property', [name], triple(X, name, Y))),
      ...(
        name === RDF_TYPE
          ? []
          : [rule('eq-ref', ['name', name], holds(is(iri(name)), SAME_AS, is(iri(name))), triple(X, name, Y))]
      ),
    ]),
    ...classes.flatMap((cls) => [
      rule('eq-ref', ['member', cls], holds(X, SAME_AS, X), typed(X, cls)),
      rule('eq-ref', ['class', cls], holds(is(cls), SAME_AS, is(cls)), typed(X, cls)),
      rule('eq-ref', ['type', cls], holds(is(iri(RDF_TYPE)), SAME_AS, is(iri(RDF_TYPE))), typed(X, cls)),
    ]),
    rule('eq-ref', ['same', 'object'], holds(Y, SAME_AS, Y), triple(X, SAME_AS, Y)),
  ]
}

function equivalence({ trivial, uniqueNames }: OwlOptions): DatalogRule[] {
  const symmetric = rule('eq-sym', [], holds(Y, SAME_AS, X), triple(X, SAME_AS, Y))
  const body = [triple(X, SAME_AS, Y), triple(Y, SAME_AS, Z), ...(trivial ? [] : [unequal(X, Z)])]
  if (!uniqueNames) return [symmetric, rule('eq-trans', [], holds(X, SAME_AS, Z), ...body)]
  // a node without a name that is the same as two names does not make them one
  const joined = call('&&', call('isiri', X), call('isblank', Y), call('isiri', Z))
  const once = test(call('<=', call('str', X), call('str', Z)))
  return [
    symmetric,
    rule('eq-trans', [], holds(X, SAME_AS, Z), ...body, test(call('!', joined))),
    rule('eq-trans', ['conflict'], inconsistent('eq-trans', X, Z), ...body, test(joined), once),
  ]
}

/**
 * Equality has rules of its own, types are replaced by class, and the cells of a list are syntax: with two values they would
 * be no list.
 */
const NOT_REPLACED = new Set([SAME_AS, RDF_TYPE, FIRST, REST])

function replacing(pairs: readonly { subject: Term; object: Term }[], { properties, classes }: Partitions): DatalogRule[] {
  const [there, back] = [triple(X, SAME_AS, Z), triple(Y, SAME_AS, Z)]
  const named = new Map(classes.map((cls) => [termKey(cls), cls]))
  const known = new Set(properties)
  return [
    ...properties
      .filter((name) => !NOT_REPLACED.has(name))
      .flatMap((name) => [
        rule('eq-rep-s', [name], holds(Z, name, Y), there, triple(X, name, Y), unequal(X, Z)),
        rule('eq-rep-o', [name], holds(X, name, Z), back, triple(X, name, Y), unequal(Y, Z)),
      ]),
    ...classes.map((cls) => rule('eq-rep-s', [RDF_TYPE, cls], member(Z, cls), there, typed(X, cls), unequal(X, Z))),
    // equalities between classes and between properties, which are partitions here and not values
    ...pairs.flatMap(({ subject: one, object: other }) => {
      const same = ground(one, SAME_AS, other)
      const rules: DatalogRule[] = []
      if (named.has(termKey(one)) && other.kind !== 'literal') rules.push(
        rule('eq-rep-o', [RDF_TYPE, one, other], member(X, other), same, typed(X, one))
      )
      if (one.kind === 'iri' && other.kind === 'iri' && known.has(one.value)) rules.push(
        rule('eq-rep-p', [one, other], holds(X, other.value, Y), same, triple(X, one.value, Y))
      )
      return rules
    }),
  ]
}

/** eq-diff2 and eq-diff3, for the pairs that are the same: a long list has too many pairs to make rules for all of them. */
function allDifferent(tbox: Tbox, pairs: readonly { subject: Term; object: Term }[]): DatalogRule[] {
  return tbox.instances(owl('AllDifferent')).flatMap((axiom) =>
    ([['eq-diff2', 'members'], ['eq-diff3', 'distinctMembers']] as const).flatMap(([name, property]) =>
      tbox.objects(axiom, owl(property)).flatMap((head) => {
        const list = tbox.list(head)
        if (list === undefined) return []
        const about = [ground(axiom, RDF_TYPE, iri(owl('AllDifferent'))), ground(axiom, owl(property), head)]
        const rules = samePairs(list, pairs).map(([i, j, x, y]) => {
          // a pair is one conflict, whichever way its equality is known
          const [first, second] = i < j ? [x, y] : [y, x]
          const members = [...listMember(list, i), ...listMember(list, j)]
          return rule(
            name,
            [axiom, head, first, second],
            inconsistent(name, is(first), is(second)),
            ...about,
            ...members,
            ground(x, SAME_AS, y),
          )
        })
        return rules.length === 0 ? [] : [...listRules(list), ...rules]
      }),
    ),
  )
}

function samePairs(
  { members }: List, pairs: readonly { subject: Term; object: Term }[]
): [i: number, j: number, x: Term, y: Term][] {
  const places = new Map(members.map((one, i) => [termKey(one), i]))
  return pairs
    .flatMap(({ subject, object }): [number, number, Term, Term][] => {
      const [i, j] = [places.get(termKey(subject)), places.get(termKey(object))]
      return i === undefined || j === undefined || i === j ? [] : [[i, j, subject, object]]
    })
    .toSorted(([i, j], [k, l]) => i - k || j - l)
}
