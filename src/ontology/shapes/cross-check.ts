/**
 * A second opinion on the SQL: a sample of records as RDF, validated against the same shapes by a SHACL library. On those records
 * the two must find the same; where they do not, one of them is wrong, and that is reported.
 */
import { DataFactory, Store, type Quad as N3Quad, type Term as N3Term } from 'n3'
import SHACLValidator from 'rdf-validate-shacl'
import { type SqlBool, sql } from 'kysely'
import { type Quad, RDF_TYPE, quad } from '../../kernel/rdf/index.ts'
import { type Term, compareText, iri } from '../../kernel/term.ts'
import { type Cell, type Dialect, type Selected, type Source, compileQuery, queryBuilder } from '../../sources/index.ts'
import type { Cells } from '../instances/read.ts'
import { leadsToKey, readColumns, recordMapper, recordNode } from '../instances/record.ts'
import type { Ontology, OntologyClass, OntologyProperty } from '../ontology.ts'
import { type Constraint, type SchemaOption, constraintsOf, localName } from './constraints.ts'
import { classShape, componentOf, sourceShape } from './shapes.ts'
import { type Query, fromTable } from './validate-sql.ts'
import { violation } from './violation-sql.ts'

export interface Disagreement {
  /** of the constraint, or of the shape and the component where no constraint of ours is behind the result */
  readonly id: string
  /** IRIs of records */
  readonly sqlOnly: readonly string[]
  readonly libraryOnly: readonly string[]
}

export interface CrossCheck {
  readonly records: number
  /** constraints on which the two were compared */
  readonly compared: number
  readonly disagreements: readonly Disagreement[]
  /** constraints that only SQL can look at: uniqueness, which is not in SHACL core, and classes without a key */
  readonly uncovered: readonly string[]
  /** records of the sample that share their IRI with another one */
  readonly unnamed: number
}

