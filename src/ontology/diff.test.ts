import { expect, it } from 'vitest'
import type { MetadataRow } from '../contracts/index.ts'
import { parseTurtle } from '../kernel/rdf/index.ts'
import type { Table } from '../sources/index.ts'
import { diffOntology, ontologyFingerprint, staleRules } from './diff.ts'
import { build, column, id, key, table } from './fixtures.test-support.ts'
import { emptyRow } from './propose.ts'
import { ontologyTurtle } from './turtle.ts'

const customer = table('customer', [id, column('name'), column('status')])
const order = table('order', [id, column('customer_id'), column('total', { valueType: 'integer' })], {
  foreignKeys: [key(['customer_id'], 'customer')],
})
const before = build([customer, order])
const words = (tables: readonly Table[], rows: readonly MetadataRow[] = []) => diffOntology(before, build(tables, rows)).words

it('finds nothing between an ontology and itself, nor in another count or comment', () => {
  const again = build([{ ...customer, rowCount: 99, comment: 'Whoever buys.' }, order])
  expect(diffOntology(before, again)).toEqual({ changes: [], words: [] })
  expect(ontologyFingerprint(again)).toBe(ontologyFingerprint(before))
})

it('says in words what was added, removed and changed', () => {
  const renamed = { ...customer, columns: [id, column('full_name', { nullable: false }), column('status', { nullable: false })] }
  const number = { ...order, columns: [...order.columns.slice(0, 2), column('total', { valueType: 'decimal' })] }
  expect(words([renamed, number, table('site', [id])])).toEqual([
    'The property Customer.full_name was added.',
    'The property Customer.name was removed.',
    'The property Customer.status changed: presence was nothing and is required.',
    'The property Order.total changed: range was integer and is decimal.',
    'The class Site was added.',
    'The property Site.id was added.',
  ])
  expect(words([customer])).toContain('The class Order was removed.')
})

it('sees tiers, labels and what a person declared', () => {
  const rows = [
    emptyRow('customer', 'status', { sensitivity_tier: 'Restricted', label: 'state' }),
    emptyRow('customer', null, { has_key_columns: ['name'], disjoint_group: 'g' }),
    emptyRow('order', null, { disjoint_group: 'g' }),
  ]
  expect(words([customer, order], rows)).toEqual([
    'The class Customer changed: disjoint group was nothing and is Customer Order; key was nothing and is Customer.name.',
    'The property Customer.status changed: label was status and is state; tier was Internal and is Restricted.',
    'The class Order changed: disjoint group was nothing and is Customer Order.',
  ])
})

it('compares with what was written to a file as well', () => {
  const parsed = parseTurtle(ontologyTurtle(before))
  if (!parsed.ok) throw new Error('unreadable')
  expect(diffOntology(parsed.quads, before).changes).toEqual([])
  expect(ontologyFingerprint(parsed.quads)).toBe(ontologyFingerprint(before))
  expect(diffOntology(parsed.quads, build([customer])).changes.every(({ change }) => change === 'removed')).toBe(true)
})

const rule = (id: string, body: string) => ({ id, body })
const rules = [
  rule('by-class', 'gone(?c) :- Order(total: ?t, customer: ?c), ?t > 3.'),
  rule('by-property', 'named(?c, ?n) :- Customer(id: ?c, name: ?n).'),
  rule('other', 'open(?c) :- Customer(id: ?c, status: "Order name: Customer.name").'),
  rule('sparql', 'CONSTRUCT { ?c :known true } WHERE { ?c :Customer.name ?n . ?c a :Customer. }'),
  rule('iri', 'SELECT ?c WHERE { ?c <https://example.org/o#Customer.name> ?n }'),
  rule('turtle', ':VipCustomer rdfs:subClassOf :Customer.'),
]

it('names the rules that speak of what is gone', () => {
  const without = { ...customer, columns: [id, column('status')] }
  expect(staleRules(diffOntology(before, build([without, order])), rules)).toEqual(['by-property', 'sparql', 'iri'])
  expect(staleRules(diffOntology(before, build([customer])), rules)).toEqual(['by-class'])
})

it('names the rules whose terms mean something else now, but not those that are only called otherwise', () => {
  const now = (more: object) => diffOntology(before, build([customer, order], [emptyRow('customer', null, more)]))
  expect(staleRules(now({ label: 'Client' }), rules)).toEqual([])
  expect(staleRules(now({ sensitivity_tier: 'Restricted' }), rules)).toEqual(rules.map(({ id }) => id))
  const causal = [{ id: 'causal', body: '', cause_class: 'Order', effect_class: 'https://example.org/o#Customer' }]
  expect(staleRules(diffOntology(before, build([customer])), causal)).toEqual(['causal'])
})
