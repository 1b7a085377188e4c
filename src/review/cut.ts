/** What of the session may be seen under a ceiling. Names are data too: a class above the ceiling is not there at all. */
import {
  type Proposal, SEVERITIES, SEVERITY_TIER, type Session, type SessionEvent, Tier, UNLABELLED, questionTier, within,
} from '../contracts/index.ts'
import type { Workspace } from '../store/index.ts'

/** The tier of an event class or of a single line; a severity nobody knows counts as most sensitive. */
export function severityTier(severity: string): Tier {
  const known = SEVERITIES.find((each) => each === severity)
  return known === undefined ? UNLABELLED : SEVERITY_TIER[known]
}

/** Events by their severity, relationships and causal rules with them. Entities carry no tier here and so count as unlabelled. */
export function cutSession(session: Session, ceiling: Tier): Session {
  const hidden = new Set(session.events.filter((event) => !visible(event, ceiling)).map(({ name }) => name))
  const entities = within(UNLABELLED, ceiling) ? session.entities : []
  for (const { name } of session.entities) if (!entities.some((entity) => entity.name === name)) hidden.add(name)
  const shown = (...names: readonly (string | undefined)[]) => names.every((name) => name === undefined || !hidden.has(name))
  return {
    ...session,
    rules: session.rules.filter(({ tier = UNLABELLED }) => within(tier, ceiling)),
    entities,
    events: session.events.filter(({ name }) => shown(name)).map((event) => cutTemplates(event, ceiling)),
    relationships: session.relationships.filter(({ from, to }) => shown(from, to)),
    competency_questions: session.competency_questions.filter((question) => within(questionTier(question), ceiling)),
    causal_rules: session.causal_rules.filter(({ cause_class: cause, effect_class: effect }) => shown(cause, effect)),
  }
}

/** A template that merging brought in keeps the tier of its own lines, whatever class covers it. */
function cutTemplates(event: SessionEvent, ceiling: Tier): SessionEvent {
  const { severities, ...rest } = event
  if (severities === undefined) return event
  const hidden = new Set(Object.keys(severities).filter((template) => !within(severityTier(severities[template] ?? ''), ceiling)))
  if (hidden.size === 0) return event
  const left = Object.entries(severities).filter(([template]) => !hidden.has(template))
  const templates = event.templates.filter((template) => !hidden.has(template))
  return left.length === 0 ? { ...rest, templates } : { ...rest, templates, severities: Object.fromEntries(left) }
}

/**
 * A candidate within the ceiling without what it says of things above it: the candidate it was merged into, the event that
 * explains it away, slots of a higher tier, and counts that hidden edges have a part in.
 */
export function cutProposal({ proposals }: Pick<Workspace, 'proposals'>, proposal: Proposal, ceiling: Tier): Proposal {
  if (within('Restricted', ceiling)) return proposal
  const target = proposal.merged_into === null ? undefined : proposals.get(proposal.merged_into)
  const { edges: _edges, neighbouring_edges: _neighbours, slots, explained_by: by, explained_gain: gain, ...evidence } = proposal.evidence
  const explainer = typeof by === 'string' ? proposals.named(['LOG_EVENT'], by) : []
  const told = explainer.length > 0 && explainer.every(({ tier }) => within(tier, ceiling))
  return {
    ...proposal,
    merged_into: target !== undefined && within(target.tier, ceiling) ? target.pid : null,
    evidence: {
      ...evidence,
      ...(by === undefined ? {} : { explained_by: told ? by : null, explained_gain: told ? gain : null }),
      ...(Array.isArray(slots) ? { slots: slots.filter((slot) => within(slotTier(slot), ceiling)) } : {}),
    },
  }
}

/** A slot that carries no tier counts as most sensitive. */
function slotTier(slot: unknown): Tier {
  const read = Tier.safeParse(typeof slot === 'object' && slot !== null && 'tier' in slot ? slot.tier : undefined)
  return read.success ? read.data : UNLABELLED
}

const visible = ({ severity }: SessionEvent, ceiling: Tier): boolean => within(severityTier(severity), ceiling)
