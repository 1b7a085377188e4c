import { describe, expect, it } from 'vitest'
import { Plan } from '../contracts/index.ts'
import type { Cell, Selected } from '../sources/index.ts'
import { compilePlan } from './compiler/compile.ts'
import { shop } from './fixtures.test-support.ts'
import { sampleOf } from './sample.ts'

const byName = Plan.parse({ intent: 'aggregate', from: 'Customer', select: [{ path: ['name'] }, { aggregate: 'count' }], group_by: [['name']] })
const average = Plan.parse({ intent: 'aggregate', from: 'Customer', select: [{ path: ['age'], aggregate: 'avg' }] })
const selected = (rows: readonly (readonly Cell[])[], truncated = false): Selected => ({ columns: [], rows, truncated, ms: 0 })

/** Answers each further statement with the next of these. */
async function sampled(plan: Plan, main: Selected, first: Selected, ...answers: Selected[]) {
  const compiled = compilePlan(shop, plan)
  const asked: string[] = []
  const read = async ({ sql }: { sql: string }): Promise<Selected> => {
    asked.push(sql)
    return answers.shift() ?? selected([])
  }
  return { asked, ...(await sampleOf({ ontology: shop, plan, k: 5 }, { ...compiled, evidence: compiled.evidence! }, main, first, read)) }
}

describe('the records that an aggregate cites', () => {
  it('are all of them where they are few, and nothing more is asked', async () => {
    const { asked, support, evidence } = await sampled(byName, selected([['Ann', 2]]), selected([[1, 'Ann'], [2, 'Ann']]))
    expect({ asked, support, keys: evidence.map(({ key }) => key) }).toEqual({ asked: [], support: 2, keys: [[1], [2]] })
  })

  it('are counted by the rows where these count them', async () => {
    const { asked, support } = await sampled(byName, selected([['Ann', 70_000], ['Bob', 5]]), selected([[1, 'Ann'], [2, 'Bob']], true))
    expect({ asked, support }).toEqual({ asked: [], support: 70_005 })
  })

  it('are counted by the database where the rows do not', async () => {
    const { asked, support } = await sampled(average, selected([[40]]), selected([[1, 40]], true), selected([[123_456]]))
    expect(asked).toHaveLength(1)
    expect(asked[0]).toMatch(/^select count\(\*\)/)
    expect(support).toBe(123_456)
  })

  it('hold one of a group that comes late', async () => {
    const { asked, evidence } = await sampled(byName, selected([['Zoe', 9000], ['Ann', 90_000]]), selected([[1, 'Ann']], true), selected([[99, 'Zoe']]))
    expect(asked).toHaveLength(1)
    expect(evidence.map(({ key }) => key)).toEqual([[1], [99]])
  })

  it('are looked for among all when what a row shows does not find them', async () => {
    const { asked, evidence } = await sampled(byName, selected([['Zoe', 9000]]), selected([[1, 'Ann']], true), selected([]), selected([[1, 'Ann'], [7, 'Zoe']]))
    expect(asked).toHaveLength(2)
    expect(evidence.map(({ key }) => key)).toEqual([[1], [7]])
  })
})
