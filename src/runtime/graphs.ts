/** The materialised graph, one per ceiling that is asked for, built from the output files when first needed. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, type Rule, type RuleLibrary, ServiceError, type Tier, minTier } from '../contracts/index.ts'
import type { Materialisation } from '../materialise/index.ts'
import { REASON_RUN, lastReasonRun, materialiseOutputs, rulesMark } from '../pipeline/index.ts'
import { cutSession } from '../review/index.ts'
import type { Workspace } from '../store/index.ts'

interface GraphParts {
  readonly config: Pick<Config, 'out' | 'base_iri'>
  readonly workspace: () => Workspace
  readonly rcaLibrary: RuleLibrary
  /** the rules of these flavors; without names, of those of the configured sources */
  readonly flavorRules: (flavors?: readonly string[]) => readonly Rule[]
}

interface Built {
  /** what it was built from: another process may have run a phase or decided something since */
  readonly stamp: string
  readonly graph: Promise<Materialisation>
}

/** The first of them is always written; a graph without it is none. */
const GRAPH_FILES = ['ontology/enterprise.ttl', 'ontology/instances.ttl', 'ontology/log-events.ttl', REASON_RUN]

export class Graphs {
  private readonly built = new Map<Tier, Built>()
  private readonly parts: GraphParts

  constructor(parts: GraphParts) {
    this.parts = parts
  }

  /** Requests that come while a graph is being built wait for the same one; a build that failed is tried again by the next. */
  async at(ceiling: Tier): Promise<Materialisation> {
    const stamp = this.stamp()
    const found = this.built.get(ceiling)
    if (found !== undefined && found.stamp === stamp) return found.graph
    const entry: Built = { stamp, graph: this.build(ceiling) }
    this.built.set(ceiling, entry)
    try {
      return await entry.graph
    } catch (error) {
      if (this.built.get(ceiling) === entry) this.built.delete(ceiling)
      throw error
    }
  }

  forget(): void {
    this.built.clear()
  }

  /** What a reader of this graph should know: the files of phase reason may be older than the rules. */
  notes(ceiling: Tier): string[] {
    const { config, workspace, rcaLibrary, flavorRules } = this.parts
    const run = lastReasonRun(config.out)
    if (run === null) return []
    // the run knows nothing of rules above its own ceiling, and the caller may know of none above theirs
    const tier = minTier(ceiling, run.ceiling)
    const mark = rulesMark(cutSession(workspace().session.load().session, tier), rcaLibrary, flavorRules(run.flavors))
    return run.rules[tier] === mark ? [] : ['rules changed since phase reason ran']
  }

  private async build(ceiling: Tier): Promise<Materialisation> {
    const { config, workspace, rcaLibrary, flavorRules } = this.parts
    // a rule that names a class above the ceiling is not there, and neither is a library that only such events call for
    const session = cutSession(workspace().session.load().session, ceiling)
    const run = lastReasonRun(config.out)
    const options = {
      maxTier: ceiling,
      ignoreWindows: run?.ignore_windows ?? false,
      entityJoin: run?.entity_join ?? true,
      uniqueNames: run?.unique_names ?? true,
    }
    return materialiseOutputs(config.out, config.base_iri, session, rcaLibrary, flavorRules(run?.flavors), options)
  }

  private stamp(): string {
    const { config, workspace } = this.parts
    const stamps = GRAPH_FILES.map((name) => stampOf(join(config.out, name)))
    if (stamps[0] === ABSENT) {
      const hint = 'run wherefore toolkit --phase all, or mine, review, 2 and reason for logs'
      throw new ServiceError('not_found', 'there is no graph yet', { hint })
    }
    return [workspace().session.load().version, ...stamps].join(' ')
  }
}

const ABSENT = '-'

/** Files are replaced whole, so a new one has a number of its own even within one tick of the clock. */
function stampOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false })
  return found === undefined ? ABSENT : `${found.size}:${found.mtimeMs}:${found.ino}`
}
