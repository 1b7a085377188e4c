import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Session, SessionEvent, Tier } from '../contracts/index.ts'
import { compileCausalRule } from '../rules/index.ts'
import { cutSession } from './cut.ts'
import { checkSession, replaceSeen } from './session-check.ts'

const BASE = 'https://enterprise.example/ontology#'
const EMPTY: Session = { rules: [], causal_rules: [], entities: [], events: [], relationships: [], competency_questions: [] }
const event = (name: string, severity: string, templates: string[] = []): SessionEvent =>
  ({ name, label: name, templates, severity, service: '', source: 'user' })
const names = ({ events, entities, relationships }: Session) => [...events, ...entities, ...relationships].map(({ name }) => name)

const stands: Session = {
  ...EMPTY,
  events: [event('Breach', 'CRITICAL', ['c-breach']), event('Login', 'INFO')],
  entities: [{ name: 'Vault', key_slot: 'vault', source: 'user' }],
  relationships: [{ name: 'breaches', from: 'Breach', to: 'Vault', source: 'user' }],
  causal_rules: [compileCausalRule({
    id: 'r', pid: 'p', causeClass: 'Login', effectClass: 'Breach', windowSeconds: 5, sharedEntity: null, baseIri: BASE,
  })],
  rules: [{ id: 'own', kind: 'sparql', label: 'Breach', body: `PREFIX : <${BASE}>\nCONSTRUCT { ?Breach a <${BASE}Breach> } WHERE { ?Breach a :Breach ; :has "Breach" ; :is :Breaches }`,
    enabled: true, nl_summary: '', source: 'user', tier: 'Restricted' }],
}

describe('a session that names what is hidden from its sender', () => {
  const sent: Session = { ...EMPTY, events: [event('Breach', 'INFO'), event('Login', 'INFO'), event('Vault', 'INFO')] }
  const saved = replaceSeen(stands, sent, 'Internal')

  it('is kept as it was sent, as if nothing were hidden', () => {
    expect(cutSession(saved, 'Internal')).toEqual(cutSession(replaceSeen(EMPTY, sent, 'Internal'), 'Internal'))
    expect(cutSession(saved, 'Internal').events).toEqual(sent.events)
  })

  it('makes what is hidden give way, with everything hidden that speaks of it', () => {
    expect(saved.events.map(({ name, templates }) => [name, templates.length])).toEqual([['Breach2', 1], ['Breach', 0], ['Login', 0], ['Vault', 0]])
    expect(saved.entities).toMatchObject([{ name: 'Vault2', key_slot: 'vault' }])
    expect(saved.relationships).toMatchObject([{ name: 'breaches', from: 'Breach2', to: 'Vault2' }])
    expect(saved.causal_rules).toMatchObject([{ id: 'r', cause_class: 'Login', effect_class: 'Breach2', label: 'Login causes Breach2' }])
    expect(saved.causal_rules[0]?.body).toContain('?effect a :Breach2 ;')
    expect(saved.rules[0]?.body).toBe(`PREFIX : <${BASE}>\nCONSTRUCT { ?Breach a <${BASE}Breach2> } WHERE { ?Breach a :Breach2 ; :has "Breach" ; :is :Breaches }`)
    expect(() => checkSession(saved, { baseIri: BASE, ceiling: 'Restricted', before: EMPTY })).not.toThrow()
  })

  it('gets no name past the check because something hidden has it', () => {
    const odd = { ...EMPTY, events: [event('not a name', 'INFO')] }
    const check = (before: Session) => () => checkSession(odd, { baseIri: BASE, ceiling: 'Internal', before })
    expect(check({ ...EMPTY, events: [event('not a name', 'CRITICAL')] })).toThrow(expect.objectContaining({ code: 'invalid_request' }))
    expect(check(odd)).not.toThrow()
  })

  it('never doubles a name, loses nothing hidden, and comes back as it was sent', () => {
    const name = fc.constantFrom('A', 'B', 'C', 'A2', 'B2')
    const severity = fc.constantFrom('INFO', 'WARN', 'ERROR', 'CRITICAL')
    const events = fc.uniqueArray(fc.tuple(name, severity), { selector: ([own]) => own, maxLength: 5 }).map((all) => all.map(([own, grave]) => event(own, grave, [`t-${own}`])))
    fc.assert(
      fc.property(events, events, fc.constantFrom<Tier>('Public', 'Internal', 'Confidential'), (before, drawn, ceiling) => {
        const whole = { ...EMPTY, events: before }
        const own = cutSession({ ...EMPTY, events: drawn }, ceiling)
        const after = replaceSeen(whole, own, ceiling)
        expect(new Set(names(after)).size).toBe(names(after).length)
        expect(cutSession(after, ceiling).events).toEqual(own.events)
        expect(names(after)).toHaveLength(own.events.length + before.length - cutSession(whole, ceiling).events.length)
      }),
    )
  })
})
