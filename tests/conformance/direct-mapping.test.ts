import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DataFactory, Parser, Writer } from 'n3'
import type { Quad as N3Quad } from 'n3'
import { afterAll, describe, expect, it } from 'vitest'
import type { Quad } from '../../src/kernel/rdf/index.ts'
import type { Term } from '../../src/kernel/term.ts'
import { directMapping, streamDirectMapping } from '../../src/ontology/index.ts'
import { openSource } from '../../src/sources/index.ts'
import { KNOWN } from './direct-mapping.known.ts'
import { sqliteScript } from './direct-mapping.sql.ts'

/** The W3C cases of https://www.w3.org/TR/rdb2rdf-test-cases/ that name a direct graph. They are not part of this repository. */
const suite = join(
  process.env['SHARED_DATA'] ?? '../shared/data',
  'suites/rdb2rdf-ontop/test/rdb2rdf-compliance/src/test/resources',
)
const base = 'http://example.com/base/'

interface Canonize {
  canonize(nquads: string, options: { algorithm: 'RDFC-1.0'; inputFormat: string; format: string }): Promise<string>
}
const { canonize } = createRequire(import.meta.url)('rdf-canonize') as Canonize

const graphsIn = (folder: string): string[] =>
  readdirSync(join(suite, folder)).toSorted().filter((file) => /^directGraph.*\.ttl$/.test(file))
const folders = existsSync(suite) ? readdirSync(suite).toSorted().filter((folder) => /^D\d+$/.test(folder)) : []
const cases = folders.flatMap((folder) => graphsIn(folder).map((file) => ({ name: `${folder}/${file}`, folder, file })))
const passed: string[] = []

describe.skipIf(cases.length === 0)('W3C direct mapping', () => {
  afterAll(() => {
    console.log(`direct mapping: ${passed.length} of ${cases.length}`)
    for (const [name, reason] of Object.entries(KNOWN)) console.log(`  known failure ${name}: ${reason}`)
  })

  it.each(cases)('$name', async ({ name, folder, file }) => {
    const { quads, turtle } = await mapped(readFileSync(join(suite, folder, 'create.sql'), 'utf8'))
    const ours = await canonical(quads.map(n3Quad))
    expect(await canonical(new Parser({ format: 'text/turtle' }).parse(turtle)), 'the Turtle says the same').toBe(ours)
    const expected = await canonical(new Parser({ format: 'text/turtle' }).parse(readFileSync(join(suite, folder, file), 'utf8')))
    if (expected === ours) passed.push(name)
    if (KNOWN[name] === undefined) expect(ours).toBe(expected)
    else expect(ours, `${name} passes now: take it off the list`).not.toBe(expected)
  })

  it('the list of known failures names cases of the suite', () => {
    expect(Object.keys(KNOWN).filter((name) => !cases.some((each) => each.name === name))).toEqual([])
  })
})

it.skipIf(cases.length > 0)('the suite is not here: set SHARED_DATA to run it', (context) => context.skip())

async function mapped(createSql: string): Promise<{ quads: Quad[]; turtle: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'wherefore-direct-'))
  try {
    const file = join(folder, 'case.sqlite')
    const db = new DatabaseSync(file, { enableForeignKeyConstraints: false })
    db.exec(sqliteScript(createSql))
    db.close()
    const source = await openSource(file, { processes: 1 })
    try {
      const catalogue = await source.introspect()
      const quads = await Array.fromAsync(directMapping(source, catalogue, { base }))
      const turtle = (await Array.fromAsync(streamDirectMapping(source, catalogue, { base, pageRows: 1 }))).join('')
      return { quads, turtle }
    } finally {
      await source.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const { namedNode, blankNode, literal, quad } = DataFactory
const n3Quad = ({ subject, predicate, object }: Quad): N3Quad =>
  quad(n3Term(subject) as N3Quad['subject'], n3Term(predicate) as N3Quad['predicate'], n3Term(object))

function n3Term(term: Term): N3Quad['object'] {
  if (term.kind === 'iri') return namedNode(term.value)
  return term.kind === 'bnode' ? blankNode(term.value) : literal(term.value, namedNode(term.datatype))
}

async function canonical(quads: readonly N3Quad[]): Promise<string> {
  const nquads = quads.length === 0 ? '' : new Writer({ format: 'N-Quads' }).quadsToString([...quads])
  return canonize(nquads, { algorithm: 'RDFC-1.0', inputFormat: 'application/n-quads', format: 'application/n-quads' })
}
