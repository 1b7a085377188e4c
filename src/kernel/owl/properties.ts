/** Table 5: what axioms about properties say about the triples that have them. */
import type { Argument, Atom, BodyItem, DatalogRule } from '../datalog/index.ts'
import { RDF_TYPE } from '../rdf/index.ts'
import type { Term } from '../term.ts'
import { iri } from '../term.ts'
import { inconsistent } from './inconsistency.ts'
import { MOST_MEMBERS, listMember, listRules, wholeList } from './lists.ts'
import { mergeRules } from './merge.ts'
import type { OwlOptions } from './rule.ts'
import {
  DOMAIN, EQUIVALENT_PROPERTY, INVERSE_OF, RANGE, SUB_PROPERTY, X, Y, Z, ground, holds, is, member, owl, rule, triple, typed,
  v,
} from './rule.ts'
import type { Property, Tbox } from './tbox.ts'
import { isDatatype } from './value-space.ts'
import { ANNOTATION_PROPERTIES } from './vocabulary.ts'

/** A triple with this property as a premise, whichever way round the property stands. */
export const edge = (p: Property, from: Argument, to: Argument): BodyItem =>
  p.inverse ? triple(to, p.name, from) : triple(from, p.name, to)
const edgeHead = (p: Property, from: Argument, to: Argument): Atom => (
  p.inverse ? holds(to, p.name, from) : holds(from, p.name, to)
)

export function propertyRules(tbox: Tbox, options: OwlOptions): DatalogRule[] {
  return [
    ...(
      options.trivial
        ? ANNOTATION_PROPERTIES.map((name) => rule('prp-ap', [name], member(is(iri(name)), iri(owl('AnnotationProperty')))))
        : []
    ),
    ...domainsAndRanges(tbox, options),
    ...characteristics(tbox, options),
    ...hierarchy(tbox),
    ...chains(tbox),
    ...inverses(tbox),
    ...keys(tbox, options),
    ...disjointPairs(tbox),
    ...negativeAssertions(tbox),
  ]
}

function domainsAndRanges(tbox: Tbox, { trivial }: OwlOptions): DatalogRule[] {
  const rules: DatalogRule[] = []
  for (const { subject, object: cls } of tbox.triples(DOMAIN)) {
    const p = tbox.property(subject)
    if (p === undefined || cls.kind === 'literal') continue
    rules.push(rule('prp-dom', [subject, cls], member(X, cls), ground(subject, DOMAIN, cls), ...p.premises, edge(p, X, Y)))
  }
  for (const { subject, object: cls } of tbox.triples(RANGE)) {
    const p = tbox.property(subject)
    // values that are not of their datatype are looked for one by one (dt-not-type)
    if (p === undefined || cls.kind === 'literal' || (isDatatype(cls, tbox) && !trivial)) continue
    rules.push(rule('prp-rng', [subject, cls], member(Y, cls), ground(subject, RANGE, cls), ...p.premises, edge(p, X, Y)))
  }
  return rules
}

