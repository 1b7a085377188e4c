/**
 * A stored answer against the database it speaks of: the answer is made again from its plan, with every check that a new answer
 * passes, and the document must say the same, claim by claim. What it says beyond that does not hold.
 */
import { type Claim, LIMITS, Plan, type SearchAnswer, type SearchRequest, ServiceError } from '../contracts/index.ts'
import { compareText } from '../kernel/term.ts'
import type { SearchContext } from './context.ts'
import { runSearch } from './run.ts'
import { withoutServiceWarnings } from './service-warnings.ts'
import { isRephrased } from './wording/rephrased.ts'

export interface ClaimVerdict {
  readonly id: string
  readonly text: string
  readonly verified: boolean
  /** empty when verified; never holds a value of the database */
  readonly why: string
}

export interface AnswerReport {
  /** every claim holds, there is at least one, and nothing else in the document disagrees */
  readonly ok: boolean
  readonly claims: readonly ClaimVerdict[]
  /** what disagrees outside the claims, by part of the document */
  readonly document: readonly { readonly part: string; readonly why: string }[]
  /** parts that no database can confirm */
  readonly unchecked: readonly string[]
}

/** An answer made again: what a run gives now, and the subgraph's text when the document asked for one. */
export interface Remade {
  readonly answer: SearchAnswer
  readonly turtle: string | null
}

type Json = Readonly<Record<string, unknown>>

/** About the run and the reading of the question, not about the data. */
const UNCHECKED = ['run_id', 'confidence', 'provider', 'model', 'timings_ms'] as const
const UNCHECKED_WITHIN = ['plan.terms', 'plan.alternatives', 'plan.uncovered', 'executed_queries.ms', 'subgraph.id', 'trace.ms', 'trace.terms', 'trace.alternatives'] as const
const NOTHING_SAID = 'the document makes no statement that could be verified'

/** Compares a stored document, as it was read, with the answer made again from its plan. */
export function compareAnswer(document: SearchAnswer, raw: unknown, { answer, turtle }: Remade): AnswerReport {
  const stored = asJson(raw)
  const fresh = asJson(answer)
  const claims = document.claims.map((claim, at) => {
    const why = claimFault(document, answer, claim, rawAt(stored, 'claims', at), at)
    return { id: claim.id, text: claim.text, verified: why === '', why }
  })
  const parts = new Set([...Object.keys(stored), ...Object.keys(fresh)])
  for (const part of UNCHECKED) parts.delete(part)
  const faults = [...parts].toSorted(compareText).flatMap((part) => {
    if (part === 'claims' && document.claims.length >= answer.claims.length) return [] // each is judged by itself
    // a model may have put it differently, which can be seen without it
    if (part === 'answer' && claims.length > 0 && isRephrased(answer.answer, document.answer)) return []
    if (part === 'warnings' && same(withoutServiceWarnings(document.warnings), answer.warnings)) return []
    const [said, found] = [comparable(part, stored[part]), comparable(part, fresh[part])]
    if (part === 'subgraph' && turtle !== null && 'turtle' in asJson(stored[part])) Object.assign(found as object, { turtle })
    return same(said, found) ? [] : [{ part, why: PART_FAULTS[part] ?? 'it is not what the database gives' }]
  })
  return report(claims, faults)
}

/** The report of a document whose plan cannot run here. */
export const unfitReport = (document: SearchAnswer, why: string): AnswerReport =>
  report(
    document.claims.map(({ id, text }) => ({ id, text, verified: false, why })),
    document.claims.length === 0 ? [] : [{ part: 'plan', why }],
  )

function report(claims: readonly ClaimVerdict[], faults: AnswerReport['document']): AnswerReport {
  const document = claims.length === 0 ? [...faults, { part: 'claims', why: NOTHING_SAID }] : faults
  const ok = document.length === 0 && claims.every(({ verified }) => verified)
  return { ok, claims, document, unchecked: [...UNCHECKED, ...UNCHECKED_WITHIN].toSorted(compareText) }
}

const PART_FAULTS: Readonly<Record<string, string>> = {
  answer: 'the prose is not the sum of the claims that hold',
  citations: 'the cited records are others, or hold something else',
  claims: 'statements that the database supports are left out',
  executed_queries: 'other queries answer this plan, or they find another number of rows',
  executed_query: 'other SQL answers this plan',
  inferred: 'the derived facts or their premises are others',
  plan: 'it holds something that no plan has',
  results: 'the rows are others',
  status: 'the outcome is another',
  subgraph: 'the records around the answer are others',
  trace: 'the stages did something else',
  follow_ups: 'other questions follow from this plan',
  warnings: 'a reservation is left out, or one is made that nothing calls for',
}

/** Why a claim does not hold; empty when it does. */
function claimFault(document: SearchAnswer, answer: SearchAnswer, claim: Claim, raw: unknown, at: number): string {
  const found = answer.claims[at]
  if (found === undefined) return 'the database supports no such statement'
  for (const [field, why] of CLAIM_FAULTS) if (!same(claim[field], found[field])) return why
  if (!same(raw, asJson(found))) return 'it holds something that no claim has'
  for (const n of claim.citations) {
    const [said, now] = [document.citations, answer.citations].map((list) => list.filter((citation) => citation.n === n))
    if (!same(said, now)) return `the record it cites as [${n}] is another, or holds something else`
  }
  for (const [query] of claim.sql_spans) {
    const [said, now] = [document, answer].map(({ executed_queries: queries }) => unclocked(queries[query]))
    if (!same(said, now)) return 'the SQL it rests on is not what answers the plan'
  }
  if (!same(premisesOf(document, claim), premisesOf(answer, claim))) return 'its premises are not those of the derivation'
  return ''
}

