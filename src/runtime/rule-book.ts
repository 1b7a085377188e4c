/** All rules of a project and who may know of which: those of the session, of flavors, of approved edges and of the library of causes. */
import {
  type Rule, type RuleLibrary, type RuleView, type Session, TIERS, type Tier, UNLABELLED, maxTier, tierRank, within,
} from '../contracts/index.ts'
import { type HiddenTerms, hiddenAmong, mentions } from '../materialise/index.ts'
import { cutSession, hasLogDiscovery } from '../review/index.ts'
import { openRules } from '../rules/index.ts'
import type { RuleSight } from './rule-sight.ts'

/** One sight for each tier up to the caller's, the lowest first. */
export type Sights = readonly RuleSight[]

export interface BookParts {
  readonly session: Session
  readonly flavorRules: readonly Rule[]
  readonly rcaLibrary: RuleLibrary
  readonly baseIri: string
  readonly sights: Sights
}

export interface BookEntry {
  readonly rule: Rule
  readonly tier: Tier
  readonly readOnly: boolean
}

/** The rules that may be known of under the highest of the sights, each with the lowest tier under which it may. */
export function rulesIn(parts: BookParts): BookEntry[] {
  const found = new Map<Rule, BookEntry>()
  for (const sight of parts.sights) {
    const tier = sight.ceiling
    for (const rule of openAt(parts, sight)) {
      if (!found.has(rule)) found.set(rule, { rule, tier, readOnly: !parts.session.rules.includes(rule) })
    }
  }
  return [...found.values()]
}

/** Whoever may see everything also sees rules that fit nothing any more: somebody has to mend them. */
function openAt({ session, flavorRules, rcaLibrary, baseIri, sights }: BookParts, sight: RuleSight): Rule[] {
  const cut = cutSession(session, sight.ceiling)
  const library = hasLogDiscovery(cut) ? rcaLibrary.rules : []
  if (sight.ceiling === UNLABELLED) return [...session.rules, ...flavorRules, ...library, ...session.causal_rules]
  const own = session.rules.filter(({ tier }) => tier !== undefined && within(tier, sight.ceiling))
  const causal = new Set<Rule>(cut.causal_rules)
  const hidden = hiddenFrom(sight, sights.at(-1) ?? sight, baseIri)
  // nobody said who may know of these: not those whose text names what is not to be known
  const unlabelled = [...flavorRules, ...library].filter((rule) => !mentions(rule, hidden))
  const open = openRules([...own, ...unlabelled, ...causal], contextOf(sight, baseIri))
  return [...open, ...[...causal].filter((rule) => !open.includes(rule))]
}

export const contextOf = ({ vocabulary, known }: RuleSight, baseIri: string) => ({ vocabulary, known, baseIri })

/** What one sight has and a lower one has not. */
export function hiddenFrom(lower: RuleSight, higher: RuleSight, baseIri: string): HiddenTerms {
  const known = hiddenKept.get(lower) ?? new WeakMap<RuleSight, HiddenTerms>()
  hiddenKept.set(lower, known)
  const found = known.get(higher) ?? hiddenBetween(lower, higher, baseIri)
  known.set(higher, found)
  return found
}

const hiddenKept = new WeakMap<RuleSight, WeakMap<RuleSight, HiddenTerms>>()

function hiddenBetween(lower: RuleSight, higher: RuleSight, baseIri: string): HiddenTerms {
  const iris = new Set([...higher.known].filter((iri) => !lower.known.has(iri)))
  return hiddenAmong(iris, higher.quads.map((quad) => ({ quad, tier: UNLABELLED })), baseIri)
}

export const tiersUpTo = (ceiling: Tier): Tier[] => TIERS.filter((tier) => within(tier, ceiling))

/** The tier that a rule is saved with: no lower than its author wishes, and than what it names. */
export function settledTier(lowest: Tier, wish: Tier | undefined, grant: Tier): Tier {
  const tier = wish === undefined ? lowest : maxTier(lowest, wish)
  return tierRank(tier) > tierRank(grant) ? grant : tier
}

export const viewOf = ({ rule, tier, readOnly }: BookEntry): RuleView => ({ ...rule, tier, read_only: readOnly })
