/** Tables: the rows of the answer, and any other grid of texts. */
import type { ReactNode } from 'react'
import { plural } from './names.ts'
import type { SearchAnswer } from './wire.ts'

const SHOWN = 200 // enough to read; the API gives them all

const NULL = <span className="muted">null</span>

interface GridProps {
  readonly name: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly ReactNode[])[]
}

/** A table that scrolls inside its own frame, so that the page never grows wider than the screen. */
export function Grid({ name, columns, rows }: GridProps) {
  return (
    <div className="scroll" role="region" aria-label={name} tabIndex={0}>
      <table>
        <thead>
          <tr>{columns.map((column, index) => <th key={index} scope="col">{column}</th>)}</tr>
        </thead>
        <tbody>
          {rows.map((row, index) => <tr key={index}>{row.map((cell, at) => <td key={at}>{cell}</td>)}</tr>)}
        </tbody>
      </table>
    </div>
  )
}

export function Results({ results }: { readonly results: SearchAnswer['results'] }) {
  const { columns, rows, truncated } = results
  const cells = rows.slice(0, SHOWN).map((row) => row.map((cell) => (cell === null ? NULL : String(cell))))
  return (
    <>
      <Grid name="Rows of the answer" columns={columns} rows={cells} />
      <p className="muted">
        {rows.length > SHOWN ? `${SHOWN} of ${plural(rows.length, 'row')} drawn` : plural(rows.length, 'row')}
        {truncated && ', cut at the limit of the request'}
      </p>
    </>
  )
}
