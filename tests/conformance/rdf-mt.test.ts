import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Parser } from 'n3'
import { afterAll, describe, expect, it } from 'vitest'
import { proofChecker, proofOf } from '../../src/kernel/datalog/index.ts'
import { entailedSimply, rdfClosure } from '../../src/kernel/owl/index.ts'
import type { RdfOptions } from '../../src/kernel/owl/index.ts'
import type { Quad } from '../../src/kernel/rdf/index.ts'
import { markBlanks, parseTurtle } from '../../src/kernel/rdf/index.ts'

/** The W3C cases of the RDF 1.1 semantics (https://www.w3.org/TR/rdf11-mt/). They are not part of this repository. */
const suite = join(process.env['SHARED_DATA'] ?? '../shared/data', 'suites/rdf-mt')
const hasSuite = existsSync(join(suite, 'manifest.ttl'))
const MF = 'http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#'
const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const BASE = 'http://suite/'

interface Case {
  readonly name: string
  readonly positive: boolean
  readonly options: RdfOptions
  readonly premise: readonly Quad[]
  /** false: the premise is inconsistent, or in a negative case is not */
  readonly conclusion: readonly Quad[] | false
}

/** Cases that do not come out as the suite says, each with its reason. */
const KNOWN: Readonly<Record<string, string>> = {}

function cases(): Case[] {
  if (!hasSuite) return []
  const quads = new Parser({ baseIRI: `${BASE}manifest.ttl` }).parse(readFileSync(join(suite, 'manifest.ttl'), 'utf8'))
  const values = (subject: string, property: string) =>
    quads.filter(({ subject: s, predicate: p }) => s.value === subject && p.value === property).map(({ object }) => object)
  const list = (head: string | undefined): string[] =>
    head === undefined || head === `${RDF}nil`
      ? []
      : [values(head, `${RDF}first`)[0]?.value ?? '', ...list(values(head, `${RDF}rest`)[0]?.value)]
  const [entries] = values(`${BASE}manifest.ttl`, `${MF}entries`)
  const read = (address: string, mark: string): Quad[] => {
    const text = readFileSync(join(suite, address.slice(BASE.length)), 'utf8')
    const parsed = parseTurtle(text)
    if (!parsed.ok) throw new Error(`${address}: ${parsed.fault.message}`)
    return markBlanks(parsed.quads, mark)
  }
  return list(entries?.value).map((id) => {
    const one = (property: string) => values(id, MF + property)[0]
    const result = one('result')
    const conclusion = result?.termType === 'Literal' ? (false as const) : read(result?.value ?? '', 'c')
    const mentioned = conclusion === false
      ? []
      : conclusion.flatMap(({ subject, predicate, object }) => [subject, predicate, object])
    return {
      name: one('name')?.value ?? id,
      positive: values(id, `${RDF}type`).some(({ value }) => value === `${MF}PositiveEntailmentTest`),
      options: {
        regime: (one('entailmentRegime')?.value ?? 'simple') as RdfOptions['regime'],
        datatypes: new Set(list(one('recognizedDatatypes')?.value)),
        mentioned,
      },
      premise: read(one('action')?.value ?? '', 'p'),
      conclusion,
    }
  })
}

describe.skipIf(!hasSuite)('W3C RDF semantics', () => {
  const passed: string[] = []
  const all = cases()
  afterAll(() => {
    const count = (regime: string) => {
      const own = all.filter(({ options }) => options.regime === regime)
      return `${regime} ${own.filter(({ name }) => passed.includes(name)).length} of ${own.length}`
    }
    console.log(`rdf-mt: ${passed.length} of ${all.length} (${['simple', 'RDF', 'RDFS'].map(count).join(', ')})`)
    for (const [name, reason] of Object.entries(KNOWN)) console.log(`  known failure ${name}: ${reason}`)
  })

  it.each(all)('$name', ({ name, positive, options, premise, conclusion }) => {
    const closure = rdfClosure(premise, options)
    const isBroken = closure.inconsistencies.length > 0
    const found = conclusion === false ? isBroken : isBroken || entailedSimply(closure, conclusion, options.datatypes).entailed
    if (found === positive) passed.push(name)
    if (KNOWN[name] === undefined) expect(found).toBe(positive)
    else expect(found, `${name} passes now: take it off the list`).not.toBe(positive)
  })

  it('the independent checker accepts every derived fact', () => {
    for (const { premise, options } of all.slice(0, process.env['WHEREFORE_FULL'] === undefined ? 12 : all.length)) {
      const { model, program, base } = rdfClosure(premise, options)
      const check = proofChecker({ rules: program, base, closed: (predicate) => model.find(predicate) })
      for (const fact of model.facts) expect(
        [fact.predicate, check(proofOf(model, fact.id))]
      ).toEqual([fact.predicate, { valid: true }])
    }
  })

  it('the list of known failures names cases of the suite', () => {
    expect(Object.keys(KNOWN).filter((name) => !all.some((one) => one.name === name))).toEqual([])
  })
})

it.skipIf(hasSuite)('the suite is not here: set SHARED_DATA to run it', (context) => context.skip())
