/**
 * Lineage as RDF: every derived triple and every premise is an rdf:Statement; prov:wasDerivedFrom leads to the premises,
 * prov:wasGeneratedBy to the rule. A statement's name comes from its content, so two runs name it alike.
 */
import { createHash } from 'node:crypto'
import type { Quad } from '../kernel/rdf/index.ts'
import { PROV, RDF, RDFS, RDF_TYPE, quad, quadKey } from '../kernel/rdf/index.ts'
import type { Term } from '../kernel/term.ts'
import { iri, literal, termKey } from '../kernel/term.ts'
import type { Materialisation, Origin } from './materialisation.ts'

export const LINEAGE_PREFIXES = {
  statement: 'urn:wherefore:statement:',
  rule: 'urn:wherefore:rule:',
  lineage: 'urn:wherefore:lineage#',
} as const

const own = (name: string): Term => iri(LINEAGE_PREFIXES.lineage + name)
const ruleIri = ({ engine, rule }: Origin): Term => iri(`${LINEAGE_PREFIXES.rule}${engine}.${rule}`)
export const statementIri = (triple: Quad): Term =>
  iri(LINEAGE_PREFIXES.statement + createHash('sha256').update(quadKey(triple)).digest('hex').slice(0, 32))

export function lineageQuads({ derived }: Materialisation): Quad[] {
  const statements = new Map<string, Quad[]>()
  const reify = (triple: Quad): Term => {
    const name = statementIri(triple)
    if (!statements.has(name.value)) {
      statements.set(name.value, [
        quad(name, iri(RDF_TYPE), iri(`${RDF}Statement`)),
        quad(name, iri(`${RDF}subject`), triple.subject),
        quad(name, iri(`${RDF}predicate`), triple.predicate),
        quad(name, iri(`${RDF}object`), triple.object),
      ])
    }
    return name
  }
  const steps = derived.flatMap((one) => {
    const name = reify(one.quad)
    const premises = one.premises.map((premise) =>
      premise.kind === 'triple'
        ? quad(name, iri(`${PROV}wasDerivedFrom`), reify(premise.quad))
        : quad(name, own(premise.kind), literal(premise.text)),
    )
    return [
      quad(name, iri(`${PROV}wasGeneratedBy`), ruleIri(one)),
      quad(name, own('tier'), literal(one.tier)),
      // a rule may use one triple twice
      ...new Map(premises.map((premise) => [termKey(premise.object), premise])).values(),
      ...Object.entries(one.bindings).map(([variable, term]) =>
        quad(name, own('binding'), literal(`?${variable} = ${termKey(term)}`)),
      ),
    ]
  })
  const rules = [...new Map(derived.map((one) => [ruleIri(one).value, one])).values()].flatMap((one) => [
    quad(ruleIri(one), iri(RDF_TYPE), iri(`${PROV}Activity`)),
    quad(ruleIri(one), iri(`${RDFS}label`), literal(one.rule)),
    quad(ruleIri(one), own('engine'), literal(one.engine)),
  ])
  return [...[...statements.values()].flat(), ...steps, ...rules]
}
