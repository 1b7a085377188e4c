import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildOntology, cutOntology } from '../../ontology/index.ts'
import type { Ontology } from '../../ontology/index.ts'
import { withDatabase } from '../../ontology/instances/scratch-source.test-support.ts'
import type { MetadataRow } from '../../contracts/index.ts'
import type { Source } from '../../sources/index.ts'
import { tokenise } from '../planner/tokens.ts'
import { findValues } from './find-values.ts'
import { ValueShelf } from './value-shelf.ts'

const BASES = { baseIri: 'https://example.org/o#', recordBase: 'https://example.org/r/' }
const LIMITS = { timeoutMs: 60_000 }

const said = (table: string, column: string, tier: string): MetadataRow =>
  ({ target_type: 'column', table_name: table, column_name: column, sensitivity_tier: tier }) as MetadataRow
const open = (table: string, columns: readonly string[]) => columns.map((column) => said(table, column, 'Public'))

async function ontologyOf(source: Source, metadata: MetadataRow[] = []): Promise<Ontology> {
  return buildOntology(await source.introspect(), { ...BASES, metadata })
}

const look = async (ontology: Ontology, source: Source, question: string) =>
  (await findValues(ontology, source, question, tokenise(question), LIMITS, new ValueShelf())).map(
    ({ start, end, cls, property, value, count, how }) => `${start}-${end} ${cls.name}.${property.name} ${value} ${count} ${how}`,
  )

const SHOP = `
  CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT, code TEXT);
  CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, status TEXT, age INTEGER, notes TEXT);
  INSERT INTO city VALUES (1, 'Oslo', '2014'), (2, 'New York', 'US'), (3, 'São Paulo', 'A'), (4, 'York', '17');
  INSERT INTO customer VALUES (1, 'Acme Retail', 'open', 17, '${'x '.repeat(60)}'), (2, 'ACME RETAIL', 'open', 2014, '${'y '.repeat(60)}'),
    (3, 'Borealis Energy North', 'closed', 3, NULL), (4, 'The Lord of the Rings Shop', 'late order', 4, NULL), (5, 'crt-07', NULL, 5, NULL);
`
const inShop = (question: string) => withDatabase(SHOP, async (source) => look(await ontologyOf(source), source, question))

