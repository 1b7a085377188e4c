import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Plan, Plan as PlanSchema, AGGREGATES, COMPARISONS, GROUP_COMPARISONS, INTENTS, SET_OPERATIONS } from '../src/contracts/index.ts'
import type { OntologyClass } from '../src/ontology/index.ts'
import { faultsOf } from '../src/search/check-plan.ts'
import { type CompiledPlan, compilePlan } from '../src/search/compiler/compile.ts'
import { secondOpinion, secondRows } from '../src/search/compiler/second-opinion.ts'
import { cutStands } from '../src/search/cut-stands.ts'
import { type Behind, recompute } from '../src/search/recompute.ts'
import { keysOf, rowsOf } from './oracle/evaluate.ts'
import { type Cell, STEPS, market, withDatabase, worlds } from './oracle/market.ts'
import { plans } from './oracle/plans.ts'

const FULL = process.env['WHEREFORE_FULL'] === '1'
const NO_RULES = { rules: [], unavailable: new Map<string, never>() }
const sorted = (rows: readonly unknown[]): string[] => rows.map((row) => JSON.stringify(row)).toSorted()

type Select = (query: { sql: string; params: readonly unknown[] }) => Cell[][]

function behind(select: Select, plan: Plan, compiled: CompiledPlan): Behind {
  const width = (market.classes.find(({ name }) => name === plan.from) as OntologyClass).key.length
  return {
    evidence: select(compiled.evidence!).map((row) => ({ key: row.slice(0, width), values: row.slice(width) })),
    truncated: false,
    bounds: compiled.bounds.map((bound) => (bound === null ? null : (select(bound)[0]?.[0] ?? null))),
    other: plan.set_op === undefined ? null : behind(select, plan.set_op.plan, compiled.other!),
  }
}

/** Rows after the last one that are equal to it in what the plan orders by, by asking the evaluator for all of them. */
const tiesIn = (rows: readonly (readonly Cell[])[], plan: Plan): number => {
  const keys = rows.map((row) => JSON.stringify(row.slice(0, plan.order_by.length)))
  const rest = keys.slice(plan.limit)
  const end = rest.findIndex((key) => key !== keys[(plan.limit ?? 0) - 1])
  return end === -1 ? rest.length : end
}

describe('two compilers and a plain evaluator agree', () => {
  const runs = FULL ? 10_000 : 250
  it(`on ${runs} random plans over random rows`, async () => {
    await fc.assert(
      fc.asyncProperty(worlds, plans, async (world, plan) => {
        let cut: Promise<boolean> | null = null
        fc.pre(faultsOf(market, NO_RULES, plan).length === 0)
        const expected = rowsOf(world, plan)
        const compiled = compilePlan(market, plan)
        withDatabase(world, (select) => {
          expect(select(compiled.main)).toEqual(expected)
          expect(select(secondRows(market, plan))).toEqual(expected)
          expect(sorted(select(secondOpinion(market, plan)!))).toEqual(sorted(keysOf(world, plan)))
          // the answer can be said again from the records behind it, and a changed answer cannot
          const records = behind(select, plan, compiled)
          expect(recompute(plan, compiled, { rows: expected, truncated: false }, records)).toBe(true)
          expect(recompute(plan, compiled, { rows: [...expected, plan.select.map(() => 'not there')], truncated: false }, records)).toBe(false)
          if (compiled.ties !== null && plan.set_op === undefined && !plan.distinct && expected.length === plan.limit) {
            const order = plan.order_by.map(({ by }) => by)
            const all = rowsOf(world, { ...plan, select: [...order, ...plan.select], limit: undefined })
            expect(tiesIn(select(compiled.ties), plan)).toBe(tiesIn(all, plan))
          }
          if (compiled.ties !== null && expected.length === plan.limit) {
            const order = select(compiled.ties)
            const keys = order.map((key) => key.slice(0, plan.order_by.length)).slice(0, plan.limit)
            const read = async (query: Parameters<Select>[0]) => ({ columns: [], rows: select(query), truncated: false, ms: 0 })
            // all its statements are made before it first waits
            cut = cutStands(market, { plan, evidence: records.evidence, cut: { keys, ties: tiesIn(order, plan), atLeast: false } }, read)
          }
        })
        expect(await (cut ?? true)).toBe(true)
      }),
      { numRuns: runs, seed: 7 },
    )
  }, 600_000)
})

