/** A process of its own for memory.test.ts: streams a table of many rows and says how much memory that took. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openSource } from '../../sources/index.ts'
import { buildOntology } from '../build.ts'
import { streamInstances } from './stream.ts'

const [folder = '', rows = '0', key = ''] = process.argv.slice(2)
const file = join(folder, 'many.sqlite')
const db = new DatabaseSync(file)
db.exec(`
  create table thing (id integer ${key}, name text, price real, at datetime, code text, flag boolean);
  insert into thing with recursive n(i) as (select 1 union all select i + 1 from n where i < ${Number(rows)})
    select i, 'thing number ' || i, i * 1.5, '2026-01-01 10:00:00', 'C' || (i % 1000), i % 2 from n`)
db.close()

const source = await openSource(file, { processes: 1, openTimeoutMs: 60_000 })
const base = { baseIri: 'https://example.org/o#', recordBase: 'https://example.org/r/' }
const ontology = buildOntology(await source.introspect(), base)
let records = 0
for await (const _ of streamInstances(source, ontology, { onProgress: (progress) => (records = progress.records) })) void _
await source.close()
console.log(JSON.stringify({ records, megabytes: Math.round(process.resourceUsage().maxRSS / 1024) }))
