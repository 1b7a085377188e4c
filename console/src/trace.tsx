/** The five stages of a run, in order, each with its time and what it did. */
import { milliseconds, stageSummary } from './names.ts'
import type { RunState } from './run-state.ts'
import { STAGES } from './wire.ts'
import type { StageEvent } from './wire.ts'

export function Trace({ run }: { readonly run: RunState }) {
  const total = run.stages.reduce((sum, { ms }) => sum + ms, 0)
  const next = run.phase === 'running' ? STAGES[run.stages.length] : undefined
  return (
    <section className="card trace" aria-labelledby="trace-title">
      <h2 id="trace-title">Trace {run.stages.length > 0 && <span className="muted">{milliseconds(total)}</span>}</h2>
      <ol>
        {STAGES.map((name) => {
          const event = run.stages.find(({ stage }) => stage === name)
          const state = event?.status ?? (name === next ? 'running' : 'waiting')
          return (
            <li key={name} data-stage={name} data-state={state}>
              <span className="dot" aria-hidden="true" />
              <span className="name">{name}</span>
              {event !== undefined && <span className="ms">{milliseconds(event.ms)}</span>}
              {event === undefined ? state === 'running' && <span className="what">working …</span> : (
                <>
                  <span className="what">{stageSummary(event)}</span>
                  <Details event={event} />
                </>
              )}
            </li>
          )
        })}
      </ol>
    </section>
  )
}

function Details({ event }: { readonly event: StageEvent }) {
  const { stage, status: _status, ms: _ms, ...details } = event
  const entries = Object.entries(details).filter(([, value]) => !isEmpty(value))
  if (entries.length === 0) return null
  return (
    <details>
      <summary aria-label={`Details of ${stage}`}>details</summary>
      <dl>
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>{name.replaceAll('_', ' ')}</dt>
            <dd>{name === 'sql' ? <code>{String(value)}</code> : inWords(value)}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

const isEmpty = (value: unknown): boolean => value === null || value === '' || (Array.isArray(value) && value.length === 0)

function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(inWords).join(', ')
  if (typeof value === 'object' && value !== null) return Object.values(value).map(inWords).join(' ')
  return String(value)
}

/** One sentence for a screen reader whenever something has happened. */
export function LiveStatus({ run }: { readonly run: RunState }) {
  return <p className="hidden" role="status">{sentence(run)}</p>
}

function sentence({ phase, stages, answer, trouble }: RunState): string {
  if (phase === 'done' && answer !== null) return `Answer ready: ${answer.status}, ${answer.claims.length} claims.`
  if (phase === 'failed') return `Failed: ${trouble?.title ?? ''}.`
  if (phase === 'stopped') return 'Stopped.'
  const last = stages.at(-1)
  return last === undefined ? (phase === 'running' ? 'Working.' : '') : `${last.stage} ${last.status}, ${milliseconds(last.ms)}.`
}
