/**
 * What one request shows, as contexts and what came of them. A step: after this event of a service, in the same span, came that
 * one. A call: between two events of a caller came an event of the service that it called. Steps in a span also hold its children,
 * where spans are known. A fault that skips code leaves steps and calls out, or brings others, whatever the load is.
 */
import { compareText } from '../../kernel/term.ts'
import type { EventLine, Request } from './day.ts'
import type { Span } from './read/index.ts'

export interface Observation {
  /** whose behaviour each outcome is */
  readonly kind: 'step' | 'call'
  readonly service: string
  readonly context: string
  readonly outcomes: readonly string[]
  /** when it was decided what came: between the event and what followed it */
  readonly fromMs: number
  readonly toMs: number
}

/** Nothing more of the service in this span. */
export const END = '$'
/** Before the first event of a span, with the span's operation behind it. */
export const START = '^'
export const CHILD = '>'
const APART = '\u0001'

export const callOutcome = (service: string, event: string): string => `${service}${APART}${event}`
export const splitKey = (key: string): string[] => key.split(APART)

export function observe(request: Request, withSpans: boolean): Observation[] {
  return withSpans && request.spans.length > 0 ? spanSteps(request) : [...lineSteps(request.lines), ...calls(request.lines)]
}

interface Step {
  readonly key: string
  readonly tsMs: number
}

/** Each context once per span, with all that ever followed it there. */
function steps(service: string, events: readonly Step[], endMs: number): Observation[] {
  const found = new Map<string, { outcomes: Set<string>; fromMs: number; toMs: number }>()
  for (const [i, { key, tsMs }] of events.entries()) {
    const next = events[i + 1]
    const known = found.get(key) ?? { outcomes: new Set(), fromMs: tsMs, toMs: tsMs }
    found.set(key, known)
    known.outcomes.add(next?.key ?? END)
    known.toMs = Math.max(known.toMs, next?.tsMs ?? endMs)
  }
  return [...found].map(([context, { outcomes, fromMs, toMs }]) => ({
    kind: 'step', service, context, outcomes: [...outcomes], fromMs, toMs,
  }))
}

const groupKey = ({ service, span }: EventLine): string => `${span} ${service}`

/** Steps between lines alone: where a span begins is not known, nor when it ended. */
function lineSteps(lines: readonly EventLine[]): Observation[] {
  return [...Map.groupBy(lines, groupKey).values()].flatMap((group) =>
    steps(group[0]?.service ?? '', group.map(({ event, tsMs }) => ({ key: event, tsMs })), Infinity),
  )
}

function spanSteps({ lines, spans }: Request): Observation[] {
  const linesOf = Map.groupBy(lines, groupKey)
  const childrenOf = Map.groupBy(spans, ({ parent }) => parent)
  const known = new Set<string>()
  const observed = spans.flatMap((span) => {
    const group = `${span.id} ${span.service}`
    known.add(group)
    const events = [
      ...(linesOf.get(group) ?? []).map(({ event, tsMs }): Step => ({ key: event, tsMs })),
      // a child in another service is that service's own story; here stands the client's span that made the call
      ...(childrenOf.get(span.id) ?? []).flatMap((child) => (child.service === span.service ? [childStep(child)] : [])),
    ].toSorted((x, y) => x.tsMs - y.tsMs || compareText(x.key, y.key))
    return steps(span.service, [{ key: `${START}${span.operation}`, tsMs: span.startMs }, ...events], span.endMs)
  })
  const alone = lines.filter((line) => !known.has(groupKey(line)))
  return [...observed, ...lineSteps(alone)]
}

const childStep = ({ operation, startMs }: Span): Step => ({ key: `${CHILD}${operation}`, tsMs: startMs })

/** How far back the line is looked for that made the call: a request may do many things at once. */
const MAX_BACK = 40

/**
 * Between two neighbouring lines of a span stand the lines of the services it called. Each line counts for the innermost pair
 * around it; a pair with nothing inside counts too.
 */
function calls(lines: readonly EventLine[]): Observation[] {
  const last = new Map<string, number>()
  const next = Array.from({ length: lines.length }, () => -1)
  for (const [i, line] of lines.entries()) {
    const before = last.get(groupKey(line))
    if (before !== undefined) next[before] = i
    last.set(groupKey(line), i)
  }
  const inside = new Map<number, Set<string>>()
  for (const [i, line] of lines.entries()) {
    for (let j = i - 1; j >= 0 && j >= i - MAX_BACK; j -= 1) {
      const caller = lines[j] as EventLine
      if (caller.service === line.service || (next[j] as number) < i) continue
      inside.set(j, (inside.get(j) ?? new Set()).add(callOutcome(line.service, line.event)))
      break
    }
  }
  return lines.flatMap((line, i) => {
    const after = lines[next[i] as number]
    if (after === undefined) return []
    const context = `${line.service}${APART}${line.event}${APART}${after.event}`
    const outcomes = [...(inside.get(i) ?? [])]
    return [{ kind: 'call' as const, service: line.service, context, outcomes, fromMs: line.tsMs, toMs: after.tsMs }]
  })
}
