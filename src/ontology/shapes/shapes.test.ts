import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Catalogue, Column, Table } from '../../sources/index.ts'
import { XSD } from '../../kernel/term.ts'
import { constraintsOf } from './constraints.ts'
import { cls, column, data, ontology, reference, table } from './fixtures.test-support.ts'
import { likePattern } from './patterns.ts'
import { shapesTurtle } from './shapes.ts'
import { validationPlan } from './validate-sql.ts'

const team = cls('Team', [data('Team', 'id', 'integer')])
const player = cls('Player', [
  data('Player', 'id', 'integer'), data('Player', 'name', 'string', { required: true }), data('Player', 'position'), data('Player', 'age', 'integer'), reference('Player', 'team', 'Team'),
])
const league = ontology([player, team])
const catalogue = (...tables: Table[]): Catalogue => ({ dialect: 'sqlite', tables })
const playerTable = (more: Partial<Table>, columns: readonly Column[] = []): Catalogue =>
  catalogue(table('player', ['id', 'name', 'position', 'age', 'team_id'].map((name) => columns.find((each) => each.name === name) ?? column(name)), more))
const ids = (more: Partial<Table>, columns: readonly Column[] = []): string[] =>
  constraintsOf(league, { catalogue: playerTable(more, columns) }).constraints.flatMap(({ id, kind, cls }) =>
    cls !== player || ['datatype', 'required', 'reference'].includes(kind) ? [] : [id],
  )

describe('shapesTurtle', () => {
  it('matches the worked example', () => {
    const text = shapesTurtle(league, {
      catalogue: playerTable({ uniques: [['name', 'team_id']], checks: ["position IN ('back', 'front')", 'age BETWEEN 16 AND 60'] }), header: ['tier Internal'],
    })
    expect(text).toBe(`# tier Internal

@prefix : <https://example.org/ontology#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

:PlayerShape.age a sh:PropertyShape ;
  sh:datatype xsd:integer ;
  sh:description "Column age of the table player." ;
  sh:maxCount 1 ;
  sh:maxInclusive 60 ;
  sh:minInclusive 16 ;
  sh:name "age" ;
  sh:path :Player.age .

:PlayerShape.id a sh:PropertyShape ;
  sh:datatype xsd:integer ;
  sh:description "Column id of the table player." ;
  sh:maxCount 1 ;
  sh:minCount 1 ;
  sh:name "id" ;
  sh:path :Player.id .

:PlayerShape.name a sh:PropertyShape ;
  sh:datatype xsd:string ;
  sh:description "Column name of the table player." ;
  sh:maxCount 1 ;
  sh:minCount 1 ;
  sh:name "name" ;
  sh:path :Player.name .

:PlayerShape.position a sh:PropertyShape ;
  sh:datatype xsd:string ;
  sh:description "Column position of the table player." ;
  sh:in _:b41d74a00aa0dac7b ;
  sh:maxCount 1 ;
  sh:name "position" ;
  sh:path :Player.position .

:PlayerShape.team a sh:PropertyShape ;
  sh:class :Team ;
  sh:description "Column team_id of the table player." ;
  sh:maxCount 1 ;
  sh:name "team" ;
  sh:nodeKind sh:IRI ;
  sh:path :Player.team .

:PlayerShape a sh:NodeShape ;
  rdfs:comment "Records of the table player, identified by id. No two have the same name and team (checked by SQL)." ;
  rdfs:label "Shape of Player" ;
  sh:property :PlayerShape.age, :PlayerShape.id, :PlayerShape.name, :PlayerShape.position, :PlayerShape.team ;
  sh:targetClass :Player .

:TeamShape.id a sh:PropertyShape ;
  sh:datatype xsd:integer ;
  sh:description "Column id of the table team." ;
  sh:maxCount 1 ;
  sh:minCount 1 ;
  sh:name "id" ;
  sh:path :Team.id .

:TeamShape a sh:NodeShape ;
  rdfs:comment "Records of the table team, identified by id." ;
  rdfs:label "Shape of Team" ;
  sh:property :TeamShape.id ;
  sh:targetClass :Team .

_:b41d74a00aa0dac7b rdf:first "back" ;
  rdf:rest _:bb129826d57103a5b .

_:bb129826d57103a5b rdf:first "front" ;
  rdf:rest rdf:nil .
`)
  })

  it('names a shape apart from a class that is called so already', () => {
    const text = shapesTurtle(ontology([cls('Part', [data('Part', 'id')]), cls('PartShape', [data('PartShape', 'id')])]))
    expect(text).toMatch(/:PartShape_[0-9a-f]{6} a sh:NodeShape/)
    expect(text).toContain(':PartShapeShape a sh:NodeShape')
  })

  it('the order of the classes changes nothing', () => {
    expect(shapesTurtle({ ...league, classes: league.classes.toReversed() })).toBe(shapesTurtle(league))
  })
})

