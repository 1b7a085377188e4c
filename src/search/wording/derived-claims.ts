/** Claims of a why-question: one sentence on all answers, then one on each, with the reasons its proof gives. */
import type { Plan } from '../../contracts/index.ts'
import type { DatalogRule, Proof } from '../../kernel/datalog/index.ts'
import type { Term } from '../../kernel/term.ts'
import { compareText } from '../../kernel/term.ts'
import { type Ontology, parseRecordIri } from '../../ontology/index.ts'
import type { ClaimDraft, Piece } from '../draft.ts'
import { factId } from '../inferred.ts'
import { nounOf } from './describe-plan.ts'
import { capitalised, counted, listed } from './english.ts'
import { type Voice, clausesOf } from './proof-clauses.ts'

const ENDS_IN_PREPOSITION = /\b(from|by|of|on|for|to|with|in|at)$/

export function derivedClaims(plan: Plan, proofs: readonly Proof[], ontology: Ontology, voice: Voice): ClaimDraft[] {
  const why = plan.why
  if (why === undefined) return []
  const asked = (proof: Proof): Term | null | undefined => proof.fact.args[why.ask]
  const name = (proof: Proof) => {
    const term = asked(proof)
    return term === null || term === undefined ? '' : voice.label(term)
  }
  const ordered = proofs.toSorted((a, b) => compareText(name(a), name(b)) || compareText(factId(a), factId(b)))
  const each = ordered.map((proof) => claimOf(proof, ontology, voice))
  return ordered.length < 2 ? each : [leadClaim(plan, ordered, ontology, voice, name), ...each]
}

/** "Three customers are at risk from crt-07: A, B and C." */
function leadClaim(plan: Plan, proofs: readonly Proof[], ontology: Ontology, voice: Voice, name: (proof: Proof) => string): ClaimDraft {
  const why = plan.why!
  const others = why.given
    .filter(({ argument }) => argument !== why.ask)
    .flatMap(({ argument }) => proofs.map((proof) => proof.fact.args[argument]).flatMap((term) => (term ? [voice.label(term)] : [])))
  const about = [...new Set(others)]
  const names = [...new Set(proofs.map(name))]
  const subjects = [...new Set(proofs.map((proof) => proof.fact.args[why.ask]).flatMap((term) => (term?.kind === 'iri' ? [term.value] : [])))]
  const noun = nounOf(ontology, parseRecordIri(ontology, subjects[0] ?? '')?.cls.name ?? '', 1)
  const verb = names.length === 1 ? 'is' : 'are'
  const phrase = phraseOf(voice, why.predicate, about.length > 0)
  const text = `${capitalised(counted(names.length, noun))} ${verb} ${phrase}${about.length > 0 ? ` ${listed(about)}` : ''}: ${listed(names)}`
  return {
    kind: 'derived',
    pieces: [{ text, cites: subjects.map((iri) => ({ iri, columns: keyColumns(ontology, iri), named: true })), joint: '' }],
    sqlSpans: [],
    ruleIds: [...new Set(proofs.flatMap((proof) => (proof.asserted ? [] : [proof.rule])))],
    factIds: proofs.map(factId),
    supportCount: subjects.length,
    check: { by: 'proof', proofs },
  }
}

function claimOf(proof: Proof, ontology: Ontology, voice: Voice): ClaimDraft {
  const clauses = clausesOf(proof, voice)
  const columns = columnsUsed(proof, ontology, voice.rules)
  const pieces = clauses.map((clause, at): Piece => {
    const iris = [...new Set([...clause.records, ...clause.named])]
    const joint = at === clauses.length - 1 ? '' : at === 0 ? ': ' : at === clauses.length - 2 ? ', and ' : ', '
    // a record is cited where it is read; a name alone needs no marker of its own
    const cites = iris
      .filter((iri) => clause.records.includes(iri))
      .map((iri) => ({ iri, columns: columns.get(iri) ?? keyColumns(ontology, iri), named: clause.named.includes(iri) }))
    return { text: clause.text, cites, joint }
  })
  const rules = new Set<string>()
  const facts = new Set<string>()
  walk(proof, (node) => {
    if (node.asserted) return
    rules.add(node.rule)
    facts.add(factId(node))
  })
  return {
    kind: 'derived',
    pieces,
    sqlSpans: [],
    ruleIds: [...rules],
    factIds: [...facts],
    supportCount: columns.size,
    check: { by: 'proof', proofs: [proof] },
  }
}

/** The columns that the rules read of each record: the arguments that the rule's atom looks at. */
function columnsUsed(proof: Proof, ontology: Ontology, rules: readonly DatalogRule[]): Map<string, string[]> {
  const used = new Map<string, Set<string>>()
  const note = (node: Proof, args: readonly unknown[]) => {
    if (!node.asserted || node.source === undefined) return
    const cls = ontology.classes.find((candidate) => candidate.name === node.fact.predicate)
    const columns = used.get(node.source) ?? new Set(cls?.key)
    for (const [at, arg] of args.entries()) if (arg !== null && at > 0) for (const column of cls?.properties[at - 1]?.columns ?? []) columns.add(column)
    used.set(node.source, columns)
  }
  walk(proof, (node) => {
    if (node.asserted) return
    const body = rules.find((rule) => rule.id === node.rule)?.body ?? []
    for (const [at, premise] of (node.premises ?? []).entries()) {
      const item = body[at]
      if (premise.kind === 'proof' && item?.kind === 'atom') note(premise.proof, item.atom.args)
      if (premise.kind === 'aggregate') for (const match of premise.matches) for (const [i, inner] of match.entries()) note(inner, premise.body[i]?.args ?? [])
    }
  })
  return new Map([...used].map(([iri, columns]) => [iri, [...columns]]))
}

export function walk(proof: Proof, visit: (node: Proof) => void): void {
  const seen = new Set<Proof>()
  const pending = [proof]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (seen.has(node)) continue
    seen.add(node)
    visit(node)
    if (node.asserted) continue
    for (const premise of node.premises ?? []) {
      if (premise.kind === 'proof') pending.push(premise.proof)
      if (premise.kind === 'aggregate') pending.push(...premise.matches.flat())
    }
  }
}

export function phraseOf(voice: Voice, predicate: string, withObject: boolean): string {
  const phrases = voice.flavor.rules
    .filter(({ id }) => voice.rules.some((rule) => rule.id === id && rule.head.predicate === predicate))
    .flatMap((rule) => rule.phrases)
  return phrases.find((phrase) => ENDS_IN_PREPOSITION.test(phrase) === withObject) ?? phrases[0] ?? predicate.replaceAll('_', ' ')
}

const keyColumns = (ontology: Ontology, iri: string): readonly string[] => parseRecordIri(ontology, iri)?.cls.key ?? []
