/**
 * The seven axioms that only a person can declare, put on the classes and properties they are about. A row about a column
 * speaks of the property behind it, a row about a connecting table of the relationship that the table stands for.
 */
import { type MetadataRow, maxTier, metadataKey } from '../contracts/index.ts'
import { compareText } from '../kernel/term.ts'
import { propertyLabel, propertyName } from './names.ts'
import type {
  Characteristics, Ontology, OntologyClass, OntologyInverse, OntologyProperty, OntologyRelationship,
} from './ontology.ts'

type Said = (table: string, column: string | null) => MetadataRow | undefined
type Whole = Pick<Ontology, 'baseIri' | 'classes'> & { readonly relationships: readonly OntologyRelationship[] }

export interface WithAxioms {
  readonly classes: readonly OntologyClass[]
  readonly relationships: readonly OntologyRelationship[]
  readonly inverses: readonly OntologyInverse[]
}

/** What cannot be said in OWL (a transitive text) is left out here and named by `metadataFaults`. */
export function withAxioms(whole: Whole, said: Said): WithAxioms {
  const directory = directoryOf(whole)
  const inverses = new Map<string, OntologyInverse>()
  const characteristics = (row: MetadataRow | undefined, ends: Ends): Characteristics => {
    const wanted = row === undefined ? null : partnerOf(row.inverse_of, ends, directory)
    // one name turns around one property: a second one would make the two properties the same
    const partner = wanted?.declares !== undefined && inverses.has(wanted.iri) ? null : wanted
    if (partner?.declares !== undefined) inverses.set(partner.iri, partner.declares)
    return {
      transitive: row?.is_transitive === true,
      symmetric: row?.is_symmetric === true,
      inverseFunctional: row?.is_inverse_functional === true,
      inverseOf: partner?.iri ?? null,
    }
  }
  const classes = whole.classes.map((cls): OntologyClass => {
    const own = said(cls.table, null)
    const properties = cls.properties.map((property): OntologyProperty => {
      const row = rowBehind(property, (column) => said(cls.table, column))
      const functional = functionalBy(row, property.functional)
      if (property.kind === 'data') return { ...property, functional }
      return { ...property, functional, ...characteristics(row, endsOf(cls, property)) }
    })
    const hasKey = keyProperties({ ...cls, properties }, own?.has_key_columns ?? []) ?? []
    return { ...cls, properties, hasKey, disjointGroup: own?.disjoint_group ?? null }
  })
  const tableOf = new Map(classes.map(({ name, table }) => [name, table]))
  const relationships = whole.relationships.map((relationship) => {
    const row = said(tableOf.get(relationship.junction) ?? '', null)
    return { ...relationship, functional: functionalBy(row, false), ...characteristics(row, relationship) }
  })
  return { classes, relationships, inverses: [...inverses.values()].toSorted((x, y) => compareText(x.iri, y.iri)) }
}

/** A foreign key has one value by its nature. A person may still take that back, where he wants the property transitive. */
const functionalBy = (row: MetadataRow | undefined, otherwise: boolean): boolean => row?.is_functional ?? otherwise

const rowBehind = ({ columns }: OntologyProperty, said: (column: string) => MetadataRow | undefined) =>
  columns.length === 1 ? said(columns[0] ?? '') : undefined

/** The property of each column, in order; null when a column has none. A column that is only a reference is that reference. */
function keyProperties(cls: OntologyClass, columns: readonly string[]): string[] | null {
  const found = columns.map((column) => {
    const alone = cls.properties.filter((property) => property.columns.length === 1 && property.columns[0] === column)
    return (alone.find(({ kind }) => kind === 'data') ?? alone[0])?.name
  })
  return found.every((name) => name !== undefined) ? found : null
}

interface Ends {
  readonly iri: string
  readonly from: string
  readonly to: string
  readonly tier: OntologyProperty['tier']
}

const endsOf = (cls: OntologyClass, { iri, range, tier }: OntologyProperty): Ends =>
  ({ iri, from: cls.name, to: range, tier: maxTier(cls.tier, tier) })

interface Directory {
  readonly baseIri: string
  /** object properties and relationships by IRI, by `Class.property` and by `table.column` */
  readonly objects: ReadonlyMap<string, string>
  /** every IRI that means something already */
  readonly taken: ReadonlySet<string>
}

function directoryOf({ baseIri, classes, relationships }: Whole): Directory {
  const objects = classes.flatMap((cls) =>
    cls.properties
      .filter(({ kind }) => kind === 'object')
      .flatMap(({ iri, name, columns }) => [
        [`${cls.table}.${columns.join(',')}`, iri],
        [`${cls.name}.${name}`, iri],
        [iri, iri],
      ]),
  )
  const many = relationships.flatMap(({ iri, name, from }) => [[`${from}.${name}`, iri], [iri, iri]])
  const taken = [
    ...classes.flatMap((cls) => [cls.iri, ...cls.properties.map(({ iri }) => iri)]),
    ...relationships.map(({ iri }) => iri),
  ]
  return { baseIri, objects: new Map([...objects, ...many].map(([name = '', iri = '']) => [name, iri])), taken: new Set(taken) }
}

