/** Counters of the service, with fixed label sets: no question, class, user or value is ever a label. */
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { SEARCH_STATUSES, type SearchEvent, ServiceError } from '../contracts/index.ts'

/** The methods that routes have; a client may send any word as a method, and each would be a series of its own. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']

export class Metrics {
  readonly registry = new Registry()
  private readonly requests = this.counter('service_search_requests_total', 'Searches by how they ended', ['status', 'provider'])
  private readonly rows = this.counter('service_search_result_rows_total', 'Rows in answers')
  private readonly derived = this.counter('service_search_derived_facts_total', 'Derived facts in answers')
  private readonly triples = this.counter('service_search_subgraph_triples_total', 'Triples in materialised subgraphs')
  private readonly claims = this.counter('service_search_claims_total', 'Claims by what became of them', ['outcome'])
  private readonly inFlight = new Gauge({ name: 'service_search_in_flight', help: 'Searches running now', registers: [this.registry] })
  private readonly duration = new Histogram({
    name: 'service_search_duration_seconds', help: 'Time of a search', labelNames: ['provider'], registers: [this.registry],
  })
  private readonly stages = new Histogram({
    name: 'service_search_stage_seconds', help: 'Time of a stage', labelNames: ['stage'], registers: [this.registry],
  })
  private readonly phases = this.counter('service_pipeline_runs_total', 'Pipeline phases by how they ended', ['phase', 'outcome'])
  private readonly phaseDuration = new Histogram({
    name: 'service_pipeline_phase_seconds', help: 'Time of a phase', labelNames: ['phase'], registers: [this.registry],
    buckets: [0.1, 0.5, 1, 5, 10, 30, 60, 300, 1800],
  })
  private readonly pipelines = new Gauge({ name: 'service_pipeline_in_flight', help: 'Pipeline runs under way', registers: [this.registry] })
  private readonly httpRequests = this.counter('service_http_requests_total', 'HTTP requests by route and status', ['method', 'route', 'status'])
  private readonly httpDuration = new Histogram({
    name: 'service_http_request_duration_seconds', help: 'Time to the end of a reply', labelNames: ['method', 'route'], registers: [this.registry],
  })

  constructor() {
    collectDefaultMetrics({ register: this.registry })
    for (const status of [...SEARCH_STATUSES, 'error']) this.requests.inc({ status, provider: 'embedded' }, 0)
  }

  private counter(name: string, help: string, labelNames: string[] = []): Counter {
    return new Counter({ name, help, labelNames, registers: [this.registry] })
  }

  request({ method, route, status, seconds }: { method: string; route: string; status: number; seconds: number }): void {
    const known = METHODS.includes(method) ? method : 'other'
    this.httpRequests.inc({ method: known, route, status: String(status) })
    this.httpDuration.observe({ method: known, route }, seconds)
  }

  /** Counts a run as under way until the returned function is called. */
  pipeline(): () => void {
    this.pipelines.inc()
    return () => this.pipelines.dec()
  }

  phase(phase: string, ms: number): void {
    this.phases.inc({ phase, outcome: 'done' })
    this.phaseDuration.observe({ phase }, ms / 1000)
  }

  phaseFailed(error: unknown): void {
    const outcome = error instanceof ServiceError && ['cancelled', 'conflict'].includes(error.code) ? error.code : 'failed'
    this.phases.inc({ phase: 'any', outcome })
  }

  /** Passes the events of a search through and counts them. */
  async *counted(events: AsyncIterable<SearchEvent>, now: () => number): AsyncGenerator<SearchEvent> {
    const since = now()
    let status = 'error'
    this.inFlight.inc()
    try {
      for await (const event of events) {
        if (event.event === 'stage') {
          this.stages.observe({ stage: event.data.stage }, event.data.ms / 1000)
          if (event.data.stage === 'synthesize') this.claims.inc({ outcome: 'dropped' }, Number(event.data['dropped'] ?? 0))
        }
        if (event.event === 'claim') this.claims.inc({ outcome: 'verified' })
        if (event.event === 'answer') {
          status = event.data.status
          this.rows.inc(event.data.results.rows.length)
          this.derived.inc(event.data.inferred.length)
          this.triples.inc(event.data.subgraph.count)
        }
        yield event
      }
    } finally {
      this.inFlight.dec()
      this.requests.inc({ status, provider: 'embedded' })
      this.duration.observe({ provider: 'embedded' }, (now() - since) / 1000)
    }
  }
}
