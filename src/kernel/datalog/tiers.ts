/**
 * How sensitive a rule is before any fact is looked at. A negation or an aggregate tells something about every fact of the
 * relation it ranges over, and about every fact and column which that relation is derived from, even where it is empty. So
 * the reach of a relation counts, not only the rows that are there: what is derived below a tier then stays the same when
 * everything above that tier is taken away.
 */
import type { Atom, DatalogRule, Relation } from './program.ts'
import { atomsOf } from './check-program.ts'
import type { FactBase } from './fact-base.ts'

export interface Tiers {
  /** the tier of a rule's columns, negations and aggregates; those must range over settled predicates */
  ofRule(rule: DatalogRule): number
  /** fixes the reach of a finished group of predicates, whose rules these are */
  settle(predicates: readonly string[], rules: readonly DatalogRule[]): void
}

export function tiersOf(relations: readonly Relation[], base: FactBase): Tiers {
  const columns = new Map(relations.map((relation) => [relation.name, relation.columns]))
  const reach = new Map<string, number>()
  const ofColumns = (atom: Atom) =>
    atom.args.reduce((tier, arg, i) => (arg === null ? tier : Math.max(tier, columns.get(atom.predicate)?.[i]?.tier ?? 0)), 0)
  const ofAll = (atom: Atom) => Math.max(ofColumns(atom), reach.get(atom.predicate) ?? 0)

  return {
    ofRule(rule) {
      let tier = 0
      for (const item of rule.body) {
        if (item.kind === 'atom') tier = Math.max(tier, ofColumns(item.atom))
        if (item.kind === 'not') tier = Math.max(tier, ofAll(item.atom))
        if (item.kind === 'aggregate') for (const atom of item.body) tier = Math.max(tier, ofAll(atom))
      }
      return tier
    },
    settle(predicates, rules) {
      // the members of a group depend on each other, so they share one reach
      let tier = 0
      for (const predicate of predicates) {
        for (const level of base.tables.get(predicate)?.levels ?? []) tier = Math.max(tier, level)
      }
      for (const rule of rules) for (const atom of atomsOf(rule).slice(1)) tier = Math.max(tier, ofAll(atom))
      for (const predicate of predicates) reach.set(predicate, tier)
    },
  }
}
