import { expect, it } from 'vitest'
import { metadataFaults } from './axioms.ts'
import { cutOntology } from './cut.ts'
import { build, column, id, key, linking, table } from './fixtures.test-support.ts'
import type { Ontology } from './ontology.ts'
import { emptyRow, proposeMetadata } from './propose.ts'
import { ontologyTurtle } from './turtle.ts'

const person = table('person', [id, column('ssn'), column('code'), column('boss_id'), column('team_id')], {
  foreignKeys: [key(['boss_id'], 'person'), key(['team_id'], 'team')],
})
const team = table('team', [id, column('lead_id')], { foreignKeys: [key(['lead_id'], 'person')] })
const skill = table('skill', [id])
const task = table('task', [id])
const tables = [person, team, skill, task, linking('person_skill', ['person', 'skill']), linking('need', ['skill', 'task'])]
const keyOf = ({ classes }: Ontology) => classes.find(({ name }) => name === 'Person')?.hasKey
const property = ({ classes }: Ontology, cls: string, name: string) =>
  classes.find((each) => each.name === cls)?.properties.find((each) => each.name === name)

it('declares none of the seven by itself, but for the functional foreign key', () => {
  const turtle = ontologyTurtle(build(tables))
  expect(turtle).not.toMatch(/hasKey|Transitive|Symmetric|InverseFunctional|inverseOf|AllDisjoint/)
  expect(turtle).toContain(':Person.boss a owl:FunctionalProperty, owl:ObjectProperty')
  for (const row of proposeMetadata({ dialect: 'sqlite', tables })) {
    const seven = [row.has_key_columns, row.is_transitive, row.is_symmetric, row.is_functional, row.is_inverse_functional]
    expect([...seven, row.inverse_of, row.disjoint_group]).toEqual([null, null, null, null, null, null, null])
  }
})

it('has_key_columns is owl:hasKey over the properties of these columns, references too', () => {
  const whole = build(tables, [emptyRow('person', null, { has_key_columns: ['code', 'team_id'] })])
  expect(keyOf(whole)).toEqual(['code', 'team'])
  const turtle = ontologyTurtle(whole)
  expect(turtle).toContain('owl:hasKey _:Person.key.1')
  expect(turtle).toContain('_:Person.key.1 rdf:first :Person.code ;\n  rdf:rest _:Person.key.2 .')
  expect(turtle).toContain('_:Person.key.2 rdf:first :Person.team ;\n  rdf:rest rdf:nil .')
})

it.each([
  ['is_transitive', 'owl:TransitiveProperty'],
  ['is_symmetric', 'owl:SymmetricProperty'],
  ['is_inverse_functional', 'owl:InverseFunctionalProperty'],
] as const)('%s is %s, on a reference and on a relationship', (flag, type) => {
  const rows = [emptyRow('person', 'boss_id', { [flag]: true }), emptyRow('person_skill', null, { [flag]: true })]
  const turtle = ontologyTurtle(build(tables, rows))
  expect(/:Person\.boss a ([^;]*) ;/.exec(turtle)?.[1]).toContain(type)
  expect(/:Person\.skills a ([^;]*) ;/.exec(turtle)?.[1]).toContain(type)
  expect(/:Person\.team a ([^;]*) ;/.exec(turtle)?.[1]).not.toContain(type)
})

it('is_functional is owl:FunctionalProperty, and false takes back what a foreign key says by itself', () => {
  const rows = [emptyRow('person', 'code', { is_functional: true }), emptyRow('person', 'boss_id', { is_functional: false })]
  const whole = build(tables, rows)
  expect(ontologyTurtle(whole)).toContain(':Person.code a owl:DatatypeProperty, owl:FunctionalProperty')
  expect(property(whole, 'Person', 'boss')?.functional).toBe(false)
  expect(property(whole, 'Person', 'team')?.functional).toBe(true)
})

it('disjoint_group is owl:AllDisjointClasses over the tables of the group', () => {
  const rows = ['person', 'team', 'skill'].map((name) => emptyRow(name, null, { disjoint_group: 'things' }))
  const turtle = ontologyTurtle(build(tables, rows))
  expect(turtle.match(/owl:AllDisjointClasses/g)).toHaveLength(1)
  expect([...turtle.matchAll(/rdf:first :(\w+) ;/g)].map(([, name]) => name)).toEqual(['Person', 'Skill', 'Team'])
})

