/**
 * How fast rules run, beside programs that do the same work on the same input: the OWL 2 RL closure of a made-up academic
 * world against owlrl, SHACL rules against pySHACL, the transitive closure of a chain against oxigraph and n3. Ours keeps the
 * premises of every derived triple all the while. Every measurement has a process of its own, the results of both sides are
 * compared as sets of triples, and what counts is processor time of the thread that does the work: a busy machine stretches the
 * clock, and the threads beside it that compile and collect are shown in a column of their own.
 * Run it with `node bench/reason.bench.ts`; `--help` lists the options.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { arch, cpus, platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Argument, DatalogRule } from '../src/kernel/datalog/index.ts'
import { isInconsistency, owlSpecialiser } from '../src/kernel/owl/index.ts'
import type { Quad, ReasonInput } from '../src/kernel/rdf/index.ts'
import {
  OWL, RDF, RDFS, RDF_TYPE, SH, factTriple, parseTurtle, quad, reasonOver, tripleAtom, tripleFact, tripleHead,
} from '../src/kernel/rdf/index.ts'
import { compileShaclRules } from '../src/kernel/shacl/index.ts'
import { compileConstruct } from '../src/kernel/sparql/index.ts'
import { rng } from '../src/kernel/stats/index.ts'
import { XSD, iri, literal } from '../src/kernel/term.ts'
import type { Term } from '../src/kernel/term.ts'
import { SEED, academicGraph, toNTriples } from './lubm.ts'
import type { Difference, Measured } from './peers.ts'
import { compareFiles, countWithOxigraph, preparePeers, reasonWithN3, runOwlrl, runPyshacl, timed } from './peers.ts'

const HELP = `node bench/reason.bench.ts [options]
  --quick       leave out the 1M triples of ours and the 22k triples of owlrl (about half a minute of its time)
  --only NAME   one of owl, shacl, chain
  --no-peers    ours alone, and the two peers that are npm packages
  --json        one JSON document instead of the tables
  --help        this text
The Python peers are installed into node_modules/.cache/wherefore/peers on first use; without a network ours runs alone.`

const SIZES = { tiny: 6000, small: 22_000, middle: 102_000, large: 1_000_000 }
const ORDERS = 5000
/** a chain of so many nodes has 79,800 pairs */
const CHAIN = 400
const RUNS = 3
/** what a process of ours may keep on its heap */
const HEAP_MB = 4096

// ---- the work ----

const SHOP = 'https://bench.example/shop#'
const shop = (name: string): Term => iri(SHOP + name)

/** Both kinds of rules, a condition, paths, arithmetic, a shape that feeds another and a rule that feeds itself. */
const SHAPES = `
@prefix : <${SHOP}> .
@prefix owl: <${OWL}> .
@prefix rdf: <${RDF}> .
@prefix rdfs: <${RDFS}> .
@prefix sh: <${SH}> .
@prefix xsd: <${XSD}> .

<https://bench.example/shop> a owl:Ontology ; sh:declare [ sh:prefix "shop" ; sh:namespace "${SHOP}"^^xsd:anyURI ] .

:Order a rdfs:Class , sh:NodeShape ;
  sh:rule [ a sh:TripleRule ; sh:subject sh:this ; sh:predicate :region ; sh:object [ sh:path ( :customer :region ) ] ] ,
    [ a sh:TripleRule ; sh:subject sh:this ; sh:predicate :follows ; sh:object [ sh:path ( :follows :follows ) ] ] ,
    [ a sh:TripleRule ; sh:subject sh:this ; sh:predicate rdf:type ; sh:object :DomesticOrder ;
      sh:condition [ sh:property [ sh:path ( :customer :country ) ; sh:hasValue :Home ] ] ] .
:DomesticOrder a rdfs:Class , sh:NodeShape ;
  sh:rule [ a sh:TripleRule ; sh:order 1 ; sh:subject sh:this ; sh:predicate :approver ;
      sh:object [ sh:path ( :customer :manager ) ] ] ,
    [ a sh:SPARQLRule ; sh:order 2 ; sh:prefixes <https://bench.example/shop> ; sh:construct """
      CONSTRUCT { $this a shop:LargeOrder ; shop:summary ?summary }
      WHERE {
        $this shop:quantity ?quantity ; shop:price ?price .
        FILTER(?quantity * ?price >= 500)
        BIND(CONCAT(STR(?quantity), " at ", STR(?price)) AS ?summary)
      }""" ] .
`

