/**
 * Rules that no compiler reads are put to the SPARQL store as queries. Its solutions come back as facts of a relation of their
 * own, and the rule goes on from there: what it derives has the triples of its pattern as premises, and is marked as resting on
 * more than they show.
 */
import type { Fact } from '../kernel/datalog/index.ts'
import { answerPredicate } from '../kernel/sparql/index.ts'
import type { Term } from '../kernel/term.ts'
import { termKey } from '../kernel/term.ts'
import type { Compilation, CompiledRule } from './compile.ts'
import type { Delegated, Materialisation } from './materialisation.ts'

/** One term per variable; null is a variable without a value. */
export type Solution = readonly (Term | null)[]

/** By rule: its solutions. */
export type Answers = ReadonlyMap<string, readonly Solution[]>

/** By rule: why the store's answers to it are not used. */
export type Withheld = ReadonlyMap<string, string>

export const isAnswer = (predicate: string): boolean => predicate.startsWith(answerPredicate(''))

export const solutionKey = (solution: Solution): string => solution.map((term) => (term === null ? '' : termKey(term))).join(' ')

/** Nobody can say on which triples an answer rests, so it is as sensitive as the most sensitive of them all. */
export const answerFacts = (answers: Answers, tier: number): Fact[] =>
  [...answers].flatMap(([rule, rows]) => rows.map((args) => ({ predicate: answerPredicate(rule), args, tier })))

export const delegatedOf = (rules: readonly CompiledRule[], answers: Answers): Delegated[] =>
  rules.flatMap(({ engine, rule, delegated }) =>
    delegated === undefined ? [] : [{ engine, rule, reason: delegated.reason, solutions: answers.get(rule)?.length ?? 0 }],
  )

/** The same without the rules whose answers cannot be relied on: those are refused. */
export function withhold(compilation: Compilation, withheld: Withheld): Compilation {
  const reasonOf = ({ rule, delegated }: CompiledRule) => (delegated === undefined ? undefined : withheld.get(rule))
  const refused = compilation.rules.flatMap((one) => {
    const reason = reasonOf(one)
    return reason === undefined ? [] : [{ engine: one.engine, rule: one.rule, reason }]
  })
  return {
    ...compilation,
    rules: compilation.rules.filter((one) => reasonOf(one) === undefined),
    refused: [...compilation.refused, ...refused],
  }
}

/** The keys of the solutions of a rule that some derivation rests on. */
export function solutionsUsed({ model }: Materialisation, rule: string): Set<string> {
  const used = new Set<string>()
  const predicate = answerPredicate(rule)
  for (let id = 0; id < model.size; id++) {
    for (const { premises } of model.derivations(id)) {
      for (const premise of premises) {
        if (premise.kind !== 'fact') continue
        const fact = model.fact(premise.fact)
        if (fact.predicate === predicate) used.add(solutionKey(fact.args))
      }
    }
  }
  return used
}
