/** Claims for a goal that was not derived: that it does not hold, and what was missing in the closest attempt. */
import type { Atom } from '../../kernel/datalog/index.ts'
import { whyNot } from '../../kernel/datalog/index.ts'
import { type Term, iri } from '../../kernel/term.ts'
import type { SearchContext } from '../context.ts'
import type { ClaimDraft } from '../draft.ts'
import type { Executed } from '../execute.ts'
import type { Reasoned } from '../reason.ts'
import { phraseOf } from './derived-claims.ts'
import { nounOf } from './describe-plan.ts'
import { fill, listed } from './english.ts'
import type { Voice } from './proof-clauses.ts'

export function absenceClaims(context: SearchContext, executed: Executed, reasoned: Reasoned, voice: Voice): ClaimDraft[] {
  const why = executed.plan.why!
  const fixed = why.given.map(({ argument }) => (executed.given.get(argument) ?? []).map((name) => voice.label(iri(name))))
  const about = why.given.filter(({ argument }) => argument !== why.ask)
  const others = listed(about.flatMap(({ argument }) => (executed.given.get(argument) ?? []).map((name) => voice.label(iri(name)))))
  const phrase = phraseOf(voice, why.predicate, others !== '')
  const askedGiven = why.given.findIndex(({ argument }) => argument === why.ask)
  const subject =
    askedGiven === -1 ? `No ${nounOf(context.ontology, askedClass(executed), 1)} is` : `${listed(fixed[askedGiven] ?? [])} is not`
  const lead = `${subject} ${phrase}${others === '' ? '' : ` ${others}`}, as far as the records within tier ${context.ceiling} show`
  return [
    {
      kind: 'none_found',
      pieces: [{ text: `${lead}${reasonFor(executed, reasoned, voice)}`, cites: givenCites(context, executed), joint: '' }],
      sqlSpans: [[0, 0, executed.compiled.main.sql.length]],
      ruleIds: [...new Set(reasoned.program.rules.filter(({ head }) => head.predicate === why.predicate).map(({ id }) => id))],
      factIds: [],
      supportCount: 0,
      check: { by: 'absence' },
    },
  ]
}

const askedClass = ({ plan }: Executed): string => plan.why?.given.find(({ argument }) => argument === plan.why?.ask)?.class ?? plan.from

function givenCites(context: SearchContext, executed: Executed) {
  return (executed.plan.why?.given ?? []).flatMap(({ argument, class: name }) => {
    const columns = context.ontology.classes.find((cls) => cls.name === name)?.key ?? []
    return (executed.given.get(argument) ?? []).map((record) => ({ iri: record, columns, named: true }))
  })
}

/** Words for the closest rule instance that failed: the premise that was missing, or the obstacle that was there. */
function reasonFor(executed: Executed, { program, model }: Reasoned, voice: Voice): string {
  const why = executed.plan.why!
  const arity = program.rules.find(({ head }) => head.predicate === why.predicate)?.head.args.length ?? 0
  const args = Array.from({ length: arity }, (_, at): Term | undefined => {
    const records = executed.given.get(at)
    return records?.length === 1 && records[0] !== undefined ? iri(records[0]) : undefined
  })
  const [closest] = whyNot(program, model, { predicate: why.predicate, args })
  if (closest === undefined) return ''
  const { missing } = closest
  if (missing.kind === 'not') return `, because ${obstacle(missing.atom, voice)}`
  if (missing.kind === 'atom') return `, because ${lack(missing.atom, voice)}`
  return ''
}

const termsOf = (atom: Atom, voice: Voice) => {
  const head = voice.rules.find((rule) => rule.head.predicate === atom.predicate)?.head
  return (variable: string): string | undefined => {
    const at = head?.args.findIndex((arg) => arg !== null && 'variable' in arg && arg.variable === variable) ?? -1
    const arg = atom.args[at]
    return arg !== null && arg !== undefined && 'term' in arg ? voice.label(arg.term) : at === -1 ? undefined : 'something'
  }
}

/** A fact that stands in the way, in the words of its own rule, else in rule notation. */
function obstacle(atom: Atom, voice: Voice): string {
  const sentence = voice.flavor.rules.find(({ id, sentence: s }) => s !== undefined && voice.rules.some((r) => r.id === id && r.head.predicate === atom.predicate))?.sentence
  return sentence === undefined ? `${notation(atom, voice)} holds` : fill(sentence, termsOf(atom, voice))
}

function lack(atom: Atom, voice: Voice): string {
  const sentence = voice.flavor.rules.find(
    ({ id, negative_sentence: s }) => s !== undefined && voice.rules.some((r) => r.id === id && r.head.predicate === atom.predicate),
  )?.negative_sentence
  return sentence === undefined ? `no fact matches ${notation(atom, voice)}` : fill(sentence, termsOf(atom, voice))
}

const notation = (atom: Atom, voice: Voice): string =>
  `${atom.predicate}(${atom.args.map((arg) => (arg !== null && 'term' in arg ? voice.label(arg.term) : '_')).join(', ')})`
