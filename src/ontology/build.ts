/** A catalogue becomes classes and properties: one class per table, one property per column, one per foreign key. */
import type { MetadataRow, Tier } from '../contracts/index.ts'
import { UNLABELLED, maxTier, metadataKey, within } from '../contracts/index.ts'
import { XSD, compareText } from '../kernel/term.ts'
import { singular, splitIdentifier } from '../kernel/text/index.ts'
import type { Catalogue, Column, ForeignKey, Table, ValueType } from '../sources/index.ts'
import { withAxioms } from './axioms.ts'
import { eventSubclassesOf } from './events.ts'
import { junctionsOf, relationshipsOf } from './junctions.ts'
import { type SaidRow, isMetadataTable, mergeMetadata } from './metadata.ts'
import { RESERVED_CLASSES, classLabel, className, propertyLabel, propertyName, referenceName, uniqueNames } from './names.ts'
import type { Ontology, OntologyClass, OntologyProperty } from './ontology.ts'
import { proposeMetadata } from './propose.ts'
import { settleTiers } from './settle-tiers.ts'

export interface BuildOptions {
  /** `https://example.org/ontology#`: class and property names follow it directly */
  readonly baseIri: string
  readonly recordBase: string
  /** what was said about tables and columns; it wins over what we propose, which fills the rest */
  readonly metadata?: readonly SaidRow[]
}

export function buildOntology(catalogue: Catalogue, { baseIri, recordBase, metadata = [] }: BuildOptions): Ontology {
  const about = (known: readonly Table[]): Said => {
    const rows = mergeMetadata(proposeMetadata({ ...catalogue, tables: known }), metadata)
    const byKey = new Map(rows.map((row) => [metadataKey(row), row]))
    return (table, column) => byKey.get(metadataKey({ table_name: table, column_name: column }))
  }
  const sound = soundTables(catalogue)
  const tables = withoutTellingKeys(sound, about(sound))
  const said = about(tables)
  const names = uniqueNames(tables.map(({ name }) => name), className, RESERVED_CLASSES)
  const settled = settleTiers(tables.map((table) => classOf(table, baseIri, names, said))).toSorted((x, y) =>
    compareText(x.name, y.name),
  )
  const many = relationshipsOf(settled, junctionsOf(tables))
  const { classes, relationships, inverses } = withAxioms({ baseIri, classes: settled, relationships: many }, said)
  const eventSubclasses = eventSubclassesOf(classes, new Map(tables.map((table) => [table.name, table])), baseIri)
  return { baseIri, recordBase, dialect: catalogue.dialect, classes, relationships, eventSubclasses, inverses }
}

type Said = (table: string, column: string | null) => MetadataRow | undefined

/** Without the source's own metadata, and without keys that lead nowhere: their columns are plain values then. */
function soundTables(catalogue: Catalogue): Table[] {
  const tables = catalogue.tables.filter((table) => !isMetadataTable(table))
  const columnsOf = new Map(tables.map(({ name, columns }) => [name, new Set(columns.map((column) => column.name))]))
  const has = (table: string, columns: readonly string[]): boolean =>
    columns.length > 0 && columns.every((column) => columnsOf.get(table)?.has(column) === true)
  return tables.map((table) => {
    const sound = table.foreignKeys.filter(
      ({ columns, refTable, refColumns }) =>
        columns.length === refColumns.length && has(table.name, columns) && has(refTable, refColumns),
    )
    const once = new Map(sound.map((key) => [referenceSource(key), key]))
    return { ...table, foreignKeys: [...once.values()] }
  })
}

/**
 * Whether a key that nobody declared is one, the values on both its sides have told. Who may see the column but not where it leads
 * would learn of the values there by what becomes of the column: for all it stays the plain value that it is without the key.
 */
function withoutTellingKeys(tables: readonly Table[], said: Said): readonly Table[] {
  if (tables.every(({ foreignKeys }) => foreignKeys.every(({ inferred }) => inferred === null))) return tables
  const declared = tables.map((table) => ({ ...table, foreignKeys: table.foreignKeys.filter(({ inferred }) => inferred === null) }))
  const same = new Map(tables.map(({ name }) => [name, name]))
  const settled = new Map(settleTiers(declared.map((table) => classOf(table, '', same, said))).map((cls) => [cls.name, cls]))
  const seenFrom = (table: string, columns: readonly string[]): Tier => {
    const cls = settled.get(table)
    const behind = cls?.properties.filter((property) => property.columns.some((column) => columns.includes(column))) ?? []
    return maxTier(cls?.tier ?? UNLABELLED, ...behind.map(({ tier }) => tier))
  }
  const tells = (table: Table, { columns, refTable, refColumns, inferred }: ForeignKey): boolean =>
    inferred !== null && !within(seenFrom(refTable, refColumns), seenFrom(table.name, columns))
  return tables.map((table) => ({ ...table, foreignKeys: table.foreignKeys.filter((key) => !tells(table, key)) }))
}

