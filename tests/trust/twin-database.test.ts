import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TIERS, type Tier } from '../../src/contracts/index.ts'
import { QUESTION, type World, caller, newWorld } from '../support.ts'

/**
 * Non-interference: for a caller with ceiling T, every byte that leaves is the same for two databases that differ only in
 * values above T. The twin below differs from the original in every column above Internal.
 */
let original: World
let twin: World

beforeAll(() => {
  original = newWorld()
  twin = newWorld()
  twin.change(`
    update customer set contact_email = 'twin-' || contact_email, contact_phone = '+49 000 ' || id, contact_name = 'Twin ' || id,
      contract_value = contract_value * 3 + 1;
    update sla set penalty_per_hour = penalty_per_hour * 2 + 7;
  `)
})
afterAll(async () => {
  await original.close()
  await twin.close()
})

const QUESTIONS = [
  QUESTION,
  'Why is Borealis not at risk?',
  'Which services run on crt-07?',
  'How many customers are there?',
  'How many alarms per severity?',
  'What is the contact email of customers?',
  'What is the contract value of Acme Retail?',
  'What is the average contract value of customers?',
  'List the customers of twin-ops@acme.example',
  'List customers named "Twin 1"',
  'Which customers have penalty per hour more than 100?',
]
const CEILINGS: readonly Tier[] = ['Public', 'Internal']

/** Everything a surface would send, without ids and times. */
async function bytes(world: World, question: string, maxTier: Tier, grant: Tier): Promise<string> {
  const events = await world.events(question, { max_tier: maxTier, materialize: true }, caller(grant))
  return JSON.stringify(events, (key, value: unknown) => (['run_id', 'ms', 'timings_ms', 'id', 'request_id'].includes(key) ? null : value))
}

describe('TRUST-1 two databases that differ only above the ceiling cannot be told apart', () => {
  for (const ceiling of CEILINGS) {
    it.each(QUESTIONS)(`${ceiling}: %s`, async (question) => {
      for (const grant of TIERS.slice(TIERS.indexOf(ceiling))) {
        expect(await bytes(twin, question, ceiling, grant)).toBe(await bytes(original, question, ceiling, grant))
      }
    })
  }

  it('the vocabulary and its ETag', async () => {
    for (const ceiling of CEILINGS) {
      const [a, b] = await Promise.all([original, twin].map((world) => world.service.vocabulary(caller('Restricted'), ceiling)))
      expect(b).toEqual(a)
    }
  })

  it('the whole subgraph by SPARQL', async () => {
    const query = 'SELECT ?s ?p ?o WHERE { ?s ?p ?o } ORDER BY ?s ?p ?o'
    const [a, b] = await Promise.all(
      [original, twin].map(async (world) => {
        const { run_id } = await world.ask(QUESTION, { materialize: true })
        return (await world.service.sparql({ runId: run_id, query }, caller())).value
      }),
    )
    expect(b).toBe(a)
    expect(a).not.toContain('contact_email')
  })

  it('the harness sees a difference where there is one', async () => {
    const question = 'What is the contact email of customers?'
    expect(await bytes(twin, question, 'Restricted', 'Restricted')).not.toBe(await bytes(original, question, 'Restricted', 'Restricted'))
  })
})
