/** Ontologies for tests, spelled out by hand: one class per table, one property per column. */
import { XSD } from '../../kernel/term.ts'
import type { Column, Dialect, Table } from '../../sources/index.ts'
import type { Ontology, OntologyClass, OntologyProperty } from '../ontology.ts'

export const BASE = 'https://example.org/ontology#'

export const data = (cls: string, name: string, type = 'string', more: Partial<OntologyProperty> = {}): OntologyProperty => ({
  name, iri: `${BASE}${cls}.${name}`, label: name, synonyms: [], tier: 'Internal', kind: 'data', columns: [name], range: XSD + type,
  refColumns: [], required: false, functional: false, inferred: null, ...more,
})

export const reference = (cls: string, name: string, to: string, more: Partial<OntologyProperty> = {}): OntologyProperty => ({
  ...data(cls, name), kind: 'object', columns: [`${name}_id`], range: to, refColumns: ['id'], functional: true, ...more,
})

export const cls = (name: string, properties: readonly OntologyProperty[], more: Partial<OntologyClass> = {}): OntologyClass => ({
  name, iri: BASE + name, label: name, synonyms: [], table: name.toLowerCase(), key: ['id'], labelProperty: null, tier: 'Internal',
  instances: 0, properties, ...more,
})

export const ontology = (classes: readonly OntologyClass[], dialect: Dialect = 'sqlite'): Ontology => ({
  baseIri: BASE, recordBase: 'https://example.org/record/', dialect, classes,
})

export const column = (name: string, more: Partial<Column> = {}): Column => ({
  name, declaredType: '', valueType: 'text', nullable: true, generated: false, comment: null, samples: [], ...more,
})

export const table = (name: string, columns: readonly Column[], more: Partial<Table> = {}): Table => ({
  name, kind: 'table', columns, primaryKey: ['id'], uniques: [], foreignKeys: [], rowCount: 0, comment: null, checks: [], ...more,
})
