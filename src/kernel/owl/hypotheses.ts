/** What axioms claim, as hypotheses to try: suppose these triples, then that triple, or an inconsistency, must follow. */
import type { Quad } from '../rdf/index.ts'
import { RDF_TYPE, quad } from '../rdf/index.ts'
import type { Term } from '../term.ts'
import { iri, termKey } from '../term.ts'
import { readList } from './lists.ts'
import {
  DOMAIN,
  EQUIVALENT_CLASS,
  EQUIVALENT_PROPERTY,
  FIRST,
  INVERSE_OF,
  RANGE,
  REST,
  SAME_AS,
  SUB_CLASS,
  SUB_PROPERTY,
  owl,
} from './rule.ts'

export interface Claim {
  readonly axiom: Quad
  /** the triples that only spell the axiom out: list cells, class expressions */
  readonly parts: readonly Quad[]
  /** the claim holds where each of them succeeds; without `conclude` only an inconsistency will do */
  readonly attempts: readonly { readonly suppose: readonly Quad[]; readonly conclude?: Quad }[]
}

const some = (name: string): Term => ({ kind: 'bnode', value: `supposed-${name}` })
const [a, b, c] = [some('a'), some('b'), some('c')]
const is = (subject: Term, property: Term | string, object: Term): Quad =>
  quad(subject, typeof property === 'string' ? iri(property) : property, object)
const isA = (subject: Term, cls: Term): Quad => is(subject, RDF_TYPE, cls)

export function claimsIn(quads: readonly Quad[]): Claim[] {
  const about = Map.groupBy(quads, ({ subject }) => termKey(subject))
  const values = (subject: Term, property: string): Term[] =>
    (about.get(termKey(subject)) ?? []).filter(({ predicate }) => predicate.value === property).map(({ object }) => object)
  const expression = (node: Term): Quad[] => (node.kind === 'bnode' ? (about.get(termKey(node)) ?? []) : [])
  const listed = (head: Term): { members: readonly Term[]; parts: Quad[] } | undefined => {
    const read = readList(head, (node) => values(node, FIRST), (node) => values(node, REST))
    if (!read.ok) return undefined
    return { members: read.list.members, parts: read.list.cells.flatMap(expression) }
  }
  return quads.flatMap((axiom): Claim[] => {
    const { subject: s, predicate, object: o } = axiom
    const claim = (attempts: Claim['attempts'], ...parts: readonly Quad[]): Claim[] => [{ axiom, parts, attempts }]
    const follows = (suppose: readonly Quad[], conclude: Quad) => claim([{ suppose, conclude }])
    const pairwise = (members: readonly Term[], suppose: (x: Term, y: Term) => Quad[]) =>
      members.flatMap((x, i) => members.slice(i + 1).map((y) => ({ suppose: suppose(x, y) })))
    switch (predicate.value) {
      case owl('differentFrom'):
        return claim([{ suppose: [is(s, SAME_AS, o)] }])
      case owl('disjointWith'):
        return claim([{ suppose: [isA(a, s), isA(a, o)] }])
      case owl('propertyDisjointWith'):
        return claim([{ suppose: [is(a, s, b), is(a, o, b)] }])
      case SUB_CLASS:
        return follows([isA(a, s)], isA(a, o))
      case EQUIVALENT_CLASS:
        return claim([{ suppose: [isA(a, s)], conclude: isA(a, o) }, { suppose: [isA(a, o)], conclude: isA(a, s) }])
      case SUB_PROPERTY:
        return follows([is(a, s, b)], is(a, o, b))
      case EQUIVALENT_PROPERTY:
        return claim([{ suppose: [is(a, s, b)], conclude: is(a, o, b) }, { suppose: [is(a, o, b)], conclude: is(a, s, b) }])
      case INVERSE_OF:
        return claim([{ suppose: [is(a, s, b)], conclude: is(b, o, a) }, { suppose: [is(a, o, b)], conclude: is(b, s, a) }])
      case DOMAIN:
        return follows([is(a, s, b)], isA(a, o))
      case RANGE:
        return follows([is(a, s, b)], isA(b, o))
      case owl('propertyChainAxiom'): {
        const list = listed(o)
        if (list === undefined || list.members.length === 0) return []
        const step = (i: number) => some(`step-${i}`)
        const suppose = list.members.map((link, i) => is(step(i), link, step(i + 1)))
        return claim([{ suppose, conclude: is(step(0), s, step(list.members.length)) }], ...list.parts)
      }
      case owl('members'):
      case owl('distinctMembers'): {
        const list = listed(o)
        if (list === undefined) return []
        const kinds = values(s, RDF_TYPE).map(({ value }) => value)
        const parts = [...list.parts, ...expression(s)]
        if (kinds.includes(owl('AllDifferent'))) return claim(pairwise(list.members, (x, y) => [is(x, SAME_AS, y)]), ...parts)
        if (kinds.includes(owl('AllDisjointClasses'))) return claim(
          pairwise(list.members, (x, y) => [isA(a, x), isA(a, y)]), ...parts
        )
        if (kinds.includes(owl('AllDisjointProperties'))) return claim(
          pairwise(list.members, (x, y) => [is(a, x, b), is(a, y, b)]), ...parts
        )
        return []
      }
      case owl('sourceIndividual'):
        return values(s, owl('assertionProperty')).flatMap((property) =>
          [...values(s, owl('targetIndividual')), ...values(s, owl('targetValue'))].flatMap(
            (target) => claim([{ suppose: [is(o, property, target)] }], ...expression(s))
          ),
        )
      case RDF_TYPE:
        return characteristic(s, o, claim) ?? values(o, owl('complementOf')).flatMap(
          (other) => claim([{ suppose: [isA(s, other)] }], ...expression(o))
        )
      default:
        return []
    }
  })
}

/** A property of a property, shown on members that nothing else is known about. */
function characteristic(p: Term, kind: Term, claim: (attempts: Claim['attempts']) => Claim[]): Claim[] | undefined {
  switch (kind.value) {
    case owl('TransitiveProperty'):
      return claim([{ suppose: [is(a, p, b), is(b, p, c)], conclude: is(a, p, c) }])
    case owl('SymmetricProperty'):
      return claim([{ suppose: [is(a, p, b)], conclude: is(b, p, a) }])
    case owl('AsymmetricProperty'):
      return claim([{ suppose: [is(a, p, b), is(b, p, a)] }])
    case owl('IrreflexiveProperty'):
      return claim([{ suppose: [is(a, p, a)] }])
    case owl('FunctionalProperty'):
      return claim([{ suppose: [is(a, p, b), is(a, p, c)], conclude: is(b, SAME_AS, c) }])
    case owl('InverseFunctionalProperty'):
      return claim([{ suppose: [is(a, p, c), is(b, p, c)], conclude: is(a, SAME_AS, b) }])
    default:
      return undefined
  }
}
