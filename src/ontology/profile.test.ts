import { expect, it } from 'vitest'
import { build, column, id, key, linking, table } from './fixtures.test-support.ts'
import { profileReport, recommendProfile } from './profile.ts'
import { emptyRow } from './propose.ts'

const plain = table('plain', [id, column('code')])
const part = table('part', [id, column('part_id')], { foreignKeys: [key(['part_id'], 'part')] })
const optional = { ...part, columns: part.columns.map((each) => ({ ...each, nullable: true })) }
const uses = linking('uses', ['part', 'plain'])

it.each([
  ['values that are always there', build([plain]), 'OWL 2 EL'],
  ['a key', build([plain], [emptyRow('plain', null, { has_key_columns: ['code'] })]), 'OWL 2 EL'],
  ['nothing but optional references', build([optional]), 'OWL 2 RL'],
  ['a yes or no', build([table('plain', [column('done', { valueType: 'boolean' })])]), 'OWL 2 RL'],
  ['references and required values', build([part]), 'OWL 2 RL'],
  ['a transitive relationship', build([part, plain, uses], [emptyRow('uses', null, { is_transitive: true })]), 'OWL 2 RL'],
  ['inverse_of', build([part], [emptyRow('part', 'part_id', { inverse_of: 'parts' })]), 'OWL 2 DL'],
  ['is_symmetric', build([part], [emptyRow('part', 'part_id', { is_symmetric: true })]), 'OWL 2 DL'],
  ['is_inverse_functional', build([part], [emptyRow('part', 'part_id', { is_inverse_functional: true })]), 'OWL 2 DL'],
])('for %s', (_, ontology, profile) => {
  const recommended = recommendProfile(ontology)
  expect(recommended.profile).toBe(profile)
  expect(recommended.rationale.length).toBeGreaterThan(0)
})

it('says why, naming the axiom that decided and how often it is made', () => {
  const { rationale } = recommendProfile(build([part], [emptyRow('part', 'part_id', { is_symmetric: true })]))
  expect(rationale[0]).toBe(
    'Raised to OWL 2 DL, whose reasoners draw everything that follows from these: symmetric property (SymmetricProperty): 1.',
  )
})

it('warns of what OWL 2 forbids or does not know', () => {
  const dated = table('part', [...part.columns, column('made_on', { valueType: 'date' })], { foreignKeys: part.foreignKeys })
  const { rationale } = recommendProfile(build([dated], [emptyRow('part', 'part_id', { is_transitive: true })]))
  expect(rationale.join('\n')).toContain('xsd:date is not among the datatypes of OWL 2')
  expect(rationale.join('\n')).toContain('<https://example.org/o#Part.part> is transitive and also functional')
})

it('reports as a page with one line per kind of axiom', () => {
  expect(profileReport(recommendProfile(build([part])), { header: ['Ceiling: Internal'] })).toBe(`# Profile recommendation

Ceiling: Internal

**OWL 2 RL**

- Every axiom is within OWL 2 RL but for those that say a value is there (1).
- Rules of RL pass over these without harm: they would only conclude that some unnamed value exists. The shapes check them.
- Not OWL 2 EL: functional object property: 1.
- Not OWL 2 QL: functional object property: 1.

| axiom | count | EL | QL | RL |
|---|---:|---|---|---|
| domain and range | 4 | yes | yes | yes |
| required value (someValuesFrom above a class) | 1 | yes | yes | no |
| functional object property | 1 | no | no | yes |
`)
})
