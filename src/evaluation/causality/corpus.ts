/**
 * Large logs with a known truth: which statements cause which, at what lags, among heartbeats, decoys and everyday noise.
 * The same seed gives the same lines. What is planted varies in every way that a real log varies in: rates, bursts, chains,
 * causes with several effects, effects with several causes, entities that cause and effect share or do not.
 */
import { integerIn, rng } from '../../kernel/stats/index.ts'
import type { Rng } from '../../kernel/stats/index.ts'
import { type Statement, statementMaker } from './statements.ts'

export interface CorpusOptions {
  readonly seed: number
  readonly linesPerMinute: number
  readonly minutes?: number // 120
  /** false: the same kinds of statements at independent times, causes of nothing */
  readonly effects?: boolean
  readonly missingShare?: number // 0.2
  readonly skewMs?: number // 200: each service's clock is off by at most this
  readonly noiseStatements?: number // grows with the density when not given
  readonly lagMedianSeconds?: readonly [from: number, to: number] // .2 to 20
  readonly lagSigma?: readonly [from: number, to: number] // .25 to .7
  readonly sharedEntityShare?: number // .5
  /** all causes come within two minutes of one of so many incidents, not at any time */
  readonly incidents?: number
  /** each line's time is off by at most this, beside the clock of its service */
  readonly jitterMs?: number // 0
  /** effects that happen and go on to cause others, but whose line never reaches the log */
  readonly silentShare?: number // 0
  /** statements of planned work: grave lines, half of them shortly before an incident, that cause nothing */
  readonly plannedStatements?: number // 0
  /** for each root statement so many lines on average that read as a root does, word for word, and cause nothing */
  readonly drills?: number // 0
}

export interface CorpusEvent {
  readonly tsMs: number
  readonly statement: Statement
  /** the value in the statement's entity slot */
  readonly entity: string
}

/** What one root brought about: every line of it in the log, in the order of time. */
export interface Incident {
  readonly root: CorpusEvent
  /** null where the line of the cause did not reach the log */
  readonly effects: readonly { readonly event: CorpusEvent; readonly cause: CorpusEvent | null }[]
}

export interface PlantedEdge {
  readonly cause: string
  readonly effect: string
  /** how often the effect really followed */
  readonly occurrences: number
  readonly medianMs: number
  /** 19 of 20 effects follow within this */
  readonly p95Ms: number
  /** slot in which both name the same thing, or null: they share none, or name it by different words */
  readonly sharedSlot: string | null
}

export interface Corpus {
  readonly statements: readonly Statement[]
  readonly edges: readonly PlantedEdge[]
  /** pairs of effects of one cause, neither of which causes the other */
  readonly sharedCausePairs: readonly (readonly [string, string])[]
  /** by time */
  readonly events: readonly CorpusEvent[]
  /** roots with at least one effect in the log, by the time of the root; they overlap */
  readonly incidents: readonly Incident[]
  /** planned work: lines that look like effects or roots and are neither */
  readonly decoys: readonly CorpusEvent[]
}

const START_MS = Date.UTC(2026, 2, 14, 8)
const HEARTBEAT_MS = 10_000

interface Lag {
  readonly medianMs: number
  readonly sigma: number
}
/** A line before clocks are skewed; `cause` is what brought it about, `root` where that began. */
interface Happening {
  readonly at: number
  readonly entity: string
  readonly cause?: Happening
  readonly root?: Happening
  readonly isDecoy?: boolean
}
interface Link {
  readonly cause: Statement
  readonly effect: Statement
  readonly lag: Lag
  readonly sharesEntity: boolean
  occurrences: number
}

