/**
 * The programs that ours is measured against. owlrl (OWL 2 RL) and pySHACL (SHACL rules) are installed into a Python
 * environment below node_modules/.cache, which git ignores; where that cannot be done, the reason is said and the bench runs
 * without them. oxigraph and n3 are npm packages that we have anyway. Only a peer's own work is timed: reading its input and
 * writing its result stay outside.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Quad } from '../src/kernel/rdf/index.ts'
import { OWL, RDF, RDFS, RDF_TYPE, XSD, parseTurtle, quadKey } from '../src/kernel/rdf/index.ts'
import { compareText } from '../src/kernel/term.ts'
import type { Term } from '../src/kernel/term.ts'
import { toNTriples } from './lubm.ts'
import { pythonWith } from './python.ts'
import type { Peers } from './python.ts'

const PACKAGES: Readonly<Record<string, string>> = { rdflib: '7.6.0', owlrl: '7.6.2', pyshacl: '0.40.1' }

/** What a process says about its own run, ours or a peer's. */
export interface Measured {
  /** processor time of all threads: compilers and garbage collectors have some of their own */
  readonly cpuMs: number
  /** processor time of the thread that does the work: the clock's time on a machine that has nothing else to do */
  readonly threadMs: number
  readonly wallMs: number
  readonly given: number
  /** triples beyond those given */
  readonly derived: number
  readonly peakRssBytes: number
}

export const preparePeers = (): Peers => pythonWith('peers', PACKAGES)

/** The OWL 2 RL closure of a file of N-Triples, written to another. */
export const runOwlrl = (python: string, input: string, output: string): Measured =>
  runScript(python, [PRELUDE, OWLRL, REPORT], [input, output])

/** What the rules of a shapes graph (Turtle) add to a file of N-Triples, written to another, both together. */
export const runPyshacl = (python: string, input: string, output: string, shapes: string): Measured =>
  runScript(python, [PRELUDE, PYSHACL, REPORT], [input, output, shapes])

function runScript(python: string, script: readonly string[], args: readonly string[]): Measured {
  const { status, stdout, stderr } = spawnSync(python, ['-c', script.join('\n'), ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    // hash order decides the order of work in rdflib; a fixed one makes runs alike
    env: { ...process.env, PYTHONHASHSEED: '0' },
  })
  if (status !== 0) throw new Error(`the peer ended with ${status}: ${stderr.trim().split('\n').slice(-5).join('\n')}`)
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Measured
}

const PRELUDE = `
import json, sys, time
import rdflib
graph = rdflib.Graph()
graph.parse(sys.argv[1], format='nt')
before = len(graph)
`

// without the axiomatic triples about the vocabularies themselves, which would only add to its work
const OWLRL = `
import owlrl
closure = owlrl.DeductiveClosure(owlrl.OWLRL_Semantics, axiomatic_triples=False, datatype_axioms=False)
cpu, thread, wall = time.process_time(), time.thread_time(), time.perf_counter()
closure.expand(graph)
cpu, thread, wall = time.process_time() - cpu, time.thread_time() - thread, time.perf_counter() - wall
`

const PYSHACL = `
import pyshacl
shapes = rdflib.Graph()
shapes.parse(sys.argv[3], format='turtle')
cpu, thread, wall = time.process_time(), time.thread_time(), time.perf_counter()
graph = pyshacl.shacl_rules(graph, shacl_graph=shapes, advanced=True, inplace=True, iterate_rules=True)
cpu, thread, wall = time.process_time() - cpu, time.thread_time() - thread, time.perf_counter() - wall
`

const REPORT = `
try:
    import resource
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == 'darwin' else 1024)
except ImportError:
    peak = 0
# no file format holds a statement about a literal
kept, literals = rdflib.Graph(), 0
for s, p, o in graph.triples((None, None, None)):
    if isinstance(s, rdflib.Literal):
        literals += 1
    else:
        kept.add((s, p, o))
kept.serialize(sys.argv[2], format='nt', encoding='utf-8')
print(json.dumps({'cpuMs': 1000 * cpu, 'threadMs': 1000 * thread, 'wallMs': 1000 * wall, 'given': before,
                  'derived': len(kept) + literals - before, 'peakRssBytes': peak}))
`

/** Times a piece of work in this process. The result is counted afterwards. */
export function timed<Out>(work: () => Out): Omit<Measured, 'given' | 'derived'> & { readonly out: Out } {
  const [cpu, thread, wall] = [process.cpuUsage(), process.threadCpuUsage(), performance.now()]
  const out = work()
  const wallMs = performance.now() - wall
  const [cpuMs, threadMs] = [milliseconds(process.cpuUsage(cpu)), milliseconds(process.threadCpuUsage(thread))]
  return { out, cpuMs, threadMs, wallMs, peakRssBytes: process.resourceUsage().maxRSS * 1024 }
}

const milliseconds = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000

