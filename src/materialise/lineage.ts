/**
 * Lineage as RDF: every derived triple and every premise is a statement; prov:wasDerivedFrom leads to the premises,
 * prov:wasGeneratedBy to the rule. A statement's name comes from its content, so two runs name it alike. What a second engine
 * has to say about the same triple stands at a node of its own, so that its premises are not mixed with those of the first.
 */
import type { Quad, TurtleNames } from '../kernel/rdf/index.ts'
import { PROV, RDF, RDFS, RDF_TYPE, SH, factTriple, quadKey, turtleNames } from '../kernel/rdf/index.ts'
import type { Term } from '../kernel/term.ts'
import { compareText, iri, literal, termKey } from '../kernel/term.ts'
import type { Derived, Materialisation, Origin, Way } from './materialisation.ts'
import { waysOf } from './premises.ts'
import { STATEMENT, Statements } from './statements.ts'

export const LINEAGE_PREFIXES = {
  statement: STATEMENT,
  rule: 'urn:wherefore:rule:',
  lineage: 'urn:wherefore:lineage#',
} as const

const own = (name: string): Term => iri(`${LINEAGE_PREFIXES.lineage}${name}`)
const TYPE = iri(RDF_TYPE)
const ACTIVITY = iri(`${PROV}Activity`)
const LABEL = iri(`${RDFS}label`)
const REIFIES = `${RDF}reifies`
const IS_STATEMENT = iri(`${RDF}Statement`)
const SUBJECT = iri(`${RDF}subject`)
const PREDICATE = iri(`${RDF}predicate`)
const OBJECT = iri(`${RDF}object`)
const FROM = iri(`${PROV}wasDerivedFrom`)
const BY = iri(`${PROV}wasGeneratedBy`)
const SHAPE = iri(`${SH}sourceShape`)
const FOCUS = iri(`${SH}focusNode`)
const ENGINE = own('engine')
const TIER = own('tier')
const ALTERNATIVE = own('alternative')
const BINDING = own('binding')
const PREMISES = own('premises')
const SAID = { absent: own('absent'), condition: own('condition') } as const
/** Their objects need no prefix that is not needed anyway: plain texts, and names of statements. */
const PLAIN = new Set([FROM, LABEL, ENGINE, TIER, ALTERNATIVE, BINDING, PREMISES, SAID.absent, SAID.condition])

/** What is said about a subject: predicate and object. */
type Said = readonly [Term, Term]

/** One subject of the lineage. */
interface Block {
  readonly subject: Term
  readonly said: readonly Said[]
  /** the triple that the subject is the name of */
  readonly triple?: Quad
}

export interface Lineage {
  /** how many triples it comes to when each statement is written out */
  readonly triples: number
  /** they have met every term of it, so that they know which prefixes it needs */
  readonly names: TurtleNames
  /** in the code-unit order of their subjects; what a derivation rests on is read again for each, since all of it fills memory */
  blocks(): Iterable<Block>
}

/** Goes through all derivations once: only then is it known which triples are spoken of, and how they are called. */
export function lineageOf(m: Materialisation, prefixes: Readonly<Record<string, string>>): Lineage {
  const statements = new Statements(m.model.size)
  const names = turtleNames(prefixes, STATEMENT)
  const places = new Uint32Array(m.model.size)
  for (const [place, { fact }] of m.derived.entries()) places[fact] = place + 1
  const note = (fact: number, triple: Quad) => {
    if (!statements.add(fact, triple)) return
    for (const term of [triple.subject, triple.predicate, triple.object]) names.write(term)
  }
  let triples = 0
  const count = (said: readonly Said[]) => {
    triples += said.length
    for (const [predicate, object] of said) {
      if (predicate !== TYPE) names.write(predicate)
      if (!PLAIN.has(predicate)) names.write(object)
    }
  }
  const rules = ruleBlocks(m.derived)
  for (const { subject, said } of rules) {
    names.write(subject)
    count(said)
  }
  for (const one of m.derived) {
    const ways = waysOf(m, one.fact)
    note(one.fact, one.quad)
    for (const { premises } of ways) for (const premise of premises) if (premise.kind === 'triple') note(premise.fact, premise.quad)
    for (const { said } of derivedBlocks(one, ways, () => IS_STATEMENT)) count(said)
  }
  if (statements.size > 0) for (const term of [IS_STATEMENT, SUBJECT, PREDICATE, OBJECT, iri(`${STATEMENT}0`)]) names.write(term)
  return {
    triples: triples + 4 * statements.size,
    names,
    *blocks() {
      yield* rules
      const nameOf = (fact: number) => statements.name(fact)
      for (const fact of statements.inOrder()) {
        const one = m.derived[(places[fact] ?? 0) - 1]
        if (one === undefined) yield { subject: nameOf(fact), said: [], triple: tripleOf(m, fact) }
        else yield* derivedBlocks(one, waysOf(m, fact), nameOf)
      }
    },
  }
}

