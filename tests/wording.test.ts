import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AGGREGATES, COMPARISONS, type Condition, GROUP_COMPARISONS, INTENTS, Plan, SET_OPERATIONS } from '../src/contracts/index.ts'
import type { OntologyClass } from '../src/ontology/index.ts'
import { describePlan, describePlans } from '../src/search/wording/describe-plan.ts'
import { followUps } from '../src/search/wording/follow-ups.ts'
import { rowClaims } from '../src/search/wording/row-claims.ts'
import type { Cell } from '../src/sources/index.ts'
import { root } from './golden/cases.ts'
import { network } from './golden/wording/network.ts'
import { context, executedOf, wordingFiles, written } from './golden/wording/sentences.ts'

const folder = join(root, 'tests/golden/wording')

describe('the words of an answer', () => {
  const files = Object.entries(wordingFiles())

  it.each(files)('are what is kept in %s', (file, text) => {
    expect(readFileSync(join(folder, file), 'utf8'), `${file}; npm run golden rewrites it`).toBe(text)
  })

  it('have no file that nothing makes any more', () => {
    expect(readdirSync(folder).filter((file) => file.endsWith('.md')).toSorted()).toEqual(files.map(([file]) => file).toSorted())
  })
})

type Draw = fc.GeneratorValue

const oneOf = <T>(draw: Draw, items: readonly T[]): T => draw(fc.constantFrom, ...(items as [T, ...T[]]))
const some = <T>(draw: Draw, most: number, make: () => T): T[] => Array.from({ length: draw(fc.nat, { max: most }) }, make)

/** A way from a class: a few foreign keys, either way, then a property or the class itself. */
function drawPath(draw: Draw, from: OntologyClass, endsOnClass = false): string[] {
  const path: string[] = []
  let cls = from
  for (let step = draw(fc.nat, { max: 2 }) + (endsOnClass ? 1 : 0); step > 0; step -= 1) {
    const here = cls.name
    const forward = cls.properties.filter(({ kind }) => kind === 'object').map(({ name, range }) => ({ name, to: range }))
    const backward = network.classes.flatMap(({ name, properties }) =>
      properties.filter(({ kind, range }) => kind === 'object' && range === here).map((property) => ({ name: `^${name}.${property.name}`, to: name })),
    )
    const steps = [...forward, ...backward]
    if (steps.length === 0) break
    const { name, to } = oneOf(draw, steps)
    path.push(name)
    cls = network.classes.find((each) => each.name === to)!
  }
  const data = cls.properties.filter(({ kind }) => kind === 'data')
  return endsOnClass && path.length > 0 ? path : [...path, oneOf(draw, data).name]
}

/** A text of the data may say "NaN" by chance; a hole in the sentence is ours. */
const withoutHoles = (text: string): string => text.replaceAll('N', 'M').replaceAll('null', 'full')
const scalar = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }).map(withoutHoles), fc.constantFrom('open', 'critical', 'x [3] y', '%a%', '2026-03-12', '', 'a\u0000b'),
  fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(),
)
const cell: fc.Arbitrary<Cell> = fc.oneof(
  scalar, fc.constant(null), fc.bigInt(), fc.double(), fc.uint8Array({ maxLength: 4 }), fc.string({ minLength: 130, maxLength: 200 }).map(withoutHoles),
)

function drawCondition(draw: Draw, cls: OntologyClass, depth: number): Condition {
  if (depth > 0 && draw(fc.nat, { max: 4 }) === 0) {
    const inner = [drawCondition(draw, cls, depth - 1), drawCondition(draw, cls, depth - 1)]
    return draw(fc.boolean) ? { any: inner } : { all: inner }
  }
  const op = oneOf(draw, COMPARISONS)
  if (depth > 0 && (op === 'exists' || op === 'not_exists')) {
    const path = drawPath(draw, cls, true)
    const end = endOf(cls, path)
    return draw(fc.boolean) ? { path, op } : { path, op, where: some(draw, 2, () => drawCondition(draw, end, depth - 1)) }
  }
  const path = drawPath(draw, cls)
  if (depth > 0 && draw(fc.nat, { max: 6 }) === 0) return { path, op, plan: drawPlan(draw, depth - 1) }
  const list = op === 'in' || op === 'not_in' || op === 'between'
  return { path, op, value: list ? some(draw, 3, () => draw(() => scalar)) : draw(() => scalar) }
}

