import { afterEach, describe, expect, it } from 'vitest'
import type { Session } from '../contracts/index.ts'
import { type NewCandidate, openWorkspace, pidOf, type Workspace } from '../store/index.ts'
import { withTurtle } from './candidate-turtle.ts'
import { type Action, decide, edit } from './decide.ts'

const NOW = '2026-01-02T03:04:05.000Z'
const BASE = 'https://enterprise.example/ontology#'

const common = { confidence: 0.9, consequence: 0.8, lagMsP50: null, lagMsP95: null, tier: 'Confidential',
  evidenceSample: '' } as const

const event = (name: string): NewCandidate => ({
  ...common, key: `event:${name}`, proposalType: 'LOG_EVENT', detectionStrategy: 'LOG_TEMPLATE_CLUSTERING',
  title: `Event ${name}`, name,
  evidence: { clusters: [`c-${name}`], severity: 'ERROR', service: 'router' },
})
const edge = (cause: string, effect: string): NewCandidate => ({
  ...common, key: `edge:${cause}:${effect}`, proposalType: 'LOG_CAUSAL_EDGE', detectionStrategy: 'GRANGER_CAUSALITY',
  title: `${cause} -> ${effect}`,
  name: `${cause}->${effect}`, lagMsP50: 2000, lagMsP95: 2500,
  evidence: {
    cause, effect, cause_cluster: `c-${cause}`, effect_cluster: `c-${effect}`, cause_severity: 'ERROR', effect_severity: 'WARN',
    cause_service: 'router', effect_service: 'bgpd', shared_entity: 'node', window_seconds: 30,
  },
})
const entity: NewCandidate = {
  ...common, key: 'entity:node', proposalType: 'LOG_ENTITY', detectionStrategy: 'PMI_TEMPORAL_ORDERING', title: 'Entity Node',
  name: 'Node',
  evidence: { slot: 'node' },
}
const relationship: NewCandidate = {
  ...edge('LinkDown', 'NfDeregister'), key: 'relationship', proposalType: 'LOG_RELATIONSHIP',
    detectionStrategy: 'PMI_TEMPORAL_ORDERING',
}
const anomaly: NewCandidate = { ...event('LinkDown'), key: 'anomaly', name: 'UnusualLinkDown',
  detectionStrategy: 'HMM_SEQUENCE_ANOMALY' }
/** a chain of three events with its two edges, a fourth event that no proposal describes, and the other kinds */
const STORY = [
  event('LinkDown'), event('BgpPeerLost'), event('NfDeregister'), edge('LinkDown', 'BgpPeerLost'), edge('BgpPeerLost',
    'NfDeregister'),
  edge('LinkDown', 'Unseen'), edge('Unseen', 'NfDeregister'), entity, relationship, anomaly,
]
const pids = STORY.map(({ key }) => pidOf(key))
const LINK_DOWN = pidOf('event:LinkDown')
const PEER_LOST = pidOf('event:BgpPeerLost')
const LINK_TO_PEER = pidOf('edge:LinkDown:BgpPeerLost')
const PEER_TO_NF = pidOf('edge:BgpPeerLost:NfDeregister')

const opened: Workspace[] = []
afterEach(() => {
  for (const workspace of opened.splice(0)) workspace.close()
})

function seeded(candidates: readonly NewCandidate[] = STORY): Workspace {
  const workspace = openWorkspace(':memory:', { clock: () => new Date(NOW) })
  opened.push(workspace)
  workspace.proposals.upsert(withTurtle(candidates, { baseIri: BASE }), NOW)
  // what people wrote themselves must survive every decision
  const { session } = workspace.session.load()
  const own = { id: 'own', kind: 'sparql', label: '', body: 'CONSTRUCT { ?a <x:b> ?c } WHERE { ?a <x:d> ?c }', enabled: true,
    nl_summary: '', source: 'user' } as const
  workspace.session.save({ ...session, rules: [own], events: [{ name: 'Mine', label: '', templates: [], severity: 'INFO',
    service: '', source: 'user' }] }, 0)
  return workspace
}

const act = (workspace: Workspace, pid: string, action: Action, note?: string) =>
  decide(workspace, pid, action, { reviewer: 'ann', now: NOW, baseIri: BASE, ...(note === undefined ? {} : { note }) })
const status = (workspace: Workspace, pid: string) => workspace.proposals.get(pid)?.status
const sessionOf = (workspace: Workspace): Session => workspace.session.load().session
const discovered = <Entry extends { source: string }>(entries: readonly Entry[]) =>
  entries.filter(({ source }) => source === 'log-discovery')
