/** All engines together, to one fixpoint on one kernel: what OWL derives a CONSTRUCT can read, and the other way round. */
import type { CausalRule, Engine, Rule, Tier } from '../contracts/index.ts'
import { ENGINES, UNLABELLED, maxTier, tierAt, tierRank, within } from '../contracts/index.ts'
import type { Budget, DatalogRule, Fact, Model, StoredFact } from '../kernel/datalog/index.ts'
import { checkProgram, evaluate } from '../kernel/datalog/index.ts'
import type { Quad } from '../kernel/rdf/index.ts'
import { RDF_TYPE, baseRule, factTriple, quadKey, supportFor, tripleFact } from '../kernel/rdf/index.ts'
import { compareText } from '../kernel/term.ts'
import type { CompiledRule } from './compile.ts'
import { compileRules } from './compile.ts'
import type { Derived, Materialisation, Origin, Refused, TieredQuad } from './materialisation.ts'
import { axiomsNotCovered, isAxiom, isInconsistency, owlRules } from './owl.ts'
import { premisesOf } from './premises.ts'
import { verifyDerivations } from './verify.ts'
import type { Words } from './words.ts'
import { words } from './words.ts'

export interface MaterialiseInput {
  readonly asserted: readonly TieredQuad[]
  readonly rules: readonly Rule[]
  readonly causalRules?: readonly CausalRule[]
  readonly baseIri: string
  /** triples above it take no part (default Restricted: everything takes part) */
  readonly ceiling?: Tier
  /** false by default: a cause lies within its rule's window */
  readonly ignoreWindows?: boolean
  /** true by default: cause and effect share an entity where mining found one */
  readonly entityJoin?: boolean
  readonly budget?: Budget
}

export function materialise(input: MaterialiseInput): Materialisation {
  const { baseIri, ceiling = UNLABELLED, ignoreWindows = false, entityJoin = true, budget } = input
  const compilation = compileRules(input.rules, input.causalRules ?? [], { baseIri, ignoreWindows, entityJoin })
  // whoever may read the rules may read what they state
  const axioms = compilation.axioms.map((quad): TieredQuad => ({ quad, tier: 'Public' }))
  const asserted = distinct([...input.asserted, ...axioms]).filter(({ tier }) => within(tier, ceiling))
  const facts = asserted.map(({ quad, tier }) => tripleFact(quad, { tier: tierRank(tier) }))
  // of two rules that derive a triple in the same round the first keeps it, so their order must not depend on the caller's
  const { accepted, refused } = admit(compilation.rules.toSorted(byOrigin), facts)
  const { model, program, base, notice } = fixpoint(facts, accepted, budget)

  const rules = new Map(program.map((rule) => [rule.id, rule]))
  const origins = originsOf(program, accepted)
  const heads = new Map(program.map((rule) => [rule.head.predicate, rule]))
  const say = words(baseIri, (predicate) => heads.get(predicate))
  verifyDerivations(model, program, base)
  const derived = derivedTriples(model, rules, origins, say)
  const counts = countsOf(derived)
  const fired = new Set(counts.map(originKey))
  return {
    baseIri,
    ceiling,
    asserted,
    derived,
    model,
    rules,
    origins,
    counts,
    rulesWithoutFirings: accepted.filter((rule) => !fired.has(originKey(rule))).map(({ engine, rule }) => ({ engine, rule })),
    refused: [...compilation.refused, ...refused].toSorted(byOrigin),
    inconsistencies: inconsistenciesOf(model, say),
    notices: [...notice, ...noticesOf(model, asserted)],
  }
}

/** A rule that cannot run beside the others and the axioms (negation inside recursion, say) is refused, and the others run. */
function admit(rules: readonly CompiledRule[], facts: readonly Fact[]): { accepted: CompiledRule[]; refused: Refused[] } {
  const axioms = axiomsIn(facts)
  const faultOf = (some: readonly CompiledRule[]) =>
    checkProgram({ relations: [], rules: assemble(some, axioms, facts).program })[0]
  if (faultOf(rules) === undefined) return { accepted: [...rules], refused: [] }
  const accepted: CompiledRule[] = []
  const refused: Refused[] = []
  for (const rule of rules) {
    const fault = faultOf([...accepted, rule])
    if (fault === undefined) accepted.push(rule)
    else refused.push({ engine: rule.engine, rule: rule.rule, reason: fault.message.replace(`${rule.rule}: `, '') })
  }
  return { accepted, refused }
}

interface Assembled {
  readonly program: readonly DatalogRule[]
  readonly base: readonly Fact[]
}

function assemble(rules: readonly CompiledRule[], axioms: readonly Quad[], facts: readonly Fact[]): Assembled {
  const core = [...rules.flatMap((rule) => rule.compiled), ...owlRules(axioms)]
  const support = supportFor(core, facts)
  // rules that share a path share its relation, so the relation's rules come more than once
  const program = [...new Map([...core, ...support.rules].map((rule) => [rule.id, rule])).values()]
  return { program, base: [...facts, ...support.facts] }
}

/**
 * The axioms are partially evaluated: one rule each. A CONSTRUCT may derive further axioms, which then need rules of their
 * own, so the run is repeated until no new axiom appears (scm-sco and scm-spo only restate what single steps reach).
 */
