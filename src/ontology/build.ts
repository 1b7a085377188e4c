/** A catalogue becomes classes and properties: one class per table, one property per column, one per foreign key. */
import type { Tier } from '../contracts/index.ts'
import { maxTier, minTier } from '../contracts/index.ts'
import { XSD, compareText } from '../kernel/term.ts'
import type { Catalogue, Column, ForeignKey, Table, ValueType } from '../sources/index.ts'
import { classLabel, className, propertyLabel, propertyName, referenceName, uniqueNames } from './names.ts'
import type { Ontology, OntologyClass, OntologyProperty } from './ontology.ts'
import { proposeTier } from './tiers.ts'

/** What a person has said about a table (column null) or a column; it wins over what we would propose. */
export interface Metadata {
  readonly table: string
  readonly column: string | null
  readonly label?: string | null
  readonly synonyms?: readonly string[]
  readonly tier?: Tier | null
}

export interface BuildOptions {
  /** `https://example.org/ontology#`: class and property names follow it directly */
  readonly baseIri: string
  readonly recordBase: string
  readonly metadata?: readonly Metadata[]
}

export function buildOntology(catalogue: Catalogue, { baseIri, recordBase, metadata = [] }: BuildOptions): Ontology {
  const names = uniqueNames(catalogue.tables.map(({ name }) => name), className)
  const said = (table: string, column: string | null) => metadata.find((each) => each.table === table && each.column === column)
  const drafts = catalogue.tables.map((table): OntologyClass => {
    const name = names.get(table.name) ?? table.name
    const iri = baseIri + name
    const own = said(table.name, null)
    const tierOf = (column: Column): Tier =>
      maxTier(own?.tier ?? 'Public', said(table.name, column.name)?.tier ?? proposeTier(table, column).tier)
    const properties = propertiesOf(table, iri, names, tierOf, (column) => said(table.name, column))
    return {
      name,
      iri,
      label: own?.label ?? classLabel(table.name),
      synonyms: own?.synonyms ?? [],
      table: table.name,
      key: keyOf(table),
      labelProperty: labelProperty(table, properties),
      tier: own?.tier ?? 'Public',
      instances: table.rowCount,
      properties,
    }
  })
  const classes = settleTiers(drafts).toSorted((x, y) => compareText(x.name, y.name))
  return { baseIri, recordBase, dialect: catalogue.dialect, classes }
}

const RANGES: Readonly<Record<ValueType, string>> = {
  integer: `${XSD}integer`,
  decimal: `${XSD}decimal`,
  boolean: `${XSD}boolean`,
  text: `${XSD}string`,
  date: `${XSD}date`,
  datetime: `${XSD}dateTime`,
  blob: `${XSD}hexBinary`,
}

type Draft = Omit<OntologyProperty, 'name' | 'iri' | 'label' | 'synonyms'> & { readonly source: string; readonly wanted: string }

function propertiesOf(
  table: Table,
  classIri: string,
  classNames: ReadonlyMap<string, string>,
  tierOf: (column: Column) => Tier,
  said: (column: string) => Metadata | undefined,
): OntologyProperty[] {
  // a column that is a reference by itself has no other meaning; one that is only part of a reference still has its own value
  const references = new Set(table.foreignKeys.flatMap(({ columns }) => (columns.length === 1 ? columns : [])))
  const drafts: Draft[] = table.columns.flatMap((column) => {
    const leading = table.foreignKeys.filter((key) => key.columns[0] === column.name)
    const data = references.has(column.name) ? [] : [dataDraft(column, tierOf(column))]
    return [...data, ...leading.map((key) => referenceDraft(table, key, classNames, tierOf))]
  })
  const names = uniqueNames(
    drafts.map(({ source }) => source),
    (source) => drafts.find((draft) => draft.source === source)?.wanted ?? source,
  )
  return drafts.map(({ source, wanted, ...property }): OntologyProperty => {
    const name = names.get(source) ?? wanted
    const about = property.columns.length === 1 ? said(property.columns[0] ?? '') : undefined
    const label = about?.label ?? propertyLabel(name)
    return { ...property, name, iri: `${classIri}.${name}`, label, synonyms: about?.synonyms ?? [] }
  })
}

