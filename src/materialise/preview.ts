/** What one rule does to a graph: the triples it gives, each with its bindings and premises. Nothing is written anywhere. */
import { LIMITS, type PremiseNode, type Rule, type Tier, type TripleText, UNLABELLED, within } from '../contracts/index.ts'
import type { Budget } from '../kernel/datalog/index.ts'
import { quadKey } from '../kernel/rdf/index.ts'
import { materialiseWithStore } from './delegate-run.ts'
import { explainFact } from './explain.ts'
import { idleRules } from './idle-rules.ts'
import type { Derived, Materialisation, TieredQuad } from './materialisation.ts'

export interface PreviewInput {
  readonly rule: Rule
  /** what runs beside it: its results are read and not shown */
  readonly others: readonly Rule[]
  readonly asserted: readonly TieredQuad[]
  readonly baseIri: string
  readonly ceiling?: Tier
  readonly budget?: Budget
}

export interface PreviewFound {
  readonly derived: readonly TripleText[]
  readonly lineage: readonly {
    readonly triple: TripleText
    readonly bindings: Readonly<Record<string, string>>
    readonly premises: readonly PremiseNode[]
  }[]
  /** of all triples that the rule gives, also where not all are listed */
  readonly count: number
  readonly errors: readonly { readonly message: string; readonly line?: number; readonly column?: number }[]
  readonly warnings: readonly string[]
}

export async function previewRule(input: PreviewInput): Promise<PreviewFound> {
  const { rule, others, ceiling = UNLABELLED } = input
  const run = (rules: readonly Rule[]) =>
    materialiseWithStore({
      asserted: input.asserted, rules, baseIri: input.baseIri, ceiling, ...(input.budget === undefined ? {} : { budget: input.budget }),
    })
  const subject: Rule = { ...rule, enabled: true }
  const m = await run([subject, ...others])
  const before = rule.kind === 'owl' ? await run(others) : undefined
  const found = (before === undefined ? ofRule(m, rule) : newIn(m, before)).filter(({ tier }) => within(tier, ceiling))
  const shown = found.slice(0, LIMITS.preview_triples)
  const trees = shown.map(({ fact }) => explainFact(m, m.model.fact(fact), 1, ceiling))
  const lineage = trees.map(({ triple, derivations }) => {
    const own = derivations.find((one) => one.rule === rule.id) ?? derivations[0]
    return { triple, bindings: own?.bindings ?? {}, premises: own?.premises ?? [] }
  })
  const refused = m.refused.filter((one) => one.rule === rule.id)
  return {
    derived: trees.map(({ triple }) => triple),
    lineage,
    count: found.length,
    errors: refused.map(({ reason }) => placed(reason)),
    warnings: [
      ...(m.model.stopped === null ? [] : ['the run was stopped at its budget: what is shown is a part of what follows']),
      ...(found.length > shown.length ? [`${shown.length} of ${found.length} triples are listed`] : []),
      ...idleRules(m).flatMap(({ rule: id, why }) => (id === rule.id && why !== '' ? [why] : [])),
      ...m.delegated.flatMap((one) => (one.rule === rule.id ? [`${one.reason}: it ran through the SPARQL store, with partial premises`] : [])),
    ],
  }
}

const ofRule = ({ derived }: Materialisation, { id, kind }: Rule): Derived[] =>
  derived.filter(({ origins }) => origins.some((origin) => origin.rule === id && origin.engine === kind))

/** Axioms have no name in what follows from them: what follows with them and not without them is theirs. */
function newIn(m: Materialisation, before: Materialisation): Derived[] {
  const known = new Set([...before.asserted, ...before.derived].map(({ quad }) => quadKey(quad)))
  return m.derived.filter(({ quad }) => !known.has(quadKey(quad)))
}

/** A refusal tells its place in words. */
function placed(reason: string): PreviewFound['errors'][number] {
  const [, line, column, message] = /^line (\d+)(?:, column (\d+))?: (.*)$/s.exec(reason) ?? []
  if (line === undefined || message === undefined) return { message: reason }
  return { message, line: Number(line), ...(column === undefined ? {} : { column: Number(column) }) }
}
