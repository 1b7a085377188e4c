/** The sentences of the answer. Each one leads to what it rests on. */
import type { Highlights, Selection } from './highlight.ts'
import { Jump } from './jump.tsx'
import { plural } from './names.ts'
import type { Claim } from './wire.ts'

interface Props {
  readonly claims: readonly Claim[]
  readonly selection: Selection
  readonly found: Highlights
  readonly onSelect: (selection: Selection) => void
}

const KIND: Record<Claim['kind'], string> = {
  record: 'record', aggregate: 'aggregate', derived: 'derived', none_found: 'none found',
}
const CHECKED: Record<Claim['verified_by'], string> = {
  rows: 'checked against its rows', proof: 'proof re-checked', sql: 'recomputed in SQL',
}

export function Claims({ claims, selection, found, onSelect }: Props) {
  return (
    <ol className="claims">
      {claims.map((claim) => {
        const selected = selection?.kind === 'claim' && selection.id === claim.id
        return (
          <li
            key={claim.id}
            id={`claim-${claim.id}`}
            tabIndex={-1}
            data-related={found.claims.has(claim.id)}
            data-kind={claim.kind}
          >
            <button
              type="button"
              className="sentence"
              aria-pressed={selected}
              onClick={() => onSelect(selected ? null : { kind: 'claim', id: claim.id })}
            >
              {withoutMarkers(claim.text)}
            </button>
            <span className="markers">
              {claim.citations.map((n) => (
                <Jump key={n} to={`record-${n}`} label={`Record ${n}`} before={() => onSelect({ kind: 'record', n })}>[{n}]</Jump>
              ))}
            </span>
            <span className="about">
              <span className={`chip kind-${claim.kind}`}>{KIND[claim.kind]}</span>
              <span>✓ {CHECKED[claim.verified_by]}</span>
              {claim.support_count > claim.citations.length && <span>{plural(claim.support_count, 'supporting record')}</span>}
            </span>
          </li>
        )
      })}
    </ol>
  )
}

/** The markers are links of their own; a sentence that carries them as text would show them twice. */
const withoutMarkers = (text: string): string => text.replace(/\s*\[\d+\]/g, '')