/** The pairs that a path of one step or more connects. They are only counted, which spares oxigraph from writing them. */
export async function countWithOxigraph(quads: readonly Quad[], property: string): Promise<Measured> {
  const { Store } = await import('oxigraph')
  const store = new Store()
  store.load(toNTriples(quads), { format: 'application/n-triples' })
  const query = `SELECT (COUNT(*) AS ?n) WHERE { ?x <${property}>+ ?y }`
  const { out, ...times } = timed(() => store.query(query, { results_format: 'csv' }))
  return { ...times, given: quads.length, derived: Number(String(out).trim().split(/\s+/).at(-1)) }
}

/** The same pairs by two rules, as triples of another property. */
export async function reasonWithN3(quads: readonly Quad[], property: string, reaches: string): Promise<Measured> {
  const { Parser, Reasoner, Store } = await import('n3')
  const store = new Store(new Parser().parse(toNTriples(quads)))
  const rules = `{ ?x <${property}> ?y } => { ?x <${reaches}> ?y } .
    { ?x <${property}> ?y . ?y <${reaches}> ?z } => { ?x <${reaches}> ?z } .`
  const rulesStore = new Store(new Parser({ format: 'text/n3' }).parse(rules))
  const { out: _, ...times } = timed(() => new Reasoner(store).reason(rulesStore))
  return { ...times, given: quads.length, derived: store.size - quads.length }
}

/** Two results beside each other, without the triples that say nothing. */
export interface Difference {
  readonly both: number
  readonly onlyOurs: number
  readonly onlyTheirs: number
  /** what was set aside on either side, by why */
  readonly trivial: readonly { readonly why: string; readonly ours: number; readonly theirs: number }[]
  /** one triple of each property (or class, for types) that only one side has, with how many there are */
  readonly examples: readonly Example[]
}

interface Example {
  readonly side: 'ours' | 'theirs'
  readonly what: string
  readonly count: number
  readonly example: string
}

export function compareFiles(ours: string, theirs: string): Difference {
  const [mine, other] = [sorted(ours), sorted(theirs)]
  const onlyOurs = [...mine.kept].filter(([key]) => !other.kept.has(key))
  const onlyTheirs = [...other.kept].filter(([key]) => !mine.kept.has(key))
  const whys = [...new Set([...mine.trivial.keys(), ...other.trivial.keys()])].toSorted(compareText)
  return {
    both: mine.kept.size - onlyOurs.length,
    onlyOurs: onlyOurs.length,
    onlyTheirs: onlyTheirs.length,
    trivial: whys.map((why) => ({ why, ours: mine.trivial.get(why) ?? 0, theirs: other.trivial.get(why) ?? 0 })),
    examples: [...examplesOf('ours', onlyOurs), ...examplesOf('theirs', onlyTheirs)],
  }
}

function sorted(file: string): { readonly kept: Map<string, Quad>; readonly trivial: Map<string, number> } {
  const parsed = parseTurtle(readFileSync(file, 'utf8'))
  if (!parsed.ok) throw new Error(`a result does not parse: ${parsed.fault.message} in line ${parsed.fault.line}`)
  const [kept, trivial] = [new Map<string, Quad>(), new Map<string, number>()]
  for (const each of parsed.quads) {
    const why = whyTrivial(each)
    if (why === undefined) kept.set(quadKey(each), each)
    else trivial.set(why, (trivial.get(why) ?? 0) + 1)
  }
  return { kept, trivial }
}

const REFLEXIVE = new Set([
  `${OWL}sameAs`, `${OWL}equivalentClass`, `${OWL}equivalentProperty`, `${RDFS}subClassOf`, `${RDFS}subPropertyOf`,
])
const OF_THINGS = new Set([RDF_TYPE, `${RDFS}subClassOf`, `${RDFS}domain`, `${RDFS}range`])
const inVocabulary = ({ kind, value }: Term): boolean =>
  kind === 'iri' && [RDF, RDFS, OWL, XSD].some((namespace) => value.startsWith(namespace))

/** Why a triple is true of any graph and therefore not worth comparing. */
function whyTrivial({ subject, predicate, object }: Quad): string | undefined {
  if (inVocabulary(subject)) return 'about a term of the vocabularies'
  if (REFLEXIVE.has(predicate.value) && subject.kind === object.kind && subject.value === object.value) return 'a thing to itself'
  if (object.value === `${OWL}Thing` && OF_THINGS.has(predicate.value)) return `${predicate.value.split('#')[1]} owl:Thing`
  return undefined
}

function examplesOf(side: Example['side'], only: readonly (readonly [string, Quad])[]): Example[] {
  const what = ({ predicate, object }: Quad) => (predicate.value === RDF_TYPE ? `a <${object.value}>` : `<${predicate.value}>`)
  const groups = [...Map.groupBy(only, ([, each]) => what(each))].toSorted(([x], [y]) => compareText(x, y))
  return groups.map(([name, members]) => ({ side, what: name, count: members.length, example: members[0]?.[0] ?? '' }))
}
