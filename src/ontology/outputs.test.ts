import fc from 'fast-check'
import { Parser } from 'n3'
import { Store } from 'oxigraph'
import { expect, it } from 'vitest'
import type { Column } from '../sources/index.ts'
import { buildOntology } from './build.ts'
import { cutOntology } from './cut.ts'
import { mappingCsv } from './mapping.ts'
import type { Ontology, OntologyClass } from './ontology.ts'
import { parseRecordIri, recordIri } from './record-iri.ts'
import { datalogRelations } from './relations.ts'
import { ontologyTurtle } from './turtle.ts'
import { vocabularyOf } from './vocabulary.ts'

const column = (name: string): Column => ({
  name, declaredType: '', valueType: 'text', nullable: true, generated: false, comment: null, samples: [],
})
const TO_SITE = { columns: ['site_id'], refTable: 'site', refColumns: ['id'], inferred: null }
const ontologyOf = (tables: Readonly<Record<string, readonly string[]>>): Ontology =>
  buildOntology(
    {
      dialect: 'sqlite',
      tables: Object.entries(tables).map(([name, columns]) => ({
        name,
        kind: 'table',
        columns: columns.map(column),
        primaryKey: columns.slice(0, 1),
        uniques: [],
        foreignKeys: columns.includes('site_id') ? [TO_SITE] : [],
        rowCount: 1,
        comment: null,
        checks: [],
      })),
    },
    { baseIri: 'https://example.org/o#', recordBase: 'https://example.org/r/' },
  )

const ontology = ontologyOf({ resource: ['id', 'name', 'contact_email', 'site_id'], site: ['id', 'country'] })

it('writes classes, properties and tiers as OWL', () => {
  const turtle = ontologyTurtle(ontology, { header: ['max_tier: Restricted'] })
  expect(turtle).toMatch(/^# max_tier: Restricted\n/)
  expect(turtle).toContain(`:Resource.site a owl:FunctionalProperty, owl:ObjectProperty ;
  rdfs:comment "Site of the resource: a reference to site, may be missing." ;
  rdfs:domain :Resource ;
  rdfs:label "site" ;
  rdfs:range :Site ;
  :sensitivityTier "Internal" .`)
  expect(turtle).toContain(':Site a owl:Class ;')
})

it('writes nothing above the ceiling', () => {
  expect(ontologyTurtle(ontology)).toContain('email')
  const cut = cutOntology(ontology, 'Internal')
  for (const view of [ontologyTurtle(cut), mappingCsv(cut), vocabularyOf(cut), datalogRelations(cut)]) {
    expect(JSON.stringify(view)).not.toContain('email')
  }
})

const oddName = fc.constantFrom('3g', 'a b', '"', 'ß', 'a.b', '-', '\n')
const anyName = fc.oneof(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }), oddName)
const anyOntology = fc
  .dictionary(anyName, fc.uniqueArray(anyName, { minLength: 1, maxLength: 4 }), { minKeys: 1, maxKeys: 4 })
  .map((tables) => ontologyOf(tables))

it('writes the same bytes twice, and Turtle that two parsers read alike, whatever the names', () => {
  fc.assert(
    fc.property(anyOntology, (any) => {
      const turtle = ontologyTurtle(any)
      expect(ontologyTurtle(structuredClone(any))).toBe(turtle)
      const store = new Store()
      store.load(turtle, { format: 'text/turtle' })
      expect(new Parser().parse(turtle)).toHaveLength(store.size)
      const properties = any.classes.flatMap((cls) => cls.properties.map(({ iri }) => iri))
      expect(new Set(properties).size).toBe(properties.length)
    }),
    { numRuns: 100 },
  )
})

it('lists the vocabulary with IRIs on both ends, under a tag that follows the content', () => {
  const { classes, properties, etag } = vocabularyOf(ontology)
  expect(classes[0]).toEqual({
    iri: 'https://example.org/o#Resource', qname: ':Resource', label: 'Resource', parents: [], tier: 'Internal', instances: 1,
  })
  expect(properties.find(({ qname }) => qname === ':Resource.site')).toMatchObject({
    kind: 'object', domain: 'https://example.org/o#Resource', range: 'https://example.org/o#Site',
  })
  expect(vocabularyOf(structuredClone(ontology)).etag).toBe(etag)
  expect(vocabularyOf(cutOntology(ontology, 'Internal')).etag).not.toBe(etag)
})

it('maps names to tables and columns, and keeps spreadsheets from running them', () => {
  const lines = mappingCsv(ontologyOf({ resource: ['id', 'site_id'], site: ['id'], '=1+1,"x"': ['id'] })).split('\n')
  expect(lines[0]).toBe('class,property,kind,table,columns,ref_table,ref_columns,range,tier,inferred,value')
  expect(lines).toContain('Resource,site,object,resource,site_id,site,id,Site,Internal,,')
  expect(lines.some((line) => line.includes(`"'=1+1,""x"""`))).toBe(true)
})

it('offers each class as a relation: the record first, then its properties with their tiers', () => {
  expect(datalogRelations(ontology)[0]).toEqual({
    name: 'Resource',
    columns: [
      { name: '@id', tier: 1 },
      { name: 'id', tier: 1 },
      { name: 'name', tier: 1 },
      { name: 'contact_email', tier: 3 },
      { name: 'site', tier: 1 },
    ],
  })
})

const resource = ontology.classes[0] as OntologyClass
const pair: OntologyClass = { ...resource, name: 'Pair', key: ['a', 'b'] }
const withPair: Ontology = { ...ontology, classes: [...ontology.classes, pair] }

it.each([
  [resource, [7], 'https://example.org/r/Resource/7'],
  [resource, ['a/b c'], 'https://example.org/r/Resource/a%2Fb%20c'],
  [resource, ['..'], 'https://example.org/r/Resource/%2E%2E'],
  [resource, [9007199254740993n], 'https://example.org/r/Resource/9007199254740993'],
  [pair, ['x;y', 2], 'https://example.org/r/Pair/x%3By;2'],
])('names a record by its key', (cls, key, expected) => {
  expect(recordIri(ontology, cls, key)).toBe(expected)
})

it('reads a record\'s name back, whatever the key', () => {
  const value = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', '.', '..', '%', ';', '/', '%2F', '\u0000'))
  fc.assert(
    fc.property(value, value, (x, y) => {
      expect(parseRecordIri(withPair, recordIri(withPair, pair, [x, y]))).toEqual({ cls: pair, key: [x, y] })
    }),
  )
})

it.each([
  '',
  'https://elsewhere.example/Resource/7',
  'https://example.org/r/Nothing/7',
  'https://example.org/r/Resource',
  'https://example.org/r/Resource/1;2',
  'https://example.org/r/Resource/%zz',
  'https://example.org/r/Resource/7/8',
])('does not take %j for a record', (text) => {
  expect(parseRecordIri(ontology, text)).toBeNull()
})
