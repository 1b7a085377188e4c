/** What mining returns. The logs room never touches the store: the pipeline saves this. */
import type { DetectionStrategy, ProposalType, Severity, Tier } from '../contracts/index.ts'
import type { EventColumns } from './columns.ts'

export const SLOT_TYPES = ['IRI', 'IP', 'UUID', 'ENUM', 'NUMERIC', 'HEX', 'FREETEXT'] as const
export type SlotType = (typeof SLOT_TYPES)[number]

/** One line of a log, after its format has been read. */
export interface LogRecord {
  readonly file: string
  readonly offset: number
  readonly tsMs: number | null
  readonly severity: Severity
  readonly service: string
  readonly trace: string
  readonly message: string
}

export interface LogSlot {
  readonly slotIdx: number
  readonly name: string
  readonly type: SlotType
  readonly subtype: string
  readonly distinctCount: number
  readonly sampleCount: number
  readonly topValues: readonly (readonly [value: string, count: number])[]
  readonly piiRisk: boolean
  readonly tier: Tier
}

export interface LogTemplate {
  /** 64-bit hash of the canonical template as 16 hex digits: the same on every run */
  readonly clusterId: string
  readonly template: string
  /** PascalCase name of the event class this template would become */
  readonly eventName: string
  readonly sampleLine: string
  readonly hits: number
  readonly firstSeen: string
  readonly lastSeen: string
  /** the gravest of its lines: what is said of the template comes from all of them */
  readonly severity: Severity
  readonly service: string
  readonly slots: readonly LogSlot[]
}

/** One occurrence of a template: becomes an event instance once its class is approved. */
export interface LogEvent {
  readonly clusterId: string
  readonly tsMs: number
  readonly service: string
  readonly trace: string
  /** `slot=value` pairs of entity slots, sorted */
  readonly entities: readonly string[]
  readonly severity: Severity
  readonly file: string
  readonly offset: number
}

/** An edge between two events (cluster ids) or two entities, with every figure its verdict rests on. */
export interface LogEdge {
  readonly src: string
  readonly dst: string
  readonly srcKind: 'entity' | 'event'
  readonly dstKind: 'entity' | 'event'
  readonly pmi: number
  readonly cooccurrenceCount: number
  readonly temporalLeadRatio: number
  readonly directed: boolean
  readonly lagMsP50: number | null
  readonly lagMsP95: number | null
  readonly grangerP: number | null
  readonly teZ: number | null
  /** occurrences of the cause that were looked at, and the p and q (false discovery rate) of the follower test over them */
  readonly n: number
  readonly p: number
  readonly q: number
  /** lower end of the 95 % interval of the lead ratio */
  readonly leadLower: number
  /** by the stated conditions alone, and by all */
  readonly statedVerdict: 'LOG_CAUSAL_EDGE' | 'LOG_RELATIONSHIP'
  readonly verdict: 'LOG_CAUSAL_EDGE' | 'LOG_RELATIONSHIP'
  readonly failedConditions: readonly string[]
  /** entity slot in which both events name the same thing, where they were matched by it, or null */
  readonly sharedEntity: string | null
  /** cluster id of the event that explains the effect instead, where this edge was pruned, or null */
  readonly explainedBy: string | null
}

/** A candidate for the review queue. `key` is stable across runs and becomes the pid. */
export interface Candidate {
  readonly key: string
  readonly proposalType: ProposalType
  readonly detectionStrategy: DetectionStrategy
  readonly title: string
  readonly name: string
  readonly confidence: number
  readonly consequence: number
  readonly lagMsP50: number | null
  readonly lagMsP95: number | null
  readonly tier: Tier
  readonly evidence: Readonly<Record<string, unknown>>
  readonly evidenceSample: string
}

export interface Searched {
  /** templates that could take part in an edge; pairs looked at; ordered pairs that false discovery control counts */
  readonly eligible: number
  readonly pairs: number
  readonly tests: number
  readonly tooRare: number
  /** of the eligible, those too frequent to be an effect by time alone: they may be causes, and effects on the same thing */
  readonly tooFrequent: number
  /** left out because the log holds more than the budget: frequent templates, pairs, and things that too many templates name */
  readonly capped: number
  readonly cappedPairs: number
  readonly cappedThings: number
}

export interface Mined {
  readonly lines: number
  /** every byte that was not read as a line, by reason */
  readonly skipped: Readonly<Record<string, number>>
  readonly templates: readonly LogTemplate[]
  /** the earliest lines of each template, to be stored; all lines with a time are in the columns */
  readonly events: readonly LogEvent[]
  readonly columns: EventColumns
  /** between events */
  readonly edges: readonly LogEdge[]
  /** between things that go together */
  readonly entityEdges: readonly LogEdge[]
  /** how many pairs of events were looked at, and which events could not be */
  readonly searched: Searched
  readonly candidates: readonly Candidate[]
}