function classOf(table: Table, baseIri: string, names: ReadonlyMap<string, string>, said: Said): OntologyClass {
  const name = names.get(table.name) ?? table.name
  const own = said(table.name, null)
  const floor = own?.sensitivity_tier ?? 'Public'
  const tierOf = (column: Column): Tier => maxTier(floor, said(table.name, column.name)?.sensitivity_tier ?? UNLABELLED)
  const properties = propertiesOf(table, baseIri + name, names, tierOf, (column) => said(table.name, column))
  const calling = labelProperties(table, properties)
  return {
    name,
    iri: baseIri + name,
    label: own?.label ?? classLabel(table.name),
    synonyms: own?.synonyms ?? [],
    description: own?.description ?? `One record of the table ${table.name}.`,
    table: table.name,
    key: keyOf(table),
    labelProperty: calling[0] ?? null,
    labelProperties: calling,
    tier: floor,
    instances: table.rowCount,
    properties,
    isEvent: own?.is_event_class === true,
    parents: [],
  }
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
  said: (column: string) => MetadataRow | undefined,
): OntologyProperty[] {
  // a column that is a reference by itself has no other meaning; one that is only part of a reference still has its own value
  const references = new Set(table.foreignKeys.flatMap(({ columns }) => (columns.length === 1 ? columns : [])))
  const leading = Map.groupBy(table.foreignKeys, ({ columns }) => columns[0] ?? '')
  const drafts: Draft[] = table.columns.flatMap((column) => {
    const data = references.has(column.name) ? [] : [dataDraft(column, tierOf(column))]
    return [...data, ...(leading.get(column.name) ?? []).map((key) => referenceDraft(table, key, classNames, tierOf))]
  })
  const wanted = new Map(drafts.map((draft) => [draft.source, draft.wanted]))
  const names = uniqueNames([...wanted.keys()], (source) => wanted.get(source) ?? source)
  return drafts.map(({ source, wanted: plain, ...property }): OntologyProperty => {
    const name = names.get(source) ?? plain
    const about = property.columns.length === 1 ? said(property.columns[0] ?? '') : undefined
    const together = `Columns ${property.columns.join(', ')} of ${table.name} together: a reference to ${property.range}.`
    const description = about?.description ?? together
    return {
      ...property,
      name,
      iri: `${classIri}.${name}`,
      label: about?.label ?? propertyLabel(plain),
      synonyms: about?.synonyms ?? [],
      description: property.inferred === null ? description : `${description} Not declared: ${property.inferred}.`,
    }
  })
}

/** As the compiler reads them; a long row of digits is a number of the telephone sort. */
const isFigure = (text: string): boolean => /^-?\d{1,9}(?:\.\d+)?$/.test(text)

const YES_AND_NO = [['1', '0'], ['y', 'n'], ['yes', 'no'], ['t', 'f'], ['true', 'false']] as const

/** Both values were seen, and no other. */
function yesOf({ valueType, samples }: Column): { yes?: string | number | boolean } {
  if (valueType === 'boolean') return { yes: true }
  const seen = new Map(samples.map((sample) => [sample.toLowerCase(), sample]))
  const pair = seen.size === 2 ? YES_AND_NO.find((words) => words.every((word) => seen.has(word))) : undefined
  if (pair === undefined) return {}
  return { yes: valueType === 'integer' ? 1 : (seen.get(pair[0]) ?? pair[0]) }
}

const dataDraft = (column: Column, tier: Tier): Draft => ({
  source: column.name,
  wanted: propertyName(column.name),
  tier,
  kind: 'data',
  columns: [column.name],
  range: RANGES[column.valueType],
  ...(column.valueType === 'text' && column.samples.length > 0 && column.samples.every(isFigure) ? { figures: true } : {}),
  ...yesOf(column),
  refColumns: [],
  required: !column.nullable,
  functional: false,
  inferred: null,
})

/** NUL stands in no name of any engine, so no column can be called like a reference. */
const referenceSource = ({ columns, refTable, refColumns }: ForeignKey): string =>
  [...columns, '', refTable, ...refColumns].join('\0')

function referenceDraft(
  table: Table,
  key: ForeignKey,
  classNames: ReadonlyMap<string, string>,
  tierOf: (column: Column) => Tier,
): Draft {
  const columns = table.columns.filter(({ name }) => key.columns.includes(name))
  return {
    source: referenceSource(key),
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

/**
 * The properties that name a record to people, the best first: a usual name, the column called like its table (`country.country`), a column
 * `..._name`, else the first text that is unique.
 */
function labelProperties(table: Table, properties: readonly OntologyProperty[]): string[] {
  const texts = properties.filter(({ kind, range }) => kind === 'data' && range === RANGES.text)
  const usual = CALLED.flatMap((name) => texts.filter((property) => property.name === name))
  const noun = splitIdentifier(table.name).map((word) => singular(word)).join('_')
  const same = texts.filter(({ name }) => name === noun)
  const named = texts.filter(({ name }) => name.endsWith('_name') || name.endsWith('_title'))
  const alone = new Set([...table.uniques, table.primaryKey].flatMap((columns) => (columns.length === 1 ? columns : [])))
  const unique = texts.filter(({ columns }) => alone.has(columns[0] ?? ''))
  return [...new Set([...usual, ...same, ...named, ...unique].map(({ name }) => name))]
}
