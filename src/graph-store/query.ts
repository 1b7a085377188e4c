/** One query over one graph, in a worker thread of its own: checked before it runs, stopped at its deadline. */
import { Worker } from 'node:worker_threads'
import { ServiceError } from '../contracts/index.ts'
import { checkQuery } from './check-query.ts'

/** The results formats of SPARQL 1.1. In CSV and TSV, which know no ASK, its answer is the bare word true or false. */
export type SparqlFormat = 'json' | 'csv' | 'tsv' | 'xml'

/** The results of a SELECT or an ASK, written in the format asked for. */
export async function runSparql(
  turtle: string,
  query: string,
  timeoutMs: number,
  format: SparqlFormat = 'json',
): Promise<string> {
  checkQuery(query)
  // the file's own ending, because the compiled program has .js here
  const worker = new Worker(new URL(`./worker${import.meta.url.slice(-3)}`, import.meta.url), {
    workerData: { turtle, query, format },
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  })
  return new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => {
      void worker.terminate()
      const detail = `the query ran past its limit of ${timeoutMs} ms`
      reject(new ServiceError('deadline_exceeded', detail, { hint: 'narrow the query' }))
    }, timeoutMs)
    worker.once('message', (text: string) => {
      clearTimeout(timer)
      resolve(text)
      void worker.terminate()
    })
    worker.once('error', (cause) => {
      clearTimeout(timer)
      reject(new ServiceError('unsupported_query', 'the query could not be evaluated', { cause }))
    })
  })
}
