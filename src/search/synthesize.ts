/** Stage synthesize: typed claims become English with markers, and only what verify accepts leaves. */
import { type Citation, type Claim, LIMITS } from '../contracts/index.ts'
import { type Proof, proofOf } from '../kernel/datalog/index.ts'
import type { Term } from '../kernel/term.ts'
import { recordIri } from '../ontology/index.ts'
import { CitationList } from './citations.ts'
import type { SearchContext } from './context.ts'
import type { ClaimDraft } from './draft.ts'
import type { Executed } from './execute.ts'
import { type Inferred, inferredOf } from './inferred.ts'
import { type Reasoned, othersOf } from './reason.ts'
import { type RecordSet, recordLabel, wireText } from './records.ts'
import { Verifier } from './verify.ts'
import { derivedClaims } from './wording/derived-claims.ts'
import { noneFound, rowClaims } from './wording/row-claims.ts'
import { sayLiteral } from './wording/values.ts'
import { absenceClaims, complementClaims } from './wording/why-not.ts'
import { keptOf, writeClaim } from './wording/write-claim.ts'

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
  const complement = executed.plan.why?.complement === true
  const proofs: Proof[] = reasoned === null || complement ? [] : reasoned.answers.map((fact) => proofOf(reasoned.model, fact.id))
  const inWords = (term: Term): string => (term.kind === 'iri' && records.get(term.value) !== undefined ? sayTerm(term) : sayLiteral(term))
  const drafts = draftsOf(context, executed, reasoned, proofs, inWords)
  await readCited(context, executed, drafts, records)
  const verifier = new Verifier(context, executed, records, reasoned)
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
    if (verdict.ok) claims.push({ ...writeClaim(draft, `c${claims.length + 1}`, cited, context.request.k, queryOf), verified_by: verdict.by })
    else {
      dropped += 1
      context.warnings.push(`a claim was dropped: ${verdict.why}`)
    }
  }
  if (executed.plan.why?.negated === true && !executed.plan.why.complement && proofs.length > 0) context.warnings.push('the question says that it does not hold, but the records show that it does')
  const found = claims.some((claim) => claim.kind !== 'none_found') || (complement && reasoned !== null && othersOf(executed, reasoned).length > 0)
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
  if (executed.plan.why.complement) return complementClaims(context, executed, reasoned, voice)
  if (proofs.length > 0) return derivedClaims(executed.plan, proofs, context.ontology, voice)
  return absenceClaims(context, executed, reasoned, voice)
}

/** Reads the records that claims about rows will cite and that nobody has read yet: neighbours are loaded for the first rows only. */
async function readCited(context: SearchContext, executed: Executed, drafts: readonly ClaimDraft[], records: RecordSet): Promise<void> {
  const pieces = drafts.flatMap(({ check, pieces: own }) => (check.by === 'rows' ? own : []))
  const unread = new Set(pieces.flatMap(({ cites }) => keptOf(cites, context.request.k)).map(({ iri }) => iri))
  for (const iri of unread) if (records.get(iri) !== undefined) unread.delete(iri)
  const cls = context.ontology.classes.find(({ name }) => name === executed.plan.from)
  if (unread.size === 0 || cls === undefined) return
  const keys = executed.evidence.map(({ key }) => key).filter((key) => unread.has(recordIri(context.ontology, cls, key.map(wireText))))
  await records.load(context, 'synthesize', cls, { columns: cls.key, tuples: keys }, LIMITS.max_row_limit)
}
