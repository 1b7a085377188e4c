/** Databases in equal parts: what is learnt from some is measured on the others. */
import { hash64 } from '../../kernel/text/index.ts'
import { compareText } from '../../kernel/term.ts'

/** The fold of each database, 0 to `folds` - 1; a hash deals them out, so a database more or less moves few of the others far. */
export function foldsOf(databases: readonly string[], folds: number, seed: number): ReadonlyMap<string, number> {
  const dealt = [...new Set(databases)]
    .map((db) => ({ db, order: hash64(`${seed} ${db}`) }))
    .toSorted((a, b) => compareText(a.order, b.order) || compareText(a.db, b.db))
  return new Map(dealt.map(({ db }, at) => [db, at % folds]))
}
