/** A small shop for tests: orders of customers in cities. */
import type { Ontology, OntologyClass, OntologyProperty } from '../ontology/index.ts'
import { XSD } from '../kernel/term.ts'

const base = 'https://enterprise.example/ontology#'

const data = (cls: string, name: string, range = 'string'): OntologyProperty => ({
  name, iri: `${base}${cls}.${name}`, label: name, synonyms: [], tier: 'Internal', kind: 'data', columns: [name],
  range: `${XSD}${range}`, refColumns: [], required: false, functional: false, inferred: null,
})
const object = (cls: string, name: string, range: string): OntologyProperty => ({
  ...data(cls, name), kind: 'object', columns: [`${name}_id`], range, refColumns: ['id'], functional: true,
})
const cls = (name: string, table: string, labelProperty: string, properties: OntologyProperty[]): OntologyClass => ({
  name, iri: `${base}${name}`, label: name.toLowerCase(), synonyms: [], table, key: ['id'], labelProperty, tier: 'Internal', instances: 0, properties,
})

export const shop: Ontology = {
  baseIri: base,
  recordBase: 'https://enterprise.example/record/',
  dialect: 'sqlite',
  classes: [
    cls('City', 'city', 'name', [data('City', 'name')]),
    cls('Customer', 'customer', 'name', [data('Customer', 'name'), data('Customer', 'age', 'integer'), object('Customer', 'city', 'City')]),
    cls('Order', 'orders', 'number', [data('Order', 'number'), data('Order', 'total', 'decimal'), object('Order', 'customer', 'Customer')]),
  ],
}
