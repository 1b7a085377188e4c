/** What belongs together: from a claim to its records, SQL, rules and proof, and from a record or a fact back to its claims. */
import type { Claim, SearchAnswer } from './wire.ts'

export type Selection =
  | { readonly kind: 'claim'; readonly id: string }
  | { readonly kind: 'record'; readonly n: number }
  | { readonly kind: 'fact'; readonly id: string }
  | null

export interface Highlights {
  readonly claims: ReadonlySet<string>
  readonly records: ReadonlySet<number>
  readonly facts: ReadonlySet<string>
  readonly rules: ReadonlySet<string>
  readonly spans: readonly Claim['sql_spans'][number][]
}

export const NOTHING: Highlights = { claims: new Set(), records: new Set(), facts: new Set(), rules: new Set(), spans: [] }

type Evidence = Pick<SearchAnswer, 'claims' | 'citations' | 'inferred'>

export function highlights({ claims, citations, inferred }: Evidence, selection: Selection): Highlights {
  if (selection === null) return NOTHING
  if (selection.kind === 'claim') return ofClaim(claims.find(({ id }) => id === selection.id), inferred)
  if (selection.kind === 'fact') return ofFact(selection.id, { claims, citations, inferred })
  const iri = citations.find(({ n }) => n === selection.n)?.iri
  const facts = inferred.filter((fact) => iri !== undefined && fact.derived_from.includes(iri))
  return {
    claims: new Set(claims.filter((claim) => claim.citations.includes(selection.n)).map(({ id }) => id)),
    records: new Set([selection.n]),
    facts: new Set(facts.map(({ id }) => id)),
    rules: new Set(facts.map(({ rule }) => rule)),
    spans: [],
  }
}

function ofClaim(claim: Claim | undefined, inferred: Evidence['inferred']): Highlights {
  if (claim === undefined) return NOTHING
  return {
    claims: new Set([claim.id]),
    records: new Set(claim.citations),
    facts: proofOf(claim.fact_ids, inferred),
    rules: new Set(claim.rule_ids),
    spans: claim.sql_spans,
  }
}

function ofFact(id: string, { claims, citations, inferred }: Evidence): Highlights {
  const facts = proofOf([id], inferred)
  const proof = inferred.filter((fact) => facts.has(fact.id))
  const premises = new Set(proof.flatMap((fact) => fact.derived_from))
  return {
    claims: new Set(claims.filter((claim) => proofOf(claim.fact_ids, inferred).has(id)).map((claim) => claim.id)),
    records: new Set(citations.filter(({ iri }) => premises.has(iri)).map(({ n }) => n)),
    facts,
    rules: new Set(proof.map(({ rule }) => rule)),
    spans: [],
  }
}

/** The facts named and every fact they rest on. */
function proofOf(ids: readonly string[], inferred: Evidence['inferred']): Set<string> {
  const seen = new Set<string>()
  const open = [...ids]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const fact = inferred.find((one) => one.id === id)
    if (fact === undefined || seen.has(id)) continue
    seen.add(id)
    open.push(...fact.derived_from)
  }
  return seen
}

/** Cuts a text at the edges of some spans. Overlapping spans join; spans outside the text are ignored. */
export function cutSpans(text: string, spans: readonly (readonly [number, number])[]): { text: string; marked: boolean }[] {
  const valid = spans.filter(([from, to]) => from >= 0 && from < to && to <= text.length).toSorted(([a], [b]) => a - b)
  const parts: { text: string; marked: boolean }[] = []
  let at = 0
  for (const [from, to] of valid) {
    if (to <= at) continue
    if (from > at) parts.push({ text: text.slice(at, from), marked: false })
    const start = Math.max(from, at)
    const last = parts.at(-1)
    if (last?.marked === true) last.text += text.slice(start, to)
    else parts.push({ text: text.slice(start, to), marked: true })
    at = to
  }
  if (at < text.length) parts.push({ text: text.slice(at), marked: false })
  return parts
}
