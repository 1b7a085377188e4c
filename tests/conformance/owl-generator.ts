/** Small made-up ontologies from a seed. Over many seeds every kind of axiom that the profile reads meets every other. */
import type { Quad } from '../../src/kernel/rdf/index.ts'
import { OWL, RDF, RDFS, RDF_TYPE, XSD, quad } from '../../src/kernel/rdf/index.ts'
import { rng } from '../../src/kernel/stats/index.ts'
import { iri, literal } from '../../src/kernel/term.ts'
import type { Term } from '../../src/kernel/term.ts'

export const HOME = 'urn:g:'

/** The last property of every key, for which all have the same value: owlrl 7.6 does not look at the last one. */
const ALIKE = iri(`${HOME}alike`)

/** Nodes of lists and restrictions have names too, so that two closures can be compared as sets. */
export function ontologyOf(seed: number): Quad[] {
  const random = rng(seed)
  const below = (n: number): number => Math.floor(random() * n)
  const quads: Quad[] = []
  let nodes = 0
  const named = (name: string): Term => iri(HOME + name)
  const node = (kind: string): Term => named(`${kind}${nodes++}`)
  const cls = (): Term => named(`C${below(6)}`)
  const property = (): Term => named(`p${below(4)}`)
  const valued = (): Term => named(`d${below(2)}`)
  const thing = (): Term => named(`i${below(6)}`)
  const value = (): Term =>
    [literal('a'), literal('b'), literal('1', `${XSD}integer`), literal('2', `${XSD}integer`)][below(4)] ?? literal('a')
  const datatype = (): Term => iri(XSD + (['integer', 'string', 'decimal'][below(3)] ?? 'string'))
  const say = (subject: Term, name: string, object: Term): void => void quads.push(quad(subject, iri(name), object))
  const type = (subject: Term, name: string): void => say(subject, RDF_TYPE, iri(name))
  const list = (members: readonly Term[]): Term =>
    members.reduceRight<Term>((rest, one) => {
      const cell = node('l')
      say(cell, `${RDF}first`, one)
      say(cell, `${RDF}rest`, rest)
      return cell
    }, iri(`${RDF}nil`))
  const some = (make: () => Term, least = 2): Term[] => Array.from({ length: least + below(2) }, make)
  const restriction = (on: Term, parts: Readonly<Record<string, Term>>): Term => {
    const one = node('R')
    type(one, `${OWL}Restriction`)
    say(one, `${OWL}onProperty`, on)
    for (const [name, object] of Object.entries(parts)) say(one, OWL + name, object)
    return one
  }
  const number = (text: string): Term => literal(text, `${XSD}nonNegativeInteger`)
  /** A class that may be an expression; used on the right of a subclass axiom, or as an equivalent. */
  const use = (one: Term): void => {
    if (below(2) === 0) say(cls(), `${RDFS}subClassOf`, one)
    else say(cls(), `${OWL}equivalentClass`, one)
  }
  const negative = (target: 'targetIndividual' | 'targetValue'): void => {
    const one = node('n')
    type(one, `${OWL}NegativePropertyAssertion`)
    say(one, `${OWL}sourceIndividual`, thing())
    say(one, `${OWL}assertionProperty`, target === 'targetValue' ? valued() : property())
    say(one, OWL + target, target === 'targetValue' ? value() : thing())
  }
  const all = (kind: string, members: readonly Term[], name = 'members'): void => {
    const one = node('n')
    type(one, OWL + kind)
    say(one, OWL + name, list(members))
  }
  const axioms: readonly (() => void)[] = [
    () => say(cls(), `${RDFS}subClassOf`, cls()),
    () => say(cls(), `${RDFS}subClassOf`, cls()),
    () => say(cls(), `${OWL}equivalentClass`, cls()),
    () => say(cls(), `${OWL}disjointWith`, cls()),
    () => all('AllDisjointClasses', some(cls)),
    () => say(property(), `${RDFS}subPropertyOf`, property()),
    () => say(valued(), `${RDFS}subPropertyOf`, valued()),
    () => say(property(), `${OWL}equivalentProperty`, property()),
    () => say(property(), `${OWL}inverseOf`, property()),
    () => say(property(), `${RDFS}domain`, cls()),
    () => say(property(), `${RDFS}range`, cls()),
    () => say(valued(), `${RDFS}domain`, cls()),
    () => say(valued(), `${RDFS}range`, datatype()),
    () => use(restriction(valued(), { someValuesFrom: iri(`${XSD}integer`) })),
    () => use(restriction(valued(), { allValuesFrom: datatype() })),
    () => say(property(), `${OWL}propertyChainAxiom`, list(some(property))),
    () => say(property(), `${OWL}propertyDisjointWith`, property()),
    () => all('AllDisjointProperties', some(property)),
    ...[
      'Functional',
      'InverseFunctional',
      'Symmetric',
      'Asymmetric',
      'Transitive',
      'Irreflexive',
    ].map((kind) => () => type(property(), `${OWL}${kind}Property`)),
    () => say(cls(), `${OWL}hasKey`, list([...some(valued, 1), ALIKE])),
    () => say(cls(), `${OWL}intersectionOf`, list(some(cls))),
    () => say(cls(), `${OWL}unionOf`, list(some(cls))),
    () => say(cls(), `${OWL}oneOf`, list(some(thing))),
    () => say(cls(), `${OWL}complementOf`, cls()),
    () => use(restriction(property(), { someValuesFrom: cls() })),
    () => use(restriction(property(), { someValuesFrom: iri(`${OWL}Thing`) })),
    () => use(restriction(property(), { allValuesFrom: cls() })),
    () => use(restriction(property(), { hasValue: thing() })),
    () => use(restriction(valued(), { hasValue: value() })),
    () => use(restriction(property(), { maxCardinality: number(String(below(2))) })),
    () => use(restriction(property(), { maxQualifiedCardinality: number(String(below(2))), onClass: cls() })),
    () => use(restriction(property(), { maxQualifiedCardinality: number(String(below(2))), onClass: iri(`${OWL}Thing`) })),
    () => say(thing(), `${OWL}sameAs`, thing()),
    () => say(cls(), `${OWL}sameAs`, cls()),
    () => say(property(), `${OWL}sameAs`, property()),
    () => say(thing(), `${OWL}differentFrom`, thing()),
    () => all('AllDifferent', some(thing), below(2) === 0 ? 'members' : 'distinctMembers'),
    () => negative('targetIndividual'),
    () => negative('targetValue'),
  ]
  // each seed starts at another axiom, so that a few dozen seeds meet them all
  for (let i = 0; i < 6; i++) axioms[(seed * 6 + i * 7) % axioms.length]?.()
  for (let i = 0; i < 2; i++) axioms[below(axioms.length)]?.()
  for (let i = 0; i < 5; i++) say(thing(), RDF_TYPE, cls())
  for (let i = 0; i < 6; i++) say(thing(), property().value, thing())
  for (let i = 0; i < 3; i++) say(thing(), valued().value, value())
  const hasKey = quads.some(({ predicate }) => predicate.value === `${OWL}hasKey`)
  if (hasKey) for (let i = 0; i < 6; i++) say(named(`i${i}`), ALIKE.value, literal('k'))
  return quads
}
