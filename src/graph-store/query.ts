/** One query over one graph, in a worker thread of its own: checked before it runs, stopped at its deadline. */
import { Worker } from 'node:worker_threads'
import { ServiceError } from '../contracts/index.ts'
import { rowsIn, withRowBound } from './bound-rows.ts'
import { checkQuery, limitOf } from './check-query.ts'

/** The results formats of SPARQL 1.1. In CSV and TSV, which know no ASK, its answer is the bare word true or false. */
export type SparqlFormat = 'json' | 'csv' | 'tsv' | 'xml'

export interface QueryLimits {
  readonly timeoutMs: number
  /** A result of more rows is refused: no format has a place to say that it was cut. */
  readonly maxRows?: number
  readonly signal?: AbortSignal
}

/** The results of a SELECT or an ASK, written in the format asked for. */
export async function runSparql(
  turtle: string,
  query: string,
  limits: QueryLimits,
  format: SparqlFormat = 'json',
): Promise<string> {
  const form = checkQuery(query)
  const { maxRows } = limits
  if (form === 'ask' || maxRows === undefined) return inWorker({ turtle, query, format }, limits)
  const bound = withRowBound(query, maxRows + 1, limitOf)
  if (bound === null) {
    const hint = `write LIMIT ${maxRows} or less at the end of the query`
    throw new ServiceError('unsupported_query', 'the query cannot be held to a number of rows', { hint })
  }
  const text = await inWorker({ turtle, query: bound, format }, limits)
  if (rowsIn(text, format) <= maxRows) return text
  const hint = 'add LIMIT, and OFFSET with ORDER BY for the next page'
  throw new ServiceError('unsupported_query', `the result has more than ${maxRows} rows`, { hint })
}

interface Work {
  readonly turtle: string
  readonly query: string
  readonly format: SparqlFormat
}

function inWorker(work: Work, { timeoutMs, signal }: QueryLimits): Promise<string> {
  // the file's own ending, because the compiled program has .js here
  const worker = new Worker(new URL(`./worker${import.meta.url.slice(-3)}`, import.meta.url), {
    workerData: work,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  })
  return new Promise<string>((resolve, reject) => {
    const end = (settle: () => void): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', leave)
      settle()
      void worker.terminate()
    }
    const late = () =>
      new ServiceError('deadline_exceeded', `the query ran past its limit of ${timeoutMs} ms`, { hint: 'narrow the query' })
    const timer = setTimeout(() => end(() => reject(late())), timeoutMs)
    const leave = (): void => end(() => reject(new ServiceError('cancelled', 'the query was stopped because its caller left')))
    signal?.addEventListener('abort', leave, { once: true })
    worker.once('message', (text: string) => end(() => resolve(text)))
    worker.once('error', (cause) =>
      end(() => reject(new ServiceError('unsupported_query', 'the query could not be evaluated', { cause }))),
    )
    if (signal?.aborted === true) leave()
  })
}
