import { describe, expect, it } from 'vitest'
import { readLine } from './format.ts'
import { readTime } from './timestamp.ts'

const AT = Date.UTC(2026, 2, 14, 8, 0, 0, 250)
const fields = (text: string) => {
  const result = readLine(text, 'file')
  return 'fields' in result ? result.fields : result
}

describe('readLine', () => {
  it('reads the usual JSON keys, and what stands beside the message as key=value', () => {
    const known = { '@timestamp': '2026-03-14T08:00:00.250Z', severity: 'warning', app: 'nrf', trace_id: 't1', message: 'lost' }
    expect(fields(JSON.stringify({ ...known, node: 'crt-07', note: 'a b' }))).toEqual({
      tsMs: AT, severity: 'WARN', service: 'nrf', trace: 't1', message: 'lost node=crt-07 note="a b"',
    })
  })

  it.each([
    ['2026-03-14T08:00:00.250Z ERROR router: link down', { severity: 'ERROR', service: 'router', message: 'link down' }],
    ['[2026-03-14 08:00:00,250] [WARN] disk full', { severity: 'WARN', service: 'file', message: 'disk full' }],
    ['2026-03-14T10:00:00.250+02:00 FATAL [core] heap full', { severity: 'CRITICAL', service: 'core', message: 'heap full' }],
    ['2026-03-14T08:00:00.250Z Information: no level here', { severity: 'INFO', service: 'file', message: 'no level here' }],
  ])('reads plain text: %s', (text, expected) => {
    expect(fields(text)).toEqual({ tsMs: AT, trace: '', ...expected })
  })

  it('keeps a line without a time, as a line without a time', () => {
    expect(fields('  at Object.run (main.js:3)')).toMatchObject({ tsMs: null, message: 'at Object.run (main.js:3)' })
  })

  it.each([
    ['   ', 'blank'],
    ['{"msg": "cut', 'bad_json'],
    ['{"level": "info"}', 'no_message'],
    ['{"msg": 7}', 'no_message'],
    ['2026-03-14T08:00:00Z ERROR', 'no_message'],
  ])('skips %j as %s', (text, skip) => {
    expect(readLine(text, 'file')).toEqual({ skip })
  })

  it.each(['9999-01-01T00:00:00Z', '1969-12-31T23:59:59Z', '2026-02-31T00:00:00Z', 'yesterday'])('flags the time %s', (ts) => {
    expect(readLine(JSON.stringify({ ts, msg: 'x' }), 'file')).toMatchObject({ flag: 'implausible_time', fields: { tsMs: null } })
  })

  it('strips escape sequences that hide inside JSON', () => {
    expect(fields('{"msg":"\\u001b[31mred\\u001b[0m"}')).toMatchObject({ message: 'red' })
  })

  it('a key called __proto__ is a key', () => {
    expect(fields('{"msg":"x","__proto__":"y"}')).toMatchObject({ message: 'x __proto__=y' })
  })
})

it.each([
  [AT, AT],
  [AT / 1000, AT],
  [AT * 1000, AT],
  [String(AT), AT],
  ['2026-03-14T08:00:00.250', AT],
  ['2026-03-14T08:00:00.250-0130', AT + 5_400_000],
  [Number.NaN, null],
  [null, null],
  [{}, null],
])('readTime(%j) is %j', (value, time) => {
  expect(readTime(value)).toBe(time)
})
