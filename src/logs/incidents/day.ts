/** What was recorded of a stretch of time, in one piece: lines as events of the miner, spans, series; and by request. */
import { compareText } from '../../kernel/term.ts'
import { templatesOf } from '../templates/index.ts'
import type { LineBook, Series, Span, TracedLine } from './read/index.ts'

export interface EventLine {
  readonly tsMs: number
  readonly service: string
  readonly trace: string
  readonly span: string
  readonly error: boolean
  /** template of the line */
  readonly event: string
}

export interface Day {
  readonly requests: readonly Request[]
  /** services that wrote a line, made a span or whose pods were measured: any of them may be at fault */
  readonly services: readonly string[]
  readonly series: readonly Series[]
  /** text of each event */
  readonly texts: ReadonlyMap<string, string>
}

/** All that is known of one trace. */
export interface Request {
  readonly trace: string
  readonly startMs: number
  /** from a stretch that is known to be free of faults */
  readonly reference: boolean
  /** by time */
  readonly lines: readonly EventLine[]
  readonly spans: readonly Span[]
}

export interface Recorded {
  readonly lines: LineBook
  readonly spans: readonly Span[]
  readonly series: readonly Series[]
  /** traces of the stretch that is known to be free of faults */
  readonly reference: ReadonlySet<string>
}

export function dayOf({ lines: book, spans, series, reference }: Recorded): Day {
  const { templates, templateOfShape } = templatesOf(book.shapes)
  const lines = book.lines.map((line) => eventLine(line, templateOfShape))
  const services = new Set([
    ...lines.map(({ service }) => service), ...spans.map(({ service }) => service),
    ...series.flatMap(({ service, byPod }) => (byPod ? [service] : [])),
  ])
  return {
    requests: requestsOf(lines, spans, reference),
    services: [...services].toSorted(compareText),
    series,
    texts: new Map(templates.map(({ id, text }) => [id, text])),
  }
}

const eventLine = (line: TracedLine, templateOfShape: ReadonlyMap<string, string>): EventLine => ({
  tsMs: line.tsMs, service: line.service, trace: line.trace, span: line.span,
  error: line.severity === 'ERROR' || line.severity === 'CRITICAL', event: templateOfShape.get(line.shape) ?? line.shape,
})

const byTime = (x: EventLine, y: EventLine): number =>
  x.tsMs - y.tsMs || compareText(x.service, y.service) || compareText(x.event, y.event)

/** By trace, in the order of their starts. A line that names no trace belongs to no request. */
export function requestsOf(lines: readonly EventLine[], spans: readonly Span[], reference: ReadonlySet<string>): Request[] {
  const linesOf = Map.groupBy(lines.filter(({ trace }) => trace !== ''), ({ trace }) => trace)
  const spansOf = Map.groupBy(spans, ({ trace }) => trace)
  return [...new Set([...linesOf.keys(), ...spansOf.keys()])]
    .map((trace): Request => {
      const own = (linesOf.get(trace) ?? []).toSorted(byTime)
      const calls = (spansOf.get(trace) ?? []).toSorted((x, y) => x.startMs - y.startMs || compareText(x.id, y.id))
      const startMs = Math.min(own[0]?.tsMs ?? Infinity, calls[0]?.startMs ?? Infinity)
      return { trace, startMs, reference: reference.has(trace), lines: own, spans: calls }
    })
    .toSorted((x, y) => x.startMs - y.startMs || compareText(x.trace, y.trace))
}