it.each([
  ['Team.lead', 'https://example.org/o#Team.lead'],
  [':Team.lead', 'https://example.org/o#Team.lead'],
  ['team.lead_id', 'https://example.org/o#Team.lead'],
  ['https://example.org/o#Team.lead', 'https://example.org/o#Team.lead'],
  ['Person.skills', 'https://example.org/o#Person.skills'],
  ['https://schema.org/member', 'https://schema.org/member'],
  ['members', 'https://example.org/o#Team.members'],
  ['Team.members', 'https://example.org/o#Team.members'],
  ['Skill.members', null],
  ['Person.code', null],
  ['id', null],
  ['a.b.c', null],
  ['http://bad iri', null],
])('inverse_of %s is %s', (name, iri) => {
  const rows = [emptyRow('person', 'team_id', { inverse_of: name })]
  const whole = build(tables, rows)
  expect(property(whole, 'Person', 'team')?.inverseOf).toBe(iri)
  expect(metadataFaults(whole, rows).length).toBe(iri === null ? 1 : 0)
  expect(ontologyTurtle(whole).includes('owl:inverseOf')).toBe(iri !== null)
})

it('declares the other direction under its own name where there is none', () => {
  const whole = build(tables, ['team_id', 'boss_id'].map((name) => emptyRow('person', name, { inverse_of: 'members' })))
  expect(whole.inverses?.map(({ iri, from, to }) => [iri.split('#')[1], from, to])).toEqual([
    ['Person.members', 'Person', 'Person'],
    ['Team.members', 'Team', 'Person'],
  ])
  const turtle = ontologyTurtle(whole)
  expect(turtle).toContain(':Person.team a owl:FunctionalProperty, owl:ObjectProperty')
  expect(turtle).toMatch(/:Team\.members a owl:ObjectProperty ;[^.]*\.[^.]*rdfs:domain :Team ;/)
})

it('cuts key, partner and relationship with what they speak of', () => {
  const whole = build(tables, [
    emptyRow('person', null, { has_key_columns: ['ssn', 'code'] }),
    emptyRow('person', 'team_id', { inverse_of: 'Team.lead' }),
    emptyRow('person', 'boss_id', { inverse_of: 'reports', sensitivity_tier: 'Confidential' }),
    emptyRow('team', 'lead_id', { sensitivity_tier: 'Restricted' }),
    emptyRow('skill', 'id', { sensitivity_tier: 'Restricted' }),
  ])
  expect([keyOf(whole), whole.relationships?.length, whole.inverses?.length]).toEqual([['ssn', 'code'], 2, 1])
  const cut = cutOntology(whole, 'Internal')
  const text = ontologyTurtle(cut)
  expect(text).toContain(':Person.team')
  expect(text).not.toMatch(/ssn|lead|[sS]kill|reports|inverseOf|hasKey/)
  expect(JSON.stringify(cut)).not.toMatch(/ssn|lead|[sS]kill|reports/)
  expect(cutOntology(whole, 'Restricted')).toEqual(whole)
})

it.each([
  [emptyRow('nowhere', null), 'there is no such table'],
  [emptyRow('person', 'nothing'), 'there is no such column'],
  [emptyRow('person', null, { has_key_columns: ['nothing'] }), 'has_key_columns names a column that is not there: nothing'],
  [emptyRow('person', 'code', { has_key_columns: ['code'] }), 'has_key_columns belongs to a table, not to a column'],
  [emptyRow('person', 'code', { is_transitive: true }), 'is_transitive can be said only of a reference'],
  [emptyRow('person', null, { is_symmetric: true }), 'is_symmetric can be said only of a table that connects two others'],
  [
    emptyRow('person', null, { disjoint_group: 'g' }),
    'no other table is in the group g, so there is nothing it is disjoint with',
  ],
  [
    emptyRow('person', 'boss_id', { is_transitive: true }),
    'functional and transitive together are outside OWL 2 DL; set is_functional to false to keep it transitive',
  ],
  [
    emptyRow('person', 'team_id', { is_symmetric: true }),
    'a symmetric property should lead back to its own class, not from Person to Team',
  ],
])('names what a row asks for in vain', (row, message) => {
  expect(metadataFaults(build(tables, [row]), [row])).toEqual([{ table: row.table_name, column: row.column_name, message }])
})

it('finds no fault with what it proposes itself', () => {
  expect(metadataFaults(build(tables), proposeMetadata({ dialect: 'sqlite', tables }))).toEqual([])
})