function characteristics(tbox: Tbox, options: OwlOptions): DatalogRule[] {
  type Make = (p: Property, about: readonly BodyItem[], key: readonly Term[], named: Argument) => DatalogRule[]
  const each = (cls: string, make: Make): DatalogRule[] =>
    tbox.instances(owl(cls)).flatMap((subject) => {
      const p = tbox.property(subject)
      if (p === undefined) return []
      return make(p, [ground(subject, RDF_TYPE, iri(owl(cls))), ...p.premises], [subject], is(subject))
    })
  return [
    ...each('FunctionalProperty', (p, about, key, named) =>
      mergeRules(
        { name: 'prp-fp', key, left: Y, right: Z, about: [X, named, Y, Z], body: [...about, edge(p, X, Y), edge(p, X, Z)] },
        options,
      ),
    ),
    ...each('InverseFunctionalProperty', (p, about, key, named) =>
      mergeRules(
        { name: 'prp-ifp', key, left: Y, right: Z, about: [X, named, Y, Z], body: [...about, edge(p, Y, X), edge(p, Z, X)] },
        options,
      ),
    ),
    ...each(
      'IrreflexiveProperty',
      (p, about, key, named) => [rule('prp-irp', key, inconsistent('prp-irp', X, named), ...about, edge(p, X, X))],
    ),
    ...each('SymmetricProperty', (p, about, key) => [rule('prp-symp', key, edgeHead(p, Y, X), ...about, edge(p, X, Y))]),
    ...each('AsymmetricProperty', (p, about, key, named) => [
      rule('prp-asyp', key, inconsistent('prp-asyp', X, named, Y), ...about, edge(p, X, Y), edge(p, Y, X)),
    ]),
    ...each(
      'TransitiveProperty', (p, about, key) => [rule('prp-trp', key, edgeHead(p, X, Z), ...about, edge(p, X, Y), edge(p, Y, Z))]
    ),
  ]
}

function hierarchy(tbox: Tbox): DatalogRule[] {
  const step = (name: string, axiom: BodyItem, [from, to]: readonly [Term, Term], key: readonly Term[]): DatalogRule[] => {
    const [p, q] = [tbox.property(from), tbox.property(to)]
    if (p === undefined || q === undefined || (p.name === q.name && p.inverse === q.inverse)) return []
    return [rule(name, key, edgeHead(q, X, Y), axiom, ...p.premises, ...q.premises, edge(p, X, Y))]
  }
  return [
    ...tbox.triples(SUB_PROPERTY).flatMap(
      ({ subject: p, object: q }) => step('prp-spo1', ground(p, SUB_PROPERTY, q), [p, q], [p, q])
    ),
    ...tbox.triples(EQUIVALENT_PROPERTY).flatMap(({ subject: p, object: q }) => {
      const axiom = ground(p, EQUIVALENT_PROPERTY, q)
      return [...step('prp-eqp1', axiom, [p, q], [p, q]), ...step('prp-eqp2', axiom, [q, p], [p, q])]
    }),
  ]
}

function chains(tbox: Tbox): DatalogRule[] {
  return tbox.triples(owl('propertyChainAxiom')).flatMap(({ subject, object: head }) => {
    const [p, list] = [tbox.property(subject), tbox.list(head)]
    const links = list?.members.map((link) => tbox.property(link)) ?? []
    if (
      p === undefined || list === undefined || links.length === 0 || links.length > MOST_MEMBERS || links.includes(undefined)
    ) return []
    const body = links.flatMap((link, i) => (link === undefined ? [] : [edge(link, v(`u${i}`), v(`u${i + 1}`))]))
    const premises = [ground(subject, owl('propertyChainAxiom'), head), ...wholeList(list), ...p.premises]
    const inner = links.flatMap((link) => link?.premises ?? [])
    return [rule('prp-spo2', [subject, head], edgeHead(p, v('u0'), v(`u${links.length}`)), ...premises, ...inner, ...body)]
  })
}

function inverses(tbox: Tbox): DatalogRule[] {
  return tbox.triples(INVERSE_OF).flatMap(({ subject: p, object: q }) => {
    // the inverse of a property without a name is read in the axioms that use it
    if (p.kind !== 'iri' || q.kind !== 'iri') return []
    const axiom = ground(p, INVERSE_OF, q)
    const there = rule('prp-inv1', [p, q], holds(Y, q.value, X), axiom, triple(X, p.value, Y))
    return p.value === q.value ? [there] : [there, rule('prp-inv2', [p, q], holds(Y, p.value, X), axiom, triple(X, q.value, Y))]
  })
}

