/** Derived facts as triples: what a proof concluded on the way, with the records, facts and conditions each step rests on. */
import { type InferredFact, type Tier, tierAt } from '../contracts/index.ts'
import { type Proof, type ProofPremise, sayExpr } from '../kernel/datalog/index.ts'
import { RDF_TYPE } from '../kernel/rdf/index.ts'
import { type Term, iri, literal, termKey } from '../kernel/term.ts'
import { hash64 } from '../kernel/text/index.ts'

type Derived = Extract<Proof, { asserted: false }>

export interface Inferred {
  readonly id: string
  readonly subject: Term
  readonly predicate: string
  readonly object: Term
  readonly rule: string
  readonly records: readonly string[]
  readonly facts: readonly string[]
  readonly conditions: readonly string[]
  readonly tier: Tier
}

export const wireInferred = (fact: Inferred): InferredFact => ({
  id: fact.id,
  fact: [fact.subject.value, fact.predicate, fact.object.value],
  rule: fact.rule,
  derived_from: [...fact.facts, ...fact.records, ...fact.conditions],
  tier: fact.tier,
})

export const factId = (proof: Proof): string =>
  `f-${hash64([proof.fact.predicate, ...proof.fact.args.map((arg) => (arg === null ? '' : termKey(arg)))].join(' '))}`

/** Every derived fact of the proofs, each once, conclusions before their premises. */
export function inferredOf(proofs: readonly Proof[], baseIri: string, sayTerm: (term: Term) => string): Inferred[] {
  const found = new Map<string, Inferred>()
  const visit = (proof: Proof) => {
    if (proof.asserted || found.has(factId(proof))) return
    found.set(factId(proof), inferredFact(proof, baseIri, sayTerm))
    for (const premise of proof.premises) for (const inner of innerProofs(premise)) visit(inner)
  }
  for (const proof of proofs) visit(proof)
  return [...found.values()]
}

function inferredFact(proof: Derived, baseIri: string, sayTerm: (term: Term) => string): Inferred {
  const [subject, object, ...more] = proof.fact.args.map((arg) => arg ?? literal(''))
  const predicate = `${baseIri}${proof.fact.predicate}`
  const inner = proof.premises.flatMap(innerProofs)
  return {
    id: factId(proof),
    subject: subject ?? iri(predicate),
    // impaired(r) reads as "r a :impaired"; further arguments of a wide fact stand in the object's text
    ...(object === undefined
      ? { predicate: RDF_TYPE, object: iri(predicate) }
      : { predicate, object: more.length === 0 ? object : literal([object, ...more].map((term) => term.value).join(' ')) }),
    rule: proof.rule,
    records: [...new Set(inner.flatMap((premise) => (premise.asserted && premise.source !== undefined ? [premise.source] : [])))],
    facts: [...new Set(inner.flatMap((premise) => (premise.asserted ? [] : [factId(premise)])))],
    conditions: proof.premises.flatMap((premise) => condition(premise, sayTerm)),
    tier: tierAt(proof.tier),
  }
}

const innerProofs = (premise: ProofPremise): Proof[] =>
  premise.kind === 'proof' ? [premise.proof] : premise.kind === 'aggregate' ? premise.matches.flat() : []

function condition(premise: ProofPremise, sayTerm: (term: Term) => string): string[] {
  if (premise.kind === 'condition') return [`${sayTerm(premise.left)} ${premise.op} ${sayTerm(premise.right)}`]
  if (premise.kind === 'aggregate') return [`${premise.fn} = ${sayTerm(premise.result)}`]
  if (premise.kind === 'computed') {
    const text = sayExpr(premise.expr, (arg) => ('term' in arg ? sayTerm(arg.term) : `?${arg.variable}`))
    return [`${sayTerm(premise.result)} = ${text}`]
  }
  if (premise.kind !== 'absent') return []
  const args = premise.atom.args.map((arg) => (arg !== null && 'term' in arg ? sayTerm(arg.term) : '_'))
  return [`no fact matches ${premise.atom.predicate}(${args.join(', ')})`]
}
