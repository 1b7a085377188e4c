/** A proof as clauses of a sentence, each with the records it rests on. The flavor's rules bring the words. */
import type { Flavor, FlavorRule } from '../../contracts/index.ts'
import type { Atom, DatalogRule, Proof, ProofPremise } from '../../kernel/datalog/index.ts'
import { type Term, termKey } from '../../kernel/term.ts'
import { fill, listed, withoutUnknown } from './english.ts'

export interface Clause {
  readonly text: string
  /** what the clause begins with and what it ends on, where its sentence begins or ends with a variable */
  readonly subject: Named | null
  readonly ending: Named | null
  /** IRIs of records that the clause's rule read, in the order of its body */
  readonly records: readonly string[]
  /** IRIs of records that the rule counted or added up: examples of them are enough */
  readonly folded: readonly string[]
}

/** A term of the proof and how it is called. */
export interface Named {
  readonly key: string
  readonly text: string
}

type Derived = Extract<Proof, { asserted: false }>

export interface Voice {
  readonly flavor: Flavor
  readonly rules: readonly DatalogRule[]
  label(term: Term): string
}

/** The flavor's words for a rule. A text with several clauses numbers their ids: `impaired`, `impaired-2`. */
export const sentencesOf = (voice: Voice, rule: string): FlavorRule | undefined =>
  voice.flavor.rules.find(({ id }) => id === rule) ?? voice.flavor.rules.find(({ id }) => id === rule.replace(/-\d+$/, ''))

/** The clauses of a derived fact: its own first, then those of the derived facts and absences it rests on. */
export function clausesOf(proof: Proof, voice: Voice): Clause[] {
  const clauses: Clause[] = []
  const spoken = new Set<string>()
  const say = (clause: Clause) => {
    if (clause.text !== '' && !spoken.has(clause.text)) clauses.push(clause)
    spoken.add(clause.text)
  }
  const visit = (node: Proof) => {
    if (node.asserted) return
    say(ownClause(node, sentencesOf(voice, node.rule), voice))
    for (const premise of node.premises) {
      if (premise.kind === 'proof') visit(premise.proof)
      else if (premise.kind === 'absent') say(absence(premise.atom, voice))
      else if (premise.kind === 'aggregate') for (const match of premise.matches) for (const proof of match) visit(proof)
    }
  }
  visit(proof)
  return gathered(clauses)
}

/** Neighbours that say the same of different things say it once: "A and B are not under maintenance". */
function gathered(clauses: readonly Clause[]): Clause[] {
  const out: Clause[] = []
  let run: Clause[] = []
  const close = () => {
    const [first] = run
    if (first !== undefined) out.push(run.length === 1 ? first : together(run))
    run = []
  }
  for (const [at, clause] of clauses.entries()) {
    // the first clause is the conclusion, not a reason
    const fits = at > 1 && predicateOf(clause) !== null && predicateOf(clause) === predicateOf(run[0])
    if (!fits) close()
    run.push(clause)
  }
  close()
  return out
}

const VERBS: Readonly<Record<string, string>> = { is: 'are', was: 'were', has: 'have' }

/** What is said of the subject, where its verb has a plural that is known. */
function predicateOf(clause: Clause | undefined): string | null {
  if (clause === undefined || clause.subject === null) return null
  const said = clause.text.slice(clause.subject.text.length + 1)
  return Object.hasOwn(VERBS, said.split(' ', 1)[0] ?? '') ? said : null
}

function together(run: readonly Clause[]): Clause {
  const [verb = '', ...rest] = (predicateOf(run[0]) ?? '').split(' ')
  return {
    text: `${listed(run.map(({ subject }) => subject?.text ?? ''))} ${[VERBS[verb] ?? verb, ...rest].join(' ')}`,
    subject: null,
    ending: null,
    records: [...new Set(run.flatMap(({ records }) => records))],
    folded: [...new Set(run.flatMap(({ folded }) => folded))],
  }
}

