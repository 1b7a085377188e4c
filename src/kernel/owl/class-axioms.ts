/** Table 7: what axioms between classes say about their members. */
import type { Argument, BodyItem, DatalogRule } from '../datalog/index.ts'
import { RDF_TYPE, XSD } from '../rdf/index.ts'
import type { Term } from '../term.ts'
import { iri, termKey } from '../term.ts'
import { inconsistent } from './inconsistency.ts'
import { listMember, listRules } from './lists.ts'
import { EQUIVALENT_CLASS, SUB_CLASS, X, ground, is, member, owl, rule, typed, v } from './rule.ts'
import type { Tbox } from './tbox.ts'

export function classAxiomRules(tbox: Tbox): DatalogRule[] {
  const isClass = (term: Term) => term.kind !== 'literal'
  const pairs = (property: string) =>
    tbox.triples(property).filter(({ subject, object }) => isClass(object) && termKey(subject) !== termKey(object))
  return [
    ...pairs(SUB_CLASS).map(
      ({ subject: c, object: d }) => rule('cax-sco', [c, d], member(X, d), ground(c, SUB_CLASS, d), typed(X, c))
    ),
    ...pairs(EQUIVALENT_CLASS).flatMap(({ subject: c, object: d }) => [
      rule('cax-eqc1', [c, d], member(X, d), ground(c, EQUIVALENT_CLASS, d), typed(X, c)),
      rule('cax-eqc2', [c, d], member(X, c), ground(c, EQUIVALENT_CLASS, d), typed(X, d)),
    ]),
    ...tbox.triples(owl('disjointWith')).filter(({ object }) => isClass(object)).map(({ subject: c, object: d }) =>
      rule(
        'cax-dw',
        [c, d],
        inconsistent('cax-dw', X, is(c), is(d)),
        ground(c, owl('disjointWith'), d),
        typed(X, c),
        typed(X, d),
      ),
    ),
  ]
}

/** cax-adc. A pair of which one class can have no member (by what the graph and the other rules hold) needs no rule. */
export function disjointListRules(tbox: Tbox, mayHaveMembers: (cls: Term) => boolean): DatalogRule[] {
  return tbox.instances(owl('AllDisjointClasses')).flatMap((axiom) =>
    tbox.objects(axiom, owl('members')).flatMap((head) => {
      const list = tbox.list(head)
      if (list === undefined) return []
      const about = [ground(axiom, RDF_TYPE, iri(owl('AllDisjointClasses'))), ground(axiom, owl('members'), head)]
      const live = list.members.entries().filter(([, cls]) => cls.kind !== 'literal' && mayHaveMembers(cls)).toArray()
      if (live.length < 2) return []
      // a relation of who is in which class of the list: one rule for each class, where pairs would be their square
      const predicate = `disjoint ${termKey(axiom)} ${termKey(head)}`
      const place = (i: number) => is({ kind: 'literal', value: String(i), datatype: `${XSD}integer` })
      const classes = live.map(([i, c]) =>
        rule('cax-adc', [axiom, head, String(i)], { predicate, args: [X, is(c), place(i)] }, ...about, ...listMember(list, i), typed(X, c)),
      )
      const [C, D, I, J] = [v('c'), v('d'), v('i'), v('j')]
      const within = (cls: Argument, at: Argument): BodyItem => ({ kind: 'atom', atom: { predicate, args: [X, cls, at] } })
      const order: BodyItem = { kind: 'compare', op: '<', left: I, right: J }
      const pair = rule('cax-adc', [axiom, head], inconsistent('cax-adc', X, C, D), within(C, I), within(D, J), order)
      return [...listRules(list), ...classes, pair]
    }),
  )
}
