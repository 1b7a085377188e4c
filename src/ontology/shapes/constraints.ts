/**
 * Everything that an ontology, and the schema behind it, says must hold of each record. Shapes and SQL are both made from this
 * list, so that they cannot disagree about what is checked. Made over the cut ontology: a constraint exists only where every
 * column that it reads may be seen.
 */
import { type Catalogue, CAPABILITIES, type Dialect, type Table } from '../../sources/index.ts'
import { type Term, XSD, compareText } from '../../kernel/term.ts'
import { literalOf } from '../instances/lexical.ts'
import { readColumns } from '../instances/record.ts'
import type { Ontology, OntologyClass, OntologyProperty } from '../ontology.ts'
import { type Bound, type ColumnFact, type Scalar, enumValues, readCheck } from './check-text.ts'
import { type DeclaredType, contradictedType } from './declared.ts'
import { likePattern } from './patterns.ts'

export type Demand =
  | { readonly kind: 'required' }
  | { readonly kind: 'datatype'; readonly datatype: string }
  /** SQLite: the values made us type the column as text although the schema declares something narrower */
  | { readonly kind: 'declared'; readonly declared: DeclaredType; readonly pattern: string }
  | { readonly kind: 'reference'; readonly target: OntologyClass; readonly refColumns: readonly string[] }
  | { readonly kind: 'in'; readonly values: readonly Scalar[]; readonly terms: readonly Term[] }
  | { readonly kind: 'range'; readonly bound: Bound; readonly value: Scalar; readonly term: Term }
  | { readonly kind: 'pattern'; readonly like: string; readonly pattern: string }
  /** `identity`: these columns make the record's IRI, so that RDF itself cannot hold two of them apart */
  | { readonly kind: 'unique'; readonly properties: readonly OntologyProperty[]; readonly identity: boolean }

export type Constraint = Demand & {
  readonly cls: OntologyClass
  /** null where a constraint is about several properties together */
  readonly property: OntologyProperty | null
  readonly columns: readonly string[]
  /** unique in the list and the same from run to run */
  readonly id: string
  /** what a record must, in words: `have a value` */
  readonly says: string
}

/** A constraint of the schema that we do not translate: the database holds to it or does not, we cannot tell. */
export interface LeftToDatabase {
  readonly class: string
  readonly text: string
}

export interface Constraints {
  readonly constraints: readonly Constraint[]
  readonly left: readonly LeftToDatabase[]
}

export interface SchemaOption {
  /** what the schema declares beyond the ontology: unique columns, CHECKs, closed types; without it these are not checked */
  readonly catalogue?: Catalogue
}

export function constraintsOf(ontology: Ontology, { catalogue }: SchemaOption = {}): Constraints {
  const tables = new Map((catalogue?.tables ?? []).map((table) => [table.name, table]))
  const classes = new Map(ontology.classes.map((cls) => [cls.name, cls]))
  const each = ontology.classes.map((cls) => classConstraints(cls, classes, ontology.dialect, tables.get(cls.table)))
  return { constraints: each.flatMap(({ constraints }) => constraints), left: each.flatMap(({ left }) => left) }
}

type Draft = Demand & { readonly property: OntologyProperty | null; readonly columns: readonly string[]; readonly says: string }

function classConstraints(
  cls: OntologyClass,
  classes: ReadonlyMap<string, OntologyClass>,
  dialect: Dialect,
  table: Table | undefined,
): Constraints {
  const { facts, left } = schemaFacts(cls, table)
  const required = new Set([...cls.key, ...facts.flatMap((fact) => (fact.kind === 'required' ? [fact.column] : []))])
  const drafts = cls.properties.flatMap((property): Draft[] => {
    const about = { property, columns: property.columns }
    const must: Draft[] =
      property.required || property.columns.every((column) => required.has(column))
        ? [{ ...about, kind: 'required', says: 'have a value' }]
        : []
    if (property.kind === 'object') return [...must, ...referenceDraft(property, classes)]
    const declared = CAPABILITIES[dialect].typedColumns ? null : contradictedType(property, table)
    const { range } = property
    const datatype: Draft = { ...about, kind: 'datatype', datatype: range, says: `be of the type ${localName(range)}` }
    const own = facts.filter(({ column }) => column === property.columns[0])
    return [
      ...must,
      datatype,
      ...(declared === null ? [] : [{ ...about, kind: 'declared', ...declared } as const]),
      ...valueDrafts(property, own, declared !== null, dialect, (text) => left.push({ class: cls.name, text })),
    ]
  })
  const unique = uniqueDrafts(cls, table)
  return { constraints: named(cls, [...drafts, ...unique]), left }
}

function named(cls: OntologyClass, drafts: readonly Draft[]): Constraint[] {
  return drafts.map((draft) => {
    const where = draft.property?.name ?? (draft.kind === 'unique' ? draft.properties.map(({ name }) => name).join('+') : '')
    const detail = draft.kind === 'range' ? ` ${draft.bound}` : ''
    return { ...draft, cls, id: `${cls.name}.${where} ${draft.kind}${detail}` }
  })
}

/** What CHECKs and closed types say about visible columns. A text that names a hidden column is not even listed. */
function schemaFacts(cls: OntologyClass, table: Table | undefined): { facts: ColumnFact[]; left: LeftToDatabase[] } {
  const visible = new Set(readColumns(cls))
  const names = (table?.columns ?? []).map(({ name }) => name)
  const checks = (table?.checks ?? []).map((text) => ({ text, ...readCheck(text, names) }))
  const enums = (table?.columns ?? []).flatMap(({ name, declaredType }): ColumnFact[] => {
    const values = enumValues(declaredType)
    return values === null ? [] : [{ kind: 'in', column: name, values }]
  })
  return {
    facts: [...checks.flatMap(({ facts }) => facts), ...enums].filter(({ column }) => visible.has(column)),
    left: checks
      .filter(({ complete, columns }) => !complete && columns.every((column) => visible.has(column)))
      .map(({ text }) => ({ class: cls.name, text })),
  }
}

