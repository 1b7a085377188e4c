/** Calls to the API. No call is ever repeated on its own: a search costs work on the other side. */
import { readEvents } from './sse.ts'
import type { FlavorInfo, Plan, SearchEvent, SourceInfo, SparqlResults, Tier, Trouble } from './wire.ts'

export interface SearchBody {
  readonly question: string
  readonly flavor?: string
  readonly db_path?: string
  readonly max_tier: Tier
  readonly materialize: boolean
  readonly plan?: Plan
}

export class ApiError extends Error {
  readonly trouble: Trouble

  constructor(trouble: Trouble) {
    super(trouble.title)
    this.trouble = trouble
  }
}

const UNREACHABLE: Trouble = {
  code: 'unreachable',
  title: 'The server does not answer',
  detail: 'No reply came back.',
  hint: 'Is it still running?',
}

// kept in memory only: a reload asks again, and nothing else on this machine can read it
let token: string | null = null
export const setAccessToken = (value: string): void => void (token = value)

export const getFlavors = async (): Promise<readonly FlavorInfo[]> => {
  const { flavors } = await json<{ flavors: FlavorInfo[] }>('/api/flavors')
  return flavors
}
export const getSources = async (): Promise<readonly SourceInfo[]> => {
  const { sources } = await json<{ sources: SourceInfo[] }>('/api/sources')
  return sources
}
export const getHealth = (): Promise<{ search_enabled: boolean; version: string }> => json('/health')
export const postSparql = (body: { run_id: string; query: string }): Promise<SparqlResults> => json('/api/sparql', body)

/** The events of one search, until the stream ends or `signal` stops it. */
export async function* streamSearch(body: SearchBody, signal: AbortSignal): AsyncGenerator<SearchEvent> {
  const response = await request('/api/search/stream', { body, signal })
  if (response.body === null) return
  for await (const { event, data } of readEvents(response.body)) yield { event, data: JSON.parse(data) } as SearchEvent
}

async function json<T>(path: string, body?: object): Promise<T> {
  return (await (await request(path, { body })).json()) as T
}

async function request(path: string, { body, signal }: { body?: object; signal?: AbortSignal }): Promise<Response> {
  const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` }
  if (body !== undefined) headers['content-type'] = 'application/json'
  let response: Response
  try {
    const method = body === undefined ? 'GET' : 'POST'
    response = await fetch(path, { method, headers, body: body && JSON.stringify(body), signal })
  } catch (error) {
    if (signal?.aborted === true) throw error
    throw new ApiError(UNREACHABLE)
  }
  if (response.ok) return response
  throw new ApiError(await readTrouble(response))
}

async function readTrouble(response: Response): Promise<Trouble> {
  const body: unknown = await response.json().catch(() => null)
  if (typeof body === 'object' && body !== null && 'code' in body && 'title' in body && 'detail' in body) return body as Trouble
  return { code: 'unreachable', title: 'The reply cannot be read', detail: `The server answered with status ${response.status}.` }
}
