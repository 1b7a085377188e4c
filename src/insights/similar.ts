/** Other events of the same class whose chains begin with the same kinds of event, or that were as severe. */
import type { Insight } from '../contracts/index.ts'
import { compareText } from '../kernel/term.ts'
import type { Causes } from './causes.ts'
import { causesOf } from './causes.ts'
import type { Event, View } from './events.ts'
import { listed } from './events.ts'

/** Enough to see a pattern; the rest is counted. */
const SHOWN = 20

export function similarTo(
  view: View,
  event: Event,
  causes: Causes,
): Pick<Insight, 'answer' | 'similar' | 'ranked_causes' | 'warnings'> {
  const kinds = kindsOf(causes)
  const ranked_causes = causes.roots.map(({ event: root, score, explains }) => ({
    event: root.iri,
    label: root.label,
    time: root.time,
    score,
    explains,
  }))
  const found = [...view.events.values()]
    .filter((other) => other !== event && other.className === event.className)
    .map((other) => ({ other, shared: kindsOf(causesOf(view, other)).filter((kind) => kinds.includes(kind)) }))
    .filter(({ other, shared }) => shared.length > 0 || (kinds.length === 0 && other.severity === event.severity))
    .toSorted((x, y) => y.shared.length - x.shared.length || y.other.ms - x.other.ms || compareText(x.other.iri, y.other.iri))
  const similar = found
    .slice(0, SHOWN)
    .map(({ other, shared }) => ({ event: other.iri, label: other.label, time: other.time, shared_causes: shared }))
  const warnings = found.length > SHOWN ? [`${found.length - SHOWN} further incidents are not listed`] : []
  return { answer: sentence(event, kinds, found.length), similar, ranked_causes, warnings }
}

function sentence(event: Event, kinds: readonly string[], count: number): string {
  if (count === 0) return `No other ${event.className} in the graph shares a cause with this one.`
  const others = count === 1 ? '1 other event' : `${count} other events`
  if (kinds.length === 0)
    return `No cause of this ${event.className} is known; ${others} of the same class had the same severity.`
  return `${others} of class ${event.className} also ${count === 1 ? 'goes' : 'go'} back to ${listed(kinds)}.`
}

const kindsOf = ({ roots }: Causes): string[] => [...new Set(roots.map(({ event }) => event.className))].toSorted(compareText)
