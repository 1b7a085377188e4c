/** All engines together, to one fixpoint on one kernel: what OWL derives a CONSTRUCT can read, and the other way round. */
import type { CausalRule, Rule, Tier } from '../contracts/index.ts'
import { ENGINES, UNLABELLED, maxTier, tierAt, tierRank, within } from '../contracts/index.ts'
import type { Budget, DatalogRule, Fact } from '../kernel/datalog/index.ts'
import { isInconsistency, owlNotices, owlSpecialiser } from '../kernel/owl/index.ts'
import type { GraphView, Quad, Reasoned } from '../kernel/rdf/index.ts'
import { RDF_TYPE, factTriple, faultsOver, inVocabulary, isMade, orderTriples, reasonOver, tripleFact } from '../kernel/rdf/index.ts'
import { baseRule } from '../kernel/sparql/index.ts'
import { compareText } from '../kernel/term.ts'
import { nameBlanks } from './blank-names.ts'
import type { CompiledRule } from './compile.ts'
import { compileRules } from './compile.ts'
import type { Answers, Withheld } from './delegate.ts'
import { answerFacts, delegatedOf, withhold } from './delegate.ts'
import { hiddenTerms, isOpen, tieredAxioms } from './hidden-terms.ts'
import { inconsistenciesOf } from './inconsistencies.ts'
import type { Derived, Materialisation, Origin, Refused, TieredQuad } from './materialisation.ts'
import { derivationsOf } from './premises.ts'
import { verifyDerivations } from './verify.ts'

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
  /** true by default: two IRIs are two things, and an axiom that says otherwise is a conflict to report */
  readonly uniqueNames?: boolean
  readonly budget?: Budget
}

/**
 * `answers` are what the SPARQL store says to the rules that no compiler reads, `withheld` those that it cannot be asked about;
 * see `materialiseWithStore`.
 */
export function materialise(
  input: MaterialiseInput,
  answers: Answers = new Map(),
  withheld: Withheld = new Map(),
): Materialisation {
  const { baseIri, ceiling = UNLABELLED, ignoreWindows = false, entityJoin = true, uniqueNames = true } = input
  // blank nodes are numbered by the files they come from, hidden ones included: named anew, they tell nothing of those
  const visible = nameBlanks(input.asserted.filter(({ tier }) => within(tier, ceiling)))
  const hidden = hiddenTerms(input.asserted, baseIri, ceiling)
  const takesPart = (rule: Rule) => isOpen(rule, hidden, ceiling)
  const [rules, causalRules] = [input.rules.filter(takesPart), (input.causalRules ?? []).filter(takesPart)]
  const graph = visible.map(({ quad }) => quad)
  const compilation = withhold(compileRules(rules, causalRules, { baseIri, ignoreWindows, entityJoin, graph }), withheld)
  // whoever may read the rules may read what they state, but for names that are labelled
  const axioms = tieredAxioms(compilation.axioms, input.asserted, baseIri).filter(({ tier }) => within(tier, ceiling))
  const asserted = distinct([...visible, ...axioms])
  const facts = asserted.map(({ quad, tier }) => tripleFact(quad, { tier: tierRank(tier) }))
  const owl = owlSpecialiser({ uniqueNames, anonymous: false, readers: compilation.rules.flatMap(({ compiled }) => compiled) })
  const specialise = (graph: GraphView) => [...owl.rules(graph), ...compilation.specialise(graph)]
  // of two rules that derive a triple in the same round the first keeps it, so their order must not depend on the caller's
  const { accepted, refused } = admit(compilation.rules.toSorted(byOrigin), facts, specialise)
  const own = new Map(
    accepted.flatMap(({ engine, rule, shape, compiled }) =>
      compiled.map(({ id }) => [id, { engine, rule, ...(shape === undefined ? {} : { shape }) }] as const),
    ),
  )
  const highest = asserted.reduce((most, { tier }) => Math.max(most, tierRank(tier)), 0)
  const run = (some: readonly CompiledRule[]) =>
    reasonOver({
      facts: [...facts, ...answerFacts(answers, highest)],
      rules: some.flatMap(({ compiled }) => compiled),
      specialise,
      budget: { ...input.budget, groupOf: (rule) => own.get(rule)?.engine ?? 'owl' },
    })
  const { model, program, base, notices, unproven } = proven(accepted, own, run, input.budget)
  const origins = new Map(program.map(({ id }) => [id, own.get(id) ?? { engine: 'owl' as const, rule: baseRule(id) }]))
  const found: Materialisation = {
    baseIri,
    ceiling,
    asserted,
    model,
    base,
    rules: new Map(program.map((rule) => [rule.id, rule])),
    origins,
    derived: [],
    counts: [],
    rulesWithoutFirings: [],
    refused: [...compilation.refused, ...refused, ...unproven].toSorted(byOrigin),
    delegated: delegatedOf(accepted, answers),
    queries: accepted.flatMap(({ rule, delegated }) => (delegated === undefined ? [] : [{ rule, ...delegated }])),
    inconsistencies: [],
    notices: [
      ...(model.stopped === null ? [] : [`the run stopped at its budget (${model.stopped}): the result is incomplete`]),
      ...notices,
      ...new Set([...owl.notices(), ...owlNotices(schemaOf(asserted))]),
      ...compilation.notices,
    ],
  }
  const derived = derivedTriples(found)
  const counts = countsOf(derived)
  const fired = new Set(counts.map(originKey))
  return {
    ...found,
    derived,
    counts,
    rulesWithoutFirings: accepted
      .filter((rule) => !fired.has(originKey(rule)) && !unproven.some((one) => originKey(one) === originKey(rule)))
      .map(({ engine, rule }) => ({ engine, rule })),
    inconsistencies: inconsistenciesOf(found),
  }
}

