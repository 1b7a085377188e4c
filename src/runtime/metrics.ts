/** Counters of the service, with fixed label sets: no question, class, user or value is ever a label. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { SEARCH_STATUSES, STAGES, type SearchEvent, ServiceError } from '../contracts/index.ts'
import { PHASE_NAMES } from '../pipeline/index.ts'
import { processMetrics } from './process-metrics.ts'

/** The methods that routes have; a client may send any word as a method, and each would be a series of its own. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']

/** How a search ends: with an answer of some status, with a problem, or because whoever asked left. */
const ENDINGS = [...SEARCH_STATUSES, 'error', 'cancelled'] as const
type Ending = (typeof ENDINGS)[number]

/** The providers of the catalogue. Whoever else names itself in an answer is one series, whatever its name. */
const PROVIDERS = ['embedded', 'openai', 'anthropic', 'azure', 'vertex', 'ollama', 'openai-compatible']

/** Around the goal of 150 ms for a search, and up to the longest that one may ask for. */
const SEARCH_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
const STAGE_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const HTTP_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
const PHASE_BUCKETS = [0.1, 0.5, 1, 5, 10, 30, 60, 300, 1800]

export class Metrics {
  readonly registry = new Registry()
  private readonly requests = this.counter('service_search_requests_total', 'Searches by how they ended', ['status', 'provider'])
  private readonly duration = this.histogram('service_search_duration_seconds', 'Time of a search', ['provider'], SEARCH_BUCKETS)
  private readonly stages = this.histogram('service_search_stage_seconds', 'Time of a stage', ['stage'], STAGE_BUCKETS)
  private readonly rows = this.counter('service_search_result_rows_total', 'Rows in answers')
  private readonly derived = this.counter('service_search_derived_facts_total', 'Derived facts in answers')
  private readonly triples = this.counter('service_search_subgraph_triples_total', 'Triples in materialised subgraphs')
  private readonly claims = this.counter('service_search_claims_total', 'Claims by what became of them', ['outcome'])
  private readonly inFlight = this.gauge('service_search_in_flight', 'Searches running now')
  private readonly phases = this.counter('service_pipeline_runs_total', 'Pipeline phases by how they ended', ['phase', 'outcome'])
  private readonly phaseDuration = this.histogram('service_pipeline_phase_seconds', 'Time of a phase', ['phase'], PHASE_BUCKETS)
  private readonly pipelines = this.gauge('service_pipeline_in_flight', 'Pipeline runs under way')
  private readonly httpRequests = this.counter(
    'service_http_requests_total', 'HTTP requests by route and status', ['method', 'route', 'status'],
  )
  private readonly httpDuration = this.histogram(
    'service_http_request_duration_seconds', 'Time to the end of a reply', ['method', 'route'], HTTP_BUCKETS,
  )

  /** Every series of a search or a phase is there from the start: a rate is then right from its first event on. */
  constructor() {
    for (const status of ENDINGS) this.requests.inc({ status, provider: 'embedded' }, 0)
    for (const stage of STAGES) this.stages.zero({ stage })
    for (const outcome of ['verified', 'dropped']) this.claims.inc({ outcome }, 0)
    for (const phase of PHASE_NAMES) if (phase !== 'all') this.phases.inc({ phase, outcome: 'done' }, 0)
    for (const outcome of ['failed', 'cancelled', 'conflict']) this.phases.inc({ phase: 'any', outcome }, 0)
    this.duration.zero({ provider: 'embedded' })
  }

  /** Everything as Prometheus text, with the figures of the process. */
  text(): Promise<string> {
    return Registry.merge([this.registry, processMetrics()]).metrics()
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
    let status: Ending = 'cancelled' // until something ends it
    let provider = 'embedded'
    this.inFlight.inc()
    try {
      for await (const event of events) {
        this.count(event)
        if (event.event === 'error') status = event.data.code === 'cancelled' ? 'cancelled' : 'error'
        if (event.event === 'answer') {
          status = event.data.status
          provider = PROVIDERS.includes(event.data.provider) ? event.data.provider : 'other'
        }
        yield event
      }
    } catch (error) {
      status = 'error'
      throw error
    } finally {
      this.inFlight.dec()
      this.requests.inc({ status, provider })
      this.duration.observe({ provider }, (now() - since) / 1000)
    }
  }

  private count(event: SearchEvent): void {
    if (event.event === 'claim') this.claims.inc({ outcome: 'verified' })
    if (event.event === 'stage') {
      const { stage, ms, dropped } = event.data
      this.stages.observe({ stage }, ms / 1000)
      if (typeof dropped === 'number') this.claims.inc({ outcome: 'dropped' }, dropped)
    }
    if (event.event === 'answer') {
      this.rows.inc(event.data.results.rows.length)
      this.derived.inc(event.data.inferred.length)
      this.triples.inc(event.data.subgraph.count)
    }
  }

  private counter(name: string, help: string, labelNames: string[] = []): Counter {
    return new Counter({ name, help, labelNames, registers: [this.registry] })
  }

  private gauge(name: string, help: string): Gauge {
    return new Gauge({ name, help, registers: [this.registry] })
  }

  private histogram(name: string, help: string, labelNames: string[], buckets: number[]): Histogram {
    return new Histogram({ name, help, labelNames, buckets, registers: [this.registry] })
  }
}
