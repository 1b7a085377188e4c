/**
 * How often the service at fault is found: every injected fault of a day, from its time alone, by lines only, with spans, with
 * measurements too; beside simple rules on the same data. All is done twice: by one who knows of no other fault and sees no request
 * that began later, and by one who also knows when the earlier faults began. The list's pod and type are compared with afterwards.
 */
import { compareText } from '../../kernel/term.ts'
import { type Day, IncidentRanker, SETTINGS, type Setting, type Suspect, WINDOW_MS } from '../../logs/index.ts'
import { type Fault, placeFaults, readFaultList } from './fault-list.ts'
import { type ReadDay, readDay } from './read-day.ts'
import { RULES, RULES_OF, type Rule, rankByRules } from './simple-rules.ts'

/** So many found at the first place, among three, among five, of so many. */
export interface Hits {
  readonly top1: number
  readonly top3: number
  readonly top5: number
  readonly of: number
}

/** Places of the service at fault, from 1; null where it was never seen. */
interface Places {
  readonly rank: Readonly<Partial<Record<Setting, number | null>>>
  readonly rule_rank: Readonly<Partial<Record<Rule, number | null>>>
}

export interface RcaCase extends Places {
  readonly id: string
  readonly time: string
  readonly fault_type: string
  readonly service: string
  /** where the times of the earlier faults are known */
  readonly knowing_earlier: Places
  readonly ranking: Readonly<Partial<Record<Setting, readonly Suspect[]>>>
  readonly rules: Readonly<Partial<Record<Rule, readonly string[]>>>
}

type BySetting<T> = Readonly<Partial<Record<Setting, T>>>

interface Found {
  readonly settings: BySetting<Hits>
  readonly rules: Readonly<Partial<Record<Rule, Hits>>>
  /** the rule that finds most on the same data */
  readonly best_rule: BySetting<Hits & { readonly rule: Rule }>
}

export interface RcaEvaluation {
  readonly figures: Found & {
    readonly cases: number
    /** the same where the times of the earlier faults are known */
    readonly knowing_earlier: Found
    readonly by_fault_type: Readonly<Record<string, BySetting<Hits>>>
    readonly by_hour: Readonly<Record<string, BySetting<Hits>>>
    readonly by_service: Readonly<Record<string, BySetting<Hits>>>
    readonly read: ReadDay['read']
    readonly flags: readonly string[]
  }
  readonly results: readonly RcaCase[]
}

export interface RcaAsked {
  readonly folder: string
  readonly progress?: (line: string) => void
}

/** How many suspects and ordered services each case tells. */
const TOLD = 10

export async function evaluateRca({ folder, progress = () => {} }: RcaAsked): Promise<RcaEvaluation> {
  const { day, read, has, flags } = await readDay(folder, progress)
  const starts = day.requests.map(({ startMs }) => startMs)
  const { faults, flags: placed } = placeFaults(readFaultList(folder), (from, to) => anyWithin(starts, from, to))
  progress(`ranking ${day.services.length} services for ${faults.length} faults`)
  const times = faults.map(({ startMs }) => startMs)
  const informed = new IncidentRanker(day, times)
  const settings = SETTINGS.filter((setting) => setting === 'logs' || (has.traces && (setting === 'logs+traces' || has.metrics)))
  const rules = RULES.filter((rule) => (rule === 'latency' ? has.traces : rule === 'errors' || has.metrics))
  const results = faults.map((fault, i): RcaCase => {
    progress(`${i + 1} of ${faults.length}`)
    const { startMs } = fault
    const places = (told: Told): Places => placesOf(fault.service, settings, rules, told)
    const alone = { ranking: new IncidentRanker(dayUntil(day, startMs + WINDOW_MS), [startMs]).rank(startMs), byRules: rankByRules(day, startMs, [startMs]) }
    const knowing = { ranking: informed.rank(startMs), byRules: rankByRules(day, startMs, times) }
    return caseOf(fault, settings, rules, alone, places(alone), places(knowing))
  })
  return { figures: { ...figuresOf(results, settings, rules), read, flags: [...flags, ...placed] }, results }
}

