import { expect, it } from 'vitest'
import type { Table } from '../sources/index.ts'
import { cutOntology } from './cut.ts'
import { isEventTable } from './events.ts'
import { build, column, id, key, table, time } from './fixtures.test-support.ts'
import { emptyRow } from './propose.ts'
import { ontologyTurtle } from './turtle.ts'

const kinds = column('event_type', { samples: ['link_up', 'link_down', 'Reboot'] })
const happened = time('raised_at', { nullable: false })
const network = table('network_events', [id, kinds, time('at')])

it.each<[string, Table, boolean]>([
  ['by its name', table('alarms', [id]), true],
  ['by the end of its name', table('audit_log', [id]), true],
  ['not by the start of it', table('event_venue', [id, column('name')]), false],
  ['not by what takes part in one', table('assets_in_events', [id, column('role')]), false],
  ['not as a part of a word', table('blog', [id]), false],
  ['by event_type and a time', table('reading', [id, kinds, time('at')]), true],
  ['not by event_type and the time of writing', table('reading', [id, kinds, time('created_at')]), false],
  ['by a kind and a time at which it happened', table('trip', [id, column('kind'), happened]), true],
  ['not by a type and any time', table('account', [id, column('type'), time('opened_at', { nullable: false })]), false],
  ['not by a number for a type', table('trip', [id, column('type', { valueType: 'integer' }), happened]), false],
  ['not as a view', table('alarms', [id], { kind: 'view' }), false],
])('knows a table of happenings %s', (_, candidate, expected) => {
  expect(isEventTable(candidate)).toBe(expected)
})

it('makes one subclass per kind, each disjoint with the others', () => {
  const whole = build([network])
  expect(whole.classes[0]).toMatchObject({ name: 'NetworkEvent', isEvent: true })
  const found = whole.eventSubclasses?.map(({ name, label, value, property, parent }) => [name, label, value, property, parent])
  expect(found).toEqual([
    ['LinkDownNetworkEvent', 'Link down network event', 'link_down', 'event_type', 'NetworkEvent'],
    ['LinkUpNetworkEvent', 'Link up network event', 'link_up', 'event_type', 'NetworkEvent'],
    ['RebootNetworkEvent', 'Reboot network event', 'Reboot', 'event_type', 'NetworkEvent'],
  ])
  const turtle = ontologyTurtle(whole)
  expect(turtle).toContain(':LinkUpNetworkEvent a owl:Class ;')
  expect(turtle).toContain('rdfs:subClassOf :NetworkEvent ;')
  expect(turtle).toContain('_:NetworkEvent.kinds.disjoint a owl:AllDisjointClasses ;')
  expect(turtle.match(/rdf:first :\w+NetworkEvent/g)).toHaveLength(3)
})

it('does not say twice what value and class have in common, and gives equal names a mark', () => {
  const samples = ['login event', 'LOGIN_EVENT', '7 up', 'Event']
  const names = build([table('event', [id, column('type', { samples })])]).eventSubclasses?.map(({ name }) => name) ?? []
  expect(names).toContain('LoginEvent')
  expect(names).toContain('T7UpEvent')
  expect(names.filter((name) => /^(?:LoginEvent|Event)_[0-9a-f]{6}$/.test(name))).toHaveLength(2)
})

it.each([
  ['numbers', ['1', '2']],
  ['texts', ['x'.repeat(61)]],
  ['more values than a source shows', Array.from({ length: 20 }, (_, i) => `kind ${i}`)],
  ['nothing', []],
])('makes no class of %s', (_, samples) => {
  expect(build([table('event', [id, column('type', { samples })])]).eventSubclasses).toEqual([])
})

it('says nothing of disjointness where there is one kind', () => {
  expect(ontologyTurtle(build([table('event', [id, column('type', { samples: ['x'] })])]))).not.toContain('AllDisjointClasses')
})

it('takes the word of a person on what is an event', () => {
  const said = (is: boolean) => build([network], [emptyRow('network_events', null, { is_event_class: is })])
  expect(said(false).eventSubclasses).toEqual([])
  expect(said(true).eventSubclasses).toHaveLength(3)
})

it('never shows a class that was made from a value above the ceiling', () => {
  const secret = build([network], [emptyRow('network_events', 'event_type', { sensitivity_tier: 'Restricted' })])
  expect(secret.eventSubclasses?.every(({ tier }) => tier === 'Restricted')).toBe(true)
  const cut = cutOntology(secret, 'Confidential')
  expect(cut.classes).toHaveLength(1)
  expect(JSON.stringify(cut).toLowerCase()).not.toMatch(/link|reboot/)
})

it('keeps the name of a visible kind whatever a hidden value would be called', () => {
  const fire = table('fire_alert', [id, column('kind', { samples: ['smoke'] })])
  const names = (hidden: string) => {
    const alert = table('alert', [id, column('kind', { samples: [hidden] })])
    const whole = build([alert, fire], [emptyRow('alert', null, { sensitivity_tier: 'Restricted' })])
    return cutOntology(whole, 'Confidential').eventSubclasses?.map(({ name }) => name)
  }
  expect(names('smoke fire')).toEqual(['SmokeFireAlert'])
  expect(names('flood')).toEqual(names('smoke fire'))
})

it('does not take a reference for the column of kinds', () => {
  const type = table('event_type', [id])
  const foreignKeys = [key(['event_type'], 'event_type')]
  const event = table('event', [id, column('event_type', { samples: ['a'] })], { foreignKeys })
  expect(build([type, event]).eventSubclasses).toEqual([])
})
