import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Proposal, type ProposalEdits, type ProposalState, ServiceError, type Session } from '../contracts/index.ts'
import { type NewCandidate, openWorkspace, pidOf, type Workspace } from '../store/index.ts'
import { withTurtle } from './candidate-turtle.ts'
import { bulk } from './bulk.ts'
import { type Action, ACTIONS, decide, edit, merge } from './decide.ts'

/** Random sequences of everything a reviewer can do, against a real store, beside a model that knows only states and histories. */
const FULL = process.env['WHEREFORE_FULL'] !== undefined
const SEQUENCES = FULL ? 500 : 60
/** drawn anew for every run, and told in the name of the test; WHEREFORE_SEED repeats one */
const SEED = Number(process.env['WHEREFORE_SEED'] ?? Date.now() % 2 ** 31)
const NOW = '2026-01-02T03:04:05.000Z'
const BASE = 'https://enterprise.example/ontology#'

const common = { confidence: 0.9, consequence: 0.4, lagMsP50: null, lagMsP95: null, tier: 'Confidential', evidenceSample: '' } as const
const event = (name: string, severity = 'ERROR'): NewCandidate => ({
  ...common, key: `event:${name}`, proposalType: 'LOG_EVENT', detectionStrategy: 'LOG_TEMPLATE_CLUSTERING', title: `Event ${name}`, name,
  evidence: { clusters: [`c-${name}`], severity, service: 'router' },
})
const edge = (cause: string, effect: string, kind: 'LOG_CAUSAL_EDGE' | 'LOG_RELATIONSHIP' = 'LOG_CAUSAL_EDGE'): NewCandidate => ({
  ...common, key: `edge:${cause}:${effect}`, proposalType: kind, detectionStrategy: 'GRANGER_CAUSALITY', title: `${cause} causes ${effect}`,
  name: `${cause[0]!.toLowerCase()}${cause.slice(1)}${kind === 'LOG_CAUSAL_EDGE' ? 'Causes' : 'With'}${effect}`,
  evidence: {
    cause, effect, cause_cluster: `c-${cause}`, effect_cluster: `c-${effect}`, cause_severity: 'ERROR', effect_severity: 'WARN', window_seconds: 30,
  },
})
const entity = (slot: string): NewCandidate => ({
  ...common, key: `entity:${slot}`, proposalType: 'LOG_ENTITY', detectionStrategy: 'LOG_TEMPLATE_CLUSTERING', title: `Entity ${slot}`,
  name: slot[0]!.toUpperCase() + slot.slice(1), evidence: { slot },
})
const STORY: readonly NewCandidate[] = [
  event('LinkDown'), event('PeerLost', 'CRITICAL'), event('Deregistered'), event('Alarm', 'WARN'), edge('LinkDown', 'PeerLost'), edge('PeerLost', 'Deregistered'),
  edge('LinkDown', 'Unseen'), edge('Alarm', 'LinkDown', 'LOG_RELATIONSHIP'), entity('node'), entity('host'),
  { ...event('Odd'), key: 'odd', detectionStrategy: 'HMM_SEQUENCE_ANOMALY' },
]
const pids = STORY.map(({ key }) => pidOf(key))
const nameOf = (of: string): string => STORY[pids.indexOf(of)]!.name
const EDITS: readonly ProposalEdits[] = [
  { name: 'Fresh' }, { name: 'fresher' }, { name: 'LinkDown' }, { name: 'PeerLost' }, { name: 'Node' }, { label: 'in words' }, { severity: 'CRITICAL' }, { severity: 'DEBUG' },
  { proposal_type: 'LOG_RELATIONSHIP' }, { window_seconds: 90 }, { name: 'Both', label: 'two at once' },
]

type Step =
  | { readonly do: 'decide'; readonly pid: string; readonly action: Action; readonly edits?: ProposalEdits }
  | { readonly do: 'edit'; readonly pid: string; readonly edits: ProposalEdits }
  | { readonly do: 'merge'; readonly pid: string; readonly into: string }
  | { readonly do: 'bulk'; readonly ids: readonly string[]; readonly action: Action; readonly dry: boolean }
  | { readonly do: 'seed' }

