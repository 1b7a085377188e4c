/** materialisation.json: how phase reason ran, so that whoever reasons over the same files again reasons as it did. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { FlavorName, type Rule, type RuleLibrary, type Session, TIERS, Tier, within } from '../contracts/index.ts'
import { compareText } from '../kernel/term.ts'
import { cutSession, hasLogDiscovery } from '../review/index.ts'
import { readOutput } from './files.ts'

export const REASON_RUN = 'ontology/materialisation.json'

const Run = z.object({
  /** first, where whoever serves the file looks for it */
  ceiling: Tier,
  unique_names: z.boolean(),
  ignore_windows: z.boolean(),
  entity_join: z.boolean(),
  /** whose rules took part */
  flavors: z.array(FlavorName),
  /**
   * A hash of the rules that took part, by ceiling and up to the run's own. Another one says that rules have changed since.
   * A number of the session's version would tell low callers of changes that they may not see.
   */
  rules: z.partialRecord(Tier, z.string()),
})
export type ReasonRun = z.infer<typeof Run>

interface RunParts {
  readonly maxTier: Tier
  readonly uniqueNames: boolean
  readonly ignoreWindows: boolean
  readonly entityJoin: boolean
  readonly session: Session
  readonly rcaLibrary: RuleLibrary
  readonly flavorRules: readonly Rule[]
}

export function reasonRun(parts: RunParts): ReasonRun {
  const { maxTier, session, rcaLibrary, flavorRules } = parts
  const tiers = TIERS.filter((tier) => within(tier, maxTier))
  return {
    ceiling: maxTier,
    unique_names: parts.uniqueNames,
    ignore_windows: parts.ignoreWindows,
    entity_join: parts.entityJoin,
    flavors: flavorsOf(flavorRules),
    rules: Object.fromEntries(tiers.map((tier) => [tier, rulesMark(cutSession(session, tier), rcaLibrary, flavorRules)])),
  }
}

export const runText = (run: ReasonRun): string => `${JSON.stringify(run, null, 2)}\n`

/** What the last run wrote; null where there was none, or where the file is not as a run writes it. */
export function lastReasonRun(out: string): ReasonRun | null {
  try {
    return Run.safeParse(JSON.parse(readOutput(out, REASON_RUN) ?? 'null')).data ?? null
  } catch {
    return null
  }
}

/** The rules of a session and of what it calls for, in one hash; their order and their labels change nothing. */
export function rulesMark(session: Session, rcaLibrary: RuleLibrary, flavorRules: readonly Rule[]): string {
  const library = hasLogDiscovery(session) ? rcaLibrary.rules : []
  const rules = [...session.rules, ...session.causal_rules, ...flavorRules, ...library].filter(({ enabled }) => enabled)
  const texts = rules.map(({ id, kind, body }) => JSON.stringify([id, kind, body])).toSorted(compareText)
  return createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, 16)
}

/** For the report: `Run with: unique names and windows on; entity join off; flavors: none`. */
export function runLine({ unique_names, ignore_windows, entity_join, flavors }: ReasonRun): string {
  const parts = [['unique names', unique_names], ['windows', !ignore_windows], ['entity join', entity_join]] as const
  const said = (wanted: boolean) => parts.filter(([, isOn]) => isOn === wanted).map(([name]) => name)
  const switches = [[said(true), 'on'], [said(false), 'off']] as const
  const clauses = switches.filter(([names]) => names.length > 0).map(([names, state]) => `${listed(names)} ${state}`)
  return `Run with: ${[...clauses, `flavors: ${flavors.length === 0 ? 'none' : flavors.join(', ')}`].join('; ')}`
}

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`

/** The rules of a flavor name it as their source. */
const flavorsOf = (rules: readonly Rule[]): string[] =>
  [...new Set(rules.flatMap(({ source }) => /^flavor:(.+)$/.exec(source)?.[1] ?? []))].toSorted(compareText)
