import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Parser, Store, Writer, DataFactory } from 'n3'
import type { Quad as N3Quad } from 'n3'
import oxigraph from 'oxigraph'
import { afterAll, describe, expect, it } from 'vitest'
import type { DatalogRule, Fact } from '../../src/kernel/datalog/index.ts'
import { type Quad, MADE, factTriple, meaningOf, reasonOver, tripleFact } from '../../src/kernel/rdf/index.ts'
import type { SparqlFault } from '../../src/kernel/sparql/index.ts'
import { baseRule, compileConstruct, compileSelect, readAnswer, readSolutions } from '../../src/kernel/sparql/index.ts'
import { type Term, termKey } from '../../src/kernel/term.ts'

/** The W3C query evaluation tests of https://w3c.github.io/rdf-tests/sparql/sparql11/. They are not part of this repository. */
const suite = join(process.env['SHARED_DATA'] ?? '../shared/data', 'suites/sparql11')
const BASE = 'http://example.org/'
const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const MF = 'http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#'
const QT = 'http://www.w3.org/2001/sw/DataAccess/tests/test-query#'

const ZERO_STEPS = 'a path of no steps from a term that the graph does not hold: the other engine has no solution, the suite one'
/** Where the other engine does not answer as the suite says: there the published result decides. */
const OTHERWISE: Readonly<Record<string, string>> = Object.fromEntries(
  ['more_set_start', 'more_set_end', 'one_set_start', 'one_set_end'].map((end) => [`property-path/zero_or_${end}`, ZERO_STEPS]),
)

interface Case {
  readonly name: string
  readonly query: string
  readonly data: readonly string[]
}

const cases = existsSync(suite) ? ['query', 'results'].flatMap((part) => casesIn(`manifest-sparql11-${part}.ttl`)) : []
const agreed: string[] = []
let compiled = 0
const elsewhere = new Map<string, string[]>()

describe.skipIf(cases.length === 0)('W3C SPARQL 1.1 evaluation', () => {
  afterAll(() => {
    const differing = compiled - agreed.length
    const verdict = differing === 0 ? 'all agree' : `${differing} do not agree`
    console.log(`SPARQL 1.1: ${compiled} of ${cases.length} through the compiler, ${verdict}`)
    for (const [name, reason] of Object.entries(OTHERWISE)) console.log(`  as published ${name}: ${reason}`)
    for (const [feature, names] of [...elsewhere].toSorted()) console.log(`  ${feature} (${names.length}): ${names.join(', ')}`)
  })

  it.each(cases)('$name', async ({ name, query, data }) => {
    const text = readFileSync(query, 'utf8')
    const store = storeOf(data.flatMap(quadsOf))
    const ours = answer(text, store.match(null, null, null, null).map((quad) => ownQuad(quad as unknown as OxiQuad)))
    if ('faults' in ours) {
      const features = [...new Set(ours.faults.map(({ unsupported, message }) => unsupported ?? `FAULT ${message}`))]
      const feature = features.toSorted().join(' and ')
      elsewhere.set(feature, [...(elsewhere.get(feature) ?? []), name])
      // whatever is not compiled is refused as a feature, never as a mistake of the query
      expect(ours.faults.filter(({ unsupported }) => unsupported === undefined)).toEqual([])
      return
    }
    compiled += 1
    const other = await oracle(text, store)
    if (OTHERWISE[name] === undefined) expect(await ours.result).toEqual(other)
    else {
      expect(await ours.result).toEqual(published(query))
      expect(other, `${name} agrees now: take it off the list`).not.toEqual(published(query))
    }
    agreed.push(name)
  })

  it('at least 150 of them run through the compiler', () => {
    expect(agreed.length).toBeGreaterThanOrEqual(150)
  })
})

it.skipIf(cases.length > 0)('the suite is not here: set SHARED_DATA to run it', (context) => context.skip())

/** What a query answers, in a spelling that does not depend on who answered. */
type Answer = boolean | string | readonly string[]

