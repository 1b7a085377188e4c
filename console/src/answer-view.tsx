/** An answer and everything it rests on, side by side and linked both ways. */
import { useState } from 'react'
import { Claims } from './claims.tsx'
import { Derivations } from './derivations.tsx'
import { NOTHING, highlights } from './highlight.ts'
import type { Selection } from './highlight.ts'
import { plural } from './names.ts'
import { StatusBanner } from './notices.tsx'
import { PlanView } from './plan-view.tsx'
import { Records } from './records.tsx'
import type { RunState } from './run-state.ts'
import { SqlView } from './sql-view.tsx'
import { SubgraphTable } from './subgraph-table.tsx'
import { Results } from './tables.tsx'
import type { Plan } from './wire.ts'

interface Props {
  readonly run: RunState
  readonly onPlan: (plan: Plan) => void
  readonly onFollowUp: (question: string) => void
}

export function AnswerView({ run, onPlan, onFollowUp }: Props) {
  const [selection, select] = useState<Selection>(null)
  const { answer, claims } = run
  const found = answer === null ? NOTHING : highlights(answer, selection)
  const selected = selection !== null
  const rules = new Set(answer?.inferred.map(({ rule }) => rule))
  return (
    <>
      {answer !== null && <StatusBanner answer={answer} onPlan={onPlan} />}
      <div className={answer === null ? '' : 'columns'} data-selected={selected}>
        {(claims.length > 0 || answer?.status === 'ok') && (
          <section className="card" aria-labelledby="answer-title">
            <h2 id="answer-title">
              Answer{' '}
              {answer !== null && (
                <span className="muted">
                  {plural(answer.citations.length, 'record')} · {plural(rules.size, 'rule')} · confidence{' '}
                  {Math.round(answer.confidence * 100)} %
                </span>
              )}
            </h2>
            <Claims claims={claims} selection={selection} found={found} onSelect={select} />
            {answer?.warnings.map((warning) => (
              <p key={warning} className="warning"><span aria-hidden="true">!</span> {warning}</p>
            ))}
            {answer !== null && answer.follow_ups.length > 0 && (
              <div className="examples">
                <span className="muted">Ask on</span>
                {answer.follow_ups.map((question) => (
                  <button key={question} type="button" className="chip-button" onClick={() => onFollowUp(question)}>
                    {question}
                  </button>
                ))}
              </div>
            )}
            {answer?.plan != null && <PlanView plan={answer.plan} />}
          </section>
        )}
        {answer !== null && (answer.citations.length > 0 || answer.executed_queries.length > 0) && (
          <section className="card evidence" aria-labelledby="evidence-title">
            <h2 id="evidence-title">
              Evidence{' '}
              {selected
                ? <button type="button" className="link" onClick={() => select(null)}>show all</button>
                : claims.length > 0 && <span className="muted">choose a claim, a record or a fact</span>}
            </h2>
            {answer.citations.length > 0 && (
              <>
                <h3>Records</h3>
                <Records citations={answer.citations} claims={claims} selection={selection} found={found} onSelect={select} />
              </>
            )}
            {answer.inferred.length > 0 && (
              <>
                <h3>Rules and derivations</h3>
                <Derivations answer={answer} found={found} onSelect={select} />
              </>
            )}
            {answer.executed_queries.length > 0 && (
              <>
                <h3>Executed SQL</h3>
                <SqlView queries={answer.executed_queries} spans={found.spans} />
              </>
            )}
          </section>
        )}
      </div>
      {answer !== null && answer.results.columns.length > 0 && (
        <section className="card" aria-labelledby="results-title">
          <h2 id="results-title">Result rows</h2>
          <Results results={answer.results} />
        </section>
      )}
      {answer !== null && answer.subgraph.count > 0 && <SubgraphTable answer={answer} />}
    </>
  )
}
