import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LogRecord } from '../candidate.ts'
import { addLine, mergeTables, shapeOf } from '../shapes/index.ts'
import type { ShapeTable } from '../shapes/index.ts'
import { eventNames } from './event-name.ts'
import { labelText } from './label.ts'
import { slotRanges, templatesOfRecords } from './records.ts'
import { templatesOf } from './templates.ts'
import type { Template, Templates } from './templates.ts'

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

  it('a frequent template explains rare lines whose value has blanks or is missing, but no other statement', () => {
    const often = times(4, ['invalid user ann from 10.0.0.1', 'invalid user bob from 10.0.0.1', 'invalid user eve7 from 10.0.0.1'])
    const rare = ['invalid user  from 10.0.0.2', 'invalid user mc fly from 10.0.0.2']
    const others = ['invalid user not from 10.0.0.2', 'invalid user ann: gone from 10.0.0.2']
    const found = shapes([...often, ...[...rare, ...others].map((message, i) => record(message, 100 + i))])
    expect(found.map(([text, hits]) => `${hits} ${text}`)).toEqual([
      '14 invalid user <*> from <*>', '1 invalid user <*>: gone from <*>', '1 invalid user not from <*>',
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

describe('templatesOf', () => {
  const table = (messages: readonly string[]): ShapeTable => {
    const shapes: ShapeTable = new Map()
    for (const message of messages) addLine(shapes, { message, severity: 'INFO', service: 'app' })
    return shapes
  }
  const texts = (messages: readonly string[]): string[] => templatesOf(table(messages)).templates.map(({ text }) => text)
  const word = fc.constantFrom('ann', 'bob', 'eve', 'alpha', 'beta', 'up', 'down', 'm1', 'm2', '7', '10.0.0.1', 'a.b.C', '(1 KB)', '')
  const statement = fc.constantFrom(
    'session opened for user @', 'link @ on port @', 'copied @ bytes @ to host @', 'cache @ refreshed', 'user=@ logged in', 'job @',
  )
  const line = fc.tuple(statement, word, word).map(([text, one, two]) => text.replace('@', one).replaceAll('@', two))

  it('is the same for any order and any sharding of the lines', () => {
    const shards = fc.array(fc.nat(2), { minLength: 120, maxLength: 120 })
    fc.assert(
      fc.property(fc.array(line, { maxLength: 120 }), shards, (lines, homes) => {
        const parts = [0, 1, 2].map((shard) => table(lines.filter((_, i) => homes[i] === shard).toReversed()))
        const merged: ShapeTable = new Map()
        for (const part of parts.toReversed()) mergeTables(merged, part)
        const shown = ({ templates, templateOfShape }: Templates): unknown => [
          templates.map(({ id, text, hits, sketches }) => ({ id, text, hits, sketches })),
          [...templateOfShape].toSorted(),
        ]
        expect(shown(templatesOf(merged))).toEqual(shown(templatesOf(table(lines))))
      }),
      { numRuns: 40 },
    )
  })

  it('every shape has a template, and the hits are the lines', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 80 }), (lines) => {
        const shapes = table(lines)
        const { templates, templateOfShape } = templatesOf(shapes)
        expect(templates.reduce((sum, { hits }) => sum + hits, 0)).toBe(lines.length)
        expect([...shapes.keys()].every((key) => templates.some(({ id }) => id === templateOfShape.get(key)))).toBe(true)
        expect(new Set(templates.map(({ id }) => id)).size).toBe(templates.length)
        for (const { parts, sketches } of templates) expect(sketches).toHaveLength(parts.filter((part) => part.slot).length)
      }),
      { numRuns: 60 },
    )
  })

  it.each([
    ['a measure in one unit or another', ['copied 12 bytes sent, took 12:05 all', 'copied 1204 bytes (1.2 KB) sent, took 12:09 all'], 10,
      ['copied <*> bytes <*> sent, took <*> all']],
    ['what all values begin with', ['drop blk_17 in 3ms', 'drop blk_99 in 4ms'], 1, ['drop blk_<*> in <*>ms']],
    ['a word with a digit that never changed', ['login via ssh2', 'login via ssh2'], 1, ['login via ssh2']],
    ['a key whose value never changed', ['open tty=ssh'], 20, ['open tty=ssh']],
    ['a key that names is a value all the same', ['open host=alpha'], 20, ['open host=<*>']],
    ['truth values', ['ready: true', 'ready: false'], 1, ['ready: <*>']],
    ['a name known from elsewhere', ['login user=ann', 'password of ann wrong', 'password of bob wrong'], 1,
      ['password of <*> wrong', 'login user=<*>']],
    ['nothing of a secret', [`token eyJ${'a'.repeat(30)}`], 1, ['token <*>']],
    ['a private label', ['username: ann'], 1, ['username: <*>']],
    ['requests of different kinds', ['GET the page now', 'PUT the page now', 'POST the page now'], 20,
      ['GET the page now', 'POST the page now', 'PUT the page now']],
  ] as const)('shows %s', (_, messages, n, expected) => {
    expect(texts(Array.from({ length: n }, () => messages).flat())).toEqual(expected)
  })

  it('the slots of a line lie where its shape has them, also where shapes of different lengths came together', () => {
    const long = 'copied 1204 bytes (1.2 KB) sent, took 12:09 all'
    const lines = Array.from({ length: 10 }, () => ['copied 12 bytes sent, took 12:05 all', long]).flat()
    const [template] = templatesOf(table(lines)).templates as [Template]
    const ranges = slotRanges(template, long, shapeOf(long).key)
    expect(ranges.map(([start, end]) => long.slice(start, end))).toEqual(['1204', '(1.2 KB)', '12:09'])
  })

  it.each([
    ['took 1.5 s at 2026-01-02 10:11:12', 'took <*>.<*> s at <*>-<*>-<*> <*>:<*>:<*>'],
    ['block rdd_4_2 of job_1445144423722_0020', 'block rdd_<*>_<*> of job_<*>'],
    ['from 10.0.0.1:80', 'from <*>:<*>'],
    ['at (0, 1 - 2, 3)', 'at (<*>, <*> - <*>, <*>)'],
  ])('in the convention of labelled sets %j is %j', (message, label) => {
    expect(labelText(templatesOf(table([message])).templates[0] as Template)).toBe(label)
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