/** everything a decision may touch, but for version counters */
const stateOf = (workspace: Workspace) => ({
  session: sessionOf(workspace),
  rows: workspace.proposals.list().proposals.map((row) => ({ ...row, version: 0, updated_at: '' })),
})

describe('approving', () => {
  it('an event makes it a class of the session', () => {
    const workspace = seeded()
    const { proposal, session_entry: entry, brought_along: along } = act(workspace, LINK_DOWN, 'approve', 'seen it')
    const expected = {
      name: 'LinkDown', label: 'link down', templates: ['c-LinkDown'], severity: 'ERROR', service: 'router',
      source: 'log-discovery', pid: LINK_DOWN,
    }
    expect(entry).toEqual(expected)
    expect(along).toEqual([])
    expect(discovered(sessionOf(workspace).events)).toEqual([expected])
    expect(proposal).toMatchObject({ status: 'APPROVED', reviewer_id: 'ann', review_note: 'seen it', reviewed_at: NOW })
    expect(workspace.audit(LINK_DOWN)).toMatchObject([
      { action: 'approve', from_status: 'PENDING', to_status: 'APPROVED', reviewer_id: 'ann', note: 'seen it', via: null,
      at: NOW },
    ])
  })

  it('an entity makes a class with its key slot, a relationship a property between two classes', () => {
    const workspace = seeded()
    expect(act(workspace, pidOf('entity:node'), 'approve').session_entry).toMatchObject({ name: 'Node', key_slot: 'node',
      source: 'log-discovery' })
    expect(act(workspace, pidOf('relationship'), 'approve').session_entry).toMatchObject({
      name: 'linkDownRelatedToNfDeregister', from: 'LinkDown', to: 'NfDeregister', source: 'log-discovery',
    })
    expect(sessionOf(workspace).causal_rules).toEqual([])
  })

  it('a causal edge compiles its rule and approves its two events', () => {
    const workspace = seeded()
    const { session_entry: rule, brought_along: along } = act(workspace, LINK_TO_PEER, 'approve')
    expect(rule).toMatchObject({
      id: 'causal-link-down-bgp-peer-lost', kind: 'sparql', source: 'log-discovery', pid: LINK_TO_PEER, window_seconds: 30,
      cause_class: 'LinkDown', effect_class: 'BgpPeerLost',
    })
    expect(sessionOf(workspace).causal_rules).toEqual([rule])
    expect(along).toEqual([LINK_DOWN, PEER_LOST])
    expect(discovered(sessionOf(workspace).events).map(({ name }) => name)).toEqual(['LinkDown', 'BgpPeerLost'])
    expect(workspace.audit(PEER_LOST)).toMatchObject([{ action: 'approve', to_status: 'APPROVED', via: LINK_TO_PEER }])
  })

  it('an edge whose event has no proposal takes the event from its own evidence', () => {
    const workspace = seeded()
    act(workspace, pidOf('edge:LinkDown:Unseen'), 'approve')
    expect(sessionOf(workspace).events.find(({ name }) => name === 'Unseen')).toMatchObject({
      templates: ['c-Unseen'], severity: 'WARN', service: 'bgpd', pid: pidOf('edge:LinkDown:Unseen'),
    })
  })

  it('an unusual sequence makes a class beside the everyday one, which edges go on to mean', () => {
    const workspace = seeded()
    expect(act(workspace, pidOf('anomaly'), 'approve').session_entry).toMatchObject({ name: 'UnusualLinkDown',
      templates: ['c-LinkDown'] })
    expect(act(workspace, LINK_TO_PEER, 'approve')).toMatchObject({ session_entry: { cause_class: 'LinkDown' },
      brought_along: [LINK_DOWN, PEER_LOST] })
    const empty = { ...anomaly, key: 'none', name: 'Odd', evidence: { clusters: [], severity: 'INFO' } }
    workspace.proposals.upsert([empty], NOW)
    expect(act(workspace, pidOf('none'), 'approve').session_entry).toMatchObject({ templates: [] })
  })
})

