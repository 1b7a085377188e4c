/** The rules that a flavor brings, in the shape of rules of a session, so that they run wherever those run. */
import type { Flavor, Rule } from '../contracts/index.ts'

/** Search reads the same texts; ids stay the same, so a proof names one rule whichever surface shows it. */
export const flavorRules = (flavor: Pick<Flavor, 'name' | 'rules'>): Rule[] =>
  flavor.rules.map(({ id, label, body }) => ({
    id, kind: 'datalog', label, body, enabled: true, nl_summary: label, source: `flavor:${flavor.name}`,
  }))