const dataDraft = (column: Column, tier: Tier): Draft => ({
  source: column.name,
  wanted: propertyName(column.name),
  tier,
  kind: 'data',
  columns: [column.name],
  range: RANGES[column.valueType],
  refColumns: [],
  required: !column.nullable,
  functional: false,
  inferred: null,
})

function referenceDraft(
  table: Table,
  key: ForeignKey,
  classNames: ReadonlyMap<string, string>,
  tierOf: (column: Column) => Tier,
): Draft {
  const columns = table.columns.filter(({ name }) => key.columns.includes(name))
  return {
    source: `${key.columns.join(' ')} -> ${key.refTable}`,
    wanted: referenceName(key.columns, key.refTable),
    tier: maxTier(...columns.map(tierOf)),
    kind: 'object',
    columns: key.columns,
    range: classNames.get(key.refTable) ?? key.refTable,
    refColumns: key.refColumns,
    required: columns.every(({ nullable }) => !nullable),
    functional: true,
    inferred: key.inferred,
  }
}

/** The primary key, else the first unique columns that are never empty. */
function keyOf(table: Table): readonly string[] {
  if (table.primaryKey.length > 0) return table.primaryKey
  const neverNull = new Set(table.columns.filter(({ nullable }) => !nullable).map(({ name }) => name))
  return table.uniques.find((columns) => columns.every((column) => neverNull.has(column))) ?? []
}

/** In this order: what a record is most often called by. */
const CALLED = ['name', 'title', 'label', 'display_name', 'full_name', 'hostname', 'code', 'number', 'reference']

/** The property that names a record to people: a usual name, a column `..._name`, else the first text that is unique. */
function labelProperty(table: Table, properties: readonly OntologyProperty[]): string | null {
  const texts = properties.filter(({ kind, range }) => kind === 'data' && range === RANGES.text)
  const usual = CALLED.flatMap((name) => texts.filter((property) => property.name === name))
  const named = texts.filter(({ name }) => name.endsWith('_name') || name.endsWith('_title'))
  const alone = new Set([...table.uniques, table.primaryKey].flatMap((columns) => (columns.length === 1 ? columns : [])))
  const unique = texts.filter(({ columns }) => alone.has(columns[0] ?? ''))
  return [...usual, ...named, ...unique][0]?.name ?? null
}

/**
 * References take the tier of the class they lead to, classes that of their key; keys may be references, also in a circle.
 * Tiers only rise, so repeating until nothing changes ends.
 */
function settleTiers(classes: readonly OntologyClass[]): OntologyClass[] {
  const tiers = new Map(classes.map(({ name, tier }) => [name, tier]))
  const step = (cls: OntologyClass): OntologyClass => {
    const properties = cls.properties.map((property) => {
      const target = property.kind === 'object' ? tiers.get(property.range) : undefined
      return target === undefined ? property : { ...property, tier: maxTier(property.tier, target) }
    })
    const [first, ...others] = properties.map(({ tier }) => tier)
    const open = first === undefined ? cls.tier : minTier(first, ...others)
    return { ...cls, properties, tier: maxTier(cls.tier, cls.key.length === 0 ? open : keyTier({ ...cls, properties })) }
  }
  for (let now = classes.map(step); ; now = now.map(step)) {
    if (now.every(({ name, tier }) => tiers.get(name) === tier)) return now
    for (const { name, tier } of now) tiers.set(name, tier)
  }
}

/** What one must be allowed to see to name a record of this class. */
export const keyTier = (cls: OntologyClass): Tier =>
  maxTier(...cls.properties.filter(({ columns }) => columns.some((column) => cls.key.includes(column))).map(({ tier }) => tier))
