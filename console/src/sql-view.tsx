/** The SQL that ran, with the parts that the selected claim rests on marked in it. */
import { cutSpans } from './highlight.ts'
import type { Highlights } from './highlight.ts'
import { milliseconds, plural } from './names.ts'
import type { ExecutedQuery } from './wire.ts'

const PURPOSE: Record<ExecutedQuery['purpose'], string> = { main: 'answer', evidence: 'evidence', relations: 'neighbours' }

interface Numbered {
  readonly query: ExecutedQuery
  readonly index: number
}

interface Props {
  readonly queries: readonly ExecutedQuery[]
  readonly spans: Highlights['spans']
}

export function SqlView({ queries, spans }: Props) {
  const numbered = queries.map((query, index) => ({ query, index }))
  const marked = new Set(spans.map(([at]) => at))
  // a selection shows the queries it rests on, otherwise the one that gave the answer stands for all
  const isShown = ({ query, index }: Numbered) => (marked.size > 0 ? marked.has(index) : query.purpose === 'main')
  const others = numbered.filter((one) => !isShown(one))
  const show = ({ query, index }: Numbered) => (
    <Query
      key={index}
      query={query}
      place={index + 1}
      spans={spans.filter(([at]) => at === index).map(([, from, to]) => [from, to])}
    />
  )
  return (
    <>
      {numbered.filter(isShown).map(show)}
      {others.length > 0 && (
        <details className="more">
          <summary>{plural(others.length, 'other query', 'other queries')}: evidence and neighbours</summary>
          {others.map(show)}
        </details>
      )}
    </>
  )
}

function Query({ query, place, spans }: { query: ExecutedQuery; place: number; spans: (readonly [number, number])[] }) {
  const { sql, params, rows, ms, purpose } = query
  return (
    <figure className="query">
      <figcaption>
        <span>Query {place}</span> <span className="chip">{PURPOSE[purpose]}</span>
        <span className="muted">read-only · {plural(rows, 'row')} · {milliseconds(ms)}</span>
      </figcaption>
      <pre tabIndex={0} aria-label={`SQL of query ${place}`}>
        <code>
          {cutSpans(sql, spans).map(({ text, marked }, index) =>
            marked ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>,
          )}
        </code>
      </pre>
      {params.length > 0 && (
        <p className="params">with {params.map((value, index) => <code key={index}>{JSON.stringify(value)}</code>)}</p>
      )}
    </figure>
  )
}
