/**
 * Where logs and tables meet: a name in a log line that is the key of one record, and of no other that may be seen, is that
 * record. A name that could be several is asked about in the review queue and links nothing.
 */
import { LOG_DISCOVERY, type Session, type Tier, maxTier, minTier, tierRank } from '../contracts/index.ts'
import { compareText } from '../kernel/term.ts'
import { camelCase, pascalCase, splitIdentifier } from '../kernel/text/index.ts'
import { type KeyMatch, type Ontology, findByKey, normalisedKey } from '../ontology/index.ts'
import { type LinkProperty, type Occurrence, type RecordLink, SERVICE, type Thing, TRACE } from '../review/index.ts'
import { termIri } from '../rules/index.ts'
import type { NewCandidate } from '../store/index.ts'
import type { Database } from './phase.ts'

export interface LogLinks {
  readonly linksOf: (thing: Thing) => readonly RecordLink[]
  readonly properties: readonly LinkProperty[]
  /** names that could be several records, for review */
  readonly candidates: readonly NewCandidate[]
  /** names that are linked */
  readonly linked: number
  readonly unread: readonly string[]
}

export const NO_LINKS: LogLinks = { linksOf: () => [], properties: [], candidates: [], linked: 0, unread: [] }

/** `ontology` is cut to the ceiling, and the occurrences are those within it. */
export async function logLinks(
  { source, catalogue }: Pick<Database, 'source' | 'catalogue'>, ontology: Ontology, session: Session, occurrences: readonly Occurrence[],
  signal?: AbortSignal,
): Promise<LogLinks> {
  const names = namesIn(occurrences)
  const wanted = new Set([...names.values()].map(({ name }) => name))
  const { matches, unread } = await findByKey(source, ontology, catalogue, wanted, signal === undefined ? {} : { signal })
  const found = [...names.values()].map((named) => ({ named, ...choose(named, matches.get(named.name) ?? [], session) }))
  const links = new Map<string, RecordLink>()
  const properties = new Map<string, LinkProperty>()
  for (const { named, match } of found) {
    if (match === undefined) continue
    const property = propertyOf(match, named.tier, ontology.baseIri)
    const known = properties.get(property.iri)
    properties.set(property.iri, { ...property, tier: minTier(property.tier, known?.tier ?? property.tier) })
    links.set(keyOf(named), { property: property.iri, record: match.record })
  }
  return {
    linksOf: (thing) => {
      const link = links.get(keyOf({ slot: thing.slot, name: normalisedKey(thing.value) }))
      return link === undefined ? [] : [link]
    },
    properties: [...properties.values()].toSorted((x, y) => compareText(x.iri, y.iri)),
    candidates: candidatesOf(found),
    linked: links.size,
    unread,
  }
}

/** What a slot calls something, and the lowest tier of a line that says so. */
interface Named {
  readonly slot: string
  readonly name: string
  readonly tier: Tier
}

const keyOf = ({ slot, name }: Pick<Named, 'slot' | 'name'>): string => `${slot}\n${name}`

/** A trace belongs to no table. The service that wrote a line may be one of a table's. */
function namesIn(occurrences: readonly Occurrence[]): Map<string, Named> {
  const names = new Map<string, Named>()
  for (const { things, service, tier } of occurrences) {
    for (const { slot, value } of [...things, ...(service === '' ? [] : [{ slot: SERVICE, value: service }])]) {
      const name = slot === TRACE ? '' : normalisedKey(value)
      if (name === '') continue
      const key = keyOf({ slot, name })
      const known = names.get(key)
      if (known === undefined || tierRank(tier) < tierRank(known.tier)) names.set(key, { slot, name, tier })
    }
  }
  return names
}

interface Choice {
  readonly match: KeyMatch | undefined
  /** what else it could be */
  readonly doubtful: readonly KeyMatch[]
}

