/**
 * Rules as a caller may see and write them. A rule that could not run is not kept. A rule above the ceiling is absent: its id
 * is free, and when somebody below takes that id the hidden rule gives way under another one, so that nothing is lost or told.
 */
import { createHash } from 'node:crypto'
import {
  type Fault, LIMITS, LOG_DISCOVERY, type LibraryView, type PreviewRequest, type Rule, type RuleCoverage, type RuleInput, type RuleLibrary,
  type RulePreview, type RuleValidation, type RuleView, RuleId, ServiceError, type Session, type Tier, minTier,
} from '../contracts/index.ts'
import { compareText } from '../kernel/term.ts'
import { mentions } from '../materialise/index.ts'
import { checkedRule, coverageOf, losersOf, metaOf, summaryOf, withBase, writeSlotFill } from '../rules/index.ts'
import type { Workspace } from '../store/index.ts'
import type { Previewing } from './previewing.ts'
import { type BookEntry, type BookParts, type Sights, contextOf, hiddenFrom, rulesIn, settledTier, tiersUpTo, viewOf } from './rule-book.ts'
import type { RuleSights } from './rule-sight.ts'
import type { Caller, Labelled } from './service.ts'

export interface RuleShown {
  readonly rule: RuleView
  readonly etag: string
  readonly warnings: readonly Fault[]
}

export interface LibraryAdded {
  readonly added: readonly string[]
  readonly unchanged: readonly string[]
  readonly refused: readonly { readonly id: string; readonly errors: readonly Fault[] }[]
}

export type IfMatch = (etag: string | null) => boolean

export interface RuleDesk {
  list(caller: Caller): Promise<Labelled<{ readonly rules: readonly RuleView[]; readonly etag: string }>>
  get(id: string, caller: Caller): Promise<Labelled<RuleShown>>
  /** `ifMatch` is asked with the tag of the rule as it stands, or null where there is none yet */
  put(id: string, input: RuleInput, caller: Caller, ifMatch?: IfMatch): Promise<Labelled<RuleShown & { readonly created: boolean }>>
  remove(id: string, caller: Caller, ifMatch?: IfMatch): Promise<Labelled<{ readonly removed: string; readonly warnings: readonly Fault[] }>>
  validate(input: RuleInput, caller: Caller): Promise<Labelled<RuleValidation>>
  compile(meta: unknown, id: string | undefined, caller: Caller): Labelled<{ readonly body: string }>
  summarise(input: RuleInput, caller: Caller): Promise<Labelled<{ readonly nl_summary: string }>>
  preview(request: PreviewRequest, caller: Caller, about?: { readonly signal?: AbortSignal }): Promise<Labelled<RulePreview>>
  coverage(caller: Caller): Promise<Labelled<RuleCoverage>>
  libraries(caller: Caller): Labelled<readonly { readonly name: string; readonly label: string; readonly rules: number }[]>
  library(name: string, caller: Caller): Promise<Labelled<LibraryView>>
  /** all rules of a library that fit here, or one of them */
  add(name: string, id: string | undefined, caller: Caller): Promise<Labelled<LibraryAdded>>
}

/** For the session as a whole, which people may send too. */
export interface RuleCheck {
  /**
   * The rules of `sent`, which would make the session `next` of `before`: what is new or changed is checked like a rule that is
   * saved on its own, and has no lower tier than what it names.
   */
  settled(sent: readonly Rule[], about: { readonly before: Session; readonly next: Session }, caller: Caller): Promise<Rule[]>
}

interface Parts {
  readonly workspace: () => Workspace
  /** null while there is no store: reading must not create one */
  readonly peek: () => Workspace | null
  readonly sights: RuleSights
  readonly flavorRules: () => readonly Rule[]
  readonly rcaLibrary: RuleLibrary
  readonly libraries: () => ReadonlyMap<string, RuleLibrary>
  readonly baseIri: string
  readonly previewing: Previewing
  readonly changed: () => void
}

