import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Parser } from 'n3'
import { parse as parseWithOxigraph } from 'oxigraph'
import { afterAll, describe, expect, it } from 'vitest'
import { RDF_TYPE } from '../src/kernel/rdf/index.ts'
import {
  buildOntology, crossCheck, cutOntology, ontologyTurtle, proposeMetadata, reportTurtle, runValidation, shapesTurtle,
  streamInstances,
} from '../src/ontology/index.ts'
import { openSource } from '../src/sources/index.ts'

/**
 * Databases that nobody made for us, from file to ontology to shapes to instances. All of them with WHEREFORE_FULL=1, a fixed
 * sample otherwise. The data is not part of this repository: SHARED_DATA says where it lies.
 */
const data = join(process.env['SHARED_DATA'] ?? '../shared/data', 'questions')
const full = process.env['WHEREFORE_FULL'] === '1'
const SAMPLE = 12

/** Databases that do not pass, each with its reason. */
const KNOWN: Readonly<Record<string, string>> = {}

const BASE = { baseIri: 'https://example.org/ontology#', recordBase: 'https://example.org/record/' }

const files = databases()
const figures = { classes: 0, properties: 0, triples: 0, unresolved: 0, checks: 0, violated: 0, disagreements: 0 }
const failures: string[] = []

describe.skipIf(files.length === 0)('databases in the wild', () => {
  afterAll(() => {
    const { classes, properties, triples, unresolved, checks, violated, disagreements } = figures
    console.log(
      [
        `corpora: ${files.length - failures.length} of ${files.length} databases (${full ? 'all' : 'sample'})`,
        `${classes} classes, ${properties} properties, ${triples} triples, ${unresolved} unresolved references`,
        `${checks} checks of which ${violated} find something, ${disagreements} disagreements`,
        ...(failures.length === 0 ? [] : [`failed: ${failures.join(', ')}`]),
      ].join('; '),
    )
  })

  it.each(files)('$name becomes an ontology, shapes and instances, and stays as it is', async ({ name, file }) => {
    const fault = await walk(file).then(
      () => null,
      (error: unknown) => error,
    )
    if (fault !== null) failures.push(name)
    if (KNOWN[name] !== undefined) expect(fault, `${name} passes now: take it off the list`).not.toBeNull()
    else if (fault !== null) throw fault
  }, 300_000)
})

it.skipIf(files.length > 0)('the databases are not here: set SHARED_DATA to run them', (context) => context.skip())

async function walk(file: string): Promise<void> {
  const before = hashOf(file)
  // generous: this proves what comes out, not how fast a busy machine starts a process
  const source = await openSource(file, { processes: 1, openTimeoutMs: 60_000 })
  try {
    const catalogue = await source.introspect()
    const ontology = buildOntology(catalogue, { ...BASE, metadata: proposeMetadata(catalogue) })
    expect(ontology.classes.length).toBe(catalogue.tables.length)
    parseTwice(ontologyTurtle(ontology))
    parseTwice(shapesTurtle(ontology, { catalogue }))
    const report = await runValidation(source, ontology, { catalogue })
    expect(report.checks.filter(({ violations }) => violations === null)).toEqual([])
    parseTwice(reportTurtle(ontology, report))
    const { disagreements } = await crossCheck(source, ontology, { catalogue })
    const rows = catalogue.tables.reduce((sum, { rowCount }) => sum + rowCount, 0)
    const written = { records: 0, triples: 0, unresolved: 0 }
    let text = ''
    const onProgress = (progress: object): void => void Object.assign(written, progress)
    for await (const chunk of streamInstances(source, ontology, { onProgress })) text += chunk
    expect(written.records).toBe(rows)
    const { triples, typed } = parseTwice(text)
    expect(triples).toBe(written.triples)
    // every row is a node of its own
    expect(typed).toBe(rows)
    for await (const _ of streamInstances(source, cutOntology(ontology, 'Public'))) void _
    figures.classes += ontology.classes.length
    figures.properties += ontology.classes.reduce((sum, { properties }) => sum + properties.length, 0)
    figures.triples += triples
    figures.unresolved += written.unresolved
    figures.checks += report.checks.length
    figures.violated += report.checks.filter(({ violations }) => violations !== 0).length
    figures.disagreements += disagreements.length
  } finally {
    await source.close()
  }
  expect(hashOf(file)).toBe(before)
}

function parseTwice(turtle: string): { triples: number; typed: number } {
  const ours = new Parser({ format: 'text/turtle' }).parse(turtle)
  const theirs = parseWithOxigraph(turtle, { format: 'text/turtle' })
  expect(theirs.length).toBe(ours.length)
  const types = ours.filter(({ predicate }) => predicate.value === RDF_TYPE)
  return { triples: ours.length, typed: new Set(types.map(({ subject }) => `${subject.termType} ${subject.value}`)).size }
}

function databases(): { name: string; file: string }[] {
  if (!existsSync(data)) return []
  const spider = readdirSync(join(data, 'spider-train', 'databases')).toSorted()
  const some = full ? spider : spider.filter((_, at) => at % Math.ceil(spider.length / (SAMPLE - 2)) === 0)
  const single = full ? ['chinook', 'northwind', 'sakila'] : ['chinook', 'northwind']
  return [
    ...some.map((name) => ({ name, file: join(data, 'spider-train', 'databases', name, `${name}.sqlite`) })),
    ...single.map((name) => ({ name, file: join(data, name, `${name}.sqlite`) })),
  ]
}

const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')