/**
 * What joins a reason to the one before it, and what is left of it then: "which runs on crt-07" goes on from what the last one
 * ended on, "and is not under maintenance" from what it spoke of.
 */
export function continued(before: Clause, clause: Clause): { readonly joint: string; readonly text: string } {
  const { subject } = clause
  const rest = subject === null ? '' : clause.text.slice(subject.text.length + 1)
  if (subject !== null && before.subject?.key === subject.key) return { joint: ' and ', text: rest }
  if (subject !== null && before.ending?.key === subject.key) return { joint: ', which ', text: rest }
  return { joint: '; ', text: clause.text }
}

function ownClause(node: Derived, source: FlavorRule | undefined, voice: Voice): Clause {
  const { text, subject, ending } = spokenSentence(source?.sentence ?? '', (variable) => node.bindings[variable], voice)
  return {
    text,
    subject,
    ending,
    records: node.premises.filter(({ kind }) => kind !== 'aggregate').flatMap(recordsOf),
    folded: node.premises.filter(({ kind }) => kind === 'aggregate').flatMap(recordsOf),
  }
}

/** "no redundant path": the words come from the rules whose head is the absent predicate. */
function absence(atom: Atom, voice: Voice): Clause {
  const { text, subject, ending } = sayAtom(atom, 'negative_sentence', voice) ?? NOTHING
  return { text, subject, ending, records: [], folded: [] }
}

export interface Sentence extends Pick<Clause, 'text' | 'subject' | 'ending'> {
  /** false when it speaks of something that nothing is bound to */
  readonly whole: boolean
}
const NOTHING = { text: '', subject: null, ending: null }

/** An atom in the words of the first rule that defines its predicate and has such a sentence. */
export function sayAtom(atom: Atom, form: 'sentence' | 'negative_sentence', voice: Voice): Sentence | undefined {
  const spokenFor = ({ id, head }: DatalogRule) => head.predicate === atom.predicate && sentencesOf(voice, id)?.[form] !== undefined
  const definition = voice.rules.find(spokenFor)
  if (definition === undefined) return undefined
  const terms = new Map<string, Term>()
  for (const [at, argument] of definition.head.args.entries()) {
    const bound = atom.args[at]
    const known = bound !== null && bound !== undefined && 'term' in bound
    if (argument !== null && 'variable' in argument && known) terms.set(argument.variable, bound.term)
  }
  return spokenSentence(sentencesOf(voice, definition.id)?.[form] ?? '', (variable) => terms.get(variable), voice)
}

function spokenSentence(sentence: string, term: (variable: string) => Term | undefined, voice: Voice): Sentence {
  const value = (variable: string) => spokenTerm(term(variable), voice)
  const named = (variable: string | undefined): Named | null => {
    const bound = variable === undefined ? undefined : term(variable)
    return bound === undefined ? null : { key: termKey(bound), text: voice.label(bound) }
  }
  const sayable = withoutUnknown(sentence, value)
  return {
    text: fill(sentence, value),
    whole: [...sayable.matchAll(/\{(\w+)/g)].every(([, variable]) => value(variable ?? '') !== undefined),
    subject: named(/^\{(\w+)\} /.exec(sayable)?.[1]),
    ending: named(/\{(\w+)\}$/.exec(sayable)?.[1]),
  }
}

const spokenTerm = (term: Term | undefined, voice: Voice): string | undefined =>
  term === undefined ? undefined : voice.label(term)

/** Records behind the asserted premises of one step; derived premises bring their own clauses. */
function recordsOf(premise: ProofPremise): string[] {
  if (premise.kind === 'proof') {
    return premise.proof.asserted && premise.proof.source !== undefined ? [premise.proof.source] : []
  }
  if (premise.kind === 'aggregate') {
    return premise.matches.flatMap((match) => match.flatMap((proof) => recordsOf({ kind: 'proof', proof })))
  }
  return []
}
