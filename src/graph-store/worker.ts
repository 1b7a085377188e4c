/** Runs one SPARQL query over one Turtle text, in a worker thread: terminating the worker is the only way to stop a query. */
import { parentPort, workerData } from 'node:worker_threads'
import { Store, parse } from 'oxigraph'

const { turtle, query, format } = workerData as { turtle: string; query: string; format: string }
// `load` renames blank nodes; an answer about one must name the node that was asked about
const store = new Store(parse(turtle, { format: 'text/turtle' }))
parentPort?.postMessage(store.query(query, { results_format: format }))
