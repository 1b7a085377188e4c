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
): Promise<Synthesized> {
  const sayTerm = (term: Term): string => {
    const record = term.kind === 'iri' ? records.get(term.value) : undefined
    return record === undefined ? term.value : recordLabel(record)
  }
  const proofs: Proof[] = reasoned === null ? [] : reasoned.answers.map((fact) => proofOf(reasoned.model, fact.id))
  const drafts = draftsOf(context, executed, reasoned, proofs, sayTerm)
  const verifier = new Verifier(context, executed, records, reasoned)
  const cited = new CitationList(records)
  const claims: Claim[] = []
  let dropped = 0
  for (const draft of drafts) {
    const verdict = await verifier.check(draft)
    if (verdict.ok) claims.push(claimOf(draft, `c${claims.length + 1}`, cited, context.request.k))
    else {
      dropped += 1
      context.warnings.push(`a claim was dropped: ${verdict.why}`)
    }
  }
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

/** At most k records per claim, but never fewer than the claim names. */
function claimOf(draft: ClaimDraft, id: string, cited: CitationList, k: number): Claim {
  const numbers: number[] = []
  let budget = k - draft.pieces.flatMap((piece) => piece.cites).filter(({ named }) => named).length
  const text = draft.pieces
    .map((piece) => {
      const kept = piece.cites.filter(({ named }) => named || budget-- > 0)
      const own = kept.map(({ iri, columns }) => cited.cite(iri, columns))
      numbers.push(...own)
      return `${piece.text}${markers(own)}${piece.joint}`
    })
    .join('')
  return {
    id,
    text: `${text}.`,
    kind: draft.kind,
    citations: [...new Set(numbers)],
    sql_spans: draft.sqlSpans,
    rule_ids: [...draft.ruleIds],
    fact_ids: [...draft.factIds],
    support_count: draft.supportCount,
    verified: true,
    verified_by: draft.check.by === 'rows' ? 'rows' : 'proof',
  }
}
