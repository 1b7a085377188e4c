import { expect, it } from 'vitest'
import type { Table } from '../sources/index.ts'
import { cutOntology } from './cut.ts'
import { build, column, id, key, linking, table, time } from './fixtures.test-support.ts'
import { isBookkeeping, junctionsOf } from './junctions.ts'

const film = table('film', [id])
const actor = table('actor', [id])
const lastUpdate = time('last_update')
const filmActor = linking('film_actor', ['film', 'actor'])

it('reads a table that only connects two others as a relationship, and keeps its class', () => {
  const { classes, relationships } = build([film, actor, filmActor])
  expect(classes.map(({ name }) => name)).toEqual(['Actor', 'Film', 'FilmActor'])
  expect(relationships).toEqual([
    {
      name: 'actors', iri: 'https://example.org/o#Film.actors', label: 'actors', from: 'Film', to: 'Actor', junction: 'FilmActor',
      description: 'Connects film with actor, as the table film_actor records it.', fromProperty: 'film', toProperty: 'actor',
      functional: false, transitive: false, symmetric: false, inverseFunctional: false, inverseOf: null, tier: 'Internal',
    },
  ])
})

const withColumns = (more: Partial<Table>): Table => ({ ...filmActor, ...more })
it.each<[string, Table, boolean]>([
  ['with the time of its last change', withColumns({ columns: [...filmActor.columns, lastUpdate] }), true],
  ['with a key of its own', withColumns({ columns: [id, ...filmActor.columns], primaryKey: ['id'] }), true],
  ['without any key', withColumns({ primaryKey: [] }), true],
  ['with a value of its own', withColumns({ columns: [...filmActor.columns, column('role')] }), false],
  ['with one side unique', withColumns({ uniques: [['film_id']] }), false],
  ['with one side as its key', withColumns({ primaryKey: ['film_id'] }), false],
  ['with three references', linking('film_actor', ['film', 'actor', 'store']), false],
  ['with one reference', linking('film_actor', ['film']), false],
  ['that is a view', withColumns({ kind: 'view' }), false],
  [
    'whose two references share a column',
    withColumns({ foreignKeys: [key(['film_id', 'actor_id'], 'x', ['a', 'b']), key(['actor_id'], 'actor')] }),
    false,
  ],
])('a table %s is one: %3$s', (_, candidate, expected) => {
  expect(junctionsOf([film, actor, candidate]).has('film_actor')).toBe(expected)
})

it('takes a table that others refer to for a thing', () => {
  const { columns, ...both } = linking('inventory', ['film', 'store'])
  const inventory = { ...both, columns: [id, ...columns], primaryKey: ['id'] }
  const tables = [film, table('store', [id]), inventory]
  expect(junctionsOf(tables).has('inventory')).toBe(true)
  expect(junctionsOf([...tables, linking('rental', ['inventory'])]).has('inventory')).toBe(false)
})

it('does not take a table for a thing because values elsewhere happen to lead to it', () => {
  const enrolled = { ...filmActor, columns: [id, ...filmActor.columns], primaryKey: ['id'] }
  const guessed = linking('secret_note', ['film_actor'])
  const inferred = { ...guessed, foreignKeys: guessed.foreignKeys.map((each) => ({ ...each, inferred: 'all 5 values are found there' })) }
  expect(junctionsOf([film, actor, enrolled, inferred]).has('film_actor')).toBe(true)
})

it('names both ends of a relationship of a class with itself', () => {
  const columns = ['service_id', 'depends_on_service_id'].map((name) => column(name, { nullable: false }))
  const foreignKeys = [key(['depends_on_service_id'], 'service'), key(['service_id'], 'service')]
  const dependency = table('service_dependency', columns, { primaryKey: columns.map(({ name }) => name), foreignKeys })
  expect(build([table('service', [id]), dependency]).relationships).toMatchObject([
    { name: 'depends_on_services', from: 'Service', to: 'Service', fromProperty: 'service', toProperty: 'depends_on_service' },
  ])
})

it('keeps a relationship apart from a property and another relationship of its name', () => {
  const named = table('film', [id, column('actors')])
  const { relationships } = build([named, actor, filmActor, linking('film_star', ['film', 'actor'])])
  const iris = relationships?.map(({ iri }) => iri) ?? []
  expect(iris).toHaveLength(2)
  for (const iri of iris) expect(iri).toMatch(/Film\.actors_[0-9a-f]{6}$/)
  expect(new Set(iris).size).toBe(2)
})

it('of two relationships of one name, the first keeps it', () => {
  const { relationships } = build([film, actor, filmActor, linking('film_star', ['film', 'actor'])])
  expect(relationships?.map(({ name, junction }) => [name, junction])).toEqual([
    ['actors', 'FilmActor'],
    [expect.stringMatching(/^actors_[0-9a-f]{6}$/), 'FilmStar'],
  ])
})

it('is cut with the reference of its table, even if nobody raised its tier', () => {
  const { classes, ...rest } = build([film, actor, filmActor])
  const hidden = classes.map((cls) =>
    cls.name === 'FilmActor' ? { ...cls, key: [], properties: cls.properties.filter(({ name }) => name === 'film') } : cls,
  )
  expect(cutOntology({ ...rest, classes: hidden }, 'Restricted').relationships).toEqual([])
})

it.each([
  ['last_update', true],
  ['createdAt', true],
  ['modification_time', true],
  ['payment_date', false],
  ['date', false],
])('%s says when a row was written: %s', (name, expected) => {
  expect(isBookkeeping(time(name))).toBe(expected)
  expect(isBookkeeping(column(name))).toBe(false)
})