const pid = fc.constantFrom(...pids)
const alike = fc.constantFrom(...pids.slice(0, 4)) // events, which can be merged
const edits = fc.constantFrom(...EDITS)
const action = fc.constantFrom<Action>('approve', 'approve', ...ACTIONS, 'undo')
/** One is renamed, another takes the name that became free, and the first wants it back. */
const swap = fc
  .record({ first: alike, second: alike, approved: fc.boolean(), undo: fc.constantFrom(...pids.slice(0, 4)) })
  .map(({ first, second, approved, undo }): Step[] => [
    ...(approved ? [first, second].map((each): Step => ({ do: 'decide', pid: each, action: 'approve' })) : []),
    { do: 'edit', pid: first, edits: { name: 'Swapped' } },
    { do: 'edit', pid: second, edits: { name: nameOf(first) } },
    { do: 'decide', pid: first, action: 'undo' },
    { do: 'decide', pid: undo, action: 'undo' },
  ])
/** What an edge has brought in is edited before the edge goes. */
const editedEnd = fc
  .record({ edge: fc.constantFrom(...pids.slice(4, 6)), end: alike, edits })
  .map(({ edge: of, end, edits: set }): Step[] => [
    { do: 'decide', pid: of, action: 'approve' }, { do: 'edit', pid: end, edits: set }, { do: 'decide', pid: of, action: 'undo' },
  ])
const step: fc.Arbitrary<Step> =
  fc.oneof(
    { weight: 10, arbitrary: fc.record({ do: fc.constant('decide' as const), pid, action }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('decide' as const), pid, action: fc.constant('approve' as const), edits }) },
    { weight: 5, arbitrary: fc.record({ do: fc.constant('edit' as const), pid, edits }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('merge' as const), pid, into: pid }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('merge' as const), pid: alike, into: alike }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('bulk' as const), ids: fc.subarray(pids, { minLength: 1 }), action, dry: fc.boolean() }) },
    { weight: 1, arbitrary: fc.constant({ do: 'seed' as const }) },
  )
const steps: fc.Arbitrary<Step[]> = fc
  .array(fc.oneof({ weight: 12, arbitrary: step.map((each) => [each]) }, { weight: 1, arbitrary: swap }, { weight: 1, arbitrary: editedEnd }), {
    minLength: 4, maxLength: 12,
  })
  .map((parts) => parts.flat())

const OPTIONS = { reviewer: 'ann', now: NOW, baseIri: BASE }

function run(workspace: Workspace, step: Exclude<Step, { do: 'seed' }>): void {
  switch (step.do) {
    case 'decide':
      decide(workspace, step.pid, step.action, { ...OPTIONS, ...(step.edits === undefined ? {} : { edits: step.edits }) })
      return
    case 'edit':
      edit(workspace, step.pid, step.edits, OPTIONS)
      return
    case 'merge':
      merge(workspace, step.pid, step.into, OPTIONS)
      return
    case 'bulk':
      bulk(workspace, { ids: [...step.ids], action: step.action, dry_run: step.dry }, OPTIONS)
  }
}

function seeded(): Workspace {
  const workspace = openWorkspace(':memory:', { clock: () => new Date(NOW) })
  workspace.proposals.upsert(withTurtle(STORY, { baseIri: BASE }), NOW)
  const { session } = workspace.session.load()
  const mine = { name: 'Mine', label: '', templates: [], severity: 'INFO', service: '', source: 'user' }
  workspace.session.save({ ...session, events: [mine] }, 0)
  return workspace
}

class Done extends Error {}

/** One store serves all sequences: making one costs more than a sequence. */
function rolledBack(workspace: Workspace, work: () => void): void {
  try {
    workspace.transaction(() => {
      work()
      throw new Done()
    })
  } catch (error) {
    if (!(error instanceof Done)) throw error
  }
}

/** Every byte that a decision may touch, version counters aside. */
const bytesOf = (workspace: Workspace): string =>
  JSON.stringify({
    session: workspace.session.load().session,
    rows: workspace.proposals.some(pids).map((row) => ({ ...row, version: 0, updated_at: '' })),
  })

const audits = (workspace: Workspace): number => pids.reduce((total, each) => total + workspace.audit(each).length, 0)

