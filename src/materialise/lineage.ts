/**
 * Lineage as RDF: every derived triple and every premise is a statement; prov:wasDerivedFrom leads to the premises,
 * prov:wasGeneratedBy to the rule. A statement's name comes from its content, so two runs name it alike. What a second engine
 * has to say about the same triple stands at a node of its own, so that its premises are not mixed with those of the first.
 */
import { createHash } from 'node:crypto'
import type { Quad } from '../kernel/rdf/index.ts'
import { PROV, RDF, RDFS, RDF_TYPE, SH, quad, quadKey } from '../kernel/rdf/index.ts'
import type { Term } from '../kernel/term.ts'
import { compareText, iri, literal, termKey } from '../kernel/term.ts'
import type { Derived, Materialisation, Origin, Way } from './materialisation.ts'
import { waysOf } from './premises.ts'

export const LINEAGE_PREFIXES = {
  statement: 'urn:wherefore:statement:',
  rule: 'urn:wherefore:rule:',
  lineage: 'urn:wherefore:lineage#',
} as const

const own = (name: string): Term => iri(LINEAGE_PREFIXES.lineage + name)
const ruleIri = ({ engine, rule }: Origin): Term => iri(`${LINEAGE_PREFIXES.rule}${engine}.${rule}`)
export const statementIri = (triple: Quad): Term =>
  iri(LINEAGE_PREFIXES.statement + createHash('sha256').update(quadKey(triple)).digest('hex').slice(0, 32))

export interface Lineage {
  /** what is said about statements and rules */
  readonly quads: readonly Quad[]
  /** the triples that the statements' names stand for */
  readonly statements: ReadonlyMap<string, Quad>
}

export function lineageOf(m: Materialisation): Lineage {
  const statements = new Map<string, Quad>()
  const name = (triple: Quad): Term => {
    const named = statementIri(triple)
    statements.set(named.value, triple)
    return named
  }
  const quads = m.derived.flatMap((one) => stepsOf(one, waysOf(m, one.fact), name))
  const origins = [...new Map(m.derived.flatMap(({ origins: all }) => all).map((origin) => [ruleIri(origin).value, origin])).values()]
  const rules = origins.flatMap((origin) => [
    quad(ruleIri(origin), iri(RDF_TYPE), iri(`${PROV}Activity`)),
    quad(ruleIri(origin), iri(`${RDFS}label`), literal(origin.rule)),
    quad(ruleIri(origin), own('engine'), literal(origin.engine)),
  ])
  return { quads: [...quads, ...rules], statements }
}

function stepsOf(one: Derived, ways: readonly Way[], name: (triple: Quad) => Term): Quad[] {
  const statement = name(one.quad)
  const steps = ways.flatMap((way, n) => {
    const node = n === 0 ? statement : iri(`${statement.value}.${way.engine}`)
    return [...(n === 0 ? [] : [quad(statement, own('alternative'), node)]), ...wayQuads(node, way, name)]
  })
  return [quad(statement, own('tier'), literal(one.tier)), ...steps]
}

function wayQuads(node: Term, way: Way, name: (triple: Quad) => Term): Quad[] {
  const premises = way.premises.map((premise) =>
    premise.kind === 'triple'
      ? quad(node, iri(`${PROV}wasDerivedFrom`), name(premise.quad))
      : quad(node, own(premise.kind), literal(premise.text)),
  )
  const { shape, bindings } = way
  const focus = bindings['this']
  return [
    quad(node, iri(`${PROV}wasGeneratedBy`), ruleIri(way)),
    ...(shape === undefined ? [] : [quad(node, iri(`${SH}sourceShape`), shape)]),
    ...(shape === undefined || focus === undefined ? [] : [quad(node, iri(`${SH}focusNode`), focus)]),
    ...(way.partial ? [quad(node, own('premises'), literal('partial'))] : []),
    // a rule may use one triple twice
    ...new Map(premises.map((premise) => [`${premise.predicate.value} ${termKey(premise.object)}`, premise])).values(),
    ...Object.entries(bindings).map(([variable, term]) => quad(node, own('binding'), literal(`?${variable} = ${termKey(term)}`))),
  ]
}

/** Readable by any RDF 1.1 tool: a statement names its subject, predicate and object. */
export const reified = ({ quads, statements }: Lineage): Quad[] => [
  ...[...statements].flatMap(([name, triple]) => [
    quad(iri(name), iri(RDF_TYPE), iri(`${RDF}Statement`)),
    quad(iri(name), iri(`${RDF}subject`), triple.subject),
    quad(iri(name), iri(`${RDF}predicate`), triple.predicate),
    quad(iri(name), iri(`${RDF}object`), triple.object),
  ]),
  ...quads,
]

/** The same in RDF 1.2, a line per triple: a statement reifies the triple itself. */
export function reifiers({ quads, statements }: Lineage, header: readonly string[]): string {
  const lines = [
    ...[...statements].map(([name, triple]) => `<${name}> <${RDF}reifies> <<( ${quadKey(triple)} )>> .`),
    ...quads.map((each) => `${quadKey(each)} .`),
  ]
  return [...header.map((line) => `# ${line}`), ...lines.toSorted(compareText), ''].join('\n')
}
