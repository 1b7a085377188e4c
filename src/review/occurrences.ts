/** Lines of approved events that may be seen under a ceiling, each with its classes, its tier and the things it names. */
import { LOG_DISCOVERY, type Session, type Tier, maxTier as higher, within } from '../contracts/index.ts'
import { compareText } from '../kernel/term.ts'
import type { StoredEvent } from '../store/index.ts'
import { cutSession, severityTier } from './cut.ts'
import { TRACE } from './vocabulary.ts'

export interface Thing {
  readonly slot: string
  readonly value: string
}

export interface Occurrence extends StoredEvent {
  /** names of its classes, sorted */
  readonly names: readonly string[]
  /** of its class: what the ontology says of everything in it */
  readonly classTier: Tier
  /** a single line may be graver than the lines of its class are as a rule */
  readonly tier: Tier
  /** by slot and value */
  readonly things: readonly Thing[]
}

export interface OccurrenceOptions {
  readonly maxTier?: Tier
  /** whether the values of a template's slot must not be shown, such as those at risk of naming a person */
  readonly isPrivate?: (clusterId: string, slot: string) => boolean
}

// xsd:dateTime and JavaScript spell years alike only between these
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z')
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z')

/** In the order of time, file and offset, whatever the order they come in. */
export function occurrencesOf(whole: Session, events: readonly StoredEvent[], options: OccurrenceOptions = {}): Occurrence[] {
  const { maxTier = 'Restricted', isPrivate = () => false } = options
  const classes = classesByTemplate(cutSession(whole, maxTier))
  const found: Occurrence[] = []
  for (const event of events) {
    const own = classes.get(event.clusterId)
    if (own === undefined || !(event.tsMs >= EARLIEST_MS && event.tsMs <= LATEST_MS)) continue
    const tier = higher(own.classTier, severityTier(event.severity))
    if (!within(tier, maxTier)) continue
    found.push({ ...event, ...own, tier, things: thingsOf(event, isPrivate) })
  }
  return found.toSorted((x, y) => x.tsMs - y.tsMs || compareText(x.file, y.file) || x.offset - y.offset)
}

/** The approved classes for each template. */
function classesByTemplate(session: Session): Map<string, Pick<Occurrence, 'names' | 'classTier'>> {
  const classes = new Map<string, Pick<Occurrence, 'names' | 'classTier'>>()
  for (const { name, templates, source, severity } of session.events) {
    if (source !== LOG_DISCOVERY) continue
    for (const template of templates) {
      const known = classes.get(template)
      const names = [...new Set([...(known?.names ?? []), name])].toSorted(compareText)
      classes.set(template, { names, classTier: higher(severityTier(severity), known?.classTier ?? 'Public') })
    }
  }
  return classes
}

function thingsOf({ clusterId, entities, trace }: StoredEvent, isPrivate: (clusterId: string, slot: string) => boolean): Thing[] {
  const named = entities.flatMap((pair) => {
    const at = pair.indexOf('=')
    const [slot, value] = [pair.slice(0, at), pair.slice(at + 1)]
    return at < 1 || value === '' || isPrivate(clusterId, slot) ? [] : [{ slot, value }]
  })
  const all = trace === '' ? named : [...named, { slot: TRACE, value: trace }]
  return all.toSorted((x, y) => compareText(x.slot, y.slot) || compareText(x.value, y.value))
}
