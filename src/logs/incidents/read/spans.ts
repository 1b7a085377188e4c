/** Spans out of a table: what each service did for a request, and whose call it was. */
import { LIMITS, ServiceError } from '../../../contracts/index.ts'
import { type RowFaults, countFault } from './csv-rows.ts'
import { Interned } from './intern.ts'
import { serviceOfPod } from './service-name.ts'
import { tableRows } from './table.ts'
import { cellTimeMs } from './time.ts'
import type { Chunks } from './unpack.ts'

export interface Span {
  readonly trace: string
  readonly id: string
  /** empty for a root */
  readonly parent: string
  readonly service: string
  readonly operation: string
  readonly startMs: number
  readonly endMs: number
}

const COLUMNS = {
  trace: ['TraceID', 'trace', 'trace.id'],
  id: ['SpanID', 'span', 'span.id'],
  parent: ['ParentID', 'ParentSpanID', 'parent_span', 'parent'],
  pod: ['PodName', 'pod', 'k8s.pod.name', 'ServiceName', 'service', 'CmdbId'],
  operation: ['OperationName', 'operation', 'name', 'span_name'],
  start: ['StartTimeUnixNano', 'start_time_unix_nano', 'StartTime', 'start'],
  end: ['EndTimeUnixNano', 'end_time_unix_nano', 'EndTime', 'end'],
} as const

const NO_PARENT = new Set(['', 'root', '0', '0000000000000000', 'null', 'None'])

export class SpanBook {
  readonly spans: Span[] = []
  readonly #texts = new Interned()
  readonly #seen = new Set<string>()

  /** `traces` is told the trace of every row, also of one that was read before. */
  async read(chunks: Chunks, faults: RowFaults, called: string, traces = new Set<string>()): Promise<void> {
    const needed = ['trace', 'id', 'parent', 'pod', 'operation', 'start', 'end'] as const
    for await (const cell of tableRows(chunks, { columns: COLUMNS, needed, called }, faults)) {
      const [trace, id, parent, pod] = [cell('trace'), cell('id'), cell('parent'), cell('pod')]
      const [startMs, endMs] = [cellTimeMs(cell('start')), cellTimeMs(cell('end'))]
      if (trace !== '') traces.add(this.#texts.of(trace))
      if (trace === '' || id === '') countFault(faults, 'no_id')
      else if (pod === '') countFault(faults, 'no_pod')
      else if (Number.isNaN(startMs) || Number.isNaN(endMs)) countFault(faults, 'no_time')
      else if (endMs < startMs) countFault(faults, 'ends_before_start')
      else if (parent === id) countFault(faults, 'own_parent')
      else if (this.#seen.has(`${trace} ${id}`)) countFault(faults, 'repeated')
      else {
        if (this.spans.length >= LIMITS.log_rows) {
          const hint = 'take a shorter stretch of time'
          throw new ServiceError('invalid_request', `there are more than ${LIMITS.log_rows} spans`, { hint })
        }
        const texts = this.#texts
        this.#seen.add(`${texts.of(trace)} ${texts.of(id)}`)
        this.spans.push({
          trace: texts.of(trace), id: texts.of(id), parent: NO_PARENT.has(parent) ? '' : texts.of(parent),
          service: texts.of(serviceOfPod(pod)), operation: texts.of(cell('operation')), startMs, endMs,
        })
      }
    }
  }
}
