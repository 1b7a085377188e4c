import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { academicGraph, academicSchema, toNTriples } from '../bench/lubm.ts'
import { placeDrafts } from '../src/pipeline/files.ts'
import { inWorker } from '../src/pipeline/reason-thread.ts'

/** Phase reason from files to files: parsed, closed, each derivation checked, everything written in pieces. */
const TRIPLES = process.env['WHEREFORE_FULL'] === undefined ? 3000 : 100_000

it(`reasons over a graph of ${TRIPLES} triples, file to file`, { timeout: 120_000 }, async () => {
  const out = mkdtempSync(join(tmpdir(), 'wherefore-'))
  try {
    mkdirSync(join(out, 'ontology'))
    const schema = academicSchema()
    writeFileSync(join(out, 'ontology/enterprise.ttl'), toNTriples(schema))
    writeFileSync(join(out, 'ontology/instances.ttl'), toNTriples(academicGraph(TRIPLES).slice(schema.length)))
    const task = { out, options: { baseIri: 'https://enterprise.example/ontology#', rules: [] }, rdf12: false, run: '' }
    // a bound on the heap, so that a change which needs much more of it is noticed here
    const { counts, files } = await inWorker(task, undefined, { maxOldGenerationSizeMb: 512 })
    expect(counts['asserted']).toBeGreaterThanOrEqual(TRIPLES)
    expect(counts['derived']).toBeGreaterThan(TRIPLES)
    placeDrafts(out, files)
    const start = (path: string) => readFileSync(join(out, path), 'utf8').slice(0, 200)
    expect(start('ontology/materialised.ttl')).toContain(`# triples: ${counts['asserted']! + counts['derived']!}\n`)
    expect(start('ontology/enterprise-inferred.ttl')).toContain(`# triples: ${counts['derived']!}\n`)
    expect(statSync(join(out, 'ontology/materialised-lineage.ttl')).size).toBeGreaterThan(500 * counts['derived']!)
  } finally {
    rmSync(out, { recursive: true })
  }
})