export interface CrossCheckOptions extends SchemaOption {
  /** enough that a wrong translation shows, little enough that the library answers at once */
  readonly recordsPerClass?: number
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

export async function crossCheck(source: Source, ontology: Ontology, options: CrossCheckOptions = {}): Promise<CrossCheck> {
  const { recordsPerClass = 200, timeoutMs = 30_000, signal, ...schema } = options
  const { constraints } = constraintsOf(ontology, schema)
  const select = (query: Query): Promise<Selected> => {
    const limits = { maxRows: recordsPerClass, timeoutMs, ...(signal === undefined ? {} : { signal }) }
    return source.select(compileQuery(ontology.dialect, query.toOperationNode()), limits)
  }
  const byClass = Map.groupBy(constraints, ({ cls }) => cls)
  const found: ClassCheck[] = []
  for (const cls of ontology.classes) {
    // a class has its own graph: the whole sample at once would cost the library minutes on a large schema
    if (cls.key.length > 0) found.push(await checkClass(ontology, cls, byClass.get(cls) ?? [], recordsPerClass, select))
  }
  const alone = constraints.filter(({ kind, cls }) => kind === 'unique' || cls.key.length === 0)
  return {
    records: sum(found.map(({ records }) => records)),
    compared: sum(found.map(({ compared }) => compared)),
    disagreements: found.flatMap(({ disagreements }) => disagreements),
    uncovered: alone.map(({ id }) => id),
    unnamed: sum(found.map(({ unnamed }) => unnamed)),
  }
}

type ClassCheck = Omit<CrossCheck, 'uncovered'>
type Select = (query: Query) => Promise<Selected>

async function checkClass(
  ontology: Ontology,
  cls: OntologyClass,
  constraints: readonly Constraint[],
  size: number,
  select: Select,
): Promise<ClassCheck> {
  const sample = sampleOf(ontology.dialect, cls, size)
  const rows = cellsOf(await select(selected(sample, readColumns(cls))))
  const iris = rows.map((cells) => recordNode(ontology, cls, cells).value)
  const shared = new Set(iris.filter((each, at) => iris.indexOf(each) !== at))
  const kept = new Set(iris.filter((each) => !shared.has(each)))
  const known = await parents(ontology, constraints, sample, select)
  const toQuads = recordMapper(ontology, cls)
  const resolve = (property: OntologyProperty, cells: Cells): Term | null =>
    standIn(ontology, property, property.columns.map((column) => cells.get(column) ?? null))
  const quads = rows.flatMap((cells, at) => (kept.has(iris[at] ?? '') ? toQuads(cells, { resolve }) : []))
  const byLibrary = await libraryFinds(ontology, cls, constraints, [...quads, ...known], kept)
  const compared = constraints.flatMap((each) => (each.kind === 'unique' ? [] : [each]))
  const disagreements: Disagreement[] = []
  for (const constraint of compared) {
    const bySql = await sqlFinds(ontology, constraint, sample, kept, select)
    disagreements.push(...difference(constraint.id, bySql, byLibrary.get(constraint.id) ?? new Set()))
    byLibrary.delete(constraint.id)
  }
  for (const [id, only] of byLibrary) disagreements.push(...difference(id, new Set(), only))
  return { records: kept.size, compared: compared.length, disagreements, unnamed: rows.length - kept.size }
}

/** The first records by key, as a table of its own under the alias `t0`. */
function sampleOf(dialect: Dialect, cls: OntologyClass, size: number): Query {
  const table = fromTable(dialect, cls, 's')
  const columns = readColumns(cls).reduce((query, column) => query.select(sql.id('s', column).as(column)), table)
  const whole = cls.key.reduce((query, column) => query.where(sql<SqlBool>`${sql.id('s', column)} is not null`), columns)
  const first = cls.key.reduce((query, column) => query.orderBy(sql.id('s', column)), whole).limit(sql.lit(size))
  return queryBuilder(dialect).selectFrom(first.as('t0')) as unknown as Query
}

const selected = (query: Query, columns: readonly string[]): Query =>
  columns.reduce((next, column) => next.select(sql.id('t0', column).as(column)), query)

const cellsOf = ({ columns, rows }: Selected): ReadonlyMap<string, Cell>[] =>
  rows.map((row) => new Map(columns.map((column, at) => [column, row[at] ?? null])))

/** The records that the sample refers to, with their class and nothing else. */
async function parents(ontology: Ontology, constraints: readonly Constraint[], sample: Query, select: Select): Promise<Quad[]> {
  const known: Quad[] = []
  for (const constraint of constraints) {
    const { property } = constraint
    if (constraint.kind !== 'reference' || property === null) continue
    const { target } = constraint
    const byKey = leadsToKey(property, target)
    const columns = byKey ? target.key : property.refColumns
    const joined = sample.innerJoin(sql<Record<string, unknown>>`${sql.id(target.table)}`.as('p') as never, (join) =>
      property.columns.reduce(
        (on, column, at) => on.on(sql.id('p', property.refColumns[at] ?? '') as never, '=', sql.id('t0', column) as never),
        join,
      ),
    ) as unknown as Query
    // each once: a reference to columns that are not unique finds many records
    const wanted = columns.reduce((query, column, at) => query.select(sql.id('p', column).as(`c${at}`)), joined).distinct()
    const { rows } = await select(wanted)
    for (const row of rows) {
      const cells = new Map(columns.map((column, at) => [column, row[at] ?? null]))
      const node = byKey ? recordNode(ontology, target, cells) : standIn(ontology, property, row)
      if (node !== null) known.push(quad(node, iri(RDF_TYPE), iri(target.iri)))
    }
  }
  return known
}

/** A name for whatever record has these values, where they are not the key that makes its real name. */
function standIn(ontology: Ontology, property: OntologyProperty, cells: readonly Cell[]): Term | null {
  if (cells.includes(null)) return null
  const texts = cells.map((cell) => (cell instanceof Uint8Array ? cell.join('.') : String(cell).toWellFormed()))
  return iri(`${ontology.recordBase}${encodeURIComponent(property.range)}?${texts.map(encodeURIComponent).join(';')}`)
}

async function sqlFinds(
  ontology: Ontology,
  constraint: Exclude<Constraint, { kind: 'unique' }>,
  sample: Query,
  kept: ReadonlySet<string>,
  select: Select,
): Promise<Set<string>> {
  const condition = violation(constraint, ontology.dialect)
  if (condition === null) return new Set()
  const { cls } = constraint
  const rows = cellsOf(await select(selected(sample.where(condition), cls.key)))
  return new Set(rows.map((cells) => recordNode(ontology, cls, cells).value).filter((each) => kept.has(each)))
}

/** Records by the id of the constraint that they break. */
async function libraryFinds(
  ontology: Ontology,
  cls: OntologyClass,
  constraints: readonly Constraint[],
  data: readonly Quad[],
  kept: ReadonlySet<string>,
): Promise<Map<string, Set<string>>> {
  const ids = new Map(constraints.map((each) => [`${sourceShape(ontology, each)} ${componentOf(ontology, each)}`, each.id]))
  const report = await new SHACLValidator(store(classShape(ontology, cls, constraints))).validate(store(data))
  const found = new Map<string, Set<string>>()
  for (const { focusNode, sourceShape: shape, sourceConstraintComponent: component } of report.results) {
    const place = `${shape?.value ?? ''} ${component?.value ?? ''}`
    const id = ids.get(place) ?? `${localName(shape?.value ?? '')} ${localName(component?.value ?? '')}`
    // a record that is only there because it is referred to has none of its values here
    if (focusNode != null && kept.has(focusNode.value)) found.set(id, (found.get(id) ?? new Set()).add(focusNode.value))
  }
  return found
}

function difference(id: string, bySql: ReadonlySet<string>, byLibrary: ReadonlySet<string>): Disagreement[] {
  const [sqlOnly, libraryOnly] = [[...bySql.difference(byLibrary)], [...byLibrary.difference(bySql)]]
  if (sqlOnly.length + libraryOnly.length === 0) return []
  return [{ id, sqlOnly: sqlOnly.toSorted(compareText), libraryOnly: libraryOnly.toSorted(compareText) }]
}

/** The library takes any RDF/JS dataset, as long as it is given no factory to make more of them. */
const store = (quads: readonly Quad[]): Store =>
  new Store(quads.map(({ subject: s, predicate: p, object: o }) => DataFactory.quad(node(s), node(p), node(o)) as N3Quad))

function node(term: Term): ReturnType<typeof DataFactory.namedNode> {
  const made: N3Term =
    term.kind === 'iri'
      ? DataFactory.namedNode(term.value)
      : term.kind === 'bnode'
        ? DataFactory.blankNode(term.value)
        : DataFactory.literal(term.value, term.language ?? DataFactory.namedNode(term.datatype))
  return made as ReturnType<typeof DataFactory.namedNode>
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)
