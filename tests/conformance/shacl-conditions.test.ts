import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { checkModel } from '../../src/kernel/datalog/index.ts'
import type { Quad } from '../../src/kernel/rdf/index.ts'
import { OWL, RDFS, RDF_TYPE, SH, parseTurtle, quad, reasonOver, tripleFact } from '../../src/kernel/rdf/index.ts'
import { compileShaclRules } from '../../src/kernel/shacl/index.ts'
import type { Term } from '../../src/kernel/term.ts'
import { iri, termKey } from '../../src/kernel/term.ts'
import { oxigraphJudge } from '../../src/graph-store/judge.ts'
import { REFUSED, REPORTED_BELOW } from './shacl-conditions.known.ts'

/**
 * The W3C validation cases for SHACL Core, put to a use of ours: every shape with a target becomes the condition of a rule, and
 * the nodes that the rule leaves out must be the focus nodes of the expected report. They are not part of this repository.
 */
const suite = join(process.env['SHARED_DATA'] ?? '../shared/data', 'suites/data-shapes-shacl/data-shapes-test-suite/tests/core')
const BASE = 'http://suite.example/'
const MF = 'http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#'
const SHT = 'http://www.w3.org/ns/shacl-test#'
const ASKED = 'http://suite.example/rule#asked'
const CONFORMS = 'http://suite.example/rule#conforms'

const files = existsSync(suite)
  ? readdirSync(suite, { recursive: true, encoding: 'utf8' })
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => file.endsWith('.ttl') && readFileSync(join(suite, file), 'utf8').includes('sht:Validate'))
      .toSorted()
  : []
const passed: string[] = []
const judge = oxigraphJudge()

describe.skipIf(files.length === 0)('SHACL Core shapes as conditions of rules', () => {
  afterAll(() => {
    console.log(`SHACL Core as conditions: ${passed.length} of ${files.length}`)
    for (const [name, reason] of Object.entries(REFUSED)) console.log(`  not read ${name}: ${reason}`)
  })

  // the shapes of SHACL itself, as one condition, are thousands of rules
  it.each(files)('%s', { timeout: 120_000 }, (file) => {
    const manifest = read(file)
    const [action] = objects(manifest, undefined, `${MF}action`)
    const graph = (name: string) => objects(manifest, action, SHT + name).flatMap((term) => read(fileOf(term, file)))
    const refusal = REFUSED[file]
    const { faults, broken } = leftOut(graph('shapesGraph'), graph('dataGraph'))
    if (refusal !== undefined) {
      expect(faults.map(({ message }) => message).join('\n')).toContain(refusal)
      return
    }
    expect(faults).toEqual([])
    const results = objects(manifest, undefined, `${SH}result`)
    const expected = new Set(results.flatMap((result) => objects(manifest, result, `${SH}focusNode`)).map(termKey))
    expect(broken).toEqual(REPORTED_BELOW[file] ?? [...expected].toSorted())
    passed.push(file)
  })

  it('the lists of exceptions name cases of the suite', () => {
    expect(Object.keys({ ...REFUSED, ...REPORTED_BELOW }).filter((name) => !files.includes(name))).toEqual([])
  })
})

it.skipIf(files.length > 0)('the suite is not here: set SHARED_DATA to run it', (context) => context.skip())

function read(file: string): readonly Quad[] {
  const parsed = parseTurtle(`@base <${BASE}${file}> . ${readFileSync(join(suite, file), 'utf8')}`)
  if (!parsed.ok) throw new Error(`${file}: ${parsed.fault.message}`)
  return parsed.quads
}

const fileOf = (term: Term, from: string): string => (term.value === '' ? from : posix.normalize(term.value.slice(BASE.length)))

const objects = (quads: readonly Quad[], subject: Term | undefined, property: string): Term[] =>
  quads
    .filter((each) => each.predicate.value === property && (subject === undefined || termKey(each.subject) === termKey(subject)))
    .map(({ object }) => object)

/** The targets of the shapes that do not conform to them. */
function leftOut(shapes: readonly Quad[], data: readonly Quad[]) {
  const sh = (name: string) => iri(SH + name)
  const rules = targeted(shapes).flatMap((shape, n) =>
    [ASKED, CONFORMS].flatMap((property) => {
      const rule: Term = { kind: 'bnode', value: `rule-${n}-${property === ASKED ? 1 : 2}` }
      const said = [
        quad(shape, sh('rule'), rule),
        quad(rule, iri(RDF_TYPE), sh('TripleRule')),
        // a target may be a literal, which can only be an object
        quad(rule, sh('subject'), iri(`${BASE}shape-${n}`)),
        quad(rule, sh('predicate'), iri(property)),
        quad(rule, sh('object'), sh('this')),
      ]
      return property === ASKED ? said : [...said, quad(rule, sh('condition'), shape)]
    }),
  )
  const compiled = compileShaclRules([...shapes, ...rules], { id: 'case' })
  const { model, program, base } = reasonOver({
    facts: data.map((each) => tripleFact(each)),
    rules: compiled.rules.flatMap((rule) => rule.rules),
    // the verdicts are not part of the data: a closed shape must not count them
    specialise: (graph) => compiled.specialise(graph).filter(({ id }) => !id.endsWith(ASKED) && !id.endsWith(CONFORMS)),
  })
  expect(checkModel({ rules: program, base, model, judge })).toEqual({ valid: true })
  const pairs = (property: string) =>
    model.find(property).map(({ args: [shape, node] }) => ({ shape: termKey(shape!), node: termKey(node!) }))
  const conform = new Set(pairs(CONFORMS).map(({ shape, node }) => `${shape} ${node}`))
  const broken = new Set(pairs(ASKED).flatMap(({ shape, node }) => (conform.has(`${shape} ${node}`) ? [] : [node])))
  return { faults: compiled.faults, broken: [...broken].toSorted() }
}

/** The shapes with a target, those that are classes included. */
function targeted(shapes: readonly Quad[]): Term[] {
  const types = (node: Term) => objects(shapes, node, RDF_TYPE).map(({ value }) => value)
  const isShapeClass = (node: Term) =>
    types(node).some((type) => type === `${SH}NodeShape` || type === `${SH}PropertyShape`) &&
    types(node).some((type) => type === `${RDFS}Class` || type === `${OWL}Class`)
  const isTarget = ({ predicate }: Quad) => /^target(Class|Node|SubjectsOf|ObjectsOf)$/.test(predicate.value.slice(SH.length))
  const named = shapes.filter((each) => isTarget(each) || isShapeClass(each.subject))
  return [...new Map(named.map(({ subject }) => [termKey(subject), subject])).values()]
}