/** A rule that cannot run beside the others and the axioms (negation inside recursion, say) is refused, and the others run. */
function admit(
  rules: readonly CompiledRule[],
  facts: readonly Fact[],
  specialise: (graph: GraphView) => readonly DatalogRule[],
): { accepted: CompiledRule[]; refused: Refused[] } {
  const faultOf = (some: readonly CompiledRule[]) =>
    faultsOver({ facts, rules: some.flatMap(({ compiled }) => compiled), specialise })[0]
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

/** A rule whose derivations the checker does not accept is left out, and the others run again without it. */
function proven(
  rules: readonly CompiledRule[],
  own: ReadonlyMap<string, Origin>,
  run: (rules: readonly CompiledRule[]) => Reasoned,
  budget: Budget | undefined,
): Reasoned & { readonly unproven: readonly Refused[] } {
  const unproven: Refused[] = []
  for (let left = rules; ; ) {
    const reasoned = run(left)
    const verdict = verifyDerivations(reasoned.model, reasoned.program, reasoned.base, budget)
    if (verdict.valid) return { ...reasoned, unproven }
    const origin = own.get(verdict.rule ?? '')
    // a rule of ours that fails its check is a bug, and nothing it says may leave
    if (origin === undefined) throw new Error(`a derivation fails its check at ${verdict.at}: ${verdict.why}`)
    unproven.push({ ...origin, reason: `the proof checker does not accept what it derives: ${verdict.why}` })
    left = left.filter((rule) => originKey(rule) !== originKey(origin))
  }
}

/** The triple of a fact that was derived. The union of the types repeats what the types by class say already. */
function derivedTriples(m: Materialisation): Derived[] {
  const { model } = m
  const derived: Derived[] = []
  const originsOf = originsIn(m)
  for (let id = 0; id < model.size; id++) {
    const fact = model.fact(id)
    if (fact.asserted || isInconsistency(fact.predicate)) continue
    const quad = fact.predicate === RDF_TYPE && fact.args[1]?.kind !== 'literal' ? undefined : factTriple(fact)
    if (quad !== undefined) derived.push({ fact: id, quad, tier: tierAt(fact.tier), origins: originsOf(id) })
  }
  const { order } = orderTriples(derived, ({ quad }) => quad)
  return Array.from(order, (place) => derived[place]).filter((one) => one !== undefined)
}

/** Where a fact comes from. Most facts have one derivation, whose rule says it all: those of a rule share one list. */
function originsIn(m: Materialisation): (fact: number) => readonly Origin[] {
  const known = new Map<string, readonly Origin[]>()
  const isHandedOn = (rule: string) => {
    const [first] = m.rules.get(rule)?.body ?? []
    return first?.kind === 'atom' && isMade(first.atom.predicate)
  }
  const originsOf = (rules: readonly string[]): Origin[] => {
    const origins = new Map<string, Origin>()
    for (const rule of rules) {
      const origin = m.origins.get(rule)
      if (origin === undefined) throw new Error(`no engine knows the rule ${rule}`)
      if (!origins.has(origin.engine)) origins.set(origin.engine, origin)
    }
    return [...origins.values()]
  }
  return (fact) => {
    const rules = m.model.rulesOf(fact)
    const [rule] = rules
    const found = rule === undefined || rules.length > 1 ? undefined : known.get(rule)
    if (found !== undefined) return found
    if (rule === undefined || rules.length > 1 || isHandedOn(rule)) return originsOf(derivationsOf(m, fact).map((one) => one.rule))
    const origins = originsOf(rules)
    known.set(rule, origins)
    return origins
  }
}

/** The triples that axioms are made of. */
const schemaOf = (quads: readonly TieredQuad[]): Quad[] =>
  quads.flatMap(({ quad }) => {
    const about = quad.predicate.value === RDF_TYPE ? quad.object.value : quad.predicate.value
    return inVocabulary(about) ? [quad] : []
  })

const originKey = ({ engine, rule }: Origin): string => `${ENGINES.indexOf(engine)} ${rule}`
const byOrigin = (x: Origin, y: Origin): number => compareText(originKey(x), originKey(y))

function countsOf(derived: readonly Derived[]): (Origin & { triples: number })[] {
  const found = new Map<Origin, number>()
  for (const { origins } of derived) for (const origin of origins) found.set(origin, (found.get(origin) ?? 0) + 1)
  const counts = new Map<string, Origin & { triples: number }>()
  for (const [origin, triples] of found) {
    const key = originKey(origin)
    const count = counts.get(key) ?? { engine: origin.engine, rule: origin.rule, triples: 0 }
    count.triples += triples
    counts.set(key, count)
  }
  return [...counts].toSorted(([x], [y]) => compareText(x, y)).map(([, count]) => count)
}

/** The same triple from two files is one triple, as sensitive as the more sensitive of them. */
function distinct(quads: readonly TieredQuad[]): TieredQuad[] {
  const { order, isRepeated } = orderTriples(quads, ({ quad }) => quad)
  const found: TieredQuad[] = []
  for (const [place, n] of order.entries()) {
    const one = quads[n]
    const before = found.at(-1)
    if (one === undefined) continue
    if (before === undefined || !isRepeated(place)) found.push(one)
    else found[found.length - 1] = { ...one, tier: maxTier(one.tier, before.tier) }
  }
  return found
}

