/** A whole answer about a small network, as the fake service gives it: claims of several kinds, a hostile record, a proof. */
import type { Claim, Citation, InferredFact, Plan, SearchAnswer, StageEvent } from '../../src/contracts/index.ts'

/** Text of a record that would run if anyone put it into a page as HTML. */
export const HOSTILE = '<img src=x onerror="document.title=\'owned\'">'

const RECORD = 'https://enterprise.example/record/'
const ONTOLOGY = 'https://enterprise.example/ontology#'

const MAIN = `select "c"."id" as "id", "c"."name" as "name", "c"."sla" as "sla"
from "customer" as "c"
where exists (select 1 from "subscription" as "s" where "s"."customer_id" = "c"."id" and "s"."resource_id" = ?)
order by "c"."name"`
const EVIDENCE = 'select "a"."id", "a"."severity" from "alarm" as "a" where "a"."resource_id" = ? and "a"."state" = ?'

const span = (query: number, sql: string, part: string): [number, number, number] => {
  const from = sql.indexOf(part)
  return [query, from, from + part.length]
}

export const PLAN: Plan = {
  intent: 'why',
  from: 'Customer',
  select: [{ path: ['name'] }, { path: ['sla'] }],
  where: [],
  group_by: [],
  having: [],
  order_by: [],
  distinct: false,
  why: {
    predicate: 'at_risk', ask: 0, negated: false, complement: false,
    given: [{ argument: 1, class: 'Resource', where: [{ path: ['id'], op: '=', value: 'crt-07' }] }],
  },
}

const claim = (id: string, text: string, more: Partial<Claim>): Claim => ({
  id, text, kind: 'record', citations: [], sql_spans: [], rule_ids: [], fact_ids: [], support_count: 1, verified: true,
  verified_by: 'rows', ...more,
})

export const CLAIMS: readonly Claim[] = [
  claim('c1', 'Two customers are at risk from crt-07.', {
    kind: 'derived', citations: [1, 2], sql_spans: [span(0, MAIN, '"c"."name" as "name"')], rule_ids: ['at-risk'],
    fact_ids: ['f2', 'f3'], support_count: 2, verified_by: 'proof',
  }),
  claim('c2', 'Acme Hosting [1] is at risk because it subscribes to a service that runs on crt-07, which has open alarms [3].', {
    kind: 'derived', citations: [1, 3], sql_spans: [span(0, MAIN, '"s"."resource_id" = ?')], rule_ids: ['at-risk', 'degraded'],
    fact_ids: ['f2'], support_count: 2, verified_by: 'proof',
  }),
  claim('c3', 'crt-07 has two open alarms.', {
    kind: 'aggregate', citations: [3, 4], support_count: 2,
    sql_spans: [span(1, EVIDENCE, '"a"."resource_id" = ? and "a"."state" = ?')],
  }),
]

const citation = (n: number, table: string, id: string, label: string, columns: string[], tier: Citation['tier']): Citation => ({
  n, iri: `${RECORD}${table}/${id}`, label, source_table: table, key: { id }, columns, tier, inferred: false,
})

const CITATIONS: readonly Citation[] = [
  citation(1, 'customer', 'cu-1', 'Acme Hosting', ['name', 'sla'], 'Internal'),
  citation(2, 'customer', 'cu-2', HOSTILE, ['name', 'sla'], 'Internal'),
  citation(3, 'alarm', 'al-118', 'link flapping on crt-07', ['severity', 'state'], 'Public'),
  citation(4, 'alarm', 'al-121', 'high latency on crt-07', ['severity', 'state'], 'Public'),
]

const INFERRED: readonly InferredFact[] = [
  {
    id: 'f1', rule: 'degraded', tier: 'Public', fact: [`${RECORD}resource/crt-07`, `${ONTOLOGY}degraded`, 'true'],
    derived_from: [`${RECORD}alarm/al-118`, `${RECORD}alarm/al-121`, 'count of open alarms = 2 > 0'],
  },
  {
    id: 'f2', rule: 'at-risk', tier: 'Internal',
    fact: [`${RECORD}customer/cu-1`, `${ONTOLOGY}atRisk`, `${RECORD}resource/crt-07`],
    derived_from: ['f1', `${RECORD}customer/cu-1`, `${RECORD}subscription/su-9`, 'no redundant path'],
  },
  {
    id: 'f3', rule: 'at-risk', tier: 'Internal',
    fact: [`${RECORD}customer/cu-2`, `${ONTOLOGY}atRisk`, `${RECORD}resource/crt-07`],
    derived_from: ['f1', `${RECORD}customer/cu-2`, `${RECORD}subscription/su-12`, 'no redundant path'],
  },
]

