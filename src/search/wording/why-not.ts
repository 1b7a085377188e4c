/** Claims for a goal that was not derived: that it does not hold, and what was missing in the closest attempt. */
import { type Atom, whyNot } from '../../kernel/datalog/index.ts'
import { type Term, iri, termKey } from '../../kernel/term.ts'
import type { SearchContext } from '../context.ts'
import type { ClaimDraft } from '../draft.ts'
import type { Executed } from '../execute.ts'
import type { Ontology } from '../../ontology/index.ts'
import { argumentClasses } from '../planner/rule-heads.ts'
import { type Reasoned, othersOf } from '../reason.ts'
import { summaryOf } from './derived-claims.ts'
import { nounOf } from './describe-plan.ts'
import { counted, listed, spelled, withArticle } from './english.ts'
import { type Sentence, type Voice, sayAtom } from './proof-clauses.ts'
import { classNoun, propertyNoun } from './ways.ts'

export function absenceClaims(context: SearchContext, executed: Executed, reasoned: Reasoned, voice: Voice): ClaimDraft[] {
  const why = executed.plan.why!
  const reason = reasonFor(context.ontology, executed, reasoned, voice)
  const text = `${statement(context, executed, voice)}${reason} (as far as records within tier ${context.ceiling} show)`
  return [
    {
      kind: 'none_found',
      pieces: [{ text, cites: givenCites(context, executed), joint: '' }],
      sqlSpans: [[0, 0, executed.compiled.main.sql.length]],
      ruleIds: [...new Set(reasoned.program.rules.filter(({ head }) => head.predicate === why.predicate).map(({ id }) => id))],
      factIds: [],
      supportCount: 0,
      check: { by: 'absence' },
    },
  ]
}

/** "Of the two healthcare customers, one is not at risk: Willow Clinics [1]": what is not derived of those that were asked about. */
export function complementClaims(context: SearchContext, executed: Executed, reasoned: Reasoned, voice: Voice): ClaimDraft[] {
  const why = executed.plan.why!
  const others = othersOf(executed, reasoned)
  const all = executed.given.get(why.ask)?.length ?? 0
  const name = why.given.find(({ argument }) => argument === why.ask)?.class ?? executed.plan.from
  const columns = context.ontology.classes.find((cls) => cls.name === name)?.key ?? []
  const one = { predicate: why.predicate, args: goalAtom(executed, voice).args.map((arg, at) => (at === why.ask ? null : arg)) }
  const say = (record: string) => sayAtom({ ...one, args: one.args.map((arg, at) => (at === why.ask ? { term: iri(record) } : arg)) }, 'negative_sentence', voice)?.text
  const shown = others.slice(0, LISTED)
  const rest = others.length - shown.length
  const lead = others.length === 0
    ? `None of the ${counted(all, nounOf(context.ontology, name, 1))} is without it`
    : `Of ${counted(all, nounOf(context.ontology, name, 1))}, it does not hold for ${spelled(others.length)}: `
  const note = ` (as far as records within tier ${context.ceiling} show)`
  const pieces = shown.map((record, at) => ({
    text: `${at === 0 ? lead : ''}${say(record) ?? voice.label(iri(record))}`,
    cites: [{ iri: record, columns, needed: true }],
    joint: at === shown.length - 1 ? `${rest > 0 ? ` and ${spelled(rest)} more` : ''}${note}` : at === shown.length - 2 && rest === 0 ? ' and ' : ', ',
  }))
  return [
    {
      kind: 'none_found',
      pieces: pieces.length === 0 ? [{ text: `${lead}${note}`, cites: givenCites(context, executed).slice(0, LISTED), joint: '' }] : pieces,
      sqlSpans: [[0, 0, executed.compiled.main.sql.length]],
      ruleIds: [...new Set(reasoned.program.rules.filter(({ head }) => head.predicate === why.predicate).map(({ id }) => id))],
      factIds: [],
      supportCount: others.length,
      check: { by: 'absence' },
    },
  ]
}

const LISTED = 20

