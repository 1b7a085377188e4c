/** Claims for a goal that was not derived: that it does not hold, and what was missing in the closest attempt. */
import { type Atom, whyNot } from '../../kernel/datalog/index.ts'
import { type Term, iri } from '../../kernel/term.ts'
import type { SearchContext } from '../context.ts'
import type { ClaimDraft } from '../draft.ts'
import type { Executed } from '../execute.ts'
import type { Ontology } from '../../ontology/index.ts'
import { argumentClasses } from '../planner/rule-heads.ts'
import type { Reasoned } from '../reason.ts'
import { summaryOf } from './derived-claims.ts'
import { nounOf } from './describe-plan.ts'
import { listed } from './english.ts'
import { type Voice, sayAtom } from './proof-clauses.ts'

export function absenceClaims(context: SearchContext, executed: Executed, reasoned: Reasoned, voice: Voice): ClaimDraft[] {
  const why = executed.plan.why!
  const text = `${statement(context, executed, voice)}${reasonFor(context.ontology, executed, reasoned, voice)} (as far as records within tier ${context.ceiling} show)`
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

/** "Borealis is not at risk", or "None of the customers are at risk from crt-07". */
function statement(context: SearchContext, executed: Executed, voice: Voice): string {
  const why = executed.plan.why!
  const names = (argument: number) => listed((executed.given.get(argument) ?? []).map((record) => voice.label(iri(record))))
  if ((executed.given.get(why.ask)?.length ?? 0) === 1) {
    const one = goalAtom(executed, voice)
    const said = sayAtom(one, 'negative_sentence', voice)
    if (said !== undefined) return said
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
  const reasons: string[] = []
  for (let depth = 0; depth < MAX_REASONS; depth += 1) {
    const args = goal.args.map((arg): Term | undefined => (arg !== null && 'term' in arg ? arg.term : undefined))
    const missing = whyNot(program, model, { predicate: goal.predicate, args })[0]?.missing
    if (missing?.kind !== 'not' && missing?.kind !== 'atom') break
    const said = sayAtom(missing.atom, missing.kind === 'not' ? 'sentence' : 'negative_sentence', voice)
    reasons.push(said ?? `${missing.kind === 'not' ? 'there is a' : 'there is no'} ${described(missing.atom, ontology, voice)}`)
    if (missing.kind === 'not' || !program.rules.some(({ head }) => head.predicate === missing.atom.predicate)) break
    goal = missing.atom
  }
  return reasons.map((reason) => `, because ${reason}`).join('')
}

const MAX_REASONS = 3

/** "subscription with customer Quill Press and status active" */
function described(atom: Atom, ontology: Ontology, voice: Voice): string {
  const cls = ontology.classes.find(({ name }) => name === atom.predicate)
  const known = atom.args.flatMap((arg, at) => {
    if (arg === null || !('term' in arg)) return []
    const property = at === 0 ? undefined : cls?.properties[at - 1]
    return [`${property === undefined ? '' : `${property.label} `}${voice.label(arg.term)}`]
  })
  return `${cls?.label.toLowerCase() ?? atom.predicate.replaceAll('_', ' ')}${known.length === 0 ? '' : ` with ${listed(known)}`}`
}