const ruleIri = ({ engine, rule }: Origin): Term => iri(`${LINEAGE_PREFIXES.rule}${engine}.${rule}`)

function ruleBlocks(derived: readonly Derived[]): Block[] {
  const origins = new Set<Origin>()
  for (const one of derived) for (const origin of one.origins) origins.add(origin)
  const rules = new Map([...origins].map((origin) => [termKey(ruleIri(origin)), origin]))
  return [...rules]
    .toSorted(([x], [y]) => compareText(x, y))
    .map(([, origin]) => ({
      subject: ruleIri(origin),
      said: [
        [TYPE, ACTIVITY],
        [LABEL, literal(origin.rule)],
        [ENGINE, literal(origin.engine)],
      ],
    }))
}

function tripleOf(m: Materialisation, fact: number): Quad {
  const triple = factTriple(m.model.fact(fact))
  if (triple === undefined) throw new Error(`the fact ${fact} is no triple`)
  return triple
}

/** A derived triple, behind the nodes of its other ways. */
function derivedBlocks(one: Derived, ways: readonly Way[], nameOf: (fact: number) => Term): Block[] {
  const subject = nameOf(one.fact)
  const [first, ...others] = ways
  // in the order of the predicates, as far as it goes: what is nearly in order is put in order at once
  const said: Said[] = first === undefined ? [] : saidOf(first, nameOf)
  said.push([TIER, literal(one.tier)])
  if (others.length === 0) return [{ subject, said, triple: one.quad }]
  const nodes = new Map<string, Said[]>()
  for (const way of others) {
    const node = `${subject.value}.${way.engine}`
    said.push([ALTERNATIVE, iri(node)])
    nodes.set(node, [...(nodes.get(node) ?? []), ...saidOf(way, nameOf)])
  }
  // a name that goes on with a dot comes before the name itself, which goes on with the bracket that ends it
  const blocks = [...nodes].toSorted(([x], [y]) => compareText(x, y)).map(([node, about]): Block => ({ subject: iri(node), said: about }))
  return [...blocks, { subject, said, triple: one.quad }]
}

function saidOf(way: Way, nameOf: (fact: number) => Term): Said[] {
  const { shape, bindings } = way
  const focus = bindings['this']
  const said: Said[] = []
  for (const premise of way.premises) if (premise.kind === 'triple') said.push([FROM, nameOf(premise.fact)])
  said.push([BY, ruleIri(way)])
  if (shape !== undefined && focus !== undefined) said.push([FOCUS, focus])
  if (shape !== undefined) said.push([SHAPE, shape])
  for (const [variable, term] of Object.entries(bindings)) said.push([BINDING, literal(`?${variable} = ${termKey(term)}`)])
  // a rule may ask for the same thing twice
  const texts = new Set<string>()
  for (const premise of way.premises) {
    if (premise.kind === 'triple' || texts.has(`${premise.kind} ${premise.text}`)) continue
    texts.add(`${premise.kind} ${premise.text}`)
    said.push([SAID[premise.kind], literal(premise.text)])
  }
  if (way.partial) said.push([PREMISES, literal('partial')])
  return said
}

/** Readable by any RDF 1.1 tool: a statement names its subject, predicate and object. */
export function* reified({ names, blocks }: Lineage, header: readonly string[]): Generator<string> {
  yield names.head(header)
  for (const { subject, said, triple } of blocks()) {
    const about: readonly Said[] = triple === undefined ? said : [...reification(triple), ...said]
    yield `\n${names.block(subject, about)}`
  }
}

const reification = ({ subject, predicate, object }: Quad): Said[] => [
  [TYPE, IS_STATEMENT],
  [OBJECT, object],
  [PREDICATE, predicate],
  [SUBJECT, subject],
]

/** The same in RDF 1.2, a line per triple: a statement reifies the triple itself. */
export function* reifiers({ blocks }: Lineage, header: readonly string[]): Generator<string> {
  for (const line of header) yield `# ${line}\n`
  for (const { subject, said, triple } of blocks()) {
    const lines = said.map(([predicate, object]) => `${quadKey({ subject, predicate, object })} .\n`)
    if (triple !== undefined) lines.push(`${termKey(subject)} <${REIFIES}> <<( ${quadKey(triple)} )>> .\n`)
    yield lines.toSorted(compareText).join('')
  }
}