/** Orders of customers; every order but each third follows the one before it. */
function orders(count: number): Quad[] {
  const random = rng(SEED)
  const below = (n: number): number => Math.floor(random() * n)
  const number = (n: number): Term => literal(String(n), `${XSD}integer`)
  const customers = Array.from({ length: count / 20 }, (_, n) => [
    quad(shop(`customer${n}`), shop('region'), shop(`region${below(12)}`)),
    quad(shop(`customer${n}`), shop('country'), shop(below(10) === 0 ? 'Home' : 'Abroad')),
    quad(shop(`customer${n}`), shop('manager'), shop(`manager${below(9)}`)),
  ])
  const placed = Array.from({ length: count }, (_, n) => [
    quad(shop(`order${n}`), iri(RDF_TYPE), shop('Order')),
    quad(shop(`order${n}`), shop('customer'), shop(`customer${below(customers.length)}`)),
    quad(shop(`order${n}`), shop('quantity'), number(1 + below(20))),
    quad(shop(`order${n}`), shop('price'), number(1 + below(100))),
    ...(n % 3 === 0 ? [] : [quad(shop(`order${n}`), shop('follows'), shop(`order${n - 1}`))]),
  ])
  return [...customers, ...placed].flat()
}

const NEXT = `${SHOP}next`
const REACHES = `${SHOP}reaches`
const chain = (length: number): Quad[] =>
  Array.from({ length: length - 1 }, (_, n) => quad(shop(`node${n}`), iri(NEXT), shop(`node${n + 1}`)))

// ---- ours ----

type Rules = Pick<ReasonInput, 'rules' | 'specialise'>

/** By the name of a measurement: the input, and the rules over it. Making the rules is part of what is timed. */
const OURS: Readonly<Record<string, { input(size: number): Quad[]; rules(): Rules }>> = {
  owl: { input: (size) => academicGraph(size), rules: owlClosure },
  shacl: { input: orders, rules: shaclRules },
  'chain by rules': { input: chain, rules: chainRules },
  'chain by p+': { input: chain, rules: pathRules },
}

function owlClosure(): Rules {
  // two names may stand for one thing, as they may for owlrl; what is true of any graph is left out
  return { rules: [], specialise: owlSpecialiser({ uniqueNames: false, trivial: false }).rules }
}

function chainRules(): Rules {
  const [x, y, z]: [Argument, Argument, Argument] = [{ variable: 'x' }, { variable: 'y' }, { variable: 'z' }]
  const atom = (from: Argument, by: string, to: Argument) => ({ kind: 'atom' as const, atom: tripleAtom(from, by, to) })
  const step: DatalogRule = { id: 'step', head: tripleHead(x, REACHES, y), body: [atom(x, NEXT, y)] }
  const leap: DatalogRule = { id: 'leap', head: tripleHead(x, REACHES, z), body: [atom(x, NEXT, y), atom(y, REACHES, z)] }
  return { rules: [step, leap] }
}

function pathRules(): Rules {
  const compiled = compileConstruct(`CONSTRUCT { ?x <${REACHES}> ?y } WHERE { ?x <${NEXT}>+ ?y }`, { id: 'path' })
  if (!compiled.ok) throw new Error(`the path does not compile: ${compiled.faults[0]?.message}`)
  return { rules: compiled.rules }
}

function shaclRules(): Rules {
  const parsed = parseTurtle(SHAPES)
  if (!parsed.ok) throw new Error(`the shapes do not parse: ${parsed.fault.message} in line ${parsed.fault.line}`)
  const { rules, faults, specialise } = compileShaclRules(parsed.quads)
  if (faults.length > 0) throw new Error(`the shapes do not compile: ${JSON.stringify(faults[0])}`)
  return { rules: rules.flatMap((each) => each.rules), specialise }
}

/** Runs in a process of its own. The clock starts with triples in memory and stops with the finished model and its premises. */
function measureOurs(name: string, size: number, output: string | undefined): Measured {
  const work = OURS[name]
  if (work === undefined) throw new Error(`nothing to measure is called ${name}`)
  const quads = work.input(size)
  // loads what is loaded on first use, as the peers' imports are done before their clock starts
  work.rules()
  const { out, ...times } = timed(() => {
    const facts = quads.map((each) => tripleFact(each))
    return reasonOver({ facts, ...work.rules(), budget: { provenance: 'one' } })
  })
  const { model, notices } = out
  if (model.stopped !== null || notices.length > 0) throw new Error(`not finished: ${model.stopped} ${notices.join('; ')}`)
  const derived: Quad[] = []
  for (let id = 0; id < model.size; id++) {
    const fact = model.fact(id)
    if (isInconsistency(fact.predicate)) throw new Error(`the input contradicts itself: ${fact.predicate}`)
    // the union of all types repeats what stands in their partitions
    const triple = fact.asserted || fact.predicate === RDF_TYPE ? undefined : factTriple(fact)
    if (triple === undefined) continue
    if (derived.push(triple) % SAMPLE === 0 && model.derivation(id) === undefined) throw new Error(`fact ${id} has no premises`)
  }
  if (output !== undefined) writeFileSync(output, toNTriples([...quads, ...derived]))
  return { ...times, given: quads.length, derived: derived.length }
}