/** A key of several properties gets a relation of its own, so that the join is on the whole key and not on its first part. */
function keys(tbox: Tbox, options: OwlOptions): DatalogRule[] {
  return tbox.triples(owl('hasKey')).flatMap(({ subject: cls, object: head }) => {
    const list = tbox.list(head)
    const parts = list?.members.map((part) => tbox.property(part)) ?? []
    if (list === undefined || parts.length === 0 || parts.length > MOST_MEMBERS || parts.includes(undefined)) return []
    const values = parts.map((_, i) => v(`z${i}`))
    const premises = [ground(cls, owl('hasKey'), head), ...wholeList(list), ...parts.flatMap((part) => part?.premises ?? [])]
    const keyed = (one: typeof X) => [
      typed(one, cls),
      ...parts.flatMap((part, i) => (part === undefined || values[i] === undefined ? [] : [edge(part, one, values[i])])),
    ]
    const merge = { name: 'prp-key', key: [cls, head], left: X, right: Y, about: [is(cls), X, Y] }
    if (parts.length === 1) return mergeRules({ ...merge, body: [...premises, ...keyed(X), ...keyed(Y)] }, options)
    const relation = {
      ...rule(
        'prp-key',
        [cls, head, 'values'],
        { predicate: `key ${merge.key.map((term) => term.value).join(' ')}`, args: [X, is(cls), ...values] },
        ...premises,
        ...keyed(X),
      )
    }
    const row = (one: typeof X): BodyItem => (
      { kind: 'atom', atom: { predicate: relation.head.predicate, args: [one, null, ...values] } }
    )
    return [relation, ...mergeRules({ ...merge, body: [row(X), row(Y)] }, options)]
  })
}

function disjointPairs(tbox: Tbox): DatalogRule[] {
  const pair = (name: string, p: Term, q: Term, key: readonly Term[], ...axiom: readonly BodyItem[]): DatalogRule[] => {
    const [one, other] = [tbox.property(p), tbox.property(q)]
    if (one === undefined || other === undefined) return []
    const body = [...axiom, ...one.premises, ...other.premises, edge(one, X, Y), edge(other, X, Y)]
    return [rule(name, key, inconsistent(name, X, is(p), is(q), Y), ...body)]
  }
  const stated = tbox.triples(owl('propertyDisjointWith')).flatMap(({ subject: p, object: q }) =>
    pair('prp-pdw', p, q, [p, q], ground(p, owl('propertyDisjointWith'), q)),
  )
  const listed = tbox.instances(owl('AllDisjointProperties')).flatMap((axiom) =>
    tbox.objects(axiom, owl('members')).flatMap((head) => {
      const list = tbox.list(head)
      if (list === undefined) return []
      const about = [ground(axiom, RDF_TYPE, iri(owl('AllDisjointProperties'))), ground(axiom, owl('members'), head)]
      const rules = list.members.flatMap((p, i) =>
        list.members.slice(i + 1).flatMap((q, j) =>
          pair('prp-adp', p, q, [axiom, head, p, q], ...about, ...listMember(list, i), ...listMember(list, i + 1 + j)),
        ),
      )
      return [...listRules(list), ...rules]
    }),
  )
  return [...stated, ...listed]
}

function negativeAssertions(tbox: Tbox): DatalogRule[] {
  const against = (name: string, target: string): DatalogRule[] =>
    tbox.triples(owl(target)).flatMap(({ subject: axiom, object: value }) =>
      tbox.objects(axiom, owl('sourceIndividual')).flatMap((source) =>
        tbox.objects(axiom, owl('assertionProperty')).flatMap((property) => {
          const p = tbox.property(property)
          if (p === undefined || (p.inverse && value.kind === 'literal')) return []
          const premises = [
            ground(axiom, owl('sourceIndividual'), source),
            ground(axiom, owl('assertionProperty'), property),
            ground(axiom, owl(target), value),
            ...p.premises,
          ]
          const head = inconsistent(name, is(source), is(property), is(value))
          return [rule(name, [axiom, source, property, value], head, ...premises, edge(p, is(source), is(value)))]
        }),
      ),
    )
  return [...against('prp-npa1', 'targetIndividual'), ...against('prp-npa2', 'targetValue')]
}
