/** Classes, properties and ways of a plan in words. Total: a name that the ontology does not know is said as it is written. */
import type { Path, Selection } from '../../contracts/index.ts'
import { plural, splitIdentifier } from '../../kernel/text/index.ts'
import type { Ontology, OntologyClass, OntologyProperty } from '../../ontology/index.ts'
import { inSentence } from '../records.ts'
import { labelBesideUnit, unitOf } from './units.ts'
import type { Column } from './values.ts'

export interface Stride {
  readonly name: string
  readonly back: boolean
  readonly property: OntologyProperty | null
  readonly to: OntologyClass | null
}

export interface Way {
  readonly strides: readonly Stride[]
  /** the data property that it ends on; null when it ends on a class, or on something unknown */
  readonly property: OntologyProperty | null
  /** the class that holds the property, or that the way ends on */
  readonly cls: OntologyClass | null
}

export const classOf = (ontology: Ontology, name: string): OntologyClass | null =>
  ontology.classes.find((cls) => cls.name === name) ?? null

export function wayOf(ontology: Ontology, from: OntologyClass | null, path: Path): Way {
  const strides: Stride[] = []
  let cls = from
  for (const name of path) {
    const property = cls?.properties.find((candidate) => candidate.name === name) ?? null
    if (!name.startsWith('^') && property?.kind !== 'object') return { strides, property, cls }
    const stride = strideOf(ontology, cls, name)
    strides.push(stride)
    cls = stride.to
  }
  return { strides, property: null, cls }
}

/** One foreign key, walked either way. */
export function strideOf(ontology: Ontology, cls: OntologyClass | null, name: string): Stride {
  if (!name.startsWith('^')) {
    const property = cls?.properties.find((candidate) => candidate.name === name && candidate.kind === 'object') ?? null
    return { name, back: false, property, to: property === null ? null : classOf(ontology, property.range) }
  }
  const [childName = '', key = ''] = name.slice(1).split('.')
  const to = classOf(ontology, childName)
  return { name, back: true, property: to?.properties.find((candidate) => candidate.name === key) ?? null, to }
}

/** Small letters, but abbreviations stay: "KPI sample". */
const lower = (text: string): string =>
  inSentence(text).replaceAll(/\S+/g, (word) => (/^[A-Z0-9]{2,}$/.test(word) ? word : word.toLowerCase()))

/** A name of the ontology that no label explains. */
export const spoken = (name: string): string => splitIdentifier(name.replace(/^\^/, '').split('.', 1)[0] ?? '').join(' ') || 'value'

export const classNoun = (cls: OntologyClass | null, name = ''): string => lower(cls?.label ?? '').trim() || spoken(name)

export function nounOf(ontology: Ontology, className: string, count = 2): string {
  const noun = classNoun(classOf(ontology, className), className)
  return count === 1 ? noun : plural(noun)
}

export const propertyNoun = (property: OntologyProperty | null, name = ''): string =>
  (property === null ? '' : lower(labelBesideUnit(property)).trim()) || spoken(name)

/** What is met at the end of a step: the role that the foreign key gives it, or, walked back, its class. */
export const strideNoun = ({ back, property, to, name }: Stride): string =>
  (back ? classNoun(to, name) : propertyNoun(property, name))

/** Other foreign keys of the same child lead here too, so the role has to be named. */
export const hasTwin = ({ back, property, to }: Stride): boolean =>
  back && property !== null && (to?.properties.filter(({ kind, range }) => kind === 'object' && range === property.range).length ?? 0) > 1

/** Nobody speaks of the table that does nothing but connect two others. */
export const isJunction = (ontology: Ontology, cls: OntologyClass | null): boolean =>
  (ontology.relationships ?? []).some(({ junction, from, to }) => junction === cls?.name && from !== to)

/** The nouns along a way, without connecting tables: "resource", "site". */
export function strideNouns(ontology: Ontology, strides: readonly Stride[]): string[] {
  const isPassed = ({ back, to }: Stride, at: number) => back && strides[at + 1]?.back === false && isJunction(ontology, to)
  return strides.filter((stride, at) => !isPassed(stride, at)).map(strideNoun)
}

/** What a column is called beside its values: "status", "site" for the site's name, "site city", "alarm". */
export function columnNoun(ontology: Ontology, from: OntologyClass | null, path: Path): string {
  const way = wayOf(ontology, from, path)
  const nouns = strideNouns(ontology, way.strides)
  const last = path.at(-1) ?? ''
  if (way.property === null && way.strides.length === path.length) return nouns.join(' ') || spoken(last)
  const named = way.strides.length > 0 && way.property !== null && way.property.name === way.cls?.labelProperty
  return (named ? nouns : [...nouns, propertyNoun(way.property, last)]).join(' ')
}

/** How the values of a column are said. A unit that stands in a column of its own beside it is not said twice. */
export function columnOf(
  ontology: Ontology,
  from: OntologyClass | null,
  { path, aggregate }: Selection,
  beside: readonly Selection[] = [],
): Column {
  const counts = aggregate === 'count' || aggregate === 'count_distinct'
  if (path === undefined || counts) return { property: null, cls: null, amount: true, unit: null }
  const { property, cls } = wayOf(ontology, from, path)
  const way = path.slice(0, -1).join(' ')
  const told = beside.some((other) => /^units?$/.test(other.path?.at(-1) ?? '') && other.path?.slice(0, -1).join(' ') === way)
  return { property, cls, amount: aggregate === 'sum' || aggregate === 'avg', unit: told ? null : unitOf(property) }
}
