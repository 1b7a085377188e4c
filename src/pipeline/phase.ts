/** What a phase is given and what it reports. A pipeline is a list of phase names. */
import type { Config, Rule, RuleLibrary, Tier } from '../contracts/index.ts'
import type { Ontology } from '../ontology/index.ts'
import type { Catalogue, Source } from '../sources/index.ts'
import type { Workspace } from '../store/index.ts'

/** A source that is open, with its schema and its whole ontology as it stands now. */
export interface Database {
  /** the name under which it is configured */
  readonly name: string
  readonly source: Source
  readonly catalogue: Catalogue
  readonly ontology: Ontology
}

export interface PhaseContext {
  readonly config: Config
  readonly workspace: Workspace
  readonly hasDatabase: boolean
  /** null in a project that has logs only; asked again, it reflects what was said about the source since */
  readonly database: () => Promise<Database | null>
  /** write the W3C direct mapping instead of the ontology's instances */
  readonly directMapping: boolean
  /** rules that other parts of the project bring along, to be looked at when the ontology changes */
  readonly flavorRules: readonly Rule[]
  /** the starter rules for root causes, over the project's own base IRI */
  readonly rcaLibrary: RuleLibrary
  readonly logPath: string | null
  /** the ceiling of the files */
  readonly maxTier: Tier
  readonly windowSeconds: number
  /** mine: `stated` stops after the conditions of the gate as stated */
  readonly gate?: 'sound' | 'stated'
  /** mine: the control of false discoveries holds however the tests depend on each other */
  readonly dependent?: boolean
  /** threads that read logs; as many as the host has cores where nothing is said */
  readonly workers?: number
  /** files with partial states, instead of logs */
  readonly states?: readonly string[]
  readonly similarity?: number
  readonly minHits?: number
  /** below this likeness to the catalogue a template counts as new */
  readonly driftSimilarity?: number
  readonly ignoreWindows: boolean
  readonly entityJoin: boolean
  /** false: axioms may say that two names are one thing */
  readonly uniqueNames: boolean
  /** lineage with the reifiers of RDF 1.2 */
  readonly rdf12: boolean
  readonly clock: () => Date
  readonly progress: (line: string) => void
  /** fires when the run is to stop; it is asked before each phase, and by phases that can stop halfway */
  readonly signal?: AbortSignal
  /** the lock is held and the first phase is about to run */
  readonly onBegin?: () => void
  readonly onPhase?: (outcome: PhaseOutcome) => void
}

export interface PhaseReport {
  /** one fact a line, for people */
  readonly lines: readonly string[]
  /** paths below the output folder */
  readonly files: readonly string[]
  readonly counts: Readonly<Record<string, number>>
}

export interface PhaseOutcome extends PhaseReport {
  readonly phase: string
  readonly ms: number
}

export type Phase = (context: PhaseContext) => Promise<PhaseReport>
