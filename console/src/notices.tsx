/** What the page says when there is no plain answer: problems, the switch, statuses other than ok. */
import { useState } from 'react'
import type { Plan, SearchAnswer, Trouble } from './wire.ts'

interface TroubleProps {
  readonly trouble: Trouble
  readonly onAgain?: () => void
  readonly onToken?: (token: string) => void
}

export function TroubleCard({ trouble, onAgain, onToken }: TroubleProps) {
  if (trouble.code === 'search_disabled') return <SearchOff />
  const { title, detail, code, stage, hint, errors = [], request_id: requestId } = trouble
  return (
    <section className="card trouble" role="alert">
      <h2>{title}</h2>
      <p>{detail}</p>
      {errors.length > 0 && (
        <ul>
          {errors.map(({ message, path, line, column }, index) => (
            <li key={index}>
              {path !== undefined && <code>{path}</code>} {message}
              {line !== undefined && ` (line ${line}${column === undefined ? '' : `, column ${column}`})`}
            </li>
          ))}
        </ul>
      )}
      {hint !== undefined && <p className="hint">{hint}</p>}
      {code === 'unauthenticated' && onToken !== undefined && <TokenForm onToken={onToken} />}
      <p className="facts">
        <span>code <code>{code}</code></span>
        {stage !== undefined && <span>stage <code>{stage}</code></span>}
        {requestId !== undefined && <span>request <code>{requestId}</code></span>}
      </p>
      {onAgain !== undefined && <button type="button" className="primary" onClick={onAgain}>Run again</button>}
    </section>
  )
}

export function SearchOff() {
  return (
    <section className="card notice" aria-labelledby="search-off">
      <h2 id="search-off">Search is switched off</h2>
      <p>
        Reasoning search is experimental and stays off until whoever runs this server switches it on. Start the server with the
        environment variable <code>SERVICE_SEARCH</code> set to <code>1</code>:
      </p>
      <pre tabIndex={0} aria-label="How to switch search on"><code>SERVICE_SEARCH=1 wherefore serve</code></pre>
      <p className="muted">Everything else of the service works without it.</p>
    </section>
  )
}

const STATUS: Record<Exclude<SearchAnswer['status'], 'ok'>, { title: string; text: string }> = {
  empty: { title: 'Nothing found', text: 'The question was understood and run; no record fits it.' },
  blocked: {
    title: 'Above the ceiling',
    text: 'The question needs data above the tier you chose. Raise “Tier up to” and ask again.',
  },
  ungrounded: {
    title: 'Not in the vocabulary',
    text: 'Part of the question names nothing that this database holds, so nothing was guessed.',
  },
  clarify: { title: 'More than one reading', text: 'The question can be read in more than one way. Which one do you mean?' },
}

interface StatusProps {
  readonly answer: SearchAnswer
  readonly onPlan: (plan: Plan) => void
}

/** A banner for every status but ok. What the service says about it stands first, our explanation second. */
export function StatusBanner({ answer, onPlan }: StatusProps) {
  if (answer.status === 'ok') return null
  const { title, text } = STATUS[answer.status]
  const { clarification } = answer
  const uncovered = answer.plan?.uncovered ?? []
  return (
    <section className={`card notice status-${answer.status}`} aria-labelledby="status-title">
      <h2 id="status-title">{title}</h2>
      {answer.claims.length === 0 && answer.answer !== '' && <p>{answer.answer}</p>}
      <p className={answer.answer === '' ? '' : 'muted'}>{clarification?.question ?? text}</p>
      {uncovered.length > 0 && (
        <p>Words without a place: {uncovered.map((word) => <code key={word} className="word">{word}</code>)}</p>
      )}
      {clarification !== undefined && (
        <ul className="options">
          {clarification.options.map(({ label, plan }) => (
            <li key={label}><button type="button" onClick={() => onPlan(plan)}>{label}</button></li>
          ))}
        </ul>
      )}
    </section>
  )
}

function TokenForm({ onToken }: { readonly onToken: (token: string) => void }) {
  const [token, setToken] = useState('')
  return (
    <form className="token" onSubmit={(event) => { event.preventDefault(); onToken(token) }}>
      <label htmlFor="token">Access token</label>
      <input id="token" type="password" autoComplete="off" value={token} onChange={({ target }) => setToken(target.value)} />
      <button type="submit" className="primary" disabled={token === ''}>Use it</button>
    </form>
  )
}