function fixpoint(
  facts: readonly Fact[],
  accepted: readonly CompiledRule[],
  budget?: Budget,
): Assembled & { model: Model; notice: string[] } {
  let axioms = axiomsIn(facts)
  let assembled = assemble(accepted, axioms, facts)
  for (;;) {
    const model = evaluate({ relations: [], rules: assembled.program }, assembled.base, budget)
    const found = axiomsIn(model.facts.filter((fact) => !model.derivation(fact.id)?.rule.startsWith('scm-')))
    if (model.stopped !== null || found.length === axioms.length) return { ...assembled, model, notice: [] }
    const next = assemble(accepted, found, facts)
    const [fault] = checkProgram({ relations: [], rules: next.program })
    if (fault !== undefined) return { ...assembled, model, notice: [`derived axioms were not applied: ${fault.message}`] }
    axioms = found
    assembled = next
  }
}

const axiomsIn = (facts: readonly Fact[]): Quad[] => [
  ...new Map(
    facts
      .flatMap(triples)
      .filter(isAxiom)
      .map((quad) => [quadKey(quad), quad]),
  ).values(),
]

/** The triple of a fact. The union of the types repeats what the types by class say already. */
const triples = (fact: Fact): Quad[] => {
  const quad = fact.predicate === RDF_TYPE && fact.args[1]?.kind === 'iri' ? undefined : factTriple(fact)
  return quad === undefined ? [] : [quad]
}

function originsOf(program: readonly DatalogRule[], accepted: readonly CompiledRule[]): Map<string, Origin> {
  const own = accepted.flatMap(({ engine, rule, compiled }) => compiled.map(({ id }) => [id, { engine, rule }] as const))
  const owl = program.map(({ id }) => [id, { engine: 'owl' as const, rule: baseRule(id) }] as const)
  return new Map([...owl, ...own])
}

/**
 * The engine keeps one derivation per fact, so a triple that two engines derive stands with the one that came first
 * (lowest tier, then fewest rounds, then the rule's place in the program) until all derivations are kept.
 */
function derivedTriples(
  model: Model,
  rules: ReadonlyMap<string, DatalogRule>,
  origins: ReadonlyMap<string, Origin>,
  say: Words,
): Derived[] {
  const derived = model.facts.flatMap((fact): Derived[] => {
    const [quad] = triples(fact)
    const derivation = fact.asserted || quad === undefined ? undefined : model.derivation(fact.id)
    if (quad === undefined || derivation === undefined || isInconsistency(fact.predicate)) return []
    const origin = origins.get(derivation.rule)
    if (origin === undefined) throw new Error(`no engine knows the rule ${derivation.rule}`)
    const bindings = Object.fromEntries(Object.entries(derivation.bindings).filter(([name]) => !name.startsWith('_:')))
    const premises = premisesOf(model, derivation, rules, say)
    return [{ fact: fact.id, quad, ...origin, premises, bindings, tier: tierAt(fact.tier) }]
  })
  return derived
    .map((one) => [quadKey(one.quad), one] as const)
    .toSorted(([x], [y]) => compareText(x, y))
    .map(([, one]) => one)
}

const originKey = ({ engine, rule }: Origin): string => `${ENGINES.indexOf(engine)} ${rule}`
const byOrigin = (x: Origin, y: Origin): number => compareText(originKey(x), originKey(y))

function countsOf(derived: readonly Derived[]): (Origin & { triples: number })[] {
  const counts = new Map<string, { engine: Engine; rule: string; triples: number }>()
  for (const { engine, rule } of derived) {
    const key = originKey({ engine, rule })
    const count = counts.get(key) ?? { engine, rule, triples: 0 }
    count.triples += 1
    counts.set(key, count)
  }
  return [...counts].toSorted(([x], [y]) => compareText(x, y)).map(([, count]) => count)
}

function inconsistenciesOf(model: Model, say: Words): { rule: string; text: string }[] {
  const text = ({ predicate, args }: StoredFact): { rule: string; text: string } => {
    const [what, ...about] = args.map((term) => (term === null ? '' : say.term(term)))
    const rule = predicate.split(' ')[1] ?? predicate
    if (rule === 'cax-dw') return { rule, text: `${what} is both a ${about[0]} and a ${about[1]}, which are disjoint` }
    // the two values of a functional property are met in both orders
    const [first, second] = about.slice(1).toSorted(compareText)
    return { rule, text: `${what} has two values for the functional property ${about[0]}: ${first} and ${second}` }
  }
  const all = model.facts.filter((fact) => isInconsistency(fact.predicate)).map(text)
  return [...new Map(all.map((one) => [one.text, one])).values()].toSorted((x, y) => compareText(x.text, y.text))
}

function noticesOf(model: Model, asserted: readonly TieredQuad[]): string[] {
  const uncovered = axiomsNotCovered(asserted.map(({ quad }) => quad)).map(([name, count]) => `owl:${name} (${count})`)
  return [
    ...(model.stopped === null ? [] : [`the run stopped at its budget (${model.stopped}): the result is incomplete`]),
    ...(uncovered.length === 0 ? [] : [`axioms that this version does not reason over: ${uncovered.join(', ')}`]),
  ]
}

/** The same triple from two files is one triple, as sensitive as the more sensitive of them. */
function distinct(quads: readonly TieredQuad[]): TieredQuad[] {
  const found = new Map<string, TieredQuad>()
  for (const one of quads) {
    const key = quadKey(one.quad)
    const other = found.get(key)
    found.set(key, other === undefined ? one : { ...one, tier: maxTier(one.tier, other.tier) })
  }
  return [...found].toSorted(([x], [y]) => compareText(x, y)).map(([, one]) => one)
}
