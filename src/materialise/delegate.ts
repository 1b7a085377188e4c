/**
 * Rules that no compiler reads are put to the SPARQL store as queries. Its solutions come back as facts of a relation of their
 * own, and the rule goes on from there: what it derives has the triples of its pattern as premises, and is marked as resting on
 * more than they show.
 */
import type { Fact } from '../kernel/datalog/index.ts'
import { answerPredicate } from '../kernel/sparql/index.ts'
import type { Term } from '../kernel/term.ts'
import type { CompiledRule } from './compile.ts'
import type { Delegated } from './materialisation.ts'

/** By rule: its solutions, one row of terms each; null is a variable without a value. */
export type Answers = ReadonlyMap<string, readonly (readonly (Term | null)[])[]>

export const isAnswer = (predicate: string): boolean => predicate.startsWith(answerPredicate(''))

/** Nobody can say on which triples an answer rests, so it is as sensitive as the most sensitive of them all. */
export const answerFacts = (answers: Answers, tier: number): Fact[] =>
  [...answers].flatMap(([rule, rows]) => rows.map((args) => ({ predicate: answerPredicate(rule), args, tier })))

export const delegatedOf = (rules: readonly CompiledRule[], answers: Answers): Delegated[] =>
  rules.flatMap(({ engine, rule, delegated }) =>
    delegated === undefined ? [] : [{ engine, rule, reason: delegated.reason, solutions: answers.get(rule)?.length ?? 0 }],
  )