export const TRACE: readonly StageEvent[] = [
  {
    stage: 'plan', status: 'done', ms: 11.4,
    intent: 'why', classes: ['Customer', 'Resource'], properties: ['name', 'sla'],
    terms: ['customers', 'at risk from', 'crt-07'], alternatives: 1,
  },
  { stage: 'execute', status: 'done', ms: 3.2, sql: MAIN, rows: 2 },
  {
    stage: 'relations', status: 'done', ms: 6.8,
    neighbour_rows: 12, hops: 2, tables: ['subscription', 'service', 'alarm'],
  },
  { stage: 'reason', status: 'done', ms: 1.9, rules_fired: ['degraded', 'at-risk'], derived: 3, rounds: 2 },
  { stage: 'synthesize', status: 'done', ms: 4.1, claims: 3, dropped: 1 },
]

const at = (path: string) => `${RECORD}${path}`
const node = (iri: string, label: string, name: string) => ({ iri, label, class: name })
const edge = (from: string, property: string, to: string, derived = false) => ({ from, to, property, derived })

export function okAnswer(runId: string, materialize: boolean): SearchAnswer {
  return {
    run_id: runId,
    status: 'ok',
    answer: CLAIMS.map(({ text }) => text).join(' '),
    claims: [...CLAIMS],
    citations: [...CITATIONS],
    executed_query: MAIN,
    executed_queries: [
      { sql: MAIN, params: ['crt-07'], rows: 2, ms: 1.4, purpose: 'main' },
      { sql: EVIDENCE, params: ['crt-07', 'open'], rows: 2, ms: 0.6, purpose: 'evidence' },
    ],
    plan: {
      ...PLAN,
      terms: [
        { text: 'customers', kind: 'class', term: 'Customer' },
        { text: 'at risk from', kind: 'rule', term: 'at_risk' },
        { text: 'crt-07', kind: 'value', term: at('resource/crt-07') },
      ],
      alternatives: [{ ...PLAN, intent: 'list', why: undefined }],
      uncovered: [],
    },
    results: {
      columns: ['id', 'name', 'sla'],
      rows: [['cu-1', 'Acme Hosting', 'gold'], ['cu-2', HOSTILE, null]],
      truncated: false,
    },
    inferred: [...INFERRED],
    subgraph: {
      id: materialize ? 'sg-5d0c' : null,
      count: materialize ? 46 : 0,
      view: materialize
        ? {
            nodes: [
              node(at('customer/cu-1'), 'Acme Hosting', 'Customer'), node(at('customer/cu-2'), HOSTILE, 'Customer'),
              node(at('resource/crt-07'), 'crt-07', 'Resource'), node(at('subscription/su-9'), 'su-9', 'Subscription'),
              node(at('alarm/al-118'), 'link flapping on crt-07', 'Alarm'),
            ],
            edges: [
              edge(at('customer/cu-1'), 'atRisk', at('resource/crt-07'), true),
              edge(at('customer/cu-2'), 'atRisk', at('resource/crt-07'), true),
              edge(at('subscription/su-9'), 'customer', at('customer/cu-1')),
              edge(at('alarm/al-118'), 'resource', at('resource/crt-07')),
            ],
            truncated: false,
          }
        : { nodes: [], edges: [], truncated: false },
    },
    confidence: 0.93,
    warnings: ['one claim was dropped: its records did not support it'],
    follow_ups: ['Which of these have a gold agreement?', 'Which alarms of crt-07 are open?'],
    trace: [...TRACE],
    provider: 'embedded',
    model: '',
    timings_ms: Object.fromEntries(TRACE.map(({ stage, ms }) => [stage, ms])),
  }
}

/** The same run, ended in another way. */
export function otherAnswer(runId: string, status: 'empty' | 'blocked' | 'ungrounded' | 'clarify', text: string): SearchAnswer {
  return {
    ...okAnswer(runId, false),
    status,
    answer: text,
    claims: [],
    citations: [],
    inferred: [],
    results: { columns: [], rows: [], truncated: false },
    executed_query: status === 'empty' ? MAIN : '',
    executed_queries: status === 'empty' ? [{ sql: MAIN, params: ['crt-99'], rows: 0, ms: 0.9, purpose: 'main' }] : [],
    plan: null,
    warnings: [],
    follow_ups: [],
    confidence: 0.5,
    ...(status === 'clarify'
      ? {
          clarification: {
            question: 'Two readings are close. Which one do you mean?',
            options: [
              { label: 'Customers at risk from crt-07', plan: PLAN },
              { label: 'Customers located at crt-07', plan: { ...PLAN, intent: 'list', why: undefined } },
            ],
          },
        }
      : {}),
  }
}