const EMPTY: Session = { rules: [], causal_rules: [], entities: [], events: [], relationships: [], competency_questions: [] }

export function ruleDesk(parts: Parts): RuleDesk & RuleCheck {
  const { workspace, peek, baseIri, libraries } = parts
  const load = () => peek()?.session.load() ?? { version: 0, session: EMPTY }
  const sightsFor = async (ceiling: Tier, sent?: Session): Promise<Sights> =>
    Promise.all(tiersUpTo(ceiling).map((tier) => parts.sights.at(tier, sent)))
  const bookOf = (session: Session, sights: Sights): BookParts => ({
    session, sights, baseIri, flavorRules: parts.flavorRules(), rcaLibrary: parts.rcaLibrary,
  })
  const entriesFor = async (caller: Caller): Promise<BookEntry[]> => {
    const sights = await sightsFor(caller.grant)
    return rulesIn(bookOf(load().session, sights)).toSorted((x, y) => compareText(x.rule.id, y.rule.id))
  }

  /** What was sent as a rule: slots written out, or read back from the text. */
  const draftOf = (id: string, input: RuleInput): Rule => {
    const { body, meta, tier: _wish, id: _id, ...rest } = input
    if (body === undefined && (meta === undefined || input.kind !== 'shacl')) {
      throw invalid('the rule has no body', [{ path: 'body', message: 'write the rule, or fill in meta for a SHACL rule', line: 1, column: 1 }])
    }
    const text = body ?? writeSlotFill(meta, baseIri, id)
    const slots = meta ?? (input.kind === 'shacl' ? metaOf(text, baseIri) : null)
    return { ...defined(rest), id, body: text, ...(slots === null ? {} : { meta: slots as Record<string, unknown> }) } as Rule
  }

  /** Below Restricted every name is checked, also where none is known: what is hidden must not show as "nothing to check". */
  const contextAt = (sights: Sights, entries: readonly BookEntry[], id: string) => {
    const sight = sights.at(-1)!
    const others = entries.filter(({ rule }) => rule.id !== id && rule.enabled).map(({ rule }) => rule)
    const { vocabulary, ...context } = contextOf(sight, baseIri)
    const isEmpty = sight.ceiling === 'Restricted' && vocabulary.classes.length + vocabulary.properties.length === 0
    return { ...context, ...(isEmpty ? {} : { vocabulary }), others }
  }

  const tierOf = (draft: Rule, session: Session, sights: Sights, grant: Tier, wish: Tier | undefined): Tier => {
    const top = sights.at(-1)!
    const lowest = sights.slice(0, -1).find((sight, at) => {
      const below = sights.slice(0, at + 1)
      const context = contextAt(below, rulesIn(bookOf(session, below)), draft.id)
      return !mentions(draft, hiddenFrom(sight, top, baseIri)) && checkedRule(draft, context).validation.ok
    })
    return settledTier(lowest?.ceiling ?? grant, wish, grant)
  }

  /** Checks and saves in one go; somebody else's save in between is met by starting over. */
  const change = async <T>(caller: Caller, work: (session: Session, sights: Sights) => { next: Session | null; value: T }): Promise<T> => {
    for (let attempt = 1; ; attempt += 1) {
      const sights = await sightsFor(caller.grant)
      const { version, session } = workspace().session.load()
      const { next, value } = work(session, sights)
      if (next === null) return value
      try {
        workspace().session.save(next, version)
        parts.changed()
        return value
      } catch (error) {
        if (!(error instanceof ServiceError && error.code === 'stale') || attempt >= MOST_ATTEMPTS) throw error
      }
    }
  }

  /** The session with this rule in it, checked. */
  const withRule = (session: Session, sights: Sights, draft: Rule, wish: Tier | undefined, caller: Caller, ifMatch: IfMatch) => {
    const entries = rulesIn(bookOf(session, sights))
    const present = entries.find(({ rule }) => rule.id === draft.id)
    if (present?.readOnly === true) throw readOnly(draft.id)
    if (!ifMatch(present === undefined ? null : etagOf(viewOf(present)))) throw stale()
    const { validation, reading } = checkedRule(draft, contextAt(sights, entries, draft.id))
    if (!validation.ok) throw invalid('the rule is not valid; nothing was saved', validation.errors)
    const summary = draft.nl_summary.trim() === '' ? summaryOf(draft, reading, baseIri) : draft.nl_summary
    const rule: Rule = { ...draft, nl_summary: summary, tier: tierOf(draft, session, sights, caller.grant, wish) }
    const kept = session.rules.filter((one) => one !== present?.rule)
    if (present === undefined && kept.length >= LIMITS.session_rules) {
      throw new ServiceError('conflict', `a session holds at most ${LIMITS.session_rules} rules`, { hint: 'remove some first' })
    }
    const rules = [...givingWay(kept, rule.id), rule]
    const entry: BookEntry = { rule, tier: rule.tier ?? caller.grant, readOnly: false }
    return { session: { ...session, rules }, entry, warnings: validation.warnings, created: present === undefined }
  }

  const libraryNamed = (name: string): RuleLibrary => {
    const found = libraries().get(name)
    if (found !== undefined) return withBase(found, baseIri)
    throw new ServiceError('not_found', 'no library by that name', { hint: `known: ${[...libraries().keys()].join(', ')}` })
  }

  return {
    async list(caller) {
      const rules = (await entriesFor(caller)).map(viewOf)
      return { value: { rules, etag: etagOf(rules) }, ceiling: caller.grant }
    },

    async get(id, caller) {
      const found = (await entriesFor(caller)).find(({ rule }) => rule.id === id)
      if (found === undefined) throw unknownRule()
      const rule = viewOf(found)
      return { value: { rule, etag: etagOf(rule), warnings: [] }, ceiling: caller.grant }
    },

    async put(id, input, caller, ifMatch = () => true) {
      demandWritable(id, input)
      const draft = draftOf(id, input)
      const value = await change(caller, (session, sights) => {
        const { session: next, entry, warnings, created } = withRule(session, sights, draft, input.tier, caller, ifMatch)
        const rule = viewOf(entry)
        return { next, value: { rule, etag: etagOf(rule), warnings, created } }
      })
      return { value, ceiling: caller.grant }
    },

    async remove(id, caller, ifMatch = () => true) {
      const value = await change(caller, (session, sights) => {
        const entries = rulesIn(bookOf(session, sights))
        const present = entries.find(({ rule }) => rule.id === id)
        if (present === undefined) throw unknownRule()
        if (present.readOnly) throw readOnly(id)
        if (!ifMatch(etagOf(viewOf(present)))) throw stale()
        const rules = session.rules.filter((rule) => rule !== present.rule)
        const left = entries.filter(({ rule }) => rule !== present.rule && rule.enabled)
        const open = left.map(({ rule }) => rule)
        const losers = new Set(present.rule.enabled ? losersOf(present.rule, open, contextOf(sights.at(-1)!, baseIri)) : [])
        const broken = left.filter(({ rule, readOnly: fixed }) => !fixed && losers.has(rule))
        const warnings = broken.map(({ rule }) => ({ path: `rules.${rule.id}`, message: 'this rule reads what the removed one gave' }))
        return { next: { ...session, rules }, value: { removed: id, warnings } }
      })
      return { value, ceiling: caller.grant }
    },

    async settled(sent, { before, next }, caller) {
      const stood = new Set(before.rules.map((rule) => etagOf(rule)))
      if (sent.every((rule) => stood.has(etagOf(rule)))) return [...sent]
      const sights = await sightsFor(caller.grant, next)
      const entries = rulesIn(bookOf(next, sights))
      const errors: Fault[] = []
      const rules = sent.map((rule, at) => {
        if (stood.has(etagOf(rule))) return rule
        const { validation } = checkedRule(rule, contextAt(sights, entries, rule.id))
        errors.push(...validation.errors.map((fault) => ({ ...fault, path: `rules.${at}.${fault.path ?? 'body'}` })))
        // a rule without a tier is for those who see as much as its author
        return rule.tier === undefined || !validation.ok ? rule : { ...rule, tier: tierOf(rule, next, sights, caller.grant, rule.tier) }
      })
      if (errors.length > 0) throw invalid('rules of the session are not valid; nothing was saved', errors)
      return rules
    },

    async validate(input, caller) {
      const id = input.id ?? DRAFT
      const named = nameFaults(id, input)
      const sights = await sightsFor(caller.grant)
      const entries = rulesIn(bookOf(load().session, sights))
      const taken = entries.some(({ rule, readOnly: fixed }) => fixed && rule.id === id) ? [{ path: 'id', message: 'another rule has this id' }] : []
      const { validation } = checkedRule(draftOf(id, input), contextAt(sights, entries, id))
      const errors = [...named, ...taken, ...validation.errors.filter(({ path }) => path !== 'id' || named.length === 0)]
      return { value: { ok: errors.length === 0, errors, warnings: [...validation.warnings] }, ceiling: caller.grant }
    },

    compile: (meta, id, caller) => ({ value: { body: writeSlotFill(meta, baseIri, id) }, ceiling: caller.grant }),

    async summarise(input, caller) {
      const id = input.id ?? DRAFT
      const draft = draftOf(id, input)
      const sights = await sightsFor(caller.grant)
      const { validation, reading } = checkedRule(draft, contextAt(sights, rulesIn(bookOf(load().session, sights)), id))
      if (!validation.ok) throw invalid('the rule is not valid', validation.errors)
      return { value: { nl_summary: summaryOf(draft, reading, baseIri) }, ceiling: caller.grant }
    },

    async preview({ rule: input, data, max_tier: wish }, caller, about = {}) {
      const ceiling = minTier(caller.grant, wish ?? caller.grant)
      const id = input.id ?? DRAFT
      const draft = draftOf(id, input)
      const sights = await sightsFor(ceiling)
      const entries = rulesIn(bookOf(load().session, sights))
      const context = contextAt(sights, entries, id)
      const { validation } = checkedRule(draft, context)
      const ask = { rule: draft, validation, context, sight: sights.at(-1)!, data, ceiling, caller: caller.name }
      const value = await parts.previewing(ask, about.signal)
      return { value, ceiling }
    },

    async coverage(caller) {
      const sights = await sightsFor(caller.grant)
      const rules = rulesIn(bookOf(load().session, sights)).map(({ rule }) => rule)
      const { vocabulary } = sights.at(-1)!
      return { value: coverageOf(rules, vocabulary, baseIri), ceiling: caller.grant }
    },

    libraries: (caller) => ({
      value: [...libraries().values()].map(({ name, label, rules }) => ({ name, label, rules: rules.length })), ceiling: caller.grant,
    }),

    async library(name, caller) {
      const { label, rules } = libraryNamed(name)
      const sights = await sightsFor(caller.grant)
      const entries = rulesIn(bookOf(load().session, sights))
      const mates = rules.map((rule): BookEntry => ({ rule, tier: caller.grant, readOnly: false }))
      const beside = [...entries.filter(({ rule }) => !rules.some(({ id }) => id === rule.id)), ...mates]
      const views = rules.map((rule) => {
        const { validation } = checkedRule(rule, contextAt(sights, beside, rule.id))
        const added = entries.some((entry) => entry.rule.id === rule.id && entry.rule.body === rule.body)
        return { ...rule, added, fits: validation.ok, errors: [...validation.errors] }
      })
      return { value: { name, label, rules: views }, ceiling: caller.grant }
    },

    async add(name, id, caller) {
      const { rules } = libraryNamed(name)
      const wanted = id === undefined ? rules : rules.filter((rule) => rule.id === id)
      if (wanted.length === 0) throw new ServiceError('not_found', 'the library has no rule by that id', { hint: rules.map((rule) => rule.id).join(', ') })
      const value = await change(caller, (session, sights) => {
        const added: string[] = []
        const unchanged: string[] = []
        let next = session
        let refused: { id: string; errors: readonly Fault[] }[] = []
        // rules of a library may read what others of it give: once more for as long as that helps
        for (let waiting = [...wanted], before = -1; waiting.length > 0 && waiting.length !== before; ) {
          before = waiting.length
          refused = []
          for (const rule of waiting) {
            const present = next.rules.find((one) => one.id === rule.id && one.body === rule.body)
            if (present !== undefined) {
              unchanged.push(rule.id)
              continue
            }
            try {
              next = withRule(next, sights, rule, undefined, caller, () => true).session
              added.push(rule.id)
            } catch (error) {
              if (!(error instanceof ServiceError) || error.code === 'stale') throw error
              refused.push({ id: rule.id, errors: error.about.errors ?? [{ message: error.message }] })
            }
          }
          waiting = waiting.filter((rule) => refused.some((one) => one.id === rule.id))
        }
        return { next: added.length === 0 ? null : next, value: { added, unchanged, refused } }
      })
      return { value, ceiling: caller.grant }
    },
  }
}

