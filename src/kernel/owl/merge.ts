/**
 * Rules that make two things one. Where names are unique, two IRIs cannot be one thing, so these rules report a conflict
 * for them; a blank node is no name and may turn out to be anything. Two literals are one only where their values are equal.
 */
import type { Argument, BodyItem, DatalogRule } from '../datalog/index.ts'
import { tripleAtom } from '../rdf/index.ts'
import type { Term } from '../term.ts'
import { inconsistent } from './inconsistency.ts'
import type { OwlOptions, Variable } from './rule.ts'
import { SAME_AS, call, holds, rule, test, unequal } from './rule.ts'

export interface Merge {
  readonly name: string
  readonly key: readonly (Term | string)[]
  /** the two that are one */
  readonly left: Variable
  readonly right: Variable
  /** the arguments of the conflict */
  readonly about: readonly Argument[]
  readonly body: readonly BodyItem[]
}

export function mergeRules({ name, key, left, right, about, body }: Merge, { uniqueNames, trivial }: OwlOptions): DatalogRule[] {
  const both = (kind: string) => call('&&', call(kind, left), call(kind, right))
  const eitherBlank = call('||', call('isblank', left), call('isblank', right))
  const same = holds(left, SAME_AS, right)
  const conflict = inconsistent(name, ...about)
  const apart = unequal(left, right)
  // a pair is met in both orders and is one conflict
  const once = test(call('<=', call('str', left), call('str', right)))
  if (!uniqueNames) {
    return [
      rule(name, key, same, ...body, ...(trivial ? [] : [apart])),
      rule(name, [...key, 'conflict'], conflict, ...body, apart, test(both('isliteral')), once),
    ]
  }
  // who says that two names stand for one thing is believed
  const unsaid: BodyItem = { kind: 'not', atom: tripleAtom(left, SAME_AS, right) }
  return [
    rule(name, key, same, ...body, apart, test(eitherBlank)),
    rule(name, [...key, 'conflict'], conflict, ...body, apart, test(call('!', eitherBlank)), once, unsaid),
  ]
}