interface Told {
  readonly ranking: Readonly<Record<Setting, readonly Suspect[]>>
  readonly byRules: Readonly<Record<Rule, readonly string[]>>
}

/** What was recorded by then. A measurement that comes later is in no window. */
const dayUntil = (day: Day, untilMs: number): Day =>
  ({ ...day, requests: day.requests.filter(({ startMs, reference }) => reference || startMs < untilMs) })

function placesOf(service: string, settings: readonly Setting[], rules: readonly Rule[], { ranking, byRules }: Told): Places {
  const placeOf = (place: number): number | null => (place < 0 ? null : place + 1)
  return {
    rank: record(settings, (setting) => placeOf(ranking[setting].findIndex((suspect) => suspect.service === service))),
    rule_rank: record(rules, (rule) => placeOf(byRules[rule].indexOf(service))),
  }
}

function caseOf(
  { id, type, service, startMs }: Fault, settings: readonly Setting[], rules: readonly Rule[], { ranking, byRules }: Told, places: Places,
  knowing: Places,
): RcaCase {
  return {
    id, time: new Date(startMs).toISOString(), fault_type: type, service, ...places, knowing_earlier: knowing,
    ranking: record(settings, (setting) => ranking[setting].slice(0, TOLD).map((suspect) => ({ ...suspect, score: Number(suspect.score.toFixed(3)) }))),
    rules: record(rules, (rule) => byRules[rule].slice(0, TOLD)),
  }
}

export function figuresOf(cases: readonly RcaCase[], settings: readonly Setting[], rules: readonly Rule[]): Omit<RcaEvaluation['figures'], 'read' | 'flags'> {
  const split = (keyOf: (each: RcaCase) => string): Record<string, BySetting<Hits>> =>
    Object.fromEntries([...Map.groupBy(cases, keyOf)].toSorted(([x], [y]) => compareText(x, y)).map(([key, some]) => [key, bySetting(some, settings)]))
  return {
    cases: cases.length,
    ...foundOf(cases, settings, rules),
    knowing_earlier: foundOf(cases.map((each) => each.knowing_earlier), settings, rules),
    by_fault_type: split((each) => each.fault_type),
    by_hour: split((each) => `${each.time.slice(11, 13)}:00`),
    by_service: split((each) => each.service),
  }
}

const bySetting = (some: readonly Places[], settings: readonly Setting[]): BySetting<Hits> =>
  record(settings, (setting) => hitsOf(some.map(({ rank }) => rank[setting] ?? null)))

function foundOf(places: readonly Places[], settings: readonly Setting[], rules: readonly Rule[]): Found {
  const byRule = record(rules, (rule) => hitsOf(places.map(({ rule_rank: rank }) => rank[rule] ?? null)))
  return {
    settings: bySetting(places, settings),
    rules: byRule,
    best_rule: record(settings, (setting) => {
      const allowed = RULES_OF[setting].filter((rule) => rules.includes(rule)).map((rule) => ({ ...(byRule[rule] as Hits), rule }))
      return allowed.reduce((best, each) => (each.top1 > best.top1 ? each : best))
    }),
  }
}

function hitsOf(ranks: readonly (number | null)[]): Hits {
  const within = (most: number): number => ranks.filter((rank) => rank !== null && rank <= most).length
  return { top1: within(1), top3: within(3), top5: within(5), of: ranks.length }
}

const record = <K extends string, V>(keys: readonly K[], of: (key: K) => V): Record<K, V> =>
  Object.fromEntries(keys.map((key) => [key, of(key)])) as Record<K, V>

/** `sorted` times. */
function anyWithin(sorted: readonly number[], from: number, to: number): boolean {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < from) low = middle + 1
    else high = middle
  }
  return (sorted[low] ?? Infinity) < to
}
