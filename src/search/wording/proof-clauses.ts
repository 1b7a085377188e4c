/** A proof as clauses of a sentence, each with the records it rests on. The flavor's rules bring the words. */
import type { Flavor, FlavorRule } from '../../contracts/index.ts'
import type { Atom, DatalogRule, Proof, ProofPremise } from '../../kernel/datalog/index.ts'
import type { Term } from '../../kernel/term.ts'
import { fill } from './english.ts'

export interface Clause {
  readonly text: string
  /** IRIs of records that the clause's rule read, in the order of its body */
  readonly records: readonly string[]
  /** IRIs of records that the rule counted or added up: examples of them are enough */
  readonly folded: readonly string[]
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
  return clauses
}

function ownClause(node: Derived, source: FlavorRule | undefined, voice: Voice): Clause {
  return {
    text: fill(source?.sentence ?? '', (variable) => spokenTerm(node.bindings[variable], voice)),
    records: node.premises.filter(({ kind }) => kind !== 'aggregate').flatMap(recordsOf),
    folded: node.premises.filter(({ kind }) => kind === 'aggregate').flatMap(recordsOf),
  }
}

/** "no redundant path": the words come from the rules whose head is the absent predicate. */
function absence(atom: Atom, voice: Voice): Clause {
  return { text: sayAtom(atom, 'negative_sentence', voice) ?? '', records: [], folded: [] }
}

/** An atom in the words of the first rule that defines its predicate and has such a sentence. */
export function sayAtom(atom: Atom, form: 'sentence' | 'negative_sentence', voice: Voice): string | undefined {
  const definition = voice.rules.find(({ id, head }) => head.predicate === atom.predicate && sentencesOf(voice, id)?.[form] !== undefined)
  if (definition === undefined) return undefined
  const terms = new Map<string, Term>()
  for (const [at, argument] of definition.head.args.entries()) {
    const bound = atom.args[at]
    if (argument !== null && 'variable' in argument && bound !== null && bound !== undefined && 'term' in bound) terms.set(argument.variable, bound.term)
  }
  return fill(sentencesOf(voice, definition.id)?.[form] ?? '', (variable) => spokenTerm(terms.get(variable), voice))
}

const spokenTerm = (term: Term | undefined, voice: Voice): string | undefined => (term === undefined ? undefined : voice.label(term))

/** Records behind the asserted premises of one step; derived premises bring their own clauses. */
function recordsOf(premise: ProofPremise): string[] {
  if (premise.kind === 'proof') return premise.proof.asserted && premise.proof.source !== undefined ? [premise.proof.source] : []
  if (premise.kind === 'aggregate') return premise.matches.flatMap((match) => match.flatMap((proof) => recordsOf({ kind: 'proof', proof })))
  return []
}