export function makeCorpus(options: CorpusOptions): Corpus {
  const { seed, linesPerMinute, minutes = 120, effects = true, missingShare = 0.2, skewMs = 200 } = options
  const { lagMedianSeconds = [0.2, 20], lagSigma = [0.25, 0.7], sharedEntityShare = 0.5, incidents = 0, jitterMs = 0 } = options
  const { silentShare = 0, plannedStatements = 0, drills = 0 } = options
  const random = rng(seed * 7919 + linesPerMinute)
  const span = minutes * 60_000
  const services = pickServices(random)
  const skew = new Map(services.map((service) => [service, (random() * 2 - 1) * skewMs]))
  const make = statementMaker(random, services)
  const times = new Map<Statement, Happening[]>()
  const say = (statement: Statement, happening: Happening): void => {
    if (happening.at < 0 || happening.at >= span) return
    const own = times.get(statement) ?? []
    times.set(statement, own)
    own.push(happening)
  }
  const sayAny = (statement: Statement, at: number): void => say(statement, { at, entity: statement.anyEntity(random) })
  const sayPlanned = (statement: Statement, at = random() * span): void =>
    say(statement, { at, entity: statement.anyEntity(random), isDecoy: true })

  const { links, roots, forks } = plantGraph(random, make, () => ({
    medianMs: 1000 * Math.exp(uniform(random, Math.log(lagMedianSeconds[0]), Math.log(lagMedianSeconds[1]))),
    sigma: uniform(random, ...lagSigma),
  }), sharedEntityShare)
  const effectsOf = Map.groupBy(links, (link) => link.cause)
  const happen = (statement: Statement, at: number, entity: string, cause?: Happening): void => {
    const own = { at, entity, ...(cause === undefined ? {} : { cause, root: cause.root ?? cause }) }
    if (cause === undefined || silentShare === 0 || random() >= silentShare) say(statement, own)
    for (const link of effectsOf.get(statement) ?? []) {
      if (random() < missingShare) continue
      if (!effects) {
        happen(link.effect, random() * span, link.effect.anyEntity(random))
        continue
      }
      const later = at + link.lag.medianMs * Math.exp(link.lag.sigma * normal(random))
      if (later >= span) continue
      link.occurrences += 1
      happen(link.effect, later, link.sharesEntity ? entity : link.effect.anyEntity(random), own)
    }
  }
  const troubles = Array.from({ length: incidents }, () => random() * span)
  for (const { statement, depth } of roots) {
    // so that the edge at the end of a chain still occurs six times or more
    const few = Math.ceil(6 / (1 - missingShare) ** depth)
    const times = rootTimes(random, integerIn(random, few, 41), span, troubles)
    for (const at of times) happen(statement, at, statement.anyEntity(random))
  }
  // decoys: effects that are asked for, not caused
  for (const link of shuffled(random, links).slice(0, 5)) {
    for (let i = integerIn(random, 4, 13); i > 0; i -= 1) sayPlanned(link.effect)
  }
  for (const { statement } of drills === 0 ? [] : roots) {
    for (let i = Math.round(random() * 2 * drills); i > 0; i -= 1) sayPlanned(statement)
  }
  for (let kind = 0; kind < plannedStatements; kind += 1) {
    const statement = { ...make({}), level: 'ERROR' as const }
    const begun = roots.flatMap(({ statement: root }) => (times.get(root) ?? []).map(({ at }) => at))
    for (let i = integerIn(random, 8, 25); i > 0; i -= 1) {
      const incident = begun[integerIn(random, 0, begun.length)] ?? 0
      sayPlanned(statement, random() < 0.5 ? random() * span : incident - random() * 20_000)
    }
  }
  for (const service of shuffled(random, services).slice(0, linesPerMinute < 100 ? 2 : services.length)) {
    const [beat, phase] = [make({ service, calm: true }), random() * HEARTBEAT_MS]
    for (let at = phase; at < span; at += HEARTBEAT_MS) sayAny(beat, at + normal(random) * 40)
  }
  const lines = [...times.values()].reduce((sum, own) => sum + own.length, 0)
  addNoise(random, { make, say: sayAny, span, lines: linesPerMinute * minutes - lines, options })

  const lineOf = new Map<Happening, CorpusEvent>()
  for (const [statement, own] of times) {
    for (const happening of own) {
      const off = (skew.get(statement.service) ?? 0) + (jitterMs === 0 ? 0 : (random() * 2 - 1) * jitterMs)
      lineOf.set(happening, { tsMs: START_MS + Math.round(happening.at + off), statement, entity: happening.entity })
    }
  }
  return {
    statements: [...times.keys()],
    edges: effects ? links.map(plantedEdge) : [],
    sharedCausePairs: forks,
    events: [...lineOf.values()].toSorted(byTime),
    incidents: effects ? incidentsOf(lineOf) : [],
    decoys: [...lineOf].filter(([{ isDecoy }]) => isDecoy === true).map(([, line]) => line).toSorted(byTime),
  }
}

const byTime = (x: CorpusEvent, y: CorpusEvent): number => x.tsMs - y.tsMs

function incidentsOf(lineOf: ReadonlyMap<Happening, CorpusEvent>): Incident[] {
  const caused = [...lineOf].filter(([{ root }]) => root !== undefined)
  return [...Map.groupBy(caused, ([{ root }]) => root)]
    .flatMap(([root, own]): Incident[] => {
      const line = root === undefined ? undefined : lineOf.get(root)
      if (line === undefined) return []
      const effects = own.map(([{ cause }, event]) => ({ event, cause: (cause && lineOf.get(cause)) ?? null }))
      return [{ root: line, effects: effects.toSorted((x, y) => byTime(x.event, y.event)) }]
    })
    .toSorted((x, y) => byTime(x.root, y.root))
}