/** One list, one bound of each kind and one pattern per property: SHACL allows no more on one shape. */
function valueDrafts(
  property: OntologyProperty,
  facts: readonly ColumnFact[],
  patternTaken: boolean,
  dialect: Dialect,
  leave: (text: string) => void,
): Draft[] {
  const about = { property, columns: property.columns }
  const [column = ''] = property.columns
  const lists = facts.flatMap((fact) => (fact.kind === 'in' ? [fact.values] : []))
  const [first = null, ...others] = lists
  const shared = first?.filter((value) => others.every((list) => list.includes(value))) ?? null
  const terms = shared?.map((value) => termOfType(property.range, value)) ?? []
  const drafts: Draft[] = []
  if (shared !== null && terms.every((term) => term !== null)) {
    const says = `be one of ${shared.map((value) => JSON.stringify(value)).join(', ')}`
    drafts.push({ ...about, kind: 'in', values: shared, terms, says })
  } else if (shared !== null) leave(`${column} in (${shared.map((value) => JSON.stringify(value)).join(', ')})`)
  for (const bound of ['>=', '>', '<=', '<'] as const) {
    const values = facts.flatMap((fact) => (fact.kind === 'range' && fact.bound === bound ? [fact.value] : []))
    const tightest = values.toSorted((x, y) => (bound.startsWith('>') ? 1 : -1) * compareScalars(y, x))[0]
    if (tightest === undefined) continue
    const term = boundTerm(property, tightest)
    if (term === null) leave(`${column} ${bound} ${JSON.stringify(tightest)}`)
    else drafts.push({ ...about, kind: 'range', bound, value: tightest, term, says: `be ${bound} ${tightest}` })
  }
  for (const [at, like] of facts.flatMap((fact) => (fact.kind === 'like' ? [fact.like] : [])).entries()) {
    const pattern = at > 0 || patternTaken || property.range !== `${XSD}string` ? null : likePattern(like, dialect)
    if (pattern === null) leave(`${column} like ${JSON.stringify(like)}`)
    else drafts.push({ ...about, kind: 'pattern', like, pattern, says: `be like ${JSON.stringify(like)}` })
  }
  return drafts
}

/** Text has an order that depends on the collation, and two times compare by their zones: neither goes into a shape. */
function boundTerm({ range }: OntologyProperty, value: Scalar): Term | null {
  const type = localName(range)
  if (type === 'date') return termOfType(range, value)
  // an integer may well be bounded by 0.5
  return ['integer', 'decimal', 'double'].includes(type) ? (termOfType(range, value) ?? termOfType(`${XSD}decimal`, value)) : null
}

const compareScalars = (x: Scalar, y: Scalar): number =>
  typeof x === 'string' && typeof y === 'string' && !Number.isFinite(Number(x)) ? compareText(x, y) : Number(x) - Number(y)

/** The value as a record of this property would hold it; null where the two do not fit. */
function termOfType(range: string, value: Scalar): Term | null {
  const term = literalOf(value, range)
  return term?.kind === 'literal' && term.datatype === range ? term : null
}

function referenceDraft(property: OntologyProperty, classes: ReadonlyMap<string, OntologyClass>): Draft[] {
  const target = classes.get(property.range)
  if (target === undefined) return []
  // whether a counterpart exists tells something about the columns it is looked up by
  const visible = new Set(readColumns(target))
  if (!property.refColumns.every((column) => visible.has(column))) return []
  const basis = property.inferred === null ? '' : ', by a key that is inferred and not declared'
  const says = `lead to a record of ${target.label}${basis}`
  return [{ kind: 'reference', target, refColumns: property.refColumns, property, columns: property.columns, says }]
}

/** The key, what the schema declares unique, and what a person declared to identify a record. */
function uniqueDrafts(cls: OntologyClass, table: Table | undefined): Draft[] {
  const said = (cls.hasKey ?? []).map((name) => cls.properties.find((property) => property.name === name))
  const sets = [
    cls.key,
    ...(table?.uniques ?? []),
    // a part of what identifies a record identifies nothing
    said.includes(undefined) ? [] : said.flatMap((property) => property?.columns ?? []),
    ...cls.properties.flatMap((property) => (property.inverseFunctional === true ? [property.columns] : [])),
  ]
  const distinct = new Map(sets.map((columns) => [[...new Set(columns)].toSorted(compareText).join('\0'), columns]))
  return [...distinct].toSorted(([x], [y]) => compareText(x, y)).flatMap(([sorted, columns]): Draft[] => {
    const properties = columns.map((column) => propertyOf(cls, column))
    if (columns.length === 0 || properties.includes(null)) return []
    const found = properties.filter((property) => property !== null)
    const identity = sorted === cls.key.toSorted(compareText).join('\0')
    const says = `be held by one record only`
    const property = found.length === 1 ? (found[0] ?? null) : null
    return [{ kind: 'unique', properties: found, identity, columns, property, says }]
  })
}

/** The property that shows the column by itself. */
const propertyOf = (cls: OntologyClass, column: string): OntologyProperty | null =>
  cls.properties.find(({ columns }) => columns.length === 1 && columns[0] === column) ?? null

export const localName = (iri: string): string => iri.slice(Math.max(iri.lastIndexOf('#'), iri.lastIndexOf('/')) + 1)