const MOST_ATTEMPTS = 5
/** The id of a rule that has none yet. */
const DRAFT = 'draft-rule'

/** Rules that are to be kept under an id that somebody takes who does not see them. */
function givingWay(rules: readonly Rule[], id: string): Rule[] {
  const taken = new Set([id, ...rules.map((rule) => rule.id)])
  return rules.map((rule) => (rule.id === id ? { ...rule, id: freeId(id, taken) } : rule))
}

function freeId(id: string, taken: ReadonlySet<string>): string {
  for (let n = 2; ; n += 1) {
    const numbered = `${id.slice(0, 58)}-${n}`
    if (!taken.has(numbered)) return numbered
  }
}

function nameFaults(id: string, { id: sent, source }: RuleInput): Fault[] {
  const parsed = RuleId.safeParse(id)
  return [
    ...(parsed.success ? [] : parsed.error.issues.map(({ message }) => ({ path: 'id', message }))),
    ...(sent !== undefined && sent !== id ? [{ path: 'id', message: 'the id of the path and of the rule differ' }] : []),
    ...(id.startsWith('causal-') ? [{ path: 'id', message: 'ids that begin with causal- belong to approved edges' }] : []),
    ...(source === LOG_DISCOVERY || source.startsWith('flavor:') ? [{ path: 'source', message: 'a rule that is written here cannot come from there' }] : []),
  ]
}

function demandWritable(id: string, input: RuleInput): void {
  const errors = nameFaults(id, input)
  if (errors.length > 0) throw invalid('the rule cannot be saved under this name', errors)
}

const invalid = (detail: string, errors: readonly Fault[]): ServiceError =>
  new ServiceError('invalid_rule', detail, { errors, hint: 'POST /api/rules/validate tells the same without saving' })
const unknownRule = (): ServiceError => new ServiceError('not_found', 'no rule by that id', { hint: 'GET /api/rules lists them' })
const stale = (): ServiceError => new ServiceError('stale', 'the rule has changed meanwhile', { hint: 'load it again' })
const readOnly = (id: string): ServiceError =>
  new ServiceError('conflict', `${id} belongs to a flavor, a library or an approved edge and cannot be changed here`, { hint: 'save a copy under another id' })

/** The order of fields says nothing: a rule that comes from the store has the tag it was saved with. */
const etagOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value, inOrder)).digest('hex').slice(0, 32)
const inOrder = (_key: string, value: unknown): unknown =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(Object.entries(value).toSorted(([x], [y]) => compareText(x, y)))
const defined = <T extends object>(value: T): T => Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T
