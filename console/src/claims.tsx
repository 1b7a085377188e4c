/** The sentences of the answer. Each one leads to what it rests on. */
import type { Highlights, Selection } from './highlight.ts'
import { Jump } from './jump.tsx'
import { cutMarkers, plural } from './names.ts'
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
  const marker = (n: number, at: number) => (
    <Jump
      key={`${at}-${n}`}
      className="marker"
      to={`record-${n}`}
      label={`Record ${n}`}
      before={() => onSelect({ kind: 'record', n })}
    >
      [{n}]
    </Jump>
  )
  return (
    <ol className="claims">
      {claims.map((claim, index) => {
        const selected = selection?.kind === 'claim' && selection.id === claim.id
        const toggle = () => onSelect(selected ? null : { kind: 'claim', id: claim.id })
        const parts = cutMarkers(claim.text)
        return (
          <li
            key={claim.id}
            id={`claim-${claim.id}`}
            tabIndex={-1}
            data-related={found.claims.has(claim.id)}
            data-kind={claim.kind}
          >
            {/* the whole sentence can be clicked; the button below does the same for everyone without a mouse */}
            <p className="sentence" onClick={toggle}>
              {parts.map((part, at) => (typeof part === 'number' ? marker(part, at) : <span key={at}>{part}</span>))}
              {claim.citations.filter((n) => !parts.includes(n)).map(marker)}
            </p>
            <span className="about">
              <button
                type="button"
                className="link why"
                aria-pressed={selected}
                aria-label={`Why? Evidence of claim ${index + 1}`}
                onClick={toggle}
              >
                why?
              </button>
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
