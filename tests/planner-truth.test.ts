import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type World, newWorld } from './support.ts'

let world: World
beforeAll(() => {
  world = newWorld()
})
afterAll(() => world.close())

/** Questions with the truth by hand-written SQL: the first column of each row, in any order. */
const RIGHT: readonly (readonly [question: string, sql: string])[] = [
  ['How many alarms are on crt-07?', `select count(*) from alarm a join resource r on r.id = a.resource_id where r.name = 'crt-07'`],
  ['How many resources have open critical alarms?', `select count(*) from resource r where exists (select 1 from alarm a where a.resource_id = r.id and a.state = 'open' and a.severity = 'critical')`],
  ['How many alarms are critical or major?', `select count(*) from alarm where severity in ('critical', 'major')`],
  ['How many tickets are P1 or P2?', `select count(*) from ticket where priority in ('P1', 'P2')`],
  ['How many vendors are there?', `select count(distinct vendor) from resource`],
  ['List the vendors', `select distinct vendor from resource`],
  ['How many routers are there in each site?', `select s.name from site s join resource r on r.site_id = s.id where r.kind = 'router' group by s.id`],
  ['How many tickets by priority?', `select distinct priority from ticket`],
  ['What is the average value of kpi samples?', `select avg(value) from kpi_sample`],
  ['How many kpi samples have value below -5?', `select count(*) from kpi_sample where value < -5`],
  ['Which routers are at site Berlin?', `select r.name from resource r join site s on s.id = r.site_id where s.city = 'Berlin' and r.kind = 'router'`],
  ['alarms of crt-07 and crt-08', `select a.title from alarm a join resource r on r.id = a.resource_id where r.name in ('crt-07', 'crt-08')`],
  ['Which services do not run on crt-07?', `select name from service s where not exists (select 1 from service_resource x join resource r on r.id = x.resource_id where x.service_id = s.id and r.name = 'crt-07')`],
  ['Which resources have no alarms?', `select name from resource r where not exists (select 1 from alarm a where a.resource_id = r.id)`],
  ['Which customers have more than 3 subscriptions?', `select c.name from customer c join subscription s on s.customer_id = c.id group by c.id having count(*) > 3`],
  ['Which alarms are open or critical?', `select title from alarm where state = 'open' or severity = 'critical'`],
  ['maximum and minimum value of kpi samples', `select max(value) from kpi_sample`],
  ['How many critical alarms per site?', `select s.name from alarm a join resource r on r.id = a.resource_id join site s on s.id = r.site_id where a.severity = 'critical' group by s.id`],
]

/** Questions beyond the planner's reach, or false in their premise: anything but an answer that claims to be right. */
const REFUSED = [
  'Which customers have only active subscriptions?', 'Which services run on all core routers?', 'Which alarms are there but critical?',
  'How many of those are open?', 'Which resources are in the redundancy group of crt-07?',
  'Which services have the category of Business Internet Alpine?', 'Which customers are in Berlin?', 'How many degraded customers?',
  'Which customers have open tickets?', 'Which sites are ok?', 'What is the severity of resources?', 'What is the status of services?',
  'What is the total availability percent?', 'sum of id of alarms', 'Where is crt-07?', 'Who has open tickets?', 
  'Which customers are at risk only from crt-09?', 'Are all customers at risk from crt-07?', 'How many slas have P4 tickets?',
  'How many alarms with severity > minor', 'name '.repeat(100), 'open critical '.repeat(140).slice(0, 1990),
]

describe('every answer that calls itself right is right', () => {
  it.each(RIGHT)('%s', async (question, sql) => {
    const answer = await world.ask(question)
    expect(['ok', 'empty']).toContain(answer.status)
    const expected = world.query(sql).map((row) => Object.values(row)[0])
    const got = answer.results.rows.map(([first]) => first)
    const sorted = (list: readonly unknown[]) => list.map((value) => (typeof value === 'number' ? value.toFixed(6) : String(value))).toSorted()
    expect(sorted(got)).toEqual(sorted(expected))
  })

  it.each(REFUSED.map((question) => [question.slice(0, 60), question]))('refuses: %s', { timeout: 10_000 }, async (_, question) => {
    const answer = await world.ask(question)
    expect(['ungrounded', 'clarify', 'blocked']).toContain(answer.status)
  })

  it('says when the premise of a question is false', async () => {
    const answer = await world.ask('Why is Acme Retail not at risk?')
    expect(answer.warnings.join()).toContain('the records show that it does')
  })

  it('names a term above the ceiling as blocked, not as the words it falls apart into', async () => {
    for (const question of ['How many customers have contract value more than 10?', 'What is the average contract value?', 'What is the contract value of Acme Retail?']) {
      expect((await world.ask(question)).status).toBe('blocked')
    }
  })

  it('two records of one name are counted as two', async () => {
    const own = newWorld()
    try {
      own.change(`update customer set name = 'Acme' || char(10) || 'Retail' where name = 'Harbor Bank'`)
      const answer = await own.ask('Who is at risk from crt-07?')
      expect(answer.claims[0]?.text).toMatch(/^Eight customers are at risk from crt-07: Acme Retail \(1\), Acme Retail \(2\)/)
      expect(answer.claims[0]?.support_count).toBe(8)
    } finally {
      await own.close()
    }
  })

  it('a record cannot pose as a citation', async () => {
    const own = newWorld()
    try {
      own.change(`update customer set name = 'Acme [7]' || char(10) || 'Retail' where name = 'Acme Retail'`)
      const answer = await own.ask('Who is at risk from crt-07?')
      expect(answer.answer).toContain('Acme (7) Retail')
    } finally {
      await own.close()
    }
  })
})

describe('an edited plan is checked whole', () => {
  const base = { intent: 'list', from: 'Customer', select: [{ path: ['name'] }] }
  it.each([
    ['nothing selected', { ...base, select: [] }],
    ['a list for =', { ...base, where: [{ path: ['name'], op: '=', value: ['a', 'b'] }] }],
    ['one end for between', { ...base, where: [{ path: ['name'], op: 'between', value: ['a'] }] }],
    ['no value', { ...base, where: [{ path: ['name'], op: '=' }] }],
    ['null for !=', { ...base, where: [{ path: ['name'], op: '!=', value: null }] }],
    ['a select that ends on a class', { ...base, select: [{ path: ['^Ticket.customer'] }] }],
    ['max of nothing', { ...base, select: [{ aggregate: 'max' }] }],
    ['a column beside an aggregate', { ...base, select: [{ path: ['name'] }, { aggregate: 'count' }] }],
    ['an unknown goal', { ...base, intent: 'why', why: { predicate: 'nope', ask: 0, given: [] } }],
    ['an argument that is not there', { ...base, intent: 'why', why: { predicate: 'at_risk', ask: 7, given: [] } }],
    ['a given of the wrong class', { ...base, intent: 'why', why: { predicate: 'at_risk', ask: 0, given: [{ argument: 0, class: 'Site', where: [{ path: ['name'], op: '=', value: 'AMS-1' }] }] } }],
  ])('%s', async (_, plan) => {
    const last = (await world.events('x', { plan: plan as never })).at(-1)
    expect(last).toMatchObject({ event: 'error', data: { code: 'invalid_request', errors: [expect.anything()] } })
  })
})
