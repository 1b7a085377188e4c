/** One query over one graph, in a worker thread of its own: checked before it runs, stopped at its deadline. */
import { Worker } from 'node:worker_threads'
import { ServiceError } from '../contracts/index.ts'
import { checkQuery } from './check-query.ts'

/** SPARQL 1.1 Query Results JSON. */
export async function runSparql(turtle: string, query: string, timeoutMs: number): Promise<string> {
  checkQuery(query)
  // the file's own ending, because the compiled program has .js here
  const worker = new Worker(new URL(`./worker${import.meta.url.slice(-3)}`, import.meta.url), {
    workerData: { turtle, query },
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  })
  return new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => {
      void worker.terminate()
      reject(new ServiceError('deadline_exceeded', `the query ran past its limit of ${timeoutMs} ms`, { hint: 'narrow the query' }))
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