describe('whatever reviewers do, in any order', () => {
  it(`${SEQUENCES} sequences lose and double no session entry, undo exactly, and can be replayed from the audit (seed ${SEED})`, { timeout: 600_000 }, () => {
    const workspace = seeded()
    const first = bytesOf(workspace)
    const walked = { done: 0, refused: 0, undone: 0, merged: 0, edited: 0 }
    fc.assert(
      fc.property(steps, (sequence) => {
        rolledBack(workspace, () => {
          for (const step of sequence) {
            const before = bytesOf(workspace)
            if (step.do === 'seed') {
              workspace.proposals.upsert(withTurtle(STORY, { baseIri: BASE }), NOW)
              expect(bytesOf(workspace)).toBe(before)
              continue
            }
            const told = audits(workspace)
            try {
              run(workspace, step)
            } catch (error) {
              if (!(error instanceof ServiceError) || !['conflict', 'invalid_request'].includes(error.code)) throw error
              walked.refused += 1
              expect([bytesOf(workspace), audits(workspace)]).toEqual([before, told])
              continue
            }
            walked.done += 1
            if (step.do === 'bulk') {
              if (step.dry) expect([bytesOf(workspace), audits(workspace)]).toEqual([before, told])
            } else if (step.do !== 'decide' || step.action !== 'undo') {
              if (step.do === 'merge') walked.merged += 1
              if (step.do === 'edit') walked.edited += 1
              const after = bytesOf(workspace)
              decide(workspace, step.pid, 'undo', OPTIONS)
              walked.undone += 1
              expect(bytesOf(workspace)).toBe(before)
              run(workspace, step)
              expect(bytesOf(workspace)).toBe(after)
            }
            expectAgreement(workspace)
          }
          unwound(workspace, first)
        })
      }),
      { numRuns: SEQUENCES, seed: SEED },
    )
    workspace.close()
    for (const count of Object.values(walked)) expect(count).toBeGreaterThan(SEQUENCES / 3) // every kind of step was really taken
  })
})

/** Session and proposals say the same, and the audit leads from PENDING to where each stands. */
function expectAgreement(workspace: Workspace): void {
  const { session } = workspace.session.load()
  const rows = workspace.proposals.some(pids)
  const byPid = new Map(rows.map((row) => [row.pid, row]))
  const approved = (kind: Proposal['proposal_type']) => rows.filter((row) => row.proposal_type === kind && row.status === 'APPROVED')
  const own = (entries: readonly { pid?: string | undefined; source: string }[]) =>
    entries.filter(({ source }) => source === 'log-discovery').map((entry) => entry.pid).toSorted()
  const ids = (list: readonly Proposal[]) => list.map((row) => row.pid).toSorted()

  expect(own(session.causal_rules)).toEqual(ids(approved('LOG_CAUSAL_EDGE')))
  expect(own(session.relationships)).toEqual(ids(approved('LOG_RELATIONSHIP')))
  expect(own(session.entities)).toEqual(ids(approved('LOG_ENTITY')))
  expect(own(session.events.filter(({ name }) => name !== 'Unseen'))).toEqual(ids(approved('LOG_EVENT')))
  expect(session.events.filter(({ name }) => name === 'Mine')).toHaveLength(1)
  const names = namesIn(session)
  expect(new Set(names).size).toBe(names.length)
  const events = new Set(session.events.map(({ name }) => name))
  for (const { cause_class: cause, effect_class: effect, body } of session.causal_rules) {
    expect([events.has(cause ?? ''), events.has(effect ?? '')]).toEqual([true, true])
    expect(body).toContain(`?cause a :${cause} `)
  }
  for (const row of approved('LOG_EVENT')) {
    const entry = session.events.find((each) => each.pid === row.pid)
    expect([entry?.name, [...(entry?.templates ?? [])].toSorted()]).toEqual([row.name, family(rows, row).flatMap(clusters).toSorted()])
  }
  for (const { pid: of, from, to } of session.relationships) {
    const { cause, effect, cause_cluster: a, effect_cluster: b } = byPid.get(of ?? '')?.evidence ?? {}
    expect([from, to]).toEqual([classOf(rows, String(a)) ?? cause, classOf(rows, String(b)) ?? effect])
  }
  // what came in with an edge has an edge that needs it
  const edges = rows.filter((row) => row.status === 'APPROVED' && (row.proposal_type === 'LOG_CAUSAL_EDGE' || 'proposal_type' in row.edits))
  const ends = new Set(edges.flatMap(({ evidence }) => [evidence['cause_cluster'], evidence['effect_cluster']]))
  for (const row of approved('LOG_EVENT')) {
    const own = workspace.audit(row.pid).findLast((each) => each.action === 'approve')?.via === null
    expect([row.name, own || family(rows, row).flatMap(clusters).some((each) => ends.has(each))]).toEqual([row.name, true])
  }
  for (const row of rows) {
    expect(row.status === 'MERGED').toBe(row.merged_into !== null)
    // an edge may be demoted after another was merged into it
    if (row.merged_into !== null) expect(kindOf(byPid.get(row.merged_into)!)).toBe(kindOf(row))
    expect(replayed(workspace, row.pid)).toEqual(row.status)
  }
}