describe('values in a question', () => {
  it.each<[string, string, string[]]>([
    ['in any spelling, each marked', 'orders of Acme Retail', [
      '2-3 Customer.name ACME RETAIL 1 part', '2-3 Customer.name Acme Retail 1 part', '2-4 Customer.name ACME RETAIL 1 folded',
      '2-4 Customer.name Acme Retail 1 exact', '3-4 Customer.name ACME RETAIL 1 part', '3-4 Customer.name Acme Retail 1 part',
    ]],
    ['with the rows that hold them', 'which are open', ['2-3 Customer.status open 2 exact']],
    ['without accents', 'flights to sao paulo', ['2-4 City.name São Paulo 1 folded']],
    ['in the plural', 'the late orders', ['1-3 Customer.status late order 1 form']],
    ['by part of a name, with glue inside it', 'the lord of the rings', ['1-5 Customer.name The Lord of the Rings Shop 1 part']],
    ['not by one small word of it', 'a shop in the north', []],
    ['but for a slip, when it is written as a name', 'sales of Borealis Enery North', [
      '2-3 Customer.name Borealis Energy North 1 part', '2-5 Customer.name Borealis Energy North 1 fuzzy', '4-5 Customer.name Borealis Energy North 1 part',
    ]],
    ['not for a slip in a small word', 'sales in osloo', []],
    ['for a slip in what is quoted', 'sales in "osloo"', ['2-3 City.name Oslo 1 fuzzy']],
    ['not with another number', 'alarms of CRT-08', []],
    ['as codes, also of digits, but never among numbers', 'in 2014 or 17', ['1-2 City.code 2014 1 exact', '3-4 City.code 17 1 exact']],
    ['where function words are capitals in mid-sentence', 'sales in US with grade A', ['2-3 City.code US 1 exact', '5-6 City.code A 1 exact']],
    ['not where function words are small', 'give us a list', []],
    ['longer ones beside what is in them', 'trips to New York', [
      '2-3 City.name New York 1 part', '2-4 City.name New York 1 exact', '3-4 City.name New York 1 part', '3-4 City.name York 1 exact',
    ]],
    ['whole, when quoted', 'sales of "york"', ['2-3 City.name New York 1 part', '2-3 City.name York 1 folded']],
    ['not without words', '?!', []],
  ])('are found %s', async (_, question, expected) => expect(await inShop(question)).toEqual(expected))

  it('are found by asking where a column holds prose', async () => {
    const [found] = await inShop(`the notes "${'x '.repeat(60)}"`)
    expect(found).toMatch(/^2-3 Customer\.notes .* 1 exact$/)
  })

  it('are not guessed from what more than twenty values share', async () => {
    const rows = Array.from({ length: 21 }, (_, n) => `('Acme ${n}')`)
    const script = (many: number) => `CREATE TABLE t (name TEXT); INSERT INTO t VALUES ${rows.slice(0, many).join(', ')}`
    const found = (many: number) => withDatabase(script(many), async (source) => look(await ontologyOf(source), source, 'about Acme'))
    expect(await found(20)).toHaveLength(20)
    expect(await found(21)).toEqual([])
  })
})

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).filter((value) => !/["\0]/.test(value) && value.isWellFormed())

it('whatever stands in an indexed column is found when the question quotes it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(text, { minLength: 1, maxLength: 30 }), async (values) => {
      const fill = (db: DatabaseSync) => {
        db.exec('CREATE TABLE thing (id INTEGER PRIMARY KEY, label TEXT)')
        for (const value of values) db.prepare('INSERT INTO thing (label) VALUES (?)').run(value)
      }
      await withDatabase(fill, async (source) => {
        const ontology = await ontologyOf(source)
        const shelf = new ValueShelf()
        for (const value of values) {
          const question = `which thing is "${value}"`
          const found = await findValues(ontology, source, question, tokenise(question), LIMITS, shelf)
          expect(found).toContainEqual(expect.objectContaining({ value, how: 'exact', start: 3, end: 4 }))
        }
      })
    }),
    { numRuns: process.env['WHEREFORE_FULL'] === undefined ? 20 : 500 },
  )
})

describe('TRUST-1 two databases that differ only above the ceiling', () => {
  const word = fc.stringMatching(/^[A-D][a-d]{3,6}( [A-D][a-d]{2,5})?$/)
  it('give the same values for every question', async () => {
    const metadata = [...open('person', ['id', 'name']), said('person', 'alias', 'Restricted')]
    const found = (names: readonly string[], aliases: readonly string[], questions: readonly string[]) =>
      withDatabase(
        (db) => {
          db.exec('CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, alias TEXT)')
          for (const [at, name] of names.entries()) db.prepare('INSERT INTO person (name, alias) VALUES (?, ?)').run(name, aliases[at] ?? null)
        },
        async (source) => {
          const ontology = cutOntology(await ontologyOf(source, metadata), 'Public')
          return Promise.all(questions.map((question) => look(ontology, source, question)))
        },
      )
    await fc.assert(
      fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 8 }), fc.array(word, { maxLength: 8 }), fc.array(word, { maxLength: 8 }), async (names, one, other) => {
        const questions = [...names, ...one, ...other].flatMap((value) => [`who is "${value}"`, `people like ${value.slice(0, -1)}`])
        const [a, b] = [await found(names, one, questions), await found(names, other, questions)]
        expect(b).toEqual(a)
        expect(JSON.stringify(a)).not.toContain('alias')
      }),
      { numRuns: process.env['WHEREFORE_FULL'] === undefined ? 20 : 500 },
    )
  })
})
