/** How the question was read: its words, the terms they became, and what was turned down. */
import { plural, shortName } from './names.ts'
import { Grid } from './tables.tsx'
import type { AnswerPlan } from './wire.ts'

export function PlanView({ plan }: { readonly plan: AnswerPlan }) {
  const { terms, alternatives, uncovered: _uncovered, ...bare } = plan
  const rows = terms.map(({ text, kind, term }) => [text, kind, shortName(term)])
  return (
    <details className="more">
      <summary>How the question was read</summary>
      <Grid name="Words and terms" columns={['Words', 'Read as', 'Term']} rows={rows} />
      {alternatives.length > 0 && <p className="muted">{plural(alternatives.length, 'other reading')} turned down.</p>}
      <pre tabIndex={0} aria-label="The plan as JSON"><code>{JSON.stringify(bare, null, 2)}</code></pre>
    </details>
  )
}
