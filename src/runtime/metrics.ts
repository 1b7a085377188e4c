/** Counters of the service, with fixed label sets: no question, class, user or value is ever a label. */
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { SEARCH_STATUSES, type SearchEvent } from '../contracts/index.ts'

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
  readonly phases = this.counter('service_pipeline_runs_total', 'Pipeline phases by how they ended', ['phase', 'outcome'])

  constructor() {
    collectDefaultMetrics({ register: this.registry })
    for (const status of [...SEARCH_STATUSES, 'error']) this.requests.inc({ status, provider: 'embedded' }, 0)
  }

  private counter(name: string, help: string, labelNames: string[] = []): Counter {
    return new Counter({ name, help, labelNames, registers: [this.registry] })
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
