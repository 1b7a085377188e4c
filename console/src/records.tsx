/** The records that the answer cites, and for each one the claims that cite it. */
import type { Highlights, Selection } from './highlight.ts'
import { Jump } from './jump.tsx'
import { ShortList } from './short-list.tsx'
import type { Citation, Claim } from './wire.ts'

interface Props {
  readonly citations: readonly Citation[]
  readonly claims: readonly Claim[]
  readonly selection: Selection
  readonly found: Highlights
  readonly onSelect: (selection: Selection) => void
}

export function Records({ citations, claims, selection, found, onSelect }: Props) {
  return (
    <ShortList
      className="records"
      items={citations}
      keyOf={({ n }) => n}
      isRelated={({ n }) => found.records.has(n)}
      selected={selection !== null}
    >
      {(citation) => {
        const { n, label, source_table: table, key, columns, tier, inferred, iri } = citation
        const selected = selection?.kind === 'record' && selection.n === n
        const citing = claims
          .map((claim, index) => ({ id: claim.id, place: index + 1, cites: claim.citations.includes(n) }))
          .filter(({ cites }) => cites)
        return (
          <li id={`record-${n}`} tabIndex={-1} data-related={found.records.has(n)}>
            <button
              type="button"
              className="record-name"
              aria-pressed={selected}
              onClick={() => onSelect(selected ? null : { kind: 'record', n })}
            >
              <span className="number">{n}</span> {label}
            </button>
            <span className="about">
              <code title={iri}>{table} {inWords(key)}</code>
              {columns.length > 0 && <span>{columns.join(', ')}</span>}
              <span className={`chip tier-${tier}`}>{tier}</span>
              {inferred && <span className="chip kind-derived">inferred</span>}
              {citing.length > 0 && (
                <span>
                  cited by{' '}
                  {citing.map(({ id, place }) => (
                    <Jump key={id} to={`claim-${id}`} before={() => onSelect({ kind: 'claim', id })}>claim {place}</Jump>
                  ))}
                </span>
              )}
            </span>
          </li>
        )
      }}
    </ShortList>
  )
}

const inWords = (key: Citation['key']): string =>
  Object.entries(key).map(([column, value]) => `${column}=${String(value)}`).join(', ')