/** of so many derived triples one is asked for its premises, after the clock has stopped */
const SAMPLE = 97

async function measureHere(name: string, size: number, output: string | undefined): Promise<Measured> {
  if (name === 'oxigraph') return countWithOxigraph(chain(size), NEXT)
  if (name === 'n3') return reasonWithN3(chain(size), NEXT, REACHES)
  return measureOurs(name, size, output)
}

// ---- one process after the other ----

/** The median of some runs by processor time, each in a fresh process. */
function measure(name: string, size: number, runs: number, output?: string): Measured {
  const args = [`--max-old-space-size=${HEAP_MB}`, import.meta.filename, '--measure', name, '--size', String(size)]
  const measured = Array.from({ length: runs }, (): Measured => {
    const { status, stdout, stderr } = spawnSync(process.execPath, output === undefined ? args : [...args, '--output', output], {
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`measuring ${name} at ${size} ended with ${status}: ${stderr.trim()}`)
    return JSON.parse(stdout) as Measured
  })
  const byTime = measured.toSorted((x, y) => x.threadMs - y.threadMs)
  return byTime[Math.floor(runs / 2)] as Measured
}

interface Line extends Measured {
  readonly work: string
  readonly program: string
}

interface Claim {
  readonly claim: string
  readonly measured: number
  /** null where a figure is only reported */
  readonly goal: string | null
  readonly met: boolean | null
}

interface Compared extends Difference {
  readonly work: string
}

interface Results {
  readonly lines: Line[]
  readonly compared: Compared[]
  readonly claims: Claim[]
}

type Report = (line: Line) => Line

function benchOwl(python: string | undefined, quick: boolean, folder: string, results: Results, add: Report): void {
  const work = (size: number) => `OWL 2 RL closure, ${size / 1000}k triples`
  const ours = (size: number, runs: number, output?: string) =>
    add({ work: work(size), program: 'ours', ...measure('owl', size, runs, output) })
  for (const size of [SIZES.tiny, SIZES.small]) {
    const [input, mine, theirs] = [join(folder, 'input.nt'), join(folder, 'ours.nt'), join(folder, 'owlrl.nt')]
    const own = ours(size, RUNS, mine)
    if (python === undefined || (quick && size === SIZES.small)) continue
    writeFileSync(input, toNTriples(academicGraph(size)))
    const peer = add({ work: work(size), program: 'owlrl', ...runOwlrl(python, input, theirs) })
    const difference = compareFiles(mine, theirs)
    results.compared.push({ work: work(size), ...difference })
    const text = `times faster than owlrl at ${size / 1000}k triples${doubt(difference)}`
    // the smaller input is over before the code is warm: its figure is worth knowing, the goal is for the larger
    const goal = size === SIZES.small ? 50 : null
    claim(results, text, difference.onlyTheirs === 0 ? peer.threadMs / own.threadMs : 0, 'at least', goal)
  }
  const middle = ours(SIZES.middle, RUNS)
  claim(results, 'derived triples per second at 102k triples', perSecond(middle), 'at least', 100_000)
  if (quick) return
  const large = ours(SIZES.large, 1)
  claim(results, 'time at 1M triples over time at 102k triples', large.threadMs / middle.threadMs, 'at most', 13)
  claim(results, 'GB of memory at 1M triples, at the peak', large.peakRssBytes / 2 ** 30, 'at most', 4)
}

function benchShacl(python: string | undefined, folder: string, results: Results, add: Report): void {
  const work = `SHACL rules, ${ORDERS} nodes`
  const [input, mine, theirs] = [join(folder, 'input.nt'), join(folder, 'ours.nt'), join(folder, 'pyshacl.nt')]
  const shapes = join(folder, 'shapes.ttl')
  const own = add({ work, program: 'ours', ...measure('shacl', ORDERS, RUNS, mine) })
  if (python === undefined) return
  writeFileSync(input, toNTriples(orders(ORDERS)))
  writeFileSync(shapes, SHAPES)
  const peer = add({ work, program: 'pySHACL', ...runPyshacl(python, input, theirs, shapes) })
  const difference = compareFiles(mine, theirs)
  results.compared.push({ work, ...difference })
  const text = `times faster than pySHACL${doubt(difference)}`
  claim(results, text, difference.onlyTheirs === 0 ? peer.threadMs / own.threadMs : 0, 'at least', 100)
}

function benchChain(results: Results, add: Report): void {
  const work = `transitive closure, chain of ${CHAIN}`
  const line = (program: string, name: string) => add({ work, program, ...measure(name, CHAIN, RUNS) })
  const oxigraph = line('oxigraph p+', 'oxigraph')
  line('n3 Reasoner', 'n3')
  const rules = line('ours, two rules', 'chain by rules')
  const path = line('ours, p+', 'chain by p+')
  if (rules.derived !== oxigraph.derived || path.derived !== oxigraph.derived) throw new Error('the closures differ')
  claim(results, 'times faster than p+ of oxigraph, by two rules', oxigraph.threadMs / rules.threadMs, 'at least', 1)
  claim(results, 'times faster than p+ of oxigraph, by p+', oxigraph.threadMs / path.threadMs, 'at least', 1)
}

/** Who leaves out work is not faster: a result that lacks something of the peer's counts for nothing. */
const doubt = ({ onlyTheirs }: Difference): string => (onlyTheirs === 0 ? '' : ` (not counted: ours lacks ${onlyTheirs} triples)`)

const perSecond = ({ derived, threadMs }: Measured): number => derived / (threadMs / 1000)

function claim(results: Results, text: string, measured: number, bound: 'at least' | 'at most', goal: number | null): void {
  const met = goal === null ? null : bound === 'at least' ? measured >= goal : measured <= goal
  results.claims.push({ claim: text, measured, goal: goal === null ? null : `${bound} ${goal}`, met })
}

// ---- what is printed ----

const HEADER = ['work', 'program', 'triples', 'derived', 'all threads ms', 'thread ms', 'clock ms', 'derived/s', 'peak MB']
const WIDTHS = [32, 15, 7, 7, 14, 9, 8, 9, 7]
const row = (cells: readonly string[]): string =>
  cells.map((cell, n) => (n < 2 ? cell.padEnd(WIDTHS[n] ?? 0) : cell.padStart(WIDTHS[n] ?? 0))).join(' ')
const printLine = (line: Line): void => {
  const figures = [line.given, line.derived, line.cpuMs, line.threadMs, line.wallMs, perSecond(line), line.peakRssBytes / 2 ** 20]
  console.log(row([line.work, line.program, ...figures.map((figure) => figure.toFixed(0))]))
}

function printComparison({ work, both, onlyOurs, onlyTheirs, trivial, examples }: Compared): void {
  console.log(`\n${work}, results: ${both} triples on both sides, ${onlyOurs} only in ours, ${onlyTheirs} only in the peer's`)
  for (const { why, ours, theirs } of trivial) console.log(`  set aside, ${why}: ours ${ours}, peer ${theirs}`)
  for (const { side, what, count, example } of examples) console.log(`  only ${side}, ${count} of ${what}, such as ${example}`)
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      'no-peers': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      // how this script calls itself
      measure: { type: 'string' },
      size: { type: 'string', default: '0' },
      output: { type: 'string' },
    },
  })
  if (values.help) return console.log(HELP)
  if (values.measure !== undefined) {
    return console.log(JSON.stringify(await measureHere(values.measure, Number(values.size), values.output)))
  }
  if (values.only !== undefined && !['owl', 'shacl', 'chain'].includes(values.only)) {
    console.error(`nothing to measure is called ${values.only}\n${HELP}`)
    process.exitCode = 1
    return
  }
  const machine = `node ${process.version}, ${platform()} ${arch()}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'})`
  const peers = values['no-peers'] ? { ready: false as const, missing: 'not asked for' } : preparePeers()
  const python = peers.ready ? peers.python : undefined
  const results: Results = { lines: [], compared: [], claims: [] }
  const add: Report = (line) => {
    results.lines.push(line)
    if (!values.json) printLine(line)
    return line
  }
  if (!values.json) {
    console.log(`${machine}; seed ${SEED}; median of ${RUNS} processes where they are short`)
    if (!peers.ready) console.log(`without ${peers.missing}`)
    console.log(`\n${row(HEADER)}`)
  }
  const folder = mkdtempSync(join(tmpdir(), 'wherefore-bench-'))
  try {
    const asked = (name: string) => values.only === undefined || values.only === name
    if (asked('chain')) benchChain(results, add)
    if (asked('shacl')) benchShacl(python, folder, results, add)
    if (asked('owl')) benchOwl(python, values.quick, folder, results, add)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  if (values.json) {
    const missing = peers.ready ? null : peers.missing
    return console.log(JSON.stringify({ machine, seed: SEED, runs: RUNS, missing, ...results }, null, 2))
  }
  for (const compared of results.compared) printComparison(compared)
  console.log()
  for (const { claim: text, measured, goal, met } of results.claims) {
    const verdict = met === null ? '' : met ? 'met' : 'MISSED'
    const figure = measured.toFixed(measured < 100 ? 2 : 0)
    console.log(`${verdict.padEnd(6)} ${text}: ${figure}${goal === null ? '' : `, goal ${goal}`}`)
  }
}

await main()
