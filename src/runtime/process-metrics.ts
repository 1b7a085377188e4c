/**
 * The figures of this process (memory, processor, event loop, garbage collection). There is one set of them however many
 * services the process has had: each set keeps a timer and an observer of its own running for good.
 */
import { Histogram, Registry, collectDefaultMetrics } from 'prom-client'

/** One series per kind of handle that happens to be open: how many series there are would change with every request. */
const BY_KIND = ['nodejs_active_resources', 'nodejs_active_handles', 'nodejs_active_requests']

let registry: Registry | null = null

export function processMetrics(): Registry {
  if (registry !== null) return registry
  registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of BY_KIND) registry.removeSingleMetric(name)
  const collections = registry.getSingleMetric('nodejs_gc_duration_seconds')
  if (collections instanceof Histogram) for (const kind of ['major', 'minor', 'incremental', 'weakcb']) collections.zero({ kind })
  return registry
}