/**
 * The one match that everybody who sees any of them sees. Matches further up do not undo it: what is hidden from a reader must not
 * decide what the reader sees; they are asked about. A kind of record that a reviewer approved for the slot is the only one looked at.
 */
export function choose({ slot, name }: Pick<Named, 'slot' | 'name'>, all: readonly KeyMatch[], session: Session): Choice {
  const approved = new Set(
    session.relationships.filter(({ source, from }) => source === LOG_DISCOVERY && from === pascalCase(slot)).map(({ to }) => to),
  )
  const fitting = all.filter(({ cls }) => approved.has(cls.name))
  if (fitting.length > 0) return fitting.length === 1 ? { match: fitting[0], doubtful: [] } : { match: undefined, doubtful: [] }
  // every table counts its records from 1: a bare number says nothing, unless the slot says what it is a number of
  const telling = isNumber(name) ? all.filter(({ cls }) => isCalled(cls.name, slot)) : all
  if (telling.length === 0) return { match: undefined, doubtful: [] }
  const lowest = Math.min(...telling.map(({ tier }) => tierRank(tier)))
  const [match, ...others] = telling.filter(({ tier }) => tierRank(tier) === lowest)
  const doubtful = telling.filter((one) => one !== match)
  return others.length === 0 ? { match, doubtful } : { match: undefined, doubtful: telling }
}

const isNumber = (text: string): boolean => /^[+-]?[\d.,]+$/.test(text)

/** `customer`, `customer_id`, `customerNo` for Customer. */
function isCalled(className: string, slot: string): boolean {
  const words = splitIdentifier(slot).filter((word) => !['id', 'no', 'nr', 'number', 'key'].includes(word))
  return words.join(' ') === splitIdentifier(className).join(' ')
}

/** One property for each column that names records, so that its label can say who may know of the link. */
function propertyOf({ cls, property, tier }: KeyMatch, lineTier: Tier, baseIri: string): LinkProperty {
  const name = `involves${pascalCase(cls.name)}By${pascalCase(property.name)}`
  return { iri: termIri(baseIri, name), label: `involves the ${cls.label} of this ${property.label}`, range: cls.iri, tier: maxTier(tier, lineTier) }
}

/** One question for each slot, kind of record and tier: what a reader may not see takes no part in what is asked of them. */
function candidatesOf(found: readonly (Choice & { readonly named: Named })[]): NewCandidate[] {
  const questions = found.flatMap(({ named, doubtful }) => doubtful.map((match) => ({ named, match, tier: maxTier(named.tier, match.tier) })))
  const byQuestion = Map.groupBy(questions, ({ named, match, tier }) => JSON.stringify([named.slot, match.cls.name, tier]))
  return [...byQuestion.values()].flatMap((own): NewCandidate[] => {
    const [first] = own
    if (first === undefined) return []
    const { named: { slot }, match: { cls, property }, tier } = first
    const values = [...new Set(own.map(({ named }) => named.name))].toSorted(compareText)
    const ofSlot = new Set(found.filter(({ named }) => named.slot === slot && tierRank(named.tier) <= tierRank(tier)).map(({ named }) => named.name))
    const [from, to] = [pascalCase(slot), cls.name]
    return [{
      key: `link:${slot}>${to}@${tier}`,
      proposalType: 'LOG_RELATIONSHIP',
      detectionStrategy: 'CLASS_COOCCURRENCE',
      title: `${slot} in the logs may name ${to}: ${values.length} of ${ofSlot.size} names are keys of it and of something else`,
      name: camelCase([slot, 'names', to]),
      confidence: Math.round((values.length / Math.max(1, ofSlot.size)) * 1e4) / 1e4,
      consequence: 0.25,
      lagMsP50: null,
      lagMsP95: null,
      tier,
      evidence: { cause: from, effect: to, slot, column: property.name, values: values.length, of: ofSlot.size, ambiguous: values.slice(0, 20) },
      evidenceSample: values[0] ?? '',
    }]
  })
}