describe('a decision is refused, and nothing changes,', () => {
  it.each<[string, string, Action, (workspace: Workspace) => void, string]>([
    ['on an unknown candidate', 'nobody', 'approve', () => {}, 'not_found'],
    ['on one that is approved', LINK_DOWN, 'approve', (w) => act(w, LINK_DOWN, 'approve'), 'conflict'],
    ['on one that is rejected', LINK_DOWN, 'defer', (w) => act(w, LINK_DOWN, 'reject'), 'conflict'],
    ['when there is nothing to undo', LINK_DOWN, 'undo', () => {}, 'conflict'],
    ['when everything is undone', LINK_DOWN, 'undo', (w) => ['reject', 'undo'].forEach((a) => act(w, LINK_DOWN, a as Action)),
      'conflict'],
    ['on an edge whose event was rejected', LINK_TO_PEER, 'approve', (w) => act(w, PEER_LOST, 'reject'), 'conflict'],
    ['when an edge still needs the event', LINK_DOWN, 'undo', (w) => act(w, LINK_TO_PEER, 'approve'), 'conflict'],
    ['when the evidence is incomplete', pidOf('broken'), 'approve', (w) => w.proposals.upsert([{ ...edge('A', 'B'), key: 'broken',
      evidence: { cause: 'A' } }], NOW), 'conflict'],
    ['when the name is taken', pidOf('twin'), 'approve', (w) => w.proposals.upsert([{ ...event('Mine'), key: 'twin' }], NOW),
      'conflict'],
    ['when the name is one of ours', pidOf('event:CausalEvent'), 'approve', (w) => w.proposals.upsert([event('CausalEvent')],
      NOW), 'conflict'],
    ['on an older kind', pidOf('old'), 'approve', (w) => w.proposals.upsert([{ ...event('X'), key: 'old',
      proposalType: 'NEW_CLASS' }], NOW), 'conflict'],
  ])('%s', (_, pid, action, prepare, code) => {
    const workspace = seeded()
    prepare(workspace)
    const before = stateOf(workspace)
    const audit = pids.map((each) => workspace.audit(each))
    expect(() => act(workspace, pid, action)).toThrow(expect.objectContaining({ code }))
    expect(stateOf(workspace)).toEqual(before)
    expect(pids.map((each) => workspace.audit(each))).toEqual(audit)
  })

  it('above the ceiling of the reviewer, as if the candidate did not exist', () => {
    const options = { reviewer: 'ann', now: NOW, baseIri: BASE, maxTier: 'Internal' } as const
    expect(() => decide(seeded(), LINK_DOWN, 'approve', options)).toThrow(expect.objectContaining({ code: 'not_found' }))
  })
})

describe('undoing', () => {
  it('returns step by step, with the signature of the step before', () => {
    const workspace = seeded()
    act(workspace, LINK_DOWN, 'defer', 'later')
    act(workspace, LINK_DOWN, 'reject', 'noise')
    expect(act(workspace, LINK_DOWN, 'undo', 'oops').proposal).toMatchObject({ status: 'DEFERRED', review_note: 'later' })
    expect(act(workspace, LINK_DOWN, 'undo').proposal).toMatchObject({ status: 'PENDING', reviewer_id: null, review_note: null,
      reviewed_at: null })
    expect(workspace.audit(LINK_DOWN).map(({ to_status: to }) => to)).toEqual(['DEFERRED', 'REJECTED', 'DEFERRED', 'PENDING'])
  })

  it('a note stays on the edge it was written for: the events it brings along may be open to others', () => {
    const workspace = seeded()
    act(workspace, LINK_TO_PEER, 'approve', 'customer 4711')
    expect(workspace.proposals.get(LINK_DOWN)).toMatchObject({ status: 'APPROVED', review_note: null })
    expect(JSON.stringify(workspace.audit(LINK_DOWN))).not.toContain('4711')
    act(workspace, LINK_TO_PEER, 'undo', 'customer 4712')
    expect(JSON.stringify(workspace.audit(LINK_DOWN))).not.toContain('471')
  })

  it('an edge takes back the events it brought along, to the state they had', () => {
    const workspace = seeded()
    act(workspace, PEER_LOST, 'defer', 'unsure')
    const before = stateOf(workspace)
    act(workspace, LINK_TO_PEER, 'approve')
    expect(act(workspace, LINK_TO_PEER, 'undo').brought_along).toEqual([LINK_DOWN, PEER_LOST])
    expect(stateOf(workspace)).toEqual(before)
    expect(status(workspace, PEER_LOST)).toBe('DEFERRED')
  })

  it('an edge leaves an event that was approved on its own', () => {
    const workspace = seeded()
    act(workspace, LINK_DOWN, 'approve')
    act(workspace, LINK_TO_PEER, 'approve')
    act(workspace, LINK_TO_PEER, 'undo')
    expect([status(workspace, LINK_DOWN), status(workspace, PEER_LOST)]).toEqual(['APPROVED', 'PENDING'])
  })

  it('an event that two edges share leaves with the second', () => {
    const workspace = seeded()
    act(workspace, LINK_TO_PEER, 'approve')
    act(workspace, PEER_TO_NF, 'approve')
    act(workspace, LINK_TO_PEER, 'undo')
    expect([status(workspace, LINK_DOWN), status(workspace, PEER_LOST)]).toEqual(['PENDING', 'APPROVED'])
    act(workspace, PEER_TO_NF, 'undo')
    expect(status(workspace, PEER_LOST)).toBe('PENDING')
    expect(discovered(sessionOf(workspace).events)).toEqual([])
  })
})