const plantedEdge = ({ cause, effect, occurrences, lag, sharesEntity }: Link): PlantedEdge => ({
  cause: cause.id, effect: effect.id, occurrences,
  medianMs: Math.round(lag.medianMs),
  p95Ms: Math.round(lag.medianMs * Math.exp(1.645 * lag.sigma)),
  sharedSlot: sharesEntity && cause.slot === effect.slot ? cause.slot : null,
})

type Make = ReturnType<typeof statementMaker>

/** 30 to 40 edges: five forks (shared causes), chains of two and three steps, joins, and single pairs for the rest. */
function plantGraph(random: Rng, make: Make, lagOf: () => Lag, sharedEntityShare: number) {
  const wanted = integerIn(random, 30, 41)
  const links: Link[] = []
  const roots: { statement: Statement; depth: number }[] = []
  const forks: [string, string][] = []
  const join = (cause: Statement, effect: Statement): Statement => {
    links.push({ cause, effect, lag: lagOf(), sharesEntity: random() < sharedEntityShare, occurrences: 0 })
    return effect
  }
  const root = (depth: number): Statement => {
    const statement = make({})
    roots.push({ statement, depth })
    return statement
  }
  for (let i = 0; i < 5; i += 1) {
    const cause = root(1)
    forks.push([join(cause, make({})).id, join(cause, make({})).id])
  }
  for (let i = 0; i < 3; i += 1) join(join(join(root(3), make({})), make({})), make({}))
  for (let i = 0; i < 2; i += 1) join(join(root(2), make({})), make({}))
  for (let i = 0; i < 2; i += 1) {
    const effect = join(root(1), make({}))
    join(root(1), effect)
  }
  while (links.length < wanted) join(root(1), make({}))
  return { links, roots, forks }
}

/** Most causes come at any time; some come in bursts of a few. */
function rootTimes(random: Rng, count: number, span: number, incidents: readonly number[]): number[] {
  const times: number[] = []
  const bursty = random() < 0.2
  while (times.length < count) {
    const incident = incidents[integerIn(random, 0, incidents.length)]
    const at = incident === undefined ? random() * span : incident + random() * 120_000
    times.push(at)
    const more = bursty ? integerIn(random, 0, 3) : 0
    for (let i = 0; i < more && times.length < count; i += 1) times.push(at + random() * 120_000)
  }
  return times
}

interface NoiseOptions {
  readonly make: Make
  readonly say: (statement: Statement, at: number) => void
  readonly span: number
  readonly lines: number
  readonly options: CorpusOptions
}

/** Everyday lines up to the density: rates differ by a hundred, some statements burst, some have quiet and busy hours. */
function addNoise(random: Rng, { make, say, span, lines, options }: NoiseOptions): void {
  const { noiseStatements = Math.round(12 * Math.sqrt(options.linesPerMinute)) } = options
  const kinds = Array.from({ length: noiseStatements }, () => ({
    statement: make({ calm: true }),
    weight: random() ** 3 + 0.002,
    bursty: random() < 0.15,
    busy: random() < 0.2 ? random() : null,
  }))
  const total = kinds.reduce((sum, kind) => sum + kind.weight, 0)
  for (const { statement, weight, bursty, busy } of kinds) {
    let left = Math.round((lines * weight) / total)
    while (left > 0) {
      const at = random() * span
      // twice as busy in one half of the time
      if (busy !== null && random() < 0.5 && (at / span + busy) % 1 < 0.5) continue
      for (let more = bursty ? integerIn(random, 1, 8) : 1; more > 0 && left > 0; more -= 1, left -= 1) {
        say(statement, bursty ? at + random() * 2000 : at)
      }
    }
  }
}

function pickServices(random: Rng): string[] {
  const all = ['auth', 'billing', 'catalog', 'edge', 'fabric', 'ledger', 'mailer', 'router', 'search', 'vault']
  return shuffled(random, all).slice(0, integerIn(random, 5, 9)).toSorted()
}

const uniform = (random: Rng, from: number, to: number): number => from + random() * (to - from)

/** Box and Muller 1958. */
const normal = (random: Rng): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

function shuffled<T>(random: Rng, items: readonly T[]): T[] {
  const own = [...items]
  for (let i = own.length - 1; i > 0; i -= 1) {
    const j = integerIn(random, 0, i + 1)
    ;[own[i], own[j]] = [own[j] as T, own[i] as T]
  }
  return own
}
