/** One search as the page sees it: what has arrived so far and how it ended. Pure, so that any order of arrival can be tested. */
import type { Claim, SearchAnswer, SearchEvent, StageEvent, Trouble } from './wire.ts'

export interface RunState {
  readonly phase: 'idle' | 'running' | 'done' | 'failed' | 'stopped'
  readonly runId: string | null
  readonly stages: readonly StageEvent[]
  readonly claims: readonly Claim[]
  readonly answer: SearchAnswer | null
  readonly trouble: Trouble | null
}

export type RunAction =
  | { readonly kind: 'start' }
  | { readonly kind: 'event'; readonly event: SearchEvent }
  | { readonly kind: 'ended' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly trouble: Trouble }

export const IDLE: RunState = { phase: 'idle', runId: null, stages: [], claims: [], answer: null, trouble: null }

const CUT: Trouble = {
  code: 'stream_cut',
  title: 'The connection was cut',
  detail: 'The stream ended before the answer. What had arrived is kept below; nothing of it is lost, but it may not be all.',
  hint: 'Run the question again.',
}

export function reduceRun(state: RunState, action: RunAction): RunState {
  if (action.kind === 'start') return { ...IDLE, phase: 'running' }
  if (state.phase !== 'running') return state // late news of a run that is over
  switch (action.kind) {
    case 'event':
      return receive(state, action.event)
    case 'ended':
      return { ...state, phase: 'failed', trouble: CUT }
    case 'stopped':
      return { ...state, phase: 'stopped' }
    case 'failed':
      return { ...state, phase: 'failed', trouble: action.trouble }
  }
}

function receive(state: RunState, { event, data }: SearchEvent): RunState {
  switch (event) {
    case 'run':
      return { ...state, runId: data.run_id }
    case 'stage':
      return { ...state, stages: [...state.stages, data] }
    case 'claim':
      return { ...state, claims: [...state.claims, data] }
    case 'answer':
      return { ...state, phase: 'done', runId: data.run_id, claims: data.claims, answer: data }
    case 'error':
      return { ...state, phase: 'failed', trouble: data }
    default:
      return state // a newer server may say more
  }
}
