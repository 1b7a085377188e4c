/** Claims of a why-question: one sentence on all answers, then one on each, with the reasons its proof gives. */
import type { Plan, Why } from '../../contracts/index.ts'
import type { DatalogRule, Proof } from '../../kernel/datalog/index.ts'
import type { Term } from '../../kernel/term.ts'
import { compareText } from '../../kernel/term.ts'
import { type Ontology, parseRecordIri } from '../../ontology/index.ts'
import type { ClaimDraft, Piece } from '../draft.ts'
import { factId } from '../inferred.ts'
import { nounOf } from './describe-plan.ts'
import { MAX_LISTED, capitalised, counted, fill, listed } from './english.ts'
import { type Voice, clausesOf, continued, sentencesOf } from './proof-clauses.ts'

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
  return ordered.length < 2 ? each : [...leadClaim(plan, ordered, ontology, voice), ...each]
}

/** "Three customers are at risk from crt-07: A, B and C." Only a flavor that brings the words gets such a sentence. */
function leadClaim(plan: Plan, proofs: readonly Proof[], ontology: Ontology, voice: Voice): ClaimDraft[] {
  const why = plan.why!
  const summary = summaryOf(voice, why, (argument) => {
    const terms = proofs.flatMap((proof) => proof.fact.args[argument] ?? [])
    return listed([...new Set(terms.map((term) => voice.label(term)))])
  })
  if (summary === null) return []
  const asked = proofs.map((proof) => proof.fact.args[why.ask])
  const subjects = [...new Set(asked.flatMap((term) => (term?.kind === 'iri' ? [term.value] : [])))]
  // two records of the same name are two: they are told apart by their keys
  const labels = subjects.map((iri) => voice.label({ kind: 'iri', value: iri }))
  const isAlone = (label: string) => labels.indexOf(label) === labels.lastIndexOf(label)
  const names = labels.map((label, at) => (isAlone(label) ? label : `${label} (${keyText(ontology, subjects[at] ?? '')})`))
  if (subjects.length < 2) return []
  const noun = nounOf(ontology, parseRecordIri(ontology, subjects[0] ?? '')?.cls.name ?? '', 1)
  return [
    {
      kind: 'derived',
      pieces: [
        {
          text: `${capitalised(counted(names.length, noun))} ${summary}: ${listed(names)}`,
          // those that are named, and examples of the others
          cites: subjects.map((iri, at) => ({ iri, columns: keyColumns(ontology, iri), needed: at < MAX_LISTED })),
          joint: '',
        },
      ],
      sqlSpans: [],
      ruleIds: [...new Set(proofs.flatMap((proof) => (proof.asserted ? [] : [proof.rule])))],
      factIds: proofs.map(factId),
      supportCount: subjects.length,
      check: { by: 'proof', proofs },
    },
  ]
}

/** What the asked records do, in the plural: "are at risk from crt-07". Arguments that the question leaves open are left out. */
export function summaryOf(voice: Voice, why: Why, label: (argument: number) => string): string | null {
  const ofGoal = voice.rules.filter(({ head }) => head.predicate === why.predicate)
  const rule = ofGoal.find(({ id }) => sentencesOf(voice, id)?.plural_sentence !== undefined)
  const sentence = rule === undefined ? undefined : sentencesOf(voice, rule.id)?.plural_sentence
  if (rule === undefined || sentence === undefined) return null
  return fill(sentence, (variable) => {
    const argument = rule.head.args.findIndex((arg) => arg !== null && 'variable' in arg && arg.variable === variable)
    return why.given.some((given) => given.argument === argument) ? label(argument) : undefined
  })
}

function claimOf(proof: Proof, ontology: Ontology, voice: Voice): ClaimDraft {
  const clauses = clausesOf(proof, voice)
  const columns = columnsUsed(proof, ontology, voice.rules)
  const cite = (needed: boolean) => (iri: string) => ({ iri, columns: columns.get(iri) ?? keyColumns(ontology, iri), needed })
  // the conclusion, a colon, then its reasons
  const reasonAt = clauses[0]?.text.includes(': ') === true ? 0 : 1
  const joined = clauses.map((clause, at) => {
    const before = clauses[at - 1]
    if (before === undefined) return { joint: '', text: clause.text }
    return at <= reasonAt ? { joint: ': ', text: clause.text } : continued(before, clause)
  })
  const pieces = clauses.map((clause, at): Piece => {
    const cites = [...clause.records.map(cite(true)), ...clause.folded.map(cite(false))]
    return { text: joined[at]?.text ?? '', cites, joint: joined[at + 1]?.joint ?? '' }
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
    for (const [at, arg] of args.entries()) {
      if (arg !== null && at > 0) for (const column of cls?.properties[at - 1]?.columns ?? []) columns.add(column)
    }
    used.set(node.source, columns)
  }
  walk(proof, (node) => {
    if (node.asserted) return
    const body = rules.find((rule) => rule.id === node.rule)?.body ?? []
    for (const [at, premise] of node.premises.entries()) {
      const item = body[at]
      if (premise.kind === 'proof' && item?.kind === 'atom') note(premise.proof, item.atom.args)
      if (premise.kind !== 'aggregate') continue
      for (const match of premise.matches) for (const [i, inner] of match.entries()) note(inner, premise.body[i]?.args ?? [])
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

const keyText = (ontology: Ontology, iri: string): string => parseRecordIri(ontology, iri)?.key.join(', ') ?? iri
const keyColumns = (ontology: Ontology, iri: string): readonly string[] => parseRecordIri(ontology, iri)?.cls.key ?? []
