/** Why is this triple there? Its derivation, and those of its premises as deep as asked, within what the caller may see. */
import type { Explanation, PremiseNode, Tier, TripleText } from '../contracts/index.ts'
import { LIMITS, ServiceError, tierAt, within } from '../contracts/index.ts'
import type { StoredFact } from '../kernel/datalog/index.ts'
import type { Quad } from '../kernel/rdf/index.ts'
import { factTriple, parseTurtle, relationOf } from '../kernel/rdf/index.ts'
import type { Term } from '../kernel/term.ts'
import { iri, literal, termKey } from '../kernel/term.ts'
import type { Materialisation } from './materialisation.ts'
import { premisesOf } from './premises.ts'
import { words } from './words.ts'

/** A triple that is not there and one above the ceiling are the same to the caller: not_found. */
export function explainTriple(m: Materialisation, triple: TripleText, depth: number, ceiling: Tier): Explanation {
  if (!Number.isInteger(depth) || depth < 1 || depth > LIMITS.premise_tree_depth) {
    throw new ServiceError('invalid_request', `depth is a whole number from 1 to ${LIMITS.premise_tree_depth}`)
  }
  const fact = findTriple(m, triple, ceiling)
  if (fact === undefined) throw new ServiceError('not_found', 'no such triple is in the materialised graph')
  return explainFact(m, fact, depth, ceiling)
}

/** The same, for a fact of the model that the caller has found and may see. */
export function explainFact(m: Materialisation, fact: StoredFact, depth: number, ceiling: Tier): Explanation {
  const quad = factTriple(fact)
  if (quad === undefined) throw new Error(`${fact.predicate} is not a triple`)
  return {
    triple: tripleText(quad),
    asserted: fact.asserted,
    derivations: depth < 1 ? [] : derivationsOf(m, fact, depth, ceiling),
  }
}

function derivationsOf(m: Materialisation, fact: StoredFact, depth: number, ceiling: Tier): Explanation['derivations'] {
  const derivation = m.model.derivation(fact.id)
  const origin = derivation === undefined ? undefined : m.origins.get(derivation.rule)
  if (derivation === undefined || origin === undefined) return []
  const rules = [...m.rules.values()]
  const say = words(m.baseIri, (predicate) => rules.find((rule) => rule.head.predicate === predicate))
  const premises = premisesOf(m.model, derivation, m.rules, say)
  // half a proof would still tell of the half that is left out
  if (premises.some((premise) => premise.kind === 'triple' && !within(premise.tier, ceiling))) return []
  const nodes = premises.map((premise): PremiseNode => {
    if (premise.kind !== 'triple') return premise
    const inner = m.model.facts[premise.fact]
    if (inner === undefined) throw new Error(`no fact has the number ${premise.fact}`)
    return { kind: 'triple', ...explainFact(m, inner, depth - 1, ceiling) }
  })
  const bindings = Object.entries(derivation.bindings).filter(([name]) => !name.startsWith('_:'))
  return [{ ...origin, bindings: Object.fromEntries(bindings.map(([name, term]) => [name, termText(term)])), premises: nodes }]
}

function findTriple(m: Materialisation, { subject, predicate, object }: TripleText, ceiling: Tier): StoredFact | undefined {
  const visible = (facts: readonly StoredFact[]) => facts.find((fact) => within(tierAt(fact.tier), ceiling))
  const [s, p] = [readTerm(subject), readTerm(predicate)]
  // a value may be written as a literal, as an IRI, or plainly as the text that a table shows
  for (const o of [readTerm(object), literal(object)]) {
    const found = visible(m.model.find(relationOf(p.value, o), [s, o]))
    if (found !== undefined) return found
  }
  return visible(m.model.find(p.value, [s]).filter((fact) => fact.args[1]?.kind === 'literal' && fact.args[1].value === object))
}

const tripleText = ({ subject, predicate, object }: Quad): TripleText => ({
  subject: termText(subject),
  predicate: termText(predicate),
  object: termText(object),
})

/** IRIs plainly, literals and blank nodes as N-Triples spells them. */
export const termText = (term: Term): string => (term.kind === 'iri' ? term.value : termKey(term))

export function readTerm(text: string): Term {
  if (text.startsWith('_:')) return { kind: 'bnode', value: text.slice(2) }
  if (text.startsWith('<') && text.endsWith('>')) return iri(text.slice(1, -1))
  if (!text.startsWith('"')) return iri(text)
  const parsed = parseTurtle(`<urn:s> <urn:p> ${text} .`)
  return (parsed.ok && parsed.quads.length === 1 ? parsed.quads[0]?.object : undefined) ?? literal(text)
}
