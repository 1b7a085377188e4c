/** Runs one search at a time and keeps what it brings. */
import { useCallback, useEffect, useReducer, useRef } from 'react'
import { ApiError, streamSearch } from './api.ts'
import type { SearchBody } from './api.ts'
import { IDLE, reduceRun } from './run-state.ts'
import type { RunAction, RunState } from './run-state.ts'

export interface Search {
  readonly run: RunState
  readonly start: (body: SearchBody) => void
  readonly stop: () => void
}

export function useSearch(): Search {
  const [run, dispatch] = useReducer(reduceRun, IDLE)
  const current = useRef<AbortController | null>(null)
  useEffect(() => () => current.current?.abort(), [])

  const start = useCallback((body: SearchBody) => {
    current.current?.abort()
    const own = new AbortController()
    current.current = own
    dispatch({ kind: 'start' })
    void follow(body, own.signal, (action) => {
      if (current.current === own) dispatch(action) // a run that was replaced speaks no more
    })
  }, [])

  const stop = useCallback(() => {
    current.current?.abort()
    dispatch({ kind: 'stopped' })
  }, [])

  return { run, start, stop }
}

async function follow(body: SearchBody, signal: AbortSignal, dispatch: (action: RunAction) => void): Promise<void> {
  try {
    for await (const event of streamSearch(body, signal)) dispatch({ kind: 'event', event })
    dispatch({ kind: 'ended' })
  } catch (error) {
    if (signal.aborted) dispatch({ kind: 'stopped' })
    else if (error instanceof ApiError) dispatch({ kind: 'failed', trouble: error.trouble })
    else dispatch({ kind: 'ended' }) // the connection broke, or what came over it was no event of ours
  }
}
