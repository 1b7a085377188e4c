/** What a phase is given and what it reports. A pipeline is a list of phase names. */
import type { Config, RuleLibrary, Tier } from '../contracts/index.ts'
import type { Ontology } from '../ontology/index.ts'
import type { Workspace } from '../store/index.ts'

export interface PhaseContext {
  readonly config: Config
  readonly workspace: Workspace
  /** the source's whole ontology, or null in a project that has logs only */
  readonly ontology: () => Promise<Ontology | null>
  /** the starter rules for root causes, over the project's own base IRI */
  readonly rcaLibrary: RuleLibrary
  readonly logPath: string | null
  /** the ceiling of the files */
  readonly maxTier: Tier
  readonly windowSeconds: number
  readonly ignoreWindows: boolean
  readonly entityJoin: boolean
  readonly clock: () => Date
  readonly progress: (line: string) => void
}

export interface PhaseReport {
  /** one fact a line, for people */
  readonly lines: readonly string[]
  /** paths below the output folder */
  readonly files: readonly string[]
  readonly counts: Readonly<Record<string, number>>
}

export type Phase = (context: PhaseContext) => Promise<PhaseReport>
