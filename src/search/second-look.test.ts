import { describe, expect, it } from 'vitest'
import { Plan } from '../contracts/index.ts'
import type { Cell, Selected } from '../sources/index.ts'
import type { SpannedQuery } from './compiler/spans.ts'
import { shop } from './fixtures.test-support.ts'
import type { EvidenceRow } from './recompute.ts'
import { recordsStand } from './second-look.ts'

const plan = Plan.parse({ intent: 'list', from: 'Customer', select: [{ path: ['name'] }], where: [{ path: ['age'], op: '>', value: 30 }] })
const row = (id: Cell, name: string): EvidenceRow => ({ key: [id], values: [name] })
const selected = (rows: readonly (readonly Cell[])[], maxRows: number): Selected => ({
  columns: [], rows: rows.slice(0, maxRows), truncated: rows.length > maxRows, ms: 0,
})

/** A database in which these customers meet the conditions, as the other shape finds them. */
function customers(...found: readonly (readonly [Cell, string])[]) {
  const asked: SpannedQuery[] = []
  const read = async (query: SpannedQuery, maxRows: number): Promise<Selected> => {
    asked.push(query)
    const named = new Set<unknown>(query.params.slice(1))
    if (!query.sql.includes('key0')) return selected(found.filter(([id]) => named.has(id)), maxRows)
    return selected(found.map(([id]) => [id]), maxRows)
  }
  return { asked, read }
}

describe('records stand when the other shape of the conditions finds them again', () => {
  it.each([
    { name: 'all of them, and no others', found: [[1, 'Ann'], [2, 'Bob']], complete: true, stand: true },
    { name: 'some of more, where nobody says that they are all', found: [[1, 'Ann'], [2, 'Bob'], [3, 'Cy']], complete: false, stand: true },
    { name: 'not when there are more and they were said to be all', found: [[1, 'Ann'], [2, 'Bob'], [3, 'Cy']], complete: true, stand: false },
    { name: 'not when one does not meet the conditions', found: [[1, 'Ann']], complete: false, stand: false },
    { name: 'not when one shows something else', found: [[1, 'Ann'], [2, 'Rob']], complete: false, stand: false },
    { name: 'not when another is in its place', found: [[1, 'Ann'], [3, 'Bob']], complete: true, stand: false },
  ] as const)('$name', async ({ found, complete, stand }) => {
    const { read } = customers(...(found as unknown as [Cell, string][]))
    expect(await recordsStand(shop, plan, [row(1, 'Ann'), row(2, 'Bob')], complete, read)).toBe(stand)
  })

  it('that nothing is there is asked too', async () => {
    expect(await recordsStand(shop, plan, [], true, customers().read)).toBe(true)
    expect(await recordsStand(shop, plan, [], true, customers([1, 'Ann']).read)).toBe(false)
  })

  it('many keys are asked for in several statements, none with more values than an engine takes', async () => {
    const many = Array.from({ length: 10_000 }, (_, at) => [at + 1, `c${at}`] as const)
    const { asked, read } = customers(...many)
    expect(await recordsStand(shop, plan, many.map(([id, name]) => row(id, name)), true, read)).toBe(true)
    expect(Math.max(...asked.map(({ params }) => params.length))).toBeLessThan(2100)
  })

  it('a key without a value is looked for among all', async () => {
    const { asked, read } = customers([null, 'Ann'])
    expect(await recordsStand(shop, plan, [row(null, 'Ann')], false, read)).toBe(true)
    expect(asked.map(({ params }) => params)).toEqual([[30]])
  })
})