describe('constraintsOf', () => {
  it.each<[name: string, more: Partial<Table>, columns: readonly Column[], found: string[]]>([
    ['two lists are one list of what both allow', { checks: ["position IN ('a', 'b')", "position IN ('b', 'c')"] }, [], ['Player.position in']],
    ['a closed type is a list', {}, [column('position', { declaredType: "enum('a','b')" })], ['Player.position in']],
    ['a pattern', { checks: ["name LIKE 'A%'"] }, [], ['Player.name pattern']],
    ['a list that does not fit the type is left', { checks: ["age IN ('old')"] }, [], []],
    ['text has no bounds', { checks: ["name >= 'B'"] }, [], []],
    ['an integer may be bounded by a fraction', { checks: ['age > 0.5'] }, [], ['Player.age range >']],
    ['a column of text that was declared as a number', {}, [column('position', { declaredType: 'INTEGER' })], ['Player.position declared']],
    ...['VARCHAR(9)', 'TEXT', '', 'POINT', 'CHARINT', 'BOOLEAN', 'JSON'].map(
      (declaredType) => [`a column of text that was declared as ${declaredType}`, {}, [column('position', { declaredType })], []] as never,
    ),
    ...['BIGINT', 'int4', 'UNSIGNED BIG INT', 'NUMERIC(9,2)', 'number', 'double precision', 'DATETIME', 'timestamp', 'dec'].map(
      (declaredType) => [`a column of text that was declared as ${declaredType}`, {}, [column('position', { declaredType })], ['Player.position declared']] as never,
    ),
    ['a reference may be unique', { uniques: [['team_id']] }, [], ['Player.team unique']],
    ['the key is named once', { uniques: [['id']] }, [], []],
  ])('%s', (_, more, columns, found) => {
    expect(ids(more, columns)).toEqual([...found.filter((id) => !id.endsWith('unique')), 'Player.id unique', ...found.filter((id) => id.endsWith('unique'))])
  })

  it('what both lists allow, and the tightest of two bounds', () => {
    const { constraints } = constraintsOf(league, { catalogue: playerTable({ checks: ["position IN ('a', 'b')", "position IN ('b', 'c')", 'age >= 1 AND age >= 16', 'age < 99 AND age < 60'] }) })
    expect(constraints.flatMap((each) => (each.kind === 'in' ? each.values : each.kind === 'range' ? [each.value] : []))).toEqual(['b', 16, 60])
  })

  it('columns that are not there any more are in no constraint, and their checks are not listed', () => {
    const cut = ontology([{ ...player, properties: player.properties.filter(({ name }) => name !== 'age' && name !== 'name'), hasKey: ['name', 'position'] }, team])
    const { constraints, left } = constraintsOf(cut, { catalogue: playerTable({ uniques: [['name', 'position'], ['age']], checks: ['age > 5', 'age < id', 'id < age AND id > 0', 'lower(position) = position'] }) })
    expect(constraints.flatMap(({ columns }) => columns)).not.toContain('age')
    expect(constraints.filter(({ kind }) => kind === 'unique').map(({ id }) => id)).toEqual(['Player.id unique', 'Team.id unique'])
    expect(left).toEqual([{ class: 'Player', text: 'lower(position) = position' }])
  })

  it('ids are unique and stay the same', () => {
    const check = fc.constantFrom("name LIKE 'A%'", 'age > 1', 'age >= 2', "position IN ('a')", "position = 'b'", 'id IS NOT NULL', 'age < 9', "name LIKE 'B%'")
    fc.assert(
      fc.property(fc.array(check), (checks) => {
        const found = constraintsOf(league, { catalogue: playerTable({ checks }) }).constraints.map(({ id }) => id)
        expect(new Set(found).size).toBe(found.length)
        expect(constraintsOf(league, { catalogue: playerTable({ checks }) }).constraints.map(({ id }) => id)).toEqual(found)
      }),
    )
  })
})

it('each check counts once and reads five keys in key order', () => {
  const check = validationPlan(league).find(({ id }) => id === 'Player.team reference')
  const from =
    'from "player" as "t0" where ((typeof("t0"."team_id") <> \'null\') and ' +
    'not coalesce(exists (select 1 as "found" from "team" as "p" where ("p"."id" = "t0"."team_id")), 1 = 0))'
  expect(check?.count).toEqual({ sql: `select count(*) as "violations" ${from}`, params: [] })
  expect(check?.sample).toEqual({ sql: `select "t0"."id" as "key0" ${from} order by "t0"."id" limit 5`, params: [] })
})

it.each([
  ['A_c%', 'sqlite', ['abc', 'AxC and\nmore'], ['ac', 'xabc']],
  ['A_c%', 'postgres', ['Abc', 'Axc more'], ['abc', 'Ac']],
  ['100%^]-.*', 'postgres', ['100 x^]-.*'], ['100', '100^]--*']],
  ['Größe', 'sqlite', ['größe', 'GRößE'], ['GRÖSSE', 'GRÖßE']],
] as const)('LIKE %s on %s as a regular expression', (like, dialect, matches, others) => {
  const pattern = new RegExp(likePattern(like, dialect) ?? '(?!)')
  expect(matches.filter((text) => !pattern.test(text))).toEqual([])
  expect(others.filter((text) => pattern.test(text))).toEqual([])
})

it.each([['A%', 'mysql'], ['a\\%', 'postgres'], ['%a%b%c%', 'sqlite']] as const)('LIKE %s on %s cannot be said', (like, dialect) => {
  expect(likePattern(like, dialect)).toBeNull()
})

it('a property of an unknown type is not checked for it', () => {
  const odd = ontology([cls('Place', [data('Place', 'id', 'integer'), { ...data('Place', 'shape'), range: 'http://www.opengis.net/ont/geosparql#wktLiteral' }])])
  expect(validationPlan(odd).map(({ id }) => id)).toEqual(['Place.id required', 'Place.id datatype', 'Place.id unique'])
  expect(shapesTurtle(odd)).toContain('wktLiteral')
  expect(odd.classes[0]?.properties[0]?.range).toBe(`${XSD}integer`)
})
