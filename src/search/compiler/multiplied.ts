/**
 * Ways to many that a plan reads as rows: each repeats the record it starts from. What counts or adds up beside such a way would
 * take a record once for each of those at its end, so such plans are faults.
 */
import type { Fault, Path, Plan, Selection } from '../../contracts/index.ts'
import { pathKey, readPaths, readsWhole, uniquePaths } from './shape.ts'

/** Where a record stands once or ten times makes no difference to the others. */
const TAKES_EACH: ReadonlySet<Selection['aggregate']> = new Set(['count', 'sum', 'avg'])

export function multiplied(plan: Plan): Fault[] {
  const { select, group_by: groups, having, order_by: order } = plan
  const branches = uniquePaths(readPaths(plan).flatMap(branchesOf))
  if (branches.length === 0) return []
  const places: { by: Selection; at: string }[] = [
    ...select.map((by, at) => ({ by, at: `select.${at}` })),
    ...groups.map((path, at) => ({ by: { path }, at: `group_by.${at}` })),
    ...having.map(({ by }, at) => ({ by, at: `having.${at}.by` })),
    ...order.map(({ by }, at) => ({ by, at: `order_by.${at}.by` })),
  ]
  const faults: Fault[] = []
  let deepest: Path = []
  for (const { by: { path = [], aggregate }, at } of places) {
    if (aggregate === undefined) {
      const own = branchesOf(path).at(-1) ?? []
      if (!startsWith(own, deepest) && !startsWith(deepest, own)) faults.push({ path: at, message: `${said(own)} and ${said(deepest)} are read side by side: ask for them one at a time` })
      else if (own.length > deepest.length) deepest = own
      if (own.length > 0 && at.startsWith('order_by') && !readsWhole(plan)) faults.push({ path: at, message: `a record would be listed once for each ${said(own)}` })
      continue
    }
    const beside = TAKES_EACH.has(aggregate) ? branches.find((branch) => !startsWith(path, branch)) : undefined
    if (beside !== undefined) faults.push({ path: at, message: `would be counted once for each ${said(beside)}: ask for count_distinct, or for one of them at a time` })
  }
  return faults
}

/** The parts of a path that end on a step back. */
const branchesOf = (path: Path): Path[] => path.flatMap((step, at) => (step.startsWith('^') ? [path.slice(0, at + 1)] : []))

const startsWith = (path: Path, begin: Path): boolean => pathKey(path.slice(0, begin.length)) === pathKey(begin)

/** The class that a step back leads to. */
const said = (branch: Path): string => branch.at(-1)?.slice(1).split('.', 1)[0] ?? ''
