/** The golden cases: what is made from what, by name. `scripts/golden.ts` writes them, `tests/golden.test.ts` compares. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generateNetworkOps } from '../../examples/network-ops/generate.ts'
import { buildOntology, mappingCsv, ontologyTurtle, profileReport, recommendProfile } from '../../src/ontology/index.ts'
import { openSource } from '../../src/sources/index.ts'

export interface GoldenCase {
  readonly name: string
  /** where its files are kept, relative to the root of the repository */
  readonly folder: string
  /** what the case needs and this machine may not have; null when everything is there */
  readonly missing: () => string | null
  readonly make: () => Promise<Readonly<Record<string, string>>>
}

export const root = fileURLToPath(new URL('../../', import.meta.url))
const sakila = join(process.env['SHARED_DATA'] ?? join(root, '../shared/data'), 'questions/sakila/sakila.sqlite')

export const CASES: readonly GoldenCase[] = [
  {
    name: 'network-ops',
    folder: 'tests/golden/network-ops',
    missing: () => null,
    make: async () => {
      const folder = mkdtempSync(join(tmpdir(), 'wherefore-golden-'))
      try {
        const file = join(folder, 'network-ops.sqlite')
        generateNetworkOps(file)
        return await ontologyFiles(file, 'https://enterprise.example/')
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
  },
  {
    name: 'sakila',
    folder: 'examples/sakila-ontology',
    missing: () => (existsSync(sakila) ? null : 'no sakila.sqlite; set SHARED_DATA to the folder that holds questions/sakila'),
    make: async () => ontologyFiles(sakila, 'https://sakila.example/'),
  },
]

async function ontologyFiles(database: string, base: string): Promise<Record<string, string>> {
  const source = await openSource(database, { processes: 1 })
  try {
    const ontology = buildOntology(await source.introspect(), { baseIri: `${base}ontology#`, recordBase: `${base}record/` })
    const header = ['ceiling: Restricted']
    return {
      'enterprise.ttl': ontologyTurtle(ontology, { header }),
      'logical_physical_map.csv': mappingCsv(ontology),
      'profile_recommendation.md': profileReport(recommendProfile(ontology), { header }),
    }
  } finally {
    await source.close()
  }
}
