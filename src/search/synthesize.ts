/** Stage synthesize: typed claims become English with markers, and only what verify accepts leaves. */
import type { Citation, Claim } from '../contracts/index.ts'
import { type Proof, proofOf } from '../kernel/datalog/index.ts'
import type { Term } from '../kernel/term.ts'
import { CitationList, markers } from './citations.ts'
import type { SearchContext } from './context.ts'
import type { ClaimDraft } from './draft.ts'
import type { Executed } from './execute.ts'
import { type Inferred, inferredOf } from './inferred.ts'
import type { Reasoned } from './reason.ts'
import { type RecordSet, recordLabel } from './records.ts'
import { Verifier } from './verify.ts'
import { derivedClaims } from './wording/derived-claims.ts'
import { noneFound, rowClaims } from './wording/row-claims.ts'
import { absenceClaims } from './wording/why-not.ts'

export interface Synthesized {
  readonly claims: readonly Claim[]
  readonly citations: readonly Citation[]
  readonly inferred: readonly Inferred[]
  readonly dropped: number
  readonly found: boolean
}

export async function synthesize(
  context: SearchContext,
  executed: Executed,
  records: RecordSet,
  reasoned: Reasoned | null,
  readAgain: () => Promise<RecordSet>,
): Promise<Synthesized> {
  const sayTerm = (term: Term): string => {
    const record = term.kind === 'iri' ? records.get(term.value) : undefined
    return record === undefined ? term.value : recordLabel(record)
  }
  const proofs: Proof[] = reasoned === null ? [] : reasoned.answers.map((fact) => proofOf(reasoned.model, fact.id))
  const drafts = draftsOf(context, executed, reasoned, proofs, sayTerm)
  const verifier = new Verifier(context, executed, records, reasoned, readAgain)
  const cited = new CitationList(records)
  // the answer lists the plan's own queries first, then those that read related records
  const queryOf = (iri: string): Claim['sql_spans'][number] | null => {
    const at = records.get(iri)?.query
    return at === undefined ? null : [executed.queries.length + at, 0, records.queries[at]?.sql.length ?? 0]
  }
  const claims: Claim[] = []
  let dropped = 0
  for (const draft of drafts) {
    const verdict = await verifier.check(draft)
    if (verdict.ok) claims.push(claimOf(draft, `c${claims.length + 1}`, cited, context.request.k, queryOf))
    else {
      dropped += 1
      context.warnings.push(`a claim was dropped: ${verdict.why}`)
    }
  }
  if (executed.plan.why?.negated === true && proofs.length > 0) context.warnings.push('the question says that it does not hold, but the records show that it does')
  const found = claims.some((claim) => claim.kind !== 'none_found')
  return { claims, citations: cited.list(), inferred: inferredOf(proofs, context.ontology.baseIri, sayTerm), dropped, found }
}

function draftsOf(
  context: SearchContext,
  executed: Executed,
  reasoned: Reasoned | null,
  proofs: readonly Proof[],
  label: (term: Term) => string,
): ClaimDraft[] {
  if (executed.plan.why === undefined) return executed.rows.length === 0 ? [noneFound(context, executed)] : rowClaims(context, executed)
  if (executed.evidence.length === 0 || reasoned === null) return [noneFound(context, executed)]
  const voice = { flavor: context.flavor, rules: reasoned.program.rules, label }
  if (proofs.length > 0) return derivedClaims(executed.plan, proofs, context.ontology, voice)
  return absenceClaims(context, executed, reasoned, voice)
}

/** Cites what a claim needs, and k of the records that it merely counts or adds up. */
function claimOf(draft: ClaimDraft, id: string, cited: CitationList, k: number, queryOf: (iri: string) => Claim['sql_spans'][number] | null): Claim {
  const numbers = new Set<number>()
  const spans = new Map(draft.sqlSpans.map((span) => [span.join(' '), span]))
  const text = draft.pieces
    .map(({ text: words, cites, joint }) => {
      let spare = k
      const kept = [...new Map(cites.filter(({ needed }) => needed || spare-- > 0).map((cite) => [cite.iri, cite])).values()]
      const own = kept.map(({ iri, columns }) => cited.cite(iri, columns))
      for (const n of own) numbers.add(n)
      for (const { iri } of draft.check.by === 'rows' ? [] : kept) {
        const span = queryOf(iri)
        if (span !== null) spans.set(span.join(' '), span)
      }
      return `${words}${markers(own)}${joint}`
    })
    .join('')
  return {
    id,
    text: `${text}.`,
    kind: draft.kind,
    citations: [...numbers],
    sql_spans: [...spans.values()],
    rule_ids: [...draft.ruleIds],
    fact_ids: [...draft.factIds],
    support_count: draft.supportCount,
    verified: true,
    verified_by: draft.check.by === 'rows' ? 'rows' : 'proof',
  }
}