const namesIn = ({ events, entities, relationships }: Session): string[] => [...events, ...entities, ...relationships].map(({ name }) => name)
const kindOf = ({ proposal_type: kind }: Proposal): string => (kind === 'LOG_CAUSAL_EDGE' ? 'LOG_RELATIONSHIP' : kind)
const clusters = ({ evidence }: Proposal): string[] => evidence['clusters'] as string[]
const family = (rows: readonly Proposal[], of: Proposal): Proposal[] => [of, ...rows.filter((row) => row.merged_into === of.pid).flatMap((row) => family(rows, row))]

/** The name of the class of a template, through merges. */
function classOf(rows: readonly Proposal[], cluster: string): string | undefined {
  const [own] = rows.filter((row) => row.proposal_type === 'LOG_EVENT' && row.detection_strategy === 'LOG_TEMPLATE_CLUSTERING' && clusters(row).includes(cluster))
  let found = own
  while (found?.merged_into != null) found = rows.find(({ pid: of }) => of === found?.merged_into)
  return found?.name
}

/** The state that the audit alone tells: steps that were not taken back, edits aside, lead from one state to the next. */
function replayed(workspace: Workspace, of: string): ProposalState {
  const standing: { id: number; action: string; from: string; to: string }[] = []
  let at = 'PENDING'
  for (const { id, action: done, from_status: from, to_status: to, edits: about } of workspace.audit(of)) {
    expect(from).toBe(at)
    at = to
    if (done !== 'undo') {
      standing.push({ id, action: done, from, to })
      continue
    }
    const taken = standing.findIndex((each) => each.id === about['undoes'])
    const [step] = standing.splice(taken, 1)
    expect(standing.slice(taken).filter(({ action: later }) => later !== 'edit')).toEqual([]) // only edits outlive what came before them
    expect(to).toBe(step?.action === 'edit' ? from : step?.from)
  }
  expect(at).toBe(standing.findLast(({ action: done }) => done !== 'edit')?.to ?? 'PENDING')
  return at as ProposalState
}

/**
 * Undone step by step, everything is as it was on the first day. Where one wants a name back that another holds who has nothing left
 * to undo, that one is rejected for a while, as the refusal advises.
 */
function unwound(workspace: Workspace, first: string): void {
  for (let rounds = 0; rounds < 100; rounds += 1) {
    const open = pids.filter((each) => standing(workspace, each) > 0)
    if (open.length === 0) break
    if (takenBack(workspace, open) > 0) continue
    for (const each of pids) if (!open.includes(each)) decide(workspace, each, 'reject', OPTIONS)
    expect(takenBack(workspace, open)).toBeGreaterThan(0)
  }
  expect(bytesOf(workspace)).toBe(first)
}

const takenBack = (workspace: Workspace, open: readonly string[]): number =>
  open.filter((each) => {
    try {
      decide(workspace, each, 'undo', OPTIONS)
      return true
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'conflict') return false // another one comes first
      throw error
    }
  }).length

const standing = (workspace: Workspace, of: string): number =>
  workspace.audit(of).reduce((count, { action: step }) => count + (step === 'undo' ? -1 : 1), 0)
