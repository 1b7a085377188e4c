/** What the rows of an answer are grouped by: records, or properties that stand for themselves. */
import type { Path } from '../../contracts/index.ts'
import type { OntologyClass } from '../../ontology/index.ts'
import type { Routes } from './routes.ts'
import { type Ref, type Shown, type Sketch, isKey, isRef, keyOf } from './sketch.ts'

const NAMING = /(?:^|_)(?:name|title|code|id|number)$/

/** null when a group cannot be reached, or has nothing that tells it from others. */
export function groupPathsOf(routes: Routes, { groups, choices }: Sketch, plainShown: readonly Shown[]): Path[] | null {
  const shown = plainShown.flatMap((item): (Ref | OntologyClass)[] => {
    if (item.kind === 'record') return [item.cls]
    return item.kind === 'property' ? [item.ref] : []
  })
  const out = new Map<string, Path>()
  const onlyRecords = groups.every((group) => !isRef(group))
  for (const group of [...groups, ...shown]) {
    const cls = isRef(group) ? group.cls : group
    const way = routes.to(cls.name)
    if (way === null) return null
    const records = isRef(group) && way.length > 0 && onlyRecords && namesRecords(group, plainShown)
    // people of one name are several unless the name is what is counted
    const byRecord = !isRef(group) || (records && !choices.turned('group by name'))
    const paths = !byRecord ? [[...way, group.property.name]] : recordPaths(routes, cls, way)
    if (paths.length === 0) return null
    for (const path of paths) out.set(path.join(' '), path)
  }
  return [...out.values()]
}

/** A record by the way to it; by the foreign key itself where nothing else is asked of it. */
function recordPaths(routes: Routes, cls: OntologyClass, way: readonly string[]): Path[] {
  if (way.length === 0) return keyPaths(cls)
  const key = keyOf(cls)
  return [key !== undefined && routes.isHeld(way) ? [...way, key.name] : [...way]]
}

/** Its key or name, or something shown beside them, stands for the record; any other property for itself. */
function namesRecords({ cls }: Ref, plainShown: readonly Shown[]): boolean {
  return plainShown.some((shown) => {
    if (shown.kind === 'record') return shown.cls.name === cls.name
    if (shown.kind !== 'property' || shown.ref.cls.name !== cls.name) return false
    const { name } = shown.ref.property
    return isKey(shown.ref) || name === cls.labelProperty || NAMING.test(name)
  })
}

/** The properties that together identify a record of the plan's own class. */
export const keyPaths = ({ properties, key }: OntologyClass): Path[] =>
  properties
    .filter(({ kind, columns }) => kind === 'data' && columns.every((column) => key.includes(column)))
    .map(({ name }) => [name])
