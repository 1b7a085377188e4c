import { expect, it } from 'vitest'
import { Flavor, ServiceError, type Tier } from '../contracts/index.ts'
import type { Ontology } from '../ontology/index.ts'
import type { OpenSources } from './open-sources.ts'
import type { Project } from './project.ts'
import { suggesting } from './suggesting.ts'

const property = {
  name: 'name', iri: 'https://e.example/o#City.name', label: 'name', synonyms: [], tier: 'Public', kind: 'data',
  columns: ['name'], range: 'http://www.w3.org/2001/XMLSchema#string',
  refColumns: [], required: false, functional: false, inferred: null,
} as const
const ontology: Ontology = {
  baseIri: 'https://e.example/o#', recordBase: 'https://e.example/r/', dialect: 'sqlite',
  classes: [{
    name: 'City', iri: 'https://e.example/o#City', label: 'city', synonyms: [], table: 'city', key: [], labelProperty: 'name',
    tier: 'Public', instances: 1, properties: [property, { ...property, name: 'ci_code', label: 'ci code', tier: 'Restricted' }],
  }],
}

it('leaves a database alone for a while after it was too slow, for that ceiling only', async () => {
  let now = 0
  let asked = 0
  let slow = true
  const select = async () => {
    asked += 1
    if (slow) throw new ServiceError('deadline_exceeded', 'late')
    return { columns: ['value'], rows: [['Cicero']], truncated: false, ms: 0 }
  }
  const sources = {
    find: () => ({ name: 'db', path: 'db.sqlite', flavor: null, maxTier: 'Restricted', allowDangerousRole: false }),
    open: async () => ({ source: { select }, ontology }),
  } as unknown as OpenSources
  const flavors = new Map([['generic', Flavor.parse({ name: 'generic', label: '' })]])
  const project = { env: { SERVICE_SEARCH: '1' }, flavors } as unknown as Project
  const suggest = suggesting({ project, sources, clock: { now: () => now } })
  const texts = async (grant: Tier) =>
    (await suggest({ question: 'ci', limit: 8 }, { name: 'me', grant, roles: ['reader'] })).value.map(({ text }) => text)

  expect([await texts('Public'), asked]).toEqual([['city'], 1])
  slow = false
  expect([await texts('Public'), asked]).toEqual([['city'], 1])
  expect(await texts('Restricted')).toEqual(['city', 'ci code', 'Cicero'])
  now = 30_001
  expect(await texts('Public')).toEqual(['city', 'Cicero'])
})
