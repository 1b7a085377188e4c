import { afterAll, beforeAll, expect, it } from 'vitest'
import { cutOntology, buildOntology } from '../src/ontology/index.ts'
import { openSource } from '../src/sources/index.ts'
import type { SearchContext } from '../src/search/context.ts'
import { execute } from '../src/search/execute.ts'
import { plan } from '../src/search/plan.ts'
import { ruleBook, rulesFor } from '../src/search/planner/rule-heads.ts'
import { reason } from '../src/search/reason.ts'
import { relations } from '../src/search/relations.ts'
import { parseRequest } from '../src/runtime/index.ts'
import { QUESTION, type World, newWorld } from './support.ts'

let world: World
beforeAll(() => {
  world = newWorld()
})
afterAll(() => world.close())

it('following foreign keys finds the same answers as reading the tables whole', async () => {
  const source = await openSource(world.database)
  try {
    const whole = buildOntology(await source.introspect(), { baseIri: 'https://enterprise.example/ontology#', recordBase: 'https://enterprise.example/record/' })
    const ontology = cutOntology(whole, 'Internal')
    const flavor = world.project.flavors.get('network-ops')!
    const context: SearchContext = {
      runId: 'r', request: parseRequest({ question: QUESTION, timeout_ms: 30_000 }), source, flavor, ceiling: 'Internal', ontology, granted: ontology,
      clock: { now: () => performance.now() }, startedAt: performance.now(), today: new Date(0), warnings: [],
    }
    const planned = await plan(context)
    if (planned.status !== 'planned') throw new Error(planned.status)
    const executed = await execute(context, planned.plan)
    const rules = rulesFor(ruleBook(flavor, ontology), 'at_risk')
    const answers = async (smallRows: number) => {
      const related = await relations(context, executed, rules, smallRows)
      expect(related.complete).toBe(true)
      return reason(context, executed, related.records, rules).answers.map(({ args }) => args.map((term) => term?.value).join(' ')).toSorted()
    }
    const followed = await answers(0)
    expect(followed.length).toBeGreaterThan(3)
    expect(await answers(1_000_000)).toEqual(followed)
  } finally {
    await source.close()
  }
})
