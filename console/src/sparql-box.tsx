/** SPARQL SELECT over the subgraph that the server keeps for a run. */
import { useState } from 'react'
import type { KeyboardEvent } from 'react'
import { ApiError, postSparql } from './api.ts'
import { plural, shortName } from './names.ts'
import { TroubleCard } from './notices.tsx'
import { Grid } from './tables.tsx'
import type { SparqlResults, Trouble } from './wire.ts'

const PROV = 'http://www.w3.org/ns/prov#'
const EXAMPLES = [
  { label: 'All triples', query: 'SELECT ?s ?p ?o\nWHERE { ?s ?p ?o }\nLIMIT 50' },
  { label: 'By class', query: 'SELECT ?class (COUNT(?s) AS ?n)\nWHERE { ?s a ?class }\nGROUP BY ?class ORDER BY DESC(?n)' },
  { label: 'Lineage', query: `PREFIX prov: <${PROV}>\nSELECT ?fact ?premise\nWHERE { ?fact prov:wasDerivedFrom ?premise }` },
] as const

type Outcome = { readonly query: string } & ({ readonly results: SparqlResults } | { readonly trouble: Trouble })

export function SparqlBox({ runId }: { readonly runId: string }) {
  const [query, setQuery] = useState<string>(EXAMPLES[0].query)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const run = () => {
    postSparql({ run_id: runId, query }).then(
      (results) => setOutcome({ query, results }),
      (error: unknown) => error instanceof ApiError && setOutcome({ query, trouble: error.trouble }),
    )
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    run()
  }
  return (
    <div className="sparql">
      <label htmlFor="sparql">SPARQL SELECT over this subgraph</label>
      <textarea
        id="sparql"
        className="code"
        rows={5}
        spellCheck={false}
        value={query}
        onChange={({ target }) => setQuery(target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="row">
        <button type="button" className="primary" disabled={query.trim() === ''} onClick={run}>Run query</button>
        {EXAMPLES.map(({ label, query: example }) => (
          <button key={label} type="button" className="chip-button" onClick={() => setQuery(example)}>{label}</button>
        ))}
        {outcome !== null && outcome.query !== query && <span className="muted">edited since the result below</span>}
      </div>
      {outcome !== null && 'trouble' in outcome && <TroubleCard trouble={outcome.trouble} />}
      {outcome !== null && 'results' in outcome && <Bindings results={outcome.results} />}
    </div>
  )
}

function Bindings({ results }: { readonly results: SparqlResults }) {
  const { vars } = results.head
  const rows = results.results.bindings.map((binding) =>
    vars.map((name) => {
      const term = binding[name]
      if (term === undefined) return null
      return term.type === 'uri' ? <span key={name} title={term.value}>{shortName(term.value)}</span> : term.value
    }),
  )
  return (
    <>
      <Grid name="Result of the query" columns={vars} rows={rows} />
      <p className="muted" role="status">{plural(rows.length, 'solution')}</p>
    </>
  )
}
