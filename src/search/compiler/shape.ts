/** What kind of rows a plan gives, read from the plan alone. */
import type { Path, Plan, Selection } from '../../contracts/index.ts'
import { XSD } from '../../kernel/term.ts'
import type { Ontology, OntologyClass } from '../../ontology/index.ts'
import { resolvePath } from './resolve.ts'

/** True when rows stand for groups of records, or for all of them together. */
export const isFolded = ({ select, group_by: groups, having, order_by: order }: Plan): boolean =>
  groups.length > 0 || having.length > 0 || [...select, ...order.map(({ by }) => by)].some(({ aggregate }) => aggregate !== undefined)

/** True when rows are made of several records each, so that all records must be read to say them again; else a row is a record. */
export const readsWhole = (plan: Plan): boolean => isFolded(plan) || plan.distinct || plan.set_op !== undefined

/** True when every record that meets the conditions stands behind the rows, so that the first of them can stand for all. */
export const foldsAll = (plan: Plan): boolean => isFolded(plan) && plan.having.length === 0 && plan.set_op === undefined && !plan.distinct

/** True when a plan can give no more than one row. */
export const givesOneRow = (plan: Plan): boolean => plan.limit === 1 || (plan.set_op === undefined && isFolded(plan) && plan.group_by.length === 0)

export const pathKey = (path: Path | undefined): string => JSON.stringify(path ?? [])
export const sameSelection = (a: Selection, b: Selection): boolean => a.aggregate === b.aggregate && pathKey(a.path) === pathKey(b.path)

/** What a folded plan groups by: what it names, and what it shows or sorts by, which strict engines want named too. */
export function groupedPaths({ select, group_by: groups, order_by: order }: Plan): Path[] {
  const plain = [...select, ...order.map(({ by }) => by)].flatMap(({ path, aggregate }) => (path === undefined || aggregate !== undefined ? [] : [path]))
  return uniquePaths([...groups, ...plain])
}

export const uniquePaths = (paths: readonly Path[]): Path[] => [...new Map(paths.map((path) => [pathKey(path), path])).values()]

/** True when records of one group all have the same value there: it is grouped by, or belongs to a record that is. */
export function isDetermined(ontology: Ontology, root: OntologyClass, groups: readonly Path[], path: Path): boolean {
  const keys = new Set(groups.map(pathKey))
  if (keys.has(pathKey(path))) return true
  const { steps } = resolvePath(ontology, root, path)
  for (let end = steps.length; end >= 0; end -= 1) {
    const way = path.slice(0, end)
    const cls = steps[end - 1]?.to ?? root
    const named = cls.key.map((column) => cls.properties.find(({ kind, columns }) => kind === 'data' && columns[0] === column)?.name)
    const byKey = named.length > 0 && named.every((name) => name !== undefined && keys.has(pathKey([...way, name])))
    if (byKey || (end > 0 && keys.has(pathKey(way)))) return true
    if (steps[end - 1]?.backward === true) return false
  }
  return false
}

/** The datatype of what a selection shows. */
export function rangeOf(ontology: Ontology, root: OntologyClass, { path, aggregate }: Selection): string {
  const range = path === undefined ? `${XSD}integer` : (resolvePath(ontology, root, path).property?.range ?? `${XSD}integer`)
  switch (aggregate) {
    case undefined:
      return range
    case 'count':
    case 'count_distinct':
      return `${XSD}integer`
    case 'avg':
      return `${XSD}decimal`
    case 'sum':
      return range === `${XSD}decimal` || range === `${XSD}string` ? `${XSD}decimal` : `${XSD}integer`
    case 'min':
    case 'max':
      return range === `${XSD}boolean` ? `${XSD}integer` : range // see `measured`
  }
}

export type Kind = 'number' | 'boolean' | 'moment' | 'bytes' | 'text'
const KINDS: Readonly<Record<string, Kind>> = {
  integer: 'number', decimal: 'number', boolean: 'boolean', date: 'moment', dateTime: 'moment', hexBinary: 'bytes',
}

/** Values of one kind compare with each other on every engine. */
export const kindOf = (range: string): Kind => (range.startsWith(XSD) ? KINDS[range.slice(XSD.length)] : undefined) ?? 'text'

/** Every path that a folded plan reads before folding: what each evidence row must hold. */
export const readPaths = ({ select, group_by: groups, having, order_by: order }: Plan): Path[] =>
  [...groups, ...[...select, ...having.map(({ by }) => by), ...order.map(({ by }) => by)].flatMap(({ path }) => (path === undefined ? [] : [path]))]