/** Plans as anybody may send them: terms that exist at places where they make no sense, operators with any value. */
const anyPlan = fc.letrec<{ plan: object; condition: object; filter: object }>((tie) => {
  const terms = [...new Set([...market.classes.flatMap(({ properties }) => properties.map(({ name }) => name)), ...Object.values(STEPS).flatMap((steps) => steps.map(({ step }) => step)), '^', '^Order', 'x'])]
  const path = fc.array(fc.constantFrom(...terms), { minLength: 1, maxLength: 4 })
  const selection = fc.record({ path, aggregate: fc.constantFrom(...AGGREGATES) }, { requiredKeys: [] })
  const scalar = fc.oneof(fc.string(), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null))
  const value = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }))
  const inner = fc.option(tie('plan'), { nil: undefined, freq: 3 })
  const some = <T>(of: fc.Arbitrary<T>, maxLength = 2) => fc.array(of, { maxLength })
  return {
    filter: fc.record({ path, op: fc.constantFrom(...COMPARISONS), value, plan: inner, where: some(tie('condition')) }, { requiredKeys: ['path', 'op'] }),
    condition: fc.oneof({ maxDepth: 3, depthIdentifier: 'c' }, tie('filter'), fc.record({ any: fc.array(tie('condition'), { minLength: 2, maxLength: 3 }) }), fc.record({ all: fc.array(tie('condition'), { minLength: 1, maxLength: 2 }) })),
    plan: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'p' },
      fc.record({ intent: fc.constantFrom(...INTENTS), from: fc.constantFrom('City', 'Customer', 'Order', 'Line', 'Return'), select: some(selection) }),
      fc.record(
        {
          intent: fc.constantFrom(...INTENTS), from: fc.constantFrom('City', 'Customer', 'Order', 'Line', 'Return', 'Nothing'), select: some(selection),
          where: some(tie('condition')), group_by: some(path), having: some(fc.record({ by: selection, op: fc.constantFrom(...GROUP_COMPARISONS), value, plan: inner }, { requiredKeys: ['by', 'op'] })),
          order_by: some(fc.record({ by: selection, direction: fc.constantFrom('asc', 'desc') })), limit: fc.constantFrom(1, 5), distinct: fc.boolean(),
          set_op: fc.record({ op: fc.constantFrom(...SET_OPERATIONS), plan: tie('plan') }),
        },
        { requiredKeys: ['intent', 'from', 'select'] },
      ),
    ),
  }
}).plan

/** Right plans too, with parts of such ones in place of their own. */
const sent = fc.oneof(
  anyPlan,
  fc.tuple(plans, anyPlan, fc.subarray(['where', 'group_by', 'having', 'order_by', 'limit', 'distinct', 'set_op', 'select'], { maxLength: 2 })).map(([plan, other, names]) => ({
    ...plan, ...Object.fromEntries(Object.entries(other).filter(([name]) => names.includes(name))),
  })),
)

describe('a plan that anybody may send', () => {
  const runs = FULL ? 20_000 : 500
  const compileEverywhere = (plan: Plan) => {
    for (const dialect of ['sqlite', 'postgres', 'mysql'] as const) {
      const ontology = { ...market, dialect }
      const { main, evidence, ties, bounds } = compilePlan(ontology, plan)
      for (const query of [main, evidence, ties, ...bounds, secondOpinion(ontology, plan), secondRows(ontology, plan)]) {
        expect(query?.sql ?? '').not.toMatch(/\busing\b|\bnatural\b|select \*|\.\*/i)
      }
    }
  }

  it(`has faults or compiles, and nothing else, ${runs} times`, () => {
    let whole = 0
    fc.assert(
      fc.property(sent, (body) => {
        const parsed = PlanSchema.safeParse(body)
        if (!parsed.success || faultsOf(market, NO_RULES, parsed.data).length > 0) return
        whole += 1
        compileEverywhere(parsed.data)
      }),
      { numRuns: runs, seed: 7 },
    )
    expect(whole).toBeGreaterThan(runs / 20)
  }, 600_000)

  it('values stand beside the SQL, never in it', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        fc.pre(faultsOf(market, NO_RULES, plan).length === 0)
        const marked = JSON.parse(JSON.stringify(plan, (name, value: unknown) => (name === 'value' ? canary(value) : value))) as Plan
        compileEverywhere(marked)
        for (const { sql } of [compilePlan(market, marked).main, secondRows(market, marked)]) expect(sql).not.toMatch(/canary|777/)
      }),
      { numRuns: FULL ? 2000 : 50, seed: 7 },
    )
  }, 600_000)
})

const canary = (value: unknown): unknown => (Array.isArray(value) ? value.map(canary) : typeof value === 'number' ? 777 : `canary'"${String(value)}`)
