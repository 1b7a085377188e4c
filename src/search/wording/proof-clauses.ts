/** A proof as clauses of a sentence, each with the records it rests on. The flavor's rules bring the words. */
import type { Flavor, FlavorRule } from '../../contracts/index.ts'
import type { Atom, DatalogRule, Proof, ProofPremise } from '../../kernel/datalog/index.ts'
import type { Term } from '../../kernel/term.ts'
import { fill } from './english.ts'

export interface Clause {
  readonly text: string
  /** IRIs of records whose facts the clause rests on, in the order of the rule's body */
  readonly records: readonly string[]
  /** IRIs of records that the text names */
  readonly named: readonly string[]
  readonly rule: string
}

type Derived = Extract<Proof, { asserted: false }>

export interface Voice {
  readonly flavor: Flavor
  readonly rules: readonly DatalogRule[]
  label(term: Term): string
}

/** The clauses of a derived fact: its own first, then those of the derived facts and absences it rests on. */
export function clausesOf(proof: Proof, voice: Voice): Clause[] {
  const clauses: Clause[] = []
  const spoken = new Set<string>()
  const say = (clause: Clause) => {
    if (clause.text !== '' && !spoken.has(clause.text)) clauses.push(clause)
    spoken.add(clause.text)
  }
  const visit = (node: Proof) => {
    if (node.asserted || node.premises === undefined) return
    const source = voice.flavor.rules.find((rule) => rule.id === node.rule || node.rule.startsWith(`${rule.id}-`))
    say(ownClause(node, source, voice))
    for (const premise of node.premises) {
      if (premise.kind === 'proof') visit(premise.proof)
      else if (premise.kind === 'absent') say(absence(premise.atom, node.rule, voice))
      else if (premise.kind === 'aggregate') for (const match of premise.matches) for (const proof of match) visit(proof)
    }
  }
  visit(proof)
  return clauses
}

function ownClause(node: Derived, source: FlavorRule | undefined, voice: Voice): Clause {
  const variables = [...(source?.sentence ?? '').matchAll(/\{(\w+)/g)].map(([, name]) => node.bindings[name ?? ''])
  return {
    text: fill(source?.sentence ?? '', (variable) => spokenTerm(node.bindings[variable], voice)),
    records: (node.premises ?? []).flatMap(recordsOf),
    named: variables.flatMap((term) => (term?.kind === 'iri' ? [term.value] : [])),
    rule: node.rule,
  }
}

/** "no redundant path": the words come from a rule whose head is the absent predicate. */
function absence(atom: Atom, rule: string, voice: Voice): Clause {
  const definition = voice.rules.find(({ head }) => head.predicate === atom.predicate)
  const source = voice.flavor.rules.find(({ id, negative_sentence }) => negative_sentence !== undefined && (id === definition?.id || headIs(voice, id, atom.predicate)))
  const terms = new Map<string, Term>()
  for (const [at, argument] of (definition?.head.args ?? []).entries()) {
    const bound = atom.args[at]
    if (argument !== null && 'variable' in argument && bound !== null && bound !== undefined && 'term' in bound) terms.set(argument.variable, bound.term)
  }
  return { text: fill(source?.negative_sentence ?? '', (variable) => spokenTerm(terms.get(variable), voice)), records: [], named: [], rule }
}

const headIs = (voice: Voice, id: string, predicate: string) => voice.rules.some((rule) => rule.id === id && rule.head.predicate === predicate)

const spokenTerm = (term: Term | undefined, voice: Voice): string | undefined => (term === undefined ? undefined : voice.label(term))

/** Records behind the asserted premises of one step; derived premises bring their own clauses. */
export function recordsOf(premise: ProofPremise): string[] {
  if (premise.kind === 'proof') return premise.proof.asserted && premise.proof.source !== undefined ? [premise.proof.source] : []
  if (premise.kind === 'aggregate') return premise.matches.flatMap((match) => match.flatMap((proof) => recordsOf({ kind: 'proof', proof })))
  return []
}
