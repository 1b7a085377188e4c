import { describe, expect, it } from 'vitest'
import type { LogRecord } from '../candidate.ts'
import { eventNames } from './event-name.ts'
import { templatesOfRecords } from './records.ts'

const record = (message: string, offset: number, service = 'app'): LogRecord => ({
  file: 'x.log', offset, tsMs: offset * 1000, severity: 'INFO', service, trace: '', message,
})
const times = (n: number, messages: readonly string[]): LogRecord[] =>
  Array.from({ length: n }, () => messages).flatMap((all, i) => all.map((message, j) => record(message, i * 10 + j)))
const shapes = (records: readonly LogRecord[]): [string, number][] =>
  templatesOfRecords(records).map(({ template, records: own }) => [template.text, own.length])
const names = (given: readonly (readonly [message: string, service: string])[]): string[] =>
  eventNames(
    given.flatMap(([message, service]) => templatesOfRecords([record(message, 0, service)]).map(({ template }) => ({ template, service }))),
  )

describe('templatesOfRecords', () => {
  it('puts lines of one shape into one template with a stable id', () => {
    const found = templatesOfRecords([record('link down node=crt-07', 0), record('link down node=crt-09', 1), record('idle', 2)])
    expect(found.map(({ template, records }) => [template.text, template.id.length, records.length])).toEqual([
      ['link down node=<*>', 16, 2],
      ['idle', 16, 1],
    ])
    expect(found[0]?.template.id).toBe(templatesOfRecords([record('link down node=x', 5)])[0]?.template.id)
  })

  it('merges shapes that differ in a word that varies, once each has ten hits', () => {
    const three = ['cache alpha refreshed', 'cache beta refreshed', 'cache gamma refreshed']
    expect(shapes(times(10, three))).toEqual([['cache <*> refreshed', 30]])
    expect(shapes(times(9, three))).toHaveLength(3)
  })

  it('two variants are two statements, unless a value stands in the same place', () => {
    expect(shapes(times(12, ['disk read slow', 'disk write slow']))).toHaveLength(2)
    expect(shapes(times(1, ['cannot change to dir /home/ann/x', 'cannot change to dir pwd']))).toEqual([
      ['cannot change to dir <*>', 2],
    ])
  })

  it('the noun before a word may say that it is a name', () => {
    const users = ['session opened for user ann', 'session opened for user bob', 'session opened for user eve']
    expect(shapes(times(4, users))).toEqual([['session opened for user <*>', 12]])
    expect(shapes(times(40, ['instance spawned well', 'instance destroyed well', 'instance paused well']))).toHaveLength(3)
  })

  it.each([
    ['link up on uplink port', 'link down on uplink port'],
    ['peer session lost on core', 'peer session restored on core'],
    ['job finished and was accepted', 'job finished and was rejected'],
  ])('never merges a change of state: %s, %s', (one, other) => {
    expect(shapes(times(20, [one, other, one.replace(/up|lost|accepted/, 'failed')]))).toHaveLength(3)
  })

  it('never merges the words of different services', () => {
    const records = ['alpha', 'beta', 'gamma'].flatMap((word) =>
      Array.from({ length: 12 }, (_, i) => record(`cache ${word} refreshed`, i, `service-${word}`)),
    )
    expect(shapes(records)).toHaveLength(3)
  })
})

describe('eventNames', () => {
  it('come from the words of the template', () => {
    const given = [['link down node=crt-07 port=3', 'router'], ['nf deregister nf=amf-1', 'amf']] as const
    expect(names(given)).toEqual(['LinkDown', 'NfDeregister'])
  })

  it.each([
    { name: 'small words are left out', given: [['connection to the peer was closed', 'x']], is: ['ConnectionPeerClosed'] },
    { name: 'no words at all', given: [['10.0.0.1 7', 'x']], is: ['Unworded'] },
    { name: 'a clash takes the service', given: [['peer up a=1', 'x'], ['peer up b=1', 'y']], is: ['XPeerUp', 'YPeerUp'] },
  ] as const)('$name', ({ given, is }) => {
    expect(names(given)).toEqual(is)
  })

  it('a clash within one service takes the id, and every name is an identifier', () => {
    const all = names([['link down a=1', 'x'], ['link down b=1', 'x'], ['"> ?x . } DELETE WHERE { ?s ?p ?o } #', 'x']])
    expect(new Set(all).size).toBe(3)
    for (const name of all) expect(name).toMatch(/^[A-Za-z][A-Za-z0-9]*$/)
  })
})
