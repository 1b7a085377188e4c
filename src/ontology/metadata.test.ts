import fc from 'fast-check'
import { expect, it } from 'vitest'
import { MetadataRow } from '../contracts/index.ts'
import { build, catalogue, column, id, table } from './fixtures.test-support.ts'
import { isMetadataTable, mergeMetadata, readSourceMetadata, sourceMetadataQuery } from './metadata.ts'
import { emptyRow, proposeMetadata } from './propose.ts'

const proposed = proposeMetadata(catalogue([table('customer', [id, column('customer_email')])]))
const email = (more: Partial<MetadataRow>) => emptyRow('customer', 'customer_email', more)
const merged = (...stored: Parameters<typeof mergeMetadata>[1]) => mergeMetadata(proposed, stored).at(-1)

it('keeps what a person set and fills what he left open', () => {
  expect(merged(email({ label: 'contact', synonyms: ['mail'] }))).toMatchObject({
    label: 'contact', synonyms: ['mail'], sensitivity_tier: 'Restricted', semantic_type: 'email',
  })
  const lowered = { label: 'customer email', sensitivity_tier: 'Public', synonyms: [] }
  expect(merged(email({ sensitivity_tier: 'Public' }))).toMatchObject(lowered)
})

it('does not take an earlier proposal for the word of a person', () => {
  const stored = { ...email({ label: 'old' }), proposed: true, author: 'phase 1', created_at: '', updated_at: '' }
  expect(merged(stored)).toEqual(proposed.at(-1))
  const { author, ...own } = { ...stored, proposed: false }
  expect(merged(own)).toMatchObject({ label: 'old' })
  expect(MetadataRow.parse(merged({ ...own, author } as typeof own))).toEqual(merged(own))
})

it('lets the store win over the source, and the source over the proposal, field by field', () => {
  const ofSource = email({ label: 'from the source', is_functional: true })
  const twice = mergeMetadata(mergeMetadata(proposed, [ofSource]), [email({ sensitivity_tier: 'Internal' })])
  expect(twice.at(-1)).toMatchObject({ label: 'from the source', is_functional: true, sensitivity_tier: 'Internal' })
})

it('keeps rows about what is no longer there, and does not stumble over them', () => {
  const gone = emptyRow('gone', 'x', { label: 'y' })
  expect(mergeMetadata(proposed, [gone])).toEqual([...proposed, gone])
  expect(build([table('customer', [id])], [gone]).classes).toHaveLength(1)
})

it('merging twice is merging once, whatever a person set', () => {
  const flag = fc.option(fc.boolean())
  const said = fc.record({ label: fc.option(fc.string()), synonyms: fc.array(fc.string()), is_symmetric: flag })
  fc.assert(
    fc.property(said, (more) => {
      const once = mergeMetadata(proposed, [email(more)])
      expect(mergeMetadata(once, [email(more)])).toEqual(once)
      expect(once).toHaveLength(proposed.length)
    }),
  )
})

const names = ['target_type', 'table_name', 'column_name', 'label', 'SENSITIVITY_TIER']
const ontologyMetadata = table('Ontology_Metadata', names.map((name) => column(name)), { primaryKey: [] })

it('a source\'s own metadata is no class, and is read by the columns it has', () => {
  expect(isMetadataTable(ontologyMetadata)).toBe(true)
  expect(isMetadataTable(table('ontology_metadata', [id]))).toBe(false)
  expect(build([ontologyMetadata, table('customer', [id])]).classes.map(({ name }) => name)).toEqual(['Customer'])
  expect(sourceMetadataQuery(catalogue([ontologyMetadata]))).toEqual({
    sql:
      'select target_type, table_name, column_name, label, sensitivity_tier from ontology_metadata ' +
      'order by target_type, table_name, column_name',
    params: [],
  })
  expect(sourceMetadataQuery(catalogue([]))).toBeNull()
})

it('reads rows of an older shape, what they do not have as null', () => {
  const { rows, faults } = readSourceMetadata([
    { table_name: 'customer', column_name: null, LABEL: ' Client ' },
    { table_name: 'customer', column_name: 'email', sensitivity_tier: 'restricted', is_functional: 1, synonyms: 'mail; e-mail' },
    { table_name: 'customer', column_name: '', is_event_class: 'no', has_key_columns: '["id", "code"]' },
  ])
  expect(faults).toEqual(['row 3: a second row about the same thing; the later one counts'])
  expect(rows).toEqual([
    emptyRow('customer', null, { is_event_class: false, has_key_columns: ['id', 'code'] }),
    emptyRow('customer', 'email', { sensitivity_tier: 'Restricted', is_functional: true, synonyms: ['mail', 'e-mail'] }),
  ])
  for (const row of rows) expect(MetadataRow.parse(row)).toEqual(row)
})

it.each([
  [{ label: 'x' }, 'row 1: it names no table', undefined],
  [
    { table_name: 't', sensitivity_tier: 'SECRET' },
    'row 1: "SECRET" is no tier and is taken for Restricted; known: Public, Internal, Confidential, Restricted',
    { sensitivity_tier: 'Restricted' },
  ],
  [{ table_name: 't', is_symmetric: 'maybe' }, 'row 1: is_symmetric is neither true nor false', { is_symmetric: null }],
])('says what it cannot take over: %j', (raw, fault, row) => {
  const read = readSourceMetadata([raw])
  expect(read.faults).toEqual([fault])
  if (row === undefined) expect(read.rows).toEqual([])
  else expect(read.rows[0]).toMatchObject(row)
})

it('gives rows that the contract accepts, whatever stands in the cells', () => {
  const odd = fc.constantFrom(null, '[', '[1]', 'x'.repeat(3000), ',;'.repeat(50), 'a,'.repeat(50))
  const cell = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.bigInt(), odd)
  const raw = fc.dictionary(fc.constantFrom(...Object.keys(emptyRow('t', null)), 'other'), cell)
  fc.assert(
    fc.property(fc.array(raw, { maxLength: 5 }), (rows) => {
      for (const row of readSourceMetadata(rows).rows) expect(MetadataRow.parse(row)).toEqual(row)
    }),
  )
})
