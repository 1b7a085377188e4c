import { describe, expect, it } from 'vitest'
import { Plan, type SearchAnswer, ServiceError } from '../contracts/index.ts'
import { buildOntology, cutOntology, ontologyFingerprint } from '../ontology/index.ts'
import { openWorkspace } from '../store/index.ts'
import { earlierPlan, placeOfSource } from './follow-up.ts'
import { type EarlierRun, earlierRun } from './run-desk.ts'
import type { Caller } from './service.ts'

const column = (name: string) => ({
  name, declaredType: 'text', valueType: 'text' as const, nullable: true, generated: false, comment: null, samples: [],
})
const ontologyOf = (...columns: string[]) =>
  buildOntology(
    {
      dialect: 'sqlite',
      tables: [{ name: 'alarm', kind: 'table', columns: columns.map(column), primaryKey: ['id'], uniques: [], foreignKeys: [], rowCount: 1, comment: null, checks: [] }],
    },
    { baseIri: 'urn:x#', recordBase: 'urn:r/', metadata: [] },
  )
const ONTOLOGY = ontologyOf('id', 'state')
const PLAN = Plan.parse({ intent: 'list', from: 'Alarm', select: [{ path: ['state'] }] })
const FINGERPRINT = ontologyFingerprint(cutOntology(ONTOLOGY, 'Internal'))
const RUN: EarlierRun = { plan: PLAN, ceiling: 'Internal', origin: { source: 'ops', ontology: FINGERPRINT } }

describe('an earlier plan is gone on from', () => {
  it.each<[string, EarlierRun, Parameters<typeof earlierPlan>[1], Parameters<typeof earlierPlan>[2], object]>([
    ['over the same source and schema', RUN, { source: 'ops' }, ONTOLOGY, { plan: PLAN }],
    ['not over another source', RUN, { source: 'crm' }, ONTOLOGY, { warning: expect.stringContaining('another source') }],
    ['not over another file', { ...RUN, origin: { source: 'ops', place: 'a', ontology: FINGERPRINT } }, { source: 'ops', place: 'b' }, ONTOLOGY, { warning: expect.stringContaining('another source') }],
    ['not over a file that took the name of a source', RUN, { source: 'ops', place: 'a' }, ONTOLOGY, { warning: expect.stringContaining('another source') }],
    ['not over another schema', { ...RUN, origin: { source: 'ops', ontology: 'other' } }, { source: 'ops' }, ONTOLOGY, { warning: expect.stringContaining('schema') }],
    ['not where nothing was planned', { ...RUN, plan: null }, { source: 'ops' }, ONTOLOGY, { warning: expect.stringContaining('no plan') }],
    ['not where it did not come to an answer', { ...RUN, origin: null }, { source: 'ops' }, ONTOLOGY, { warning: expect.stringContaining('no plan') }],
  ])('%s', (_, run, asked, ontology, expected) => {
    expect(earlierPlan(run, asked, ontology)).toEqual(expected)
  })
})

it('tells files that no configuration names apart by where they lie, and shows nothing of the place', () => {
  const source = (name: string, path: string) => ({ name, path, flavor: null, maxTier: 'Restricted', allowDangerousRole: false }) as const
  const configured = [source('ops', '/data/ops.sqlite')]
  expect(placeOfSource(source('ops', '/data/ops.sqlite'), configured)).toEqual({ source: 'ops' })
  const [a, b] = ['/x/a.sqlite', '/x/b.sqlite'].map((path) => placeOfSource(source('database', path), configured))
  expect(a!.place).toMatch(/^[0-9a-f]{64}$/)
  expect(a!.place).not.toBe(b!.place)
})

describe('the run that a follow-up names', () => {
  const ANN: Caller = { name: 'ann', grant: 'Internal', roles: ['reader'] }
  const answer = (plan: object | null): SearchAnswer => ({
    run_id: 'r', status: 'ok', answer: '', claims: [], citations: [], executed_query: '', executed_queries: [], plan: plan as SearchAnswer['plan'],
    results: { columns: [], rows: [], truncated: false }, inferred: [], subgraph: { id: null, count: 0, view: { nodes: [], edges: [], truncated: false } },
    confidence: 1, warnings: [], follow_ups: [], trace: [], provider: 'embedded', model: '', timings_ms: {},
  })
  const workspace = openWorkspace(':memory:')
  const save = (runId: string, body: object, ceiling: 'Internal' | 'Confidential' = 'Internal', caller = 'ann') =>
    workspace.runs.save({ runId, caller, ceiling, body, createdAt: '2026-01-01T00:00:00.000Z' })
  const shown = { ...PLAN, terms: [], alternatives: [], uncovered: [] }
  save('own', { question: 'q', source: 'ops', ontology: 'f', answer: answer(shown) })
  save('above', { question: 'q', source: 'ops', ontology: 'f', answer: answer(shown) }, 'Confidential')
  save('blocked', { question: 'q', source: 'ops', ontology: 'f', sight: 'Restricted', answer: { ...answer(null), status: 'blocked' } })
  save('foreign', { question: 'q', source: 'ops', ontology: 'f', answer: answer(shown) }, 'Internal', 'bob')
  save('failed', { question: 'q', source: null, problem: { code: 'cancelled', status: 499 } })
  const find = (runId: string) => earlierRun({ peek: () => workspace, demandEnabled: () => undefined }, runId, ANN)

  it('gives its plan and where it was asked', () => {
    expect(find('own')).toEqual({ plan: PLAN, ceiling: 'Internal', origin: { source: 'ops', ontology: 'f' } })
    expect(find('failed')).toEqual({ plan: null, ceiling: 'Internal', origin: null })
  })

  it('TRUST-1 is the same nothing when it is foreign, above the ceiling, told to a higher grant, or never was', () => {
    const refusals = ['nosuch', 'foreign', 'above', 'blocked'].map((runId) => {
      try {
        return find(runId)
      } catch (error) {
        return error instanceof ServiceError ? [error.code, error.message, error.about] : error
      }
    })
    expect(refusals[0]).toEqual(['not_found', expect.any(String), {}])
    for (const refusal of refusals) expect(refusal).toEqual(refusals[0])
  })
})
