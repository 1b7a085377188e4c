import { expect, it } from 'vitest'
import { quadKey } from '../../kernel/rdf/index.ts'
import { compareText } from '../../kernel/term.ts'
import type { Column, Source } from '../../sources/index.ts'
import { buildOntology } from '../build.ts'
import { cutOntology } from '../cut.ts'
import { directMapping, streamDirectMapping, withinOntology } from './direct-mapping.ts'
import { datatypeOf } from './direct-terms.ts'
import { withDatabase } from './scratch-source.test-support.ts'

/** The worked example of the recommendation's introduction, with a reference that leads nowhere added. */
const PEOPLE = `
  create table Addresses (ID int, city char(10), state char(2), primary key (ID));
  create table People (ID int, fname char(10), addr int, primary key (ID), foreign key (addr) references Addresses (ID));
  insert into Addresses values (18, 'Cambridge', 'MA');
  insert into People values (7, 'Bob', 18), (8, 'Sue', null), (9, 'Ann', 99)`

const base = 'http://foo.example/DB/'
const type = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>'
const integer = '^^<http://www.w3.org/2001/XMLSchema#integer>'

async function triplesOf(source: Source): Promise<string[]> {
  const quads = await Array.fromAsync(directMapping(source, await source.introspect(), { base }))
  return quads.map((each) => quadKey(each).replaceAll(base, '')).toSorted(compareText)
}

it('maps the example of the recommendation', async () => {
  expect(await withDatabase(PEOPLE, triplesOf)).toEqual(
    [
      `<People/ID=7> ${type} <People>`, `<People/ID=7> <People#ID> "7"${integer}`, '<People/ID=7> <People#fname> "Bob"',
      `<People/ID=7> <People#addr> "18"${integer}`, '<People/ID=7> <People#ref-addr> <Addresses/ID=18>',
      `<People/ID=8> ${type} <People>`, `<People/ID=8> <People#ID> "8"${integer}`, '<People/ID=8> <People#fname> "Sue"',
      `<People/ID=9> ${type} <People>`, `<People/ID=9> <People#ID> "9"${integer}`, '<People/ID=9> <People#fname> "Ann"',
      `<People/ID=9> <People#addr> "99"${integer}`,
      `<Addresses/ID=18> ${type} <Addresses>`, `<Addresses/ID=18> <Addresses#ID> "18"${integer}`,
      '<Addresses/ID=18> <Addresses#city> "Cambridge"', '<Addresses/ID=18> <Addresses#state> "MA"',
    ].toSorted(compareText),
  )
})

it('encodes what an IRI cannot hold and keeps the letters of every script', async () => {
  const script = `create table "a/b #1" ("k y" text primary key, "é;=" int); insert into "a/b #1" values ('50% (é)', 1)`
  expect(await withDatabase(script, triplesOf)).toContain(`<a%2Fb%20%231/k%20y=50%25%20%28é%29> <a%2Fb%20%231#é%3B%3D> "1"${integer}`)
})

it('knows neither views nor keys that nobody declared', async () => {
  const script = `create table shop (id integer primary key); create table sale (id integer primary key, shop_id int);
    create view busy as select * from sale; insert into shop values (1); insert into sale values (5, 1)`
  await withDatabase(script, async (source) => {
    const { tables } = await source.introspect()
    expect(tables.find(({ name }) => name === 'sale')?.foreignKeys.length).toBe(1)
    const triples = await triplesOf(source)
    expect(triples.filter((triple) => triple.includes('ref-') || triple.includes('busy'))).toEqual([])
    expect(triples.length).toBe(5)
  })
})

it('as Turtle it is the same in chunks of any size, and within an ontology it holds no more than that', async () => {
  await withDatabase(PEOPLE, async (source) => {
    const catalogue = await source.introspect()
    const text = async (of: typeof catalogue, pageRows: number) =>
      (await Array.fromAsync(streamDirectMapping(source, of, { base, pageRows, header: ['ceiling: Public'] }))).join('')
    expect(await text(catalogue, 1)).toBe(await text(catalogue, 100))
    const whole = buildOntology(catalogue, { baseIri: 'https://example.org/o#', recordBase: 'https://example.org/r/' })
    const labelled = {
      ...whole,
      classes: whole.classes.map((cls) => ({
        ...cls,
        tier: 'Public' as const,
        properties: cls.properties.map((each) => ({ ...each, tier: ['fname', 'city'].includes(each.name) ? ('Restricted' as const) : ('Public' as const) })),
      })),
    }
    const cut = await text(withinOntology(catalogue, cutOntology(labelled, 'Internal')), 100)
    expect(cut).not.toMatch(/fname|city|Bob|Cambridge/)
    expect(cut).toContain('<http://foo.example/DB/People#ref-addr> <http://foo.example/DB/Addresses/ID=18>')
  })
})

it.each<[string, Column['valueType'], string]>([
  ['INTEGER', 'integer', 'integer'],
  ['double precision', 'decimal', 'double'],
  ['NUMERIC(10,2)', 'decimal', 'decimal'],
  ['TINYINT(1)', 'boolean', 'boolean'],
  ['timestamp with time zone', 'datetime', 'dateTime'],
  ['time without time zone', 'text', 'time'],
  ['VARCHAR(10)', 'date', 'string'],
  ['varbinary(200)', 'blob', 'hexBinary'],
  ['', 'integer', 'integer'],
])('a column declared %j is of type %s', (declaredType, valueType, expected) => {
  expect(datatypeOf({ name: 'c', declaredType, valueType, nullable: true, generated: false, comment: null, samples: [] })).toBe(expected)
})