function answer(text: string, graph: readonly Quad[]): { faults: readonly SparqlFault[] } | { result: Answer | Promise<Answer> } {
  const facts = graph.map((quad) => tripleFact(quad))
  if (/^\s*(?:(?:PREFIX|BASE)[^\n]*\n|#[^\n]*\n|\s)*CONSTRUCT/i.test(text)) {
    const compiled = compileConstruct(text, { id: 'q', base: BASE })
    return compiled.ok ? { result: canonical(constructed(compiled.rules, facts)) } : compiled
  }
  const compiled = compileSelect(text, { id: 'q', base: BASE })
  if (!compiled.ok) return compiled
  const { model } = reasonOver({ facts, rules: compiled.rules })
  if (compiled.form === 'ask') return { result: readAnswer(model, compiled) }
  return { result: rows(readSolutions(model, compiled)) }
}

/** What the rules derive in one go: under another name, what they derive does not feed them. */
function constructed(rules: readonly DatalogRule[], facts: readonly Fact[]): Quad[] {
  const isTriple = ({ head }: DatalogRule) => meaningOf(head.predicate).kind === 'property' || head.predicate === MADE
  const apart = rules.map((rule) => {
    const isOut = isTriple(rule) && baseRule(rule.id) === 'q'
    return isOut ? { ...rule, head: { ...rule.head, predicate: `out ${rule.head.predicate}` } } : rule
  })
  const { model } = reasonOver({ facts, rules: apart })
  return [...new Set(apart.map(({ head }) => head.predicate))]
    .filter((predicate) => predicate.startsWith('out '))
    .flatMap((predicate) => model.find(predicate))
    .flatMap(({ predicate, args }) => {
      const [subject, property, object] = args
      if (predicate === `out ${MADE}`) return [{ subject: subject!, predicate: property!, object: object! }]
      return factTriple({ predicate: predicate.slice('out '.length), args }) ?? []
    })
}

/** Both sides read what this store holds: it spells numbers and moments its own way. */
function storeOf(graph: readonly Quad[]): oxigraph.Store {
  const store = new oxigraph.Store()
  for (const { subject, predicate, object } of graph) store.add(oxigraph.quad(oxi(subject), oxi(predicate), oxi(object)))
  return store
}

/** The published result of a query over IRIs. */
const published = (query: string): string[] =>
  [...readFileSync(query.replace(/\.rq$/, '.srx'), 'utf8').matchAll(/<binding name="(\w+)">\s*<uri>([^<]*)<\/uri>/g)].map(
    ([, name, uri]) => `${name}=<${uri}>`,
  )

async function oracle(text: string, store: oxigraph.Store): Promise<Answer> {
  const result = store.query(text, { base_iri: BASE }) as boolean | (Map<string, OxiTerm> | OxiQuad)[]
  if (typeof result === 'boolean') return result
  const isQuads = result[0] !== undefined && 'subject' in result[0]
  if (isQuads || /CONSTRUCT/i.test(text)) return canonical((result as OxiQuad[]).map(ownQuad))
  return rows((result as Map<string, OxiTerm>[]).map((row) => new Map([...row].map(([name, term]) => [name, ownTerm(term)]))))
}

const rows = (solutions: readonly ReadonlyMap<string, Term>[]): string[] =>
  solutions.map((row) => [...row].map(([name, term]) => `${name}=${termKey(term)}`).toSorted().join(' ')).toSorted()

type OxiTerm = { termType: string; value: string; language: string; datatype: { value: string } }
type OxiQuad = { subject: OxiTerm; predicate: OxiTerm; object: OxiTerm }

function oxi(term: Term): never {
  const { namedNode, blankNode, literal } = oxigraph
  if (term.kind === 'iri') return namedNode(term.value) as never
  if (term.kind === 'bnode') return blankNode(term.value) as never
  return literal(term.value, term.language ?? (namedNode(term.datatype) as never)) as never
}

function ownTerm({ termType, value, language, datatype }: OxiTerm): Term {
  if (termType === 'NamedNode') return { kind: 'iri', value }
  if (termType === 'BlankNode') return { kind: 'bnode', value }
  const own: Term = { kind: 'literal', value, datatype: datatype.value }
  return language ? { ...own, language: language.toLowerCase() } : own
}

const ownQuad = ({ subject, predicate, object }: OxiQuad): Quad => ({
  subject: ownTerm(subject),
  predicate: ownTerm(predicate),
  object: ownTerm(object),
})

interface Canonize {
  canonize(nquads: string, options: { algorithm: 'RDFC-1.0'; inputFormat: string; format: string }): Promise<string>
}
const { canonize } = createRequire(import.meta.url)('rdf-canonize') as Canonize

async function canonical(quads: readonly Quad[]): Promise<string> {
  const { namedNode, blankNode, literal, quad } = DataFactory
  const n3 = (term: Term) => {
    if (term.kind === 'iri') return namedNode(term.value)
    return term.kind === 'bnode' ? blankNode(term.value) : literal(term.value, term.language ?? namedNode(term.datatype))
  }
  const all = quads.map(({ subject, predicate, object }) =>
    quad(n3(subject) as N3Quad['subject'], n3(predicate) as N3Quad['predicate'], n3(object)),
  )
  const nquads = all.length === 0 ? '' : new Writer({ format: 'N-Quads' }).quadsToString(all)
  return canonize(nquads, { algorithm: 'RDFC-1.0', inputFormat: 'application/n-quads', format: 'application/n-quads' })
}

function quadsOf(file: string, nth: number): Quad[] {
  const format = file.endsWith('.rdf') ? 'application/rdf+xml' : 'text/turtle'
  const parsed = oxigraph.parse(readFileSync(file, 'utf8'), { format, base_iri: BASE }) as unknown as OxiQuad[]
  const apart = (term: Term): Term => (term.kind === 'bnode' ? { kind: 'bnode', value: `d${nth}${term.value}` } : term)
  return parsed
    .map(ownQuad)
    .map(({ subject, predicate, object }) => ({ subject: apart(subject), predicate, object: apart(object) }))
}

function casesIn(manifest: string): Case[] {
  const index = graphOf(manifest)
  const folders = index.getObjects(null, `${MF}include`, null).flatMap((list) => listOf(index, list))
  return folders.flatMap((folder) => {
    const path = folder.slice(BASE.length)
    const store = graphOf(path)
    const file = (iri: string) => join(suite, dirname(path), iri.slice(BASE.length))
    const entries = store.getObjects(null, `${MF}entries`, null).flatMap((list) => listOf(store, list))
    return entries.flatMap((entry): Case[] => {
      const kinds = store.getObjects(entry, `${RDF}type`, null).map(({ value }) => value)
      if (!kinds.some((kind) => kind.endsWith('QueryEvaluationTest') || kind.endsWith('CSVResultFormatTest'))) return []
      const [action] = store.getObjects(entry, `${MF}action`, null)
      const [query] = store.getObjects(action!, `${QT}query`, null)
      const data = store.getObjects(action!, `${QT}data`, null).map(({ value }) => file(value))
      return [{ name: `${dirname(path)}/${entry.split('#').at(-1)}`, query: file(query!.value), data }]
    })
  })
}

function graphOf(path: string): Store {
  return new Store(new Parser({ baseIRI: BASE, format: 'text/turtle' }).parse(readFileSync(join(suite, path), 'utf8')))
}

function listOf(store: Store, head: N3Quad['object']): string[] {
  const items: string[] = []
  for (let at: N3Quad['object'] | undefined = head; at !== undefined && at.value !== `${RDF}nil`; ) {
    const [first] = store.getObjects(at, `${RDF}first`, null)
    if (first !== undefined) items.push(first.value)
    at = store.getObjects(at, `${RDF}rest`, null)[0]
  }
  return items
}