const CLAIM_FAULTS: readonly (readonly [keyof Claim, string])[] = [
  ['kind', 'it is a statement of another kind'],
  ['rule_ids', 'it follows by other rules'],
  ['fact_ids', 'it rests on other derived facts'],
  ['support_count', 'another number of records supports it'],
  ['citations', 'it rests on other records'],
  ['text', 'the records say something else'],
  ['sql_spans', 'it rests on another part of the SQL'],
  ['verified_by', 'it is verified in another way'],
]

/** The derived facts that a claim rests on, down to the records. */
function premisesOf({ inferred }: SearchAnswer, { fact_ids: goals }: Claim): unknown[] {
  const wanted = new Set(goals)
  // a set hands over what is added while it is walked
  for (const wantedId of wanted) {
    for (const fact of inferred) if (fact.id === wantedId) for (const premise of fact.derived_from) wanted.add(premise)
  }
  return inferred.filter(({ id }) => wanted.has(id))
}

function comparable(part: string, value: unknown): unknown {
  if (part === 'executed_queries' && Array.isArray(value)) return value.map(unclocked)
  // how the words were read is told by the plan stage alone
  if (part === 'trace' && Array.isArray(value)) {
    return value.map((event) => without(asJson(event), asJson(event)['stage'] === 'plan' ? ['ms', 'terms', 'alternatives'] : ['ms']))
  }
  const leave = part === 'plan' ? ['terms', 'alternatives', 'uncovered'] : part === 'subgraph' ? ['id'] : []
  return leave.length === 0 || typeof value !== 'object' || value === null ? value : without(asJson(value), leave)
}

const unclocked = (query: unknown): unknown => without(asJson(query), ['ms'])
const without = (value: Json, names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))
const rawAt = (stored: Json, part: string, at: number): unknown => (stored[part] as readonly unknown[])[at]
const same = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b)
const asJson = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (JSON.parse(JSON.stringify(value)) as Json) : {}

/** One text per value, whatever the order in which a document names its fields. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_name, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => compareText(a, b)))
      : item,
  ) ?? ''

/** What was asked beside the plan is not in the document; it shows in what was cut. The likeliest comes first. */
export function requestsFor(document: SearchAnswer): Pick<SearchRequest, 'k' | 'limit' | 'materialize'>[] {
  const { results, claims, subgraph } = document
  const counts = claims.filter(({ kind }) => kind === 'aggregate').map(({ citations }) => citations.length)
  const ks = distinct([LIMITS.default_k, ...counts], LIMITS.max_k)
  const folded = document.plan?.select.some(({ aggregate }) => aggregate !== undefined) === true
  const read = folded ? [] : readsOf(document).slice(0, 2)
  const whole = results.truncated ? results.rows.length : Math.max(LIMITS.default_row_limit, results.rows.length)
  const limits = distinct([whole, ...read], LIMITS.max_row_limit)
  return limits.flatMap((limit) => ks.map((k) => ({ k, limit, materialize: subgraph.id !== null })))
}

const distinct = (numbers: readonly number[], most: number): number[] => [
  ...new Set(numbers.map((n) => Math.min(most, Math.max(1, n)))),
]

/** The plan alone: how the words of the question were read is not part of what runs. */
export function planOf(document: SearchAnswer): Plan | null {
  if (document.plan === null) return null
  const { terms: _terms, alternatives: _alternatives, uncovered: _uncovered, ...plan } = document.plan
  return Plan.parse(plan)
}

/** True when the same statements were sent to the database: another ceiling would then read the same columns. */
export const sameQueries = (a: SearchAnswer, b: SearchAnswer): boolean => same(sqlOf(a), sqlOf(b))

const sqlOf = ({ executed_queries: queries }: SearchAnswer) => queries.map(({ sql }) => sql)

/** True when the plan's own queries found as many rows: the limit of the answer was then no other. */
export const sameReads = (a: SearchAnswer, b: SearchAnswer): boolean => same(readsOf(a), readsOf(b))

const readsOf = ({ executed_queries: queries }: SearchAnswer) =>
  queries.filter(({ purpose }) => purpose === 'main' || purpose === 'evidence').map(({ rows }) => rows)

/** Runs the plan of `context` through every stage and its checks. Throws what the run fails with. */
export async function remake(context: SearchContext): Promise<Remade> {
  let turtle: string | null = null
  let bug: unknown = null
  const about = {
    requestId: context.runId,
    subgraphId: () => '',
    onBug: (error: unknown) => {
      bug = error
    },
    onDone: ({ subgraph }: { subgraph: { turtle: string } | null }) => {
      turtle = subgraph?.turtle ?? null
    },
  }
  for await (const { event, data } of runSearch(context, about)) {
    if (event === 'answer') return { answer: data, turtle }
    if (event === 'error') {
      const { code, detail, stage, hint } = data
      throw new ServiceError(code, detail, { ...(stage && { stage }), ...(hint && { hint }), cause: bug })
    }
  }
  throw new ServiceError('internal', 'the run ended without an answer')
}
