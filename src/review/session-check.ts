/** A session that somebody sends: cut as they see it, checked whole, and put in the place of what they saw. */
import { createHash } from 'node:crypto'
import { type Fault, SafeName, ServiceError, type Session, type SessionEvent, type Tier, UNLABELLED, questionTier, within } from '../contracts/index.ts'
import { faultsTogether } from '../rules/index.ts'
import { cutSession, severityTier } from './cut.ts'
import { RCA_TERMS } from './vocabulary.ts'

export interface SeenSession {
  readonly session: Session
  /** a hash of what is seen: changes above the ceiling leave it alone */
  readonly etag: string
  /** counts saves for who sees everything; below that a number made from what is seen, since a count would tell of the rest */
  readonly version: number
}

export function seenSession({ session: whole, version }: { session: Session; version: number }, ceiling: Tier): SeenSession {
  const session = cutSession(whole, ceiling)
  const etag = createHash('sha256').update(JSON.stringify(session)).digest('hex').slice(0, 32)
  return { session, etag, version: within('Restricted', ceiling) ? version : Number.parseInt(etag.slice(0, 12), 16) }
}

/** Refuses what could not run or could not be written as an ontology, naming every place. */
export function checkSession(
  session: Session,
  { baseIri, ceiling, before }: { readonly baseIri: string; readonly ceiling: Tier; readonly before: Session },
): void {
  const faults = [...nameFaults(session, before), ...tierFaults(session, ceiling)]
  if (faults.length > 0) {
    throw new ServiceError('invalid_request', `the session is not valid: ${faults.slice(0, 5).map(({ path, message }) => `${path}: ${message}`).join('; ')}`, { errors: faults })
  }
  const broken = ruleFaults(session, baseIri, cutSession(before, ceiling))
  if (broken.length === 0) return
  throw new ServiceError('invalid_rule', `${broken.length === 1 ? 'a rule' : 'rules'} of the session cannot be saved; nothing was changed`, {
    errors: broken, hint: 'mend the lines named in errors and send the session again',
  })
}

/** The rules of both lists share their ids: each becomes a file of that name. What stands already as it was sent is not checked again. */
function ruleFaults({ rules, causal_rules: causal }: Session, baseIri: string, before: Session): Fault[] {
  const all = [...rules.map((rule, i) => ({ rule, path: `rules.${i}` })), ...causal.map((rule, i) => ({ rule, path: `causal_rules.${i}` }))]
  const stood = new Set([...before.rules, ...before.causal_rules].map((rule) => JSON.stringify(rule)))
  const faults = faultsTogether(all.map(({ rule }) => rule), baseIri, (rule) => stood.has(JSON.stringify(rule)))
  return faults.flatMap((own, i) => own.map((fault) => ({ ...fault, path: `${all[i]!.path}.${fault.path ?? 'body'}` })))
}

/** Names that were there already may stay as mining wrote them; they are percent-encoded where an IRI needs it. */
function nameFaults({ events, entities, relationships }: Session, before: Session): Fault[] {
  const stood = new Set([...before.events, ...before.entities, ...before.relationships].map(({ name }) => name))
  const all = [['events', events], ['entities', entities], ['relationships', relationships]] as const
  const named = all.flatMap(([list, entries]) => entries.map(({ name }, i) => ({ name, path: `${list}.${i}.name` })))
  const seen = new Set<string>()
  return named.flatMap(({ name, path }) => {
    if (RCA_TERMS.has(name)) return [{ path, message: 'a word of root-cause analysis itself' }]
    if (seen.has(name)) return [{ path, message: 'used twice: a name can mean one thing only' }]
    seen.add(name)
    if (stood.has(name)) return []
    const read = SafeName.safeParse(name)
    return read.success ? [] : read.error.issues.map(({ message }) => ({ path, message }))
  })
}

/** Nobody writes what they could not see afterwards. */
function tierFaults({ rules, events, entities, competency_questions: questions }: Session, ceiling: Tier): Fault[] {
  const message = 'lies above what you may see'
  return [
    ...rules.flatMap(({ tier = ceiling }, i) => (within(tier, ceiling) ? [] : [{ path: `rules.${i}.tier`, message }])),
    ...events.flatMap(({ severity }, i) => (within(severityTier(severity), ceiling) ? [] : [{ path: `events.${i}.severity`, message }])),
    ...entities.flatMap((_, i) => (within(UNLABELLED, ceiling) ? [] : [{ path: `entities.${i}`, message }])),
    ...questions.flatMap((question, i) => (within(questionTier(question), ceiling) ? [] : [{ path: `competency_questions.${i}`, message }])),
  ]
}

const LISTS = ['rules', 'causal_rules', 'entities', 'events', 'relationships', 'competency_questions'] as const

/** What was seen is replaced; what was hidden stays, each entry at the place it had. */
export function replaceSeen(whole: Session, sent: Session, ceiling: Tier): Session {
  const seen = cutSession(whole, ceiling)
  // a rule without a tier is for those who see everything: whoever sees less writes it for those who see as much
  const rules = within(UNLABELLED, ceiling) ? sent.rules : sent.rules.map((rule) => ({ ...rule, tier: rule.tier ?? ceiling }))
  const merged: Record<string, unknown> = { ...whole, ...sent }
  for (const list of LISTS) {
    const shown = new Set<object>(seen[list])
    const hidden = whole[list].map((entry, at) => ({ entry, at })).filter(({ entry }) => !shown.has(entry))
    const partly = list === 'events' ? new Map(seen.events.flatMap((event) => partOf(whole, event))) : new Map<string, SessionEvent>()
    const entries: object[] = (list === 'rules' ? rules : sent[list]).map((entry: object) => withHidden(entry, partly, seen))
    for (const { entry, at } of hidden) if (!partly.has(nameOf(entry))) entries.splice(Math.min(at, entries.length), 0, entry)
    merged[list] = entries
  }
  return merged as Session
}

const nameOf = (entry: object): string => ('name' in entry && typeof entry.name === 'string' ? entry.name : '')

/** The whole of an event that is seen in part. */
function partOf(whole: Session, event: SessionEvent): [string, SessionEvent][] {
  const stood = whole.events.find(({ name }) => name === event.name)
  return stood === undefined || stood === event ? [] : [[event.name, stood]]
}

/** An event that was seen without some of its templates keeps them when it comes back. */
function withHidden(entry: object, partly: ReadonlyMap<string, SessionEvent>, seen: Session): object {
  const name = nameOf(entry)
  const stood = partly.get(name)
  if (stood === undefined || !('templates' in entry)) return entry
  const sent = entry as SessionEvent
  const shown = seen.events.find((each) => each.name === name)?.templates ?? []
  const hidden = stood.templates.filter((template) => !shown.includes(template))
  const theirs = Object.entries(stood.severities ?? {}).filter(([template]) => hidden.includes(template))
  const kept = stood.templates.filter((template) => hidden.includes(template) || sent.templates.includes(template))
  return {
    ...sent,
    templates: [...kept, ...sent.templates.filter((template) => !kept.includes(template))],
    severities: { ...sent.severities, ...Object.fromEntries(theirs) },
  }
}