describe('undoing under another name', () => {
  const signed = { reviewer: 'ann', now: NOW, baseIri: BASE }
  const names = (workspace: Workspace) => discovered(sessionOf(workspace).events).map(({ name }) => name)

  it.each([
    ['an edit', false],
    ['an approval with an edit', true],
  ])('of %s is refused while another one has the name, and goes once it is free', (_, together) => {
    const workspace = seeded()
    if (together) decide(workspace, LINK_DOWN, 'approve', { ...signed, edits: { name: 'Gamma' } })
    else {
      act(workspace, LINK_DOWN, 'approve')
      edit(workspace, LINK_DOWN, { name: 'Gamma' }, signed)
    }
    act(workspace, PEER_LOST, 'approve')
    edit(workspace, PEER_LOST, { name: 'LinkDown' }, signed)
    const before = stateOf(workspace)
    expect(() => act(workspace, LINK_DOWN, 'undo')).toThrow(expect.objectContaining({ code: 'conflict' }))
    expect(stateOf(workspace)).toEqual(before)
    expect(names(workspace)).toEqual(['Gamma', 'LinkDown'])
    act(workspace, PEER_LOST, 'undo')
    act(workspace, LINK_DOWN, 'undo')
    expect(names(workspace)).toEqual(together ? ['BgpPeerLost'] : ['LinkDown', 'BgpPeerLost'])
  })

  it.each(['reject', 'edit'] as const)('of a step before which mining gave two the same name goes: %s', (step) => {
    const workspace = seeded([event('LinkDown'), { ...event('LinkDown'), key: 'twin' }])
    const before = stateOf(workspace)
    if (step === 'reject') act(workspace, LINK_DOWN, 'reject')
    else edit(workspace, LINK_DOWN, { name: 'Gamma' }, signed)
    act(workspace, LINK_DOWN, 'undo')
    expect(stateOf(workspace)).toEqual(before)
  })

  it('an edge takes along what it brought, edited or not, and the edit stays', () => {
    const workspace = seeded()
    const before = stateOf(workspace)
    act(workspace, LINK_TO_PEER, 'approve')
    edit(workspace, LINK_DOWN, { name: 'Gamma' }, signed)
    expect(act(workspace, LINK_TO_PEER, 'undo').brought_along).toEqual([LINK_DOWN, PEER_LOST])
    expect(names(workspace)).toEqual([])
    expect(workspace.proposals.get(LINK_DOWN)).toMatchObject({ status: 'PENDING', name: 'Gamma', reviewer_id: 'ann' })
    act(workspace, LINK_DOWN, 'undo')
    expect(stateOf(workspace)).toEqual(before)
  })

  it('an edge leaves what a demoted one has brought, which leaves with that one', () => {
    const workspace = seeded()
    act(workspace, LINK_TO_PEER, 'approve')
    edit(workspace, LINK_TO_PEER, { proposal_type: 'LOG_RELATIONSHIP' }, signed)
    const before = stateOf(workspace)
    act(workspace, PEER_TO_NF, 'approve')
    act(workspace, PEER_TO_NF, 'undo')
    expect(stateOf(workspace)).toEqual(before)
    act(workspace, LINK_TO_PEER, 'undo')
    act(workspace, LINK_TO_PEER, 'undo')
    expect(names(workspace)).toEqual([])
  })

  it('a relationship follows the name that its event gets with its approval', () => {
    const workspace = seeded()
    act(workspace, pidOf('relationship'), 'approve')
    const ends = () => sessionOf(workspace).relationships.map(({ from }) => from)
    decide(workspace, LINK_DOWN, 'approve', { ...signed, edits: { name: 'Gamma' } })
    expect(ends()).toEqual(['Gamma'])
    act(workspace, LINK_DOWN, 'undo')
    expect(ends()).toEqual(['LinkDown'])
  })
})
