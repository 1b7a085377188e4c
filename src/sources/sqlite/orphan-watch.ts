/**
 * Runs beside a reader. A process inside a long statement does not notice that its parent died; this thread does, and ends
 * the process for it, so that no query outlives the service that asked for it.
 */
import { workerData } from 'node:worker_threads'

const { parent } = workerData as { parent: number }

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
}, 500)