interface Partner {
  readonly iri: string
  /** present when the partner is not there yet: a name for the other direction */
  readonly declares?: OntologyInverse
}

/** null when nothing is named, or nothing that could be an object property. */
function partnerOf(name: string | null, ends: Ends, { baseIri, objects, taken }: Directory): Partner | null {
  if (name === null) return null
  const plain = name.trim().replace(/^:/, '')
  const known = objects.get(plain)
  if (known !== undefined) return { iri: known }
  if (isIri(plain) && !plain.startsWith(baseIri)) return { iri: plain }
  const local = plain.startsWith(baseIri) ? plain.slice(baseIri.length) : plain
  const [first = '', second, ...more] = local.split('.')
  const wanted = second ?? first
  if (more.length > 0 || (second !== undefined && first !== ends.to) || !/^\p{L}[\p{L}\p{N}\p{M}_ -]*$/u.test(wanted)) return null
  const own = propertyName(wanted)
  const iri = `${baseIri}${ends.to}.${own}`
  if (taken.has(iri)) return null
  const label = propertyLabel(own)
  return { iri, declares: { name: own, iri, label, from: ends.to, to: ends.from, of: ends.iri, tier: ends.tier } }
}

/** With a scheme, and without what Turtle could not spell. */
const isIri = (text: string): boolean => /^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"{}|^`\\\p{Cc}]+$/u.test(text)

export interface MetadataFault {
  readonly table: string
  readonly column: string | null
  readonly message: string
}

/** What a person's rows ask for and the ontology cannot or should not say. `ontology` is the one built with these rows. */
export function metadataFaults(ontology: Ontology, rows: readonly MetadataRow[]): MetadataFault[] {
  const byTable = new Map(ontology.classes.map((cls) => [cls.table, cls]))
  const through = new Map((ontology.relationships ?? []).map((relationship) => [relationship.junction, relationship]))
  const groups = Map.groupBy(ontology.classes, ({ disjointGroup }) => disjointGroup ?? null)
  return rows.toSorted((x, y) => compareText(metadataKey(x), metadataKey(y))).flatMap((row) => {
    const [table, column] = [row.table_name, row.column_name]
    const cls = byTable.get(table)
    if (cls === undefined) return [{ table, column, message: 'there is no such table' }]
    const property = cls.properties.find(({ columns }) => columns.length === 1 && columns[0] === column)
    if (column !== null && !cls.properties.some(({ columns }) => columns.includes(column))) {
      return [{ table, column, message: 'there is no such column' }]
    }
    const reference = property?.kind === 'object' ? { ...property, ...endsOf(cls, property) } : undefined
    const link = column === null ? through.get(cls.name) : reference
    const faults = [
      ...keyFaults(cls, row),
      ...(link === undefined ? dataFaults(row, column) : linkFaults(row, link)),
      ...(row.disjoint_group !== null && groups.get(row.disjoint_group)?.length === 1
        ? [`no other table is in the group ${row.disjoint_group}, so there is nothing it is disjoint with`]
        : []),
    ]
    return faults.map((message) => ({ table, column, message }))
  })
}

function keyFaults(cls: OntologyClass, { has_key_columns: columns, column_name: column }: MetadataRow): string[] {
  if (columns === null) return []
  if (column !== null) return ['has_key_columns belongs to a table, not to a column']
  return keyProperties(cls, columns) === null ? [`has_key_columns names a column that is not there: ${columns.join(', ')}`] : []
}

function dataFaults(row: MetadataRow, column: string | null): string[] {
  const asked = [
    row.is_transitive === true ? 'is_transitive' : null,
    row.is_symmetric === true ? 'is_symmetric' : null,
    row.is_inverse_functional === true ? 'is_inverse_functional' : null,
    row.inverse_of !== null ? 'inverse_of' : null,
    column === null && row.is_functional !== null ? 'is_functional' : null,
  ].filter((name) => name !== null)
  const where = column === null ? 'a table that connects two others' : 'a reference'
  return asked.map((name) => `${name} can be said only of ${where}`)
}

function linkFaults(row: MetadataRow, link: Ends & Characteristics & { readonly functional: boolean }): string[] {
  const simple = link.functional || link.inverseFunctional === true
  const turning = [row.is_transitive === true ? 'transitive' : null, row.is_symmetric === true ? 'symmetric' : null]
  return [
    ...(row.inverse_of !== null && (link.inverseOf ?? null) === null
      ? [`inverse_of names no reference and no free name: ${row.inverse_of}`]
      : []),
    ...(row.is_transitive === true && simple
      ? ['functional and transitive together are outside OWL 2 DL; set is_functional to false to keep it transitive']
      : []),
    ...turning
      .filter((word) => word !== null && link.from !== link.to)
      .map((word) => `a ${word} property should lead back to its own class, not from ${link.from} to ${link.to}`),
  ]
}
