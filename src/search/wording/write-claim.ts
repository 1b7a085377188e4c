/** A draft becomes a claim: its pieces joined to a sentence, with a marker for each record that it cites. */
import type { Claim } from '../../contracts/index.ts'
import { type CitationList, markers } from '../citations.ts'
import type { ClaimDraft, Piece } from '../draft.ts'
import { inSentence } from '../records.ts'

/** What a claim needs, and k of the records that it merely counts or adds up, each once. */
export function keptOf(cites: Piece['cites'], k: number): Piece['cites'] {
  const each = new Map<string, Piece['cites'][number]>()
  for (const cite of cites) if (cite.needed || !each.has(cite.iri)) each.set(cite.iri, cite)
  let spare = k
  return [...each.values()].filter(({ needed }) => needed || spare-- > 0)
}

/** The claim as it leaves, with a marker for each record it cites. */
export function writeClaim(
  draft: ClaimDraft,
  id: string,
  cited: CitationList,
  k: number,
  queryOf: (iri: string) => Claim['sql_spans'][number] | null,
): Claim {
  const numbers = new Set<number>()
  const spans = new Map(draft.sqlSpans.map((span) => [span.join(' '), span]))
  const text = draft.pieces
    .map(({ text: words, cites, joint }) => {
      // a marker must lead to a record: one that was not read cannot be cited
      const kept = keptOf(cites, k).filter(({ iri }) => cited.has(iri))
      const own = kept.map(({ iri, columns }) => cited.cite(iri, columns))
      for (const n of own) numbers.add(n)
      for (const { iri } of draft.check.by === 'rows' ? [] : kept) {
        const span = queryOf(iri)
        if (span !== null) spans.set(span.join(' '), span)
      }
      // whatever a name or a value holds, only our own markers look like markers
      return `${inSentence(words)}${markers(own)}${joint}`
    })
    .join('')
  return {
    id,
    text: /[.!?…]$/.test(text) ? text : `${text}.`,
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
