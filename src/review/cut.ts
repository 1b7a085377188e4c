/** What of the session may be seen under a ceiling. Names are data too: a class above the ceiling is not there at all. */
import {
  SEVERITIES, SEVERITY_TIER, type Session, type SessionEvent, type Tier, UNLABELLED, questionTier, within,
} from '../contracts/index.ts'

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
    events: session.events.filter(({ name }) => shown(name)),
    relationships: session.relationships.filter(({ from, to }) => shown(from, to)),
    competency_questions: session.competency_questions.filter((question) => within(questionTier(question), ceiling)),
    causal_rules: session.causal_rules.filter(({ cause_class: cause, effect_class: effect }) => shown(cause, effect)),
  }
}

const visible = ({ severity }: SessionEvent, ceiling: Tier): boolean => within(severityTier(severity), ceiling)
