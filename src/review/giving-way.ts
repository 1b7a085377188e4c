/**
 * Two things of one session cannot share a name, and who sends a session cannot know the names that are hidden from them: refusing
 * would tell of them. So what is hidden takes another name, with everything that is hidden and speaks of it.
 */
import type { Session, Tier } from '../contracts/index.ts'
import { cutSession } from './cut.ts'
import { RCA_TERMS } from './vocabulary.ts'

const NAMED = ['events', 'entities', 'relationships'] as const

/** The session with its hidden entries out of the way of the names that are sent; the same object where none is in the way. */
export function givingWay(whole: Session, sent: Session, ceiling: Tier): Session {
  const seen = cutSession(whole, ceiling)
  const shown = new Set<object>([...seen.rules, ...seen.causal_rules, ...seen.relationships])
  const shownNames = new Set(namesIn(seen))
  const wanted = new Set(namesIn(sent))
  const renamed = new Map<string, string>()
  const taken = new Set([...namesIn(whole), ...wanted, ...RCA_TERMS])
  for (const name of namesIn(whole)) {
    if (shownNames.has(name) || !wanted.has(name) || renamed.has(name)) continue
    renamed.set(name, freeName(name, taken))
    taken.add(renamed.get(name)!)
  }
  if (renamed.size === 0) return whole
  const now = (name: string): string => renamed.get(name) ?? name
  const inText = (text: string): string => [...renamed].reduce((told, [from, to]) => told.replaceAll(wordOf(from), () => to), text)
  const reworded = <R extends { label: string; body: string; nl_summary: string }>(rule: R): R =>
    shown.has(rule) ? rule : { ...rule, label: inText(rule.label), body: inText(rule.body), nl_summary: inText(rule.nl_summary) }
  return {
    ...whole,
    events: whole.events.map((event) => (renamed.has(event.name) ? { ...event, name: now(event.name) } : event)),
    entities: whole.entities.map((entity) => (renamed.has(entity.name) ? { ...entity, name: now(entity.name) } : entity)),
    relationships: whole.relationships.map((each) =>
      shown.has(each) ? each : { ...each, name: now(each.name), from: now(each.from), to: now(each.to) }),
    rules: whole.rules.map(reworded),
    causal_rules: whole.causal_rules.map((rule) => {
      const { cause_class: cause, effect_class: effect } = rule
      if (shown.has(rule)) return rule
      return {
        ...reworded(rule), ...(cause === undefined ? {} : { cause_class: now(cause) }), ...(effect === undefined ? {} : { effect_class: now(effect) }),
      }
    }),
  }
}

const namesIn = (session: Session): string[] => NAMED.flatMap((list) => session[list].map(({ name }) => name))

function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let n = 2; ; n += 1) if (!taken.has(`${name}${n}`)) return `${name}${n}`
}

/** The name as a word of its own; a variable, a quoted text and a term of another namespace mean something else. */
const wordOf = (name: string): RegExp =>
  new RegExp(`(?<![A-Za-z0-9_?$"'])(?<![A-Za-z0-9_-]:)${name.replaceAll(/[^A-Za-z0-9_]/g, '\\$&')}(?![A-Za-z0-9_])`, 'g')