function endOf(from: OntologyClass, path: readonly string[]): OntologyClass {
  return path.reduce((cls, step) => {
    const name = step.startsWith('^') ? step.slice(1).split('.')[0] : cls.properties.find((property) => property.name === step)?.range
    return network.classes.find((each) => each.name === name) ?? cls
  }, from)
}

function drawPlan(draw: Draw, depth: number): Plan {
  const cls = oneOf(draw, network.classes)
  const selection = () => {
    const aggregate = draw(fc.boolean) ? undefined : oneOf(draw, AGGREGATES)
    return aggregate === 'count' && draw(fc.boolean) ? { aggregate } : { path: drawPath(draw, cls, aggregate === 'count' && draw(fc.boolean)), aggregate }
  }
  return Plan.parse({
    intent: oneOf(draw, INTENTS.filter((intent) => intent !== 'why')),
    from: cls.name,
    select: [selection(), ...some(draw, 2, selection)],
    where: some(draw, 3, () => drawCondition(draw, cls, depth)),
    group_by: some(draw, 2, () => drawPath(draw, cls, draw(fc.boolean))),
    having: some(draw, 1, () => ({ by: selection(), op: oneOf(draw, GROUP_COMPARISONS), value: draw(() => scalar) })),
    order_by: some(draw, 2, () => ({ by: selection(), direction: oneOf(draw, ['asc', 'desc'] as const) })),
    limit: draw(fc.boolean) ? undefined : draw(fc.nat, { max: 5 }) + 1,
    distinct: draw(fc.boolean),
    set_op: depth > 0 && draw(fc.nat, { max: 5 }) === 0 ? { op: oneOf(draw, SET_OPERATIONS), plan: drawPlan(draw, depth - 1) } : undefined,
  })
}

const runs = { numRuns: process.env['WHEREFORE_FULL'] === undefined ? 100 : 10_000 }
const BROKEN = /\bnull\b|undefined|NaN|\[object/

describe('whatever is planned and found', () => {
  it('is said without a hole in the sentence, and each marker leads to a citation', () => {
    fc.assert(
      fc.property(fc.gen(), (draw) => {
        const plan = drawPlan(draw, 2)
        const rows = some(draw, 25, () => plan.select.map(() => draw(() => cell)))
        const executed = executedOf({ plan, rows, truncated: draw(fc.boolean), ties: draw(fc.nat, { max: 3 }) })
        const { claims, citations } = written(rowClaims(context, executed))
        const numbers = new Set(citations.map(({ n }) => n))
        for (const { text, citations: cited } of claims) {
          const markers = [...text.matchAll(/\[(\d+)\]/g)].map(([, n]) => Number(n))
          expect(new Set(markers)).toEqual(new Set(cited))
          for (const n of markers) expect(numbers.has(n)).toBe(true)
          expect(text).toMatch(/[.!?…]$/)
          expect(text).not.toMatch(BROKEN)
        }
      }),
      runs,
    )
  })

  it('can be described, told apart from other plans, and followed by short questions', () => {
    fc.assert(
      fc.property(fc.gen(), (draw) => {
        const plans = [drawPlan(draw, 2), drawPlan(draw, 2), drawPlan(draw, 1)]
        const labels = describePlans(network, plans)
        expect(new Set(labels).size).toBe(plans.length)
        for (const plan of plans) {
          expect(describePlan(network, plan)).not.toMatch(BROKEN)
          const questions = followUps(network, plan)
          expect(questions.length).toBeLessThanOrEqual(3)
          for (const question of questions) expect(question.length).toBeLessThanOrEqual(120)
        }
      }),
      runs,
    )
  })
})
