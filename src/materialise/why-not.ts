/** Why is this triple not there? The rules that could derive it, how far each of them came, and what it lacks. */
import type { Missing, NearMiss, PremiseNode, Tier, TripleText, WhyNot } from '../contracts/index.ts'
import { tierAt, within } from '../contracts/index.ts'
import type { Argument, BodyItem, DatalogRule, NearMiss as KernelMiss, Program } from '../kernel/datalog/index.ts'
import { sayExpr, whyNot } from '../kernel/datalog/index.ts'
import type { Quad } from '../kernel/rdf/index.ts'
import { MADE, MADE_TYPE, factTriple, isGuard, isMade, meaningOf, relationOf, windowIn } from '../kernel/rdf/index.ts'
import type { Term } from '../kernel/term.ts'
import { explainFact } from './explain.ts'
import type { Materialisation } from './materialisation.ts'
import { isInstance, premisesOf, windowFor, windowsOf } from './premises.ts'
import type { Prefixes } from './terms.ts'
import { findTriple, projectPrefixes, tripleReadings, tripleText } from './terms.ts'
import type { Words } from './words.ts'
import { words } from './words.ts'

const MOST = 5
/** How many relations of the engine's own are looked through for what is really missing. */
const MOST_INNER = 3

export function whyNotTriple(
  m: Materialisation,
  text: TripleText,
  ceiling: Tier,
  prefixes: Prefixes = projectPrefixes(m.baseIri),
): WhyNot {
  const there = findTriple(m, text, prefixes)
  const quad = there === undefined ? undefined : factTriple(there)
  if (there !== undefined && quad !== undefined && within(tierAt(there.tier), ceiling)) {
    const notes = ['the triple is there: explain says why']
    return { triple: tripleText(quad), holds: true, asserted: there.asserted, misses: [], notes }
  }
  const readings = tripleReadings(text, prefixes)
  const [first] = readings
  if (first === undefined) throw new Error('a text has at least one reading')
  // of several readings the one that some rule nearly derives is what was meant
  for (const reading of readings) {
    const misses = missesOf(m, reading)
    if (misses.length > 0) return { triple: tripleText(reading), holds: false, asserted: false, misses, notes: notesOf(m) }
  }
  const notes = ['no rule derives a triple like this one, and no source states it', ...notesOf(m)]
  return { triple: tripleText(first), holds: false, asserted: false, misses: [], notes }
}

/** Rules that could not be looked at, each of which might have derived the triple. */
const notesOf = (m: Materialisation): string[] => [
  ...m.delegated.map(({ rule }) => `the rule ${rule} runs as a query: what it lacks is not examined`),
  ...m.refused.map(({ rule, reason }) => `the rule ${rule} was refused: ${reason}`),
  ...(m.model.stopped === null ? [] : ['the run stopped at its budget: the graph is incomplete']),
]

function missesOf(m: Materialisation, { subject, predicate, object }: Quad): NearMiss[] {
  const { program, say } = knownOf(m)
  const goals = [
    { predicate: relationOf(predicate.value, object), args: [subject, object] },
    // a rule with an open property or class derives into one relation for all, and a rule of support hands it on
    ...[MADE, MADE_TYPE].map((made) => ({ predicate: made, args: [subject, predicate, object] })),
  ]
  const found = goals.flatMap((goal) => whyNot(program, m.model, goal))
  const misses = found.flatMap((miss): NearMiss[] => {
    const origin = m.origins.get(miss.rule)
    if (origin === undefined || handsOn(m, miss.rule)) return []
    const reached = innermost(m, program, miss)
    const part = (item: BodyItem, instead?: Term) => missingPart(m, item, reached.satisfied, say, instead)
    return [
      {
        engine: origin.engine,
        rule: origin.rule,
        held: heldBy(m, reached.satisfied),
        missing: part(reached.missing, reached.instead),
        further: reached.further.filter((item) => !isGuard(item)).map((item) => part(item)),
        ...(reached.partial === true ? { partial: true } : {}),
      },
    ]
  })
  const distinct = [...new Map(misses.map((miss) => [JSON.stringify(miss), miss])).values()]
  return distinct.toSorted((x, y) => y.held.length - x.held.length).slice(0, MOST)
}

type Satisfied = KernelMiss['satisfied']

interface Known {
  readonly program: Program
  readonly byHead: ReadonlyMap<string, readonly DatalogRule[]>
  readonly say: Words
}

const known = new WeakMap<Materialisation, Known>()