/** "Borealis is not at risk", or "None of the customers are at risk from crt-07". */
function statement(context: SearchContext, executed: Executed, voice: Voice): string {
  const why = executed.plan.why!
  const names = (argument: number) => listed((executed.given.get(argument) ?? []).map((record) => voice.label(iri(record))))
  if ((executed.given.get(why.ask)?.length ?? 0) === 1) {
    const one = goalAtom(executed, voice)
    const said = sayAtom(one, 'negative_sentence', voice)
    if (said !== undefined) return said.text
  }
  const classes = argumentClasses({ rules: voice.rules, unavailable: new Map() }, context.ontology, why.predicate)
  const noun = nounOf(context.ontology, classes[why.ask] ?? executed.plan.from)
  const summary = summaryOf(voice, why, names)
  return summary === null ? `No ${why.predicate.replaceAll('_', ' ')} is known` : `None of the ${noun} ${summary}`
}

/** The goal with the records that the question fixes to exactly one. */
function goalAtom(executed: Executed, voice: Voice): Atom {
  const why = executed.plan.why!
  const arity = voice.rules.find(({ head }) => head.predicate === why.predicate)?.head.args.length ?? 0
  const args = Array.from({ length: arity }, (_, at) => {
    const records = executed.given.get(at)
    return records?.length === 1 && records[0] !== undefined ? { term: iri(records[0]) } : null
  })
  return { predicate: why.predicate, args }
}

function givenCites(context: SearchContext, executed: Executed) {
  return (executed.plan.why?.given ?? []).flatMap(({ argument, class: name }) => {
    const columns = context.ontology.classes.find((cls) => cls.name === name)?.key ?? []
    return (executed.given.get(argument) ?? []).map((record) => ({ iri: record, columns, needed: true }))
  })
}

/**
 * The premise that was missing in the closest rule instance, or the fact that stood in its way. A missing derived premise is
 * followed down to what it lacks in turn, so that the reason named is one that a person can act on.
 */
function reasonFor(ontology: Ontology, executed: Executed, { program, model }: Reasoned, voice: Voice): string {
  let goal = goalAtom(executed, voice)
  const reasons: Sentence[] = []
  for (let depth = 0; depth < MAX_REASONS; depth += 1) {
    const args = goal.args.map((arg): Term | undefined => (arg !== null && 'term' in arg ? arg.term : undefined))
    const missing = whyNot(program, model, { predicate: goal.predicate, args })[0]?.missing
    if (missing?.kind !== 'not' && missing?.kind !== 'atom') break
    const said = sayAtom(missing.atom, missing.kind === 'not' ? 'sentence' : 'negative_sentence', voice)
    // of something that is bound to nothing a sentence cannot speak; what it lacks in turn may be sayable
    if (said === undefined) reasons.push(unnamedReason(missing.kind, described(missing.atom, ontology, voice)))
    else if (said.whole) reasons.push(said)
    if (missing.kind === 'not' || !program.rules.some(({ head }) => head.predicate === missing.atom.predicate)) break
    goal = missing.atom
  }
  const [asked] = executed.given.get(executed.plan.why?.ask ?? -1) ?? []
  return chained(reasons, asked)
}

const unnamedReason = (kind: 'not' | 'atom', what: string): Sentence => ({
  text: kind === 'not' ? `there is ${withArticle(what)}` : `there is no ${what}`, whole: true, subject: null, ending: null,
})

/** ", because A is not exposed: it has a redundant path": each reason explains the one before it. */
function chained(reasons: readonly Sentence[], asked: string | undefined): string {
  return reasons
    .map(({ text, subject }, at) => {
      const before = at === 0 ? (asked === undefined ? undefined : termKey(iri(asked))) : reasons[at - 1]?.subject?.key
      const joint = [', because ', ': '][at] ?? ', since '
      return `${joint}${subject !== null && before === subject.key ? `it ${text.slice(subject.text.length + 1)}` : text}`
    })
    .join('')
}

const MAX_REASONS = 3

/** "subscription with customer Quill Press and status active" */
function described(atom: Atom, ontology: Ontology, voice: Voice): string {
  const cls = ontology.classes.find(({ name }) => name === atom.predicate)
  const said = atom.args.map((arg) => (arg !== null && 'term' in arg ? voice.label(arg.term) : null))
  const noun = (at: number) => propertyNoun(cls?.properties[at - 1] ?? null)
  const known = said.flatMap((text, at) => (text === null || at === 0 ? [] : [`${noun(at)} ${text}`]))
  const name = said[0] === null ? '' : ` ${said[0] ?? ''}`
  return `${classNoun(cls ?? null, atom.predicate)}${name}${known.length === 0 ? '' : ` with ${listed(known)}`}`
}
