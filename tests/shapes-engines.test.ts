import { join } from 'node:path'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, describe, expect, it } from 'vitest'
import { generateNetworkOps } from '../examples/network-ops/generate.ts'
import { MetadataRow } from '../src/contracts/index.ts'
import { type Ontology, buildOntology, crossCheck, runValidation } from '../src/ontology/index.ts'
import { type Catalogue, type Source, openSource } from '../src/sources/index.ts'
import { copySqlite, startEngines } from './support-servers.ts'

/** The same checks on real servers: what their types and constraints still let through is found, and nothing else is. */
const PLANTED = {
  postgres: [
    'CREATE TABLE city (id integer PRIMARY KEY, name text NOT NULL)',
    `CREATE TABLE customer (
      code varchar(9) PRIMARY KEY, vat text, city_id integer, status varchar(9), score integer, rate numeric(9,2), weight double precision, born date, seen timestamp
    )`,
    "INSERT INTO city VALUES (1, 'Oslo')",
    `INSERT INTO customer VALUES
      ('a', 'v1', 1, 'open', 5, 1.50, 1.5, '2001-02-28', '2001-02-28 10:00'),
      ('b', 'v1', 9, 'Open', -1, 0.05, 'NaN', 'infinity', '-infinity'),
      ('c', 'v2', NULL, NULL, 0, NULL, 'Infinity', NULL, NULL)`,
    'ALTER TABLE customer ADD FOREIGN KEY (city_id) REFERENCES city (id) NOT VALID',
    "ALTER TABLE customer ADD CHECK (status IN ('open', 'shut')) NOT VALID",
    'ALTER TABLE customer ADD CHECK (score >= -0.5) NOT VALID',
    'ALTER TABLE customer ADD CHECK (rate > 0.1 AND rate <= 100) NOT VALID',
  ],
  mysql: [
    'CREATE TABLE city (id integer PRIMARY KEY, name varchar(99) NOT NULL)',
    `CREATE TABLE customer (
      code varchar(9) PRIMARY KEY, vat varchar(9), city_id integer, status varchar(9) COLLATE utf8mb4_bin, score integer, rate decimal(9,2), weight double, born date,
      seen datetime, size enum('s', 'l'), CONSTRAINT c1 CHECK (status IN ('open', 'shut')), CONSTRAINT c2 CHECK (score >= -0.5),
      CONSTRAINT c3 CHECK (rate > 0.1 AND rate <= 100), FOREIGN KEY (city_id) REFERENCES city (id)
    )`,
    "INSERT INTO city VALUES (1, 'Oslo')",
    "SET SESSION sql_mode = '', foreign_key_checks = 0, check_constraint_checks = 0",
    `INSERT INTO customer VALUES
      ('a', 'v1', 1, 'open', 5, 1.50, 1.5, '2001-02-28', '2001-02-28 10:00', 's'),
      ('b', 'v1', 9, 'Open', -1, 0.05, 2, '0000-00-00', '2001-00-01 00:00', 'none of them'),
      ('c', 'v2', NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL)`,
  ],
} as const

const EXPECTED = {
  'Customer.vat unique': 2, 'Customer.city reference': 1, 'Customer.status in': 1, 'Customer.score range >=': 1, 'Customer.rate range >': 1,
  'Customer.born datatype': 1, 'Customer.seen datatype': 1,
}
const OWN = { postgres: { 'Customer.weight datatype': 2 }, mysql: { 'Customer.size in': 1 } }

const folder = mkdtempSync(join(tmpdir(), 'wherefore-shapes-engines-'))
const { engines, stop } = await startEngines()
afterAll(async () => {
  await stop()
  rmSync(folder, { recursive: true, force: true })
})

async function whole(url: string): Promise<{ source: Source; ontology: Ontology; catalogue: Catalogue }> {
  const source = await openSource(url)
  const catalogue = await source.introspect()
  const metadata = [MetadataRow.parse({ target_type: 'table', table_name: 'customer', column_name: null, has_key_columns: ['vat'] })]
  const known = catalogue.tables.some(({ columns }) => columns.some(({ name }) => name === 'vat'))
  const ontology = buildOntology(catalogue, { baseIri: 'https://example.org/ontology#', recordBase: 'https://example.org/record/', metadata: known ? metadata : [] })
  return { source, ontology, catalogue }
}

for (const { name, server, why } of engines) {
  describe.skipIf(server === null)(`${name}${server === null ? ` (skipped: ${why})` : ''}`, () => {
    if (server === null) return

    it('planted violations are counted as by hand, and the library finds the same', async () => {
      const { url, adminUrl } = await server.create('planted')
      await server.admin(PLANTED[server.dialect], adminUrl)
      const { source, ontology, catalogue } = await whole(url)
      try {
        const { checks } = await runValidation(source, ontology, { catalogue })
        expect(checks.filter(({ status }) => status === 'failed')).toEqual([])
        expect(Object.fromEntries(checks.flatMap(({ id, status, violations }) => (status === 'violated' ? [[id, violations]] : [])))).toEqual({
          ...EXPECTED, ...OWN[server.dialect],
        })
        expect(await crossCheck(source, ontology, { catalogue })).toMatchObject({ records: 4, disagreements: [] })
      } finally {
        await source.close()
      }
    })

    it('the network-ops example conforms as it does on SQLite', async () => {
      const file = join(folder, `${server.dialect}.sqlite`)
      generateNetworkOps(file)
      const { url, adminUrl } = await server.create('network_ops')
      await copySqlite(file, { dialect: server.dialect, adminUrl })
      const { source, ontology, catalogue } = await whole(url)
      try {
        const report = await runValidation(source, ontology, { catalogue })
        expect(report.checks.filter(({ status }) => status !== 'holds')).toEqual([])
        expect((await crossCheck(source, ontology, { catalogue })).disagreements).toEqual([])
      } finally {
        await source.close()
      }
    }, 60_000)
  })
}
