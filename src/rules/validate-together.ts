/** Many rules that are saved at once: each is checked by itself, and all of them once beside one another. */
import type { Fault } from '../contracts/index.ts'
import { baseRule } from '../kernel/sparql/index.ts'
import { LIBRARY_BASE } from './library-base.ts'
import { readRule } from './rule-reading.ts'
import { faultsAmong } from './strata-check.ts'
import { type RuleDraft, checkedRule } from './validate.ts'

/** The faults of each rule, in their order. `isKept` rules stand as they were saved: what they say by themselves was checked then. */
export function faultsTogether<T extends RuleDraft>(
  rules: readonly T[],
  baseIri = LIBRARY_BASE,
  isKept: (rule: T) => boolean = () => false,
): Fault[][] {
  const times = Map.groupBy(rules, ({ id }) => id)
  const faults = rules.map((rule): Fault[] => {
    const twice = times.get(rule.id)!.length > 1 ? [{ path: 'id', message: 'another rule has this id' }] : []
    return [...twice, ...(isKept(rule) ? [] : checkedRule(rule, { baseIri }).validation.errors)]
  })
  // the faults of one rule would be found again in all of them together
  if (faults.some((own) => own.length > 0)) return faults
  const places = new Map(rules.map(({ id }, at) => [id, at]))
  const all = rules.flatMap((rule) => readRule(rule, { baseIri }).rules)
  if (!all.some(({ body }) => body.some(({ kind }) => kind === 'not' || kind === 'aggregate'))) return faults
  for (const fault of faultsAmong(all)) {
    const [said, id = ''] = /^(\S+): /.exec(fault.message) ?? ['']
    const own = faults[places.get(baseRule(id)) ?? 0]
    own?.push({ ...fault, message: fault.message.slice(said.length) })
  }
  return faults
}
