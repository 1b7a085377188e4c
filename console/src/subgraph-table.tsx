/** The RDF subgraph of an answer as a table, and a place to query it. */
import { useState } from 'react'
import { labels, plural } from './names.ts'
import { SparqlBox } from './sparql-box.tsx'
import { Grid } from './tables.tsx'
import type { SearchAnswer } from './wire.ts'

export function SubgraphTable({ answer }: { readonly answer: SearchAnswer }) {
  const [derivedOnly, setDerivedOnly] = useState(false)
  const { view, count, turtle } = answer.subgraph
  const name = labels(answer)
  const classes = new Map(view.nodes.map((node) => [node.iri, node.class]))
  const term = (iri: string) => (
    <span title={iri}>{name(iri)} {classes.has(iri) && <span className="muted">{classes.get(iri)}</span>}</span>
  )
  const edges = view.edges.filter(({ derived }) => derived || !derivedOnly)
  const rows = edges.map(({ from, property, to, derived }) => [
    term(from),
    <span key="property" title={property}>{name(property)}</span>,
    term(to),
    <span key="origin" className={derived ? 'chip kind-derived' : 'muted'}>{derived ? 'derived' : 'asserted'}</span>,
  ])
  return (
    <section className="card" aria-labelledby="subgraph-title">
      <h2 id="subgraph-title">Subgraph <span className="muted">{plural(count, 'triple')}</span></h2>
      <label className="check">
        <input type="checkbox" checked={derivedOnly} onChange={({ target }) => setDerivedOnly(target.checked)} />
        <span>Derived edges only</span>
      </label>
      <Grid name="Edges of the subgraph" columns={['Subject', 'Property', 'Object', 'Origin']} rows={rows} />
      <p className="muted">
        {plural(edges.length, 'edge')} between records{view.truncated && ', more are not drawn'}. The values of each record are in
        the graph as well: query it below.
      </p>
      {turtle !== undefined && (
        <details className="more">
          <summary>Turtle</summary>
          <pre tabIndex={0} aria-label="The subgraph in Turtle"><code>{turtle}</code></pre>
        </details>
      )}
      <SparqlBox runId={answer.run_id} />
    </section>
  )
}
