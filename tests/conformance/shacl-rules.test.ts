import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { checkModel } from '../../src/kernel/datalog/index.ts'
import type { Quad } from '../../src/kernel/rdf/index.ts'
import { RDF, RDF_TYPE, factTriple, parseTurtle, quad, quadKey, reasonOver, tripleFact } from '../../src/kernel/rdf/index.ts'
import { compileShaclRules } from '../../src/kernel/shacl/index.ts'
import type { Term } from '../../src/kernel/term.ts'
import { termKey } from '../../src/kernel/term.ts'
import { oxigraphJudge } from '../../src/graph-store/judge.ts'

/**
 * The rule cases of TopQuadrant's SHACL suite: data, shapes and expected inferences in one file. They are not part of this
 * repository.
 */
const suite = join(process.env['SHARED_DATA'] ?? '../shared/data', 'suites/topquadrant-shacl/src/test/resources/sh/tests/rules')
const DASH = 'http://datashapes.org/dash#'

const cases = existsSync(suite)
  ? readdirSync(suite, { recursive: true, encoding: 'utf8' })
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => file.endsWith('.test.ttl'))
      .toSorted()
  : []
const passed: string[] = []
const judge = oxigraphJudge()

describe.skipIf(cases.length === 0)('SHACL-AF rules', () => {
  afterAll(() => console.log(`SHACL-AF rules: ${passed.length} of ${cases.length}`))

  it.each(cases)('%s', (file) => {
    const quads = read(readFileSync(join(suite, file), 'utf8'))
    const compiled = compileShaclRules(quads)
    expect(compiled.faults).toEqual([])
    const { model, program, base } = reasonOver({
      facts: quads.map((quad) => tripleFact(quad)),
      rules: compiled.rules.flatMap(({ rules }) => rules),
      specialise: compiled.specialise,
    })
    const given = new Set(quads.map(quadKey))
    const derived = new Set(model.facts.flatMap((fact) => factTriple(fact) ?? []).map(quadKey))
    const inferred = [...derived].filter((key) => !given.has(key)).toSorted()
    expect(inferred).toEqual(expectedIn(quads))
    expect(checkModel({ rules: program, base, model, judge })).toEqual({ valid: true })
    passed.push(file)
  })
})

it.skipIf(cases.length > 0)('the suite is not here: set SHARED_DATA to run it', (context) => context.skip())

function read(text: string): readonly Quad[] {
  const parsed = parseTurtle(text)
  if (!parsed.ok) throw new Error(parsed.fault.message)
  return parsed.quads
}

/** The triples that the case expects to be inferred, and no others. */
function expectedIn(quads: readonly Quad[]): string[] {
  const part = (node: Term, name: string): Term => {
    const found = quads.find(({ subject, predicate }) => termKey(subject) === termKey(node) && predicate.value === RDF + name)
    if (found === undefined) throw new Error(`an expected result has no rdf:${name}`)
    return found.object
  }
  const isCase = ({ predicate, object }: Quad) => predicate.value === RDF_TYPE && object.value === `${DASH}InferencingTestCase`
  const tests = new Set(quads.filter(isCase).map(({ subject }) => termKey(subject)))
  return quads
    .filter(({ subject, predicate }) => predicate.value === `${DASH}expectedResult` && tests.has(termKey(subject)))
    .map(({ object: result }) => quad(part(result, 'subject'), part(result, 'predicate'), part(result, 'object')))
    .map(quadKey)
    .toSorted()
}