function knownOf(m: Materialisation): Known {
  const found = known.get(m)
  if (found !== undefined) return found
  const rules = [...m.rules.values()]
  const byHead = Map.groupBy(rules, ({ head }) => head.predicate)
  const say = words(m.baseIri, (name) => byHead.get(name) ?? [])
  const made = { program: { relations: [], rules, mayGrow: true }, byHead, say }
  known.set(m, made)
  return made
}

/** A rule of support that brings made triples to their place: what makes them is asked for by itself. */
const handsOn = (m: Materialisation, rule: string): boolean =>
  m.rules.get(rule)?.body.some((item) => item.kind === 'atom' && isMade(item.atom.predicate)) === true

/** A relation of the engine's own is missing because something below it is: that is what a reader wants to know. */
function innermost(m: Materialisation, program: Program, miss: KernelMiss): KernelMiss {
  let reached = miss
  for (let level = 0; level < MOST_INNER && reached.missing.kind === 'atom'; level++) {
    const { predicate, args } = reached.missing.atom
    if (meaningOf(predicate).kind !== 'auxiliary') break
    const goal = { predicate, args: args.map((arg) => (arg !== null && 'term' in arg ? arg.term : undefined)) }
    const [inner] = whyNot(program, m.model, goal, { limit: 1 })
    if (inner === undefined) break
    const { satisfied, further } = reached
    reached = { ...inner, satisfied: [...satisfied, ...inner.satisfied], further: [...inner.further, ...further] }
  }
  return reached
}

/** What held, as premises: triples by themselves, without what they rest on in turn. */
function heldBy(m: Materialisation, satisfied: Satisfied): PremiseNode[] {
  const shown = satisfied.filter((premise) => premise.kind !== 'tested' || !isGuard({ kind: 'test', expr: premise.expr }))
  // the parts are in the order of the search and not in that of a rule's body, hence no rule to read them by
  const { premises } = premisesOf(m, { rule: '', bindings: {}, premises: shown })
  return premises.map((premise) =>
    premise.kind === 'triple' ? { kind: 'triple', ...explainFact(m, m.model.fact(premise.fact), 0, m.ceiling) } : premise,
  )
}

/** What the rule needs there, in words. */
function missingPart(m: Materialisation, item: BodyItem, satisfied: Satisfied, say: Words, instead?: Term): Missing {
  const text = (arg: Argument) => ('term' in arg ? say.term(arg.term) : `?${arg.variable}`)
  const was = instead === undefined ? '' : `: it is ${say.term(instead)}`
  switch (item.kind) {
    case 'atom':
      return { kind: 'triple', text: isOpaque(m, item.atom.predicate) ? 'a solution of its query' : say.pattern([item]) }
    case 'not': {
      const pattern = item.atom.args.map((arg) => (arg !== null && 'term' in arg ? arg.term : undefined))
      const found = m.model.find(item.atom.predicate, pattern).slice(0, MOST)
      const facts = found.map(({ id }) => ({ kind: 'fact' as const, fact: id }))
      const { premises } = premisesOf(m, { rule: '', bindings: {}, premises: facts })
      const triples = premises.flatMap((premise) => (premise.kind === 'triple' ? [tripleText(premise.quad)] : []))
      const held = satisfied.flatMap((premise) => (premise.kind === 'fact' ? [m.model.fact(premise.fact)] : []))
      return { kind: 'unwanted', text: say.absence(item.atom, (atom) => held.some((fact) => isInstance(atom, fact))), triples }
    }
    case 'compare': {
      const window = 'term' in item.right ? windowFor(windowsOf(satisfied), item.op, item.right.term) : undefined
      if (window === undefined) return { kind: 'condition', text: `${text(item.left)} ${item.op} ${text(item.right)}` }
      return { kind: 'condition', text: `${text(item.left)} is within ${window.seconds} s of ${sayExpr(window.from, text)}` }
    }
    case 'test':
      return { kind: 'condition', text: sayExpr(item.expr, text) }
    case 'assign': {
      const window = windowIn(item)
      if (window !== undefined) return { kind: 'condition', text: `a time: ${sayExpr(window.from, text)} is none` }
      return { kind: 'condition', text: `a fitting value of ${sayExpr(item.expr, text)}${was}` }
    }
    case 'aggregate': {
      const patterns = say.pattern([...item.body.map((atom) => ({ kind: 'atom' as const, atom })), ...(item.where ?? [])])
      return { kind: 'condition', text: `a fitting ${item.fn} over { ${patterns} }${was}` }
    }
  }
}

/** A relation that no rule fills and that is no triple: answers of a query that ran elsewhere. */
const isOpaque = (m: Materialisation, predicate: string): boolean =>
  meaningOf(predicate).kind === 'auxiliary' && !knownOf(m).byHead.has(predicate)
