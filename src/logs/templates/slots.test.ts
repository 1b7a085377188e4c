import { describe, expect, it } from 'vitest'
import type { LogRecord } from '../candidate.ts'
import { shapeOf } from '../shapes/index.ts'
import { isPrivateName, isPrivateValue, luhn } from './pii.ts'
import { entitiesOf, maskedMessage, slotRanges, templatesOfRecords } from './records.ts'
import { typeSlots } from './slots.ts'

const records = (messages: readonly string[]): LogRecord[] =>
  messages.map((message, offset) => ({ file: 'x', offset, tsMs: offset, severity: 'INFO', service: 's', trace: '', message }))
const only = (messages: readonly string[]) => {
  const [found, ...more] = templatesOfRecords(records(messages))
  if (found === undefined || more.length > 0) throw new Error('the lines of this test must have one template')
  return found.template
}
const slotsOf = (...messages: string[]) => typeSlots(only(messages), 'WARN')

describe('typeSlots', () => {
  it.each([
    ['peer=10.0.0.1', 'peer', 'IP', '', true],
    ['id f81d4fae-7dec-11d0-a765-00a0c91e6bf6', 'id', 'UUID', '', true],
    ['see https://a.example/x', 'see', 'IRI', '', false],
    ['mask=0xff', 'mask', 'HEX', '', false],
    ['rtt=12ms', 'rtt', 'NUMERIC', 'duration', false],
    ['node=crt-07', 'node', 'FREETEXT', 'id', true],
    ['session=4711', 'session', 'NUMERIC', '', true],
    ['port=8080', 'port', 'NUMERIC', 'port', false],
    ['version=v1.2', 'version', 'FREETEXT', 'id', false],
    ['host=alpha', 'host', 'FREETEXT', '', true],
    ['reason=los', 'reason', 'FREETEXT', '', false],
  ])('%s is a slot named %s of type %s (%s), entity: %s', (message, name, type, subtype, entity) => {
    expect(slotsOf(message)).toMatchObject([{ slot: { name, type, subtype, tier: 'Internal', piiRisk: false }, entity }])
  })

  it('few values that return are an ENUM, with their counts', () => {
    const [typed] = slotsOf('state=ready', 'state=ready', 'state=ready', 'state=idle')
    expect(typed?.slot).toMatchObject({ type: 'ENUM', distinctCount: 2, sampleCount: 4, topValues: [['ready', 3], ['idle', 1]] })
  })

  it('slots of one name are told apart by number', () => {
    const named = slotsOf('from 1 to 2 a=1 a=2').map(({ slot }) => [slot.slotIdx, slot.name])
    expect(named).toEqual([[0, 'from'], [1, 'to'], [2, 'a'], [3, 'a_2']])
  })

  it('private values are Restricted, masked, and no entities', () => {
    const message = 'charge imsi=262011234567890 node=crt-07 to ann@example.org'
    const template = only([message])
    const slots = typeSlots(template, 'INFO')
    expect(slots.map(({ slot }) => [slot.name, slot.piiRisk, slot.tier])).toEqual([
      ['imsi', true, 'Restricted'],
      ['node', false, 'Public'],
      ['to', true, 'Restricted'],
    ])
    expect(JSON.stringify(slots)).not.toMatch(/26201|ann@/)
    const ranges = slotRanges(template, message, shapeOf(message).key)
    expect(maskedMessage(message, ranges, slots)).toBe('charge imsi=<imsi> node=crt-07 to <to>')
    expect(entitiesOf(message, ranges, slots)).toEqual(['node=crt-07'])
    expect(slotsOf('login user_id=u-17')).toMatchObject([{ slot: { piiRisk: true }, entity: false }])
  })
})

describe('types', () => {
  const many = (n: number, odd: number): string[] =>
    Array.from({ length: n }, (_, i) => (i < odd ? `from host-${i}x` : `from 10.0.${i % 250}.${i % 7}`))

  it('hold where all values agree or nearly all of many do (lower bound of the share), not by one sample', () => {
    expect(slotsOf('from 10.0.0.1')[0]?.slot.type).toBe('IP')
    expect(slotsOf(...many(9, 1))[0]?.slot.type).toBe('FREETEXT')
    expect(slotsOf(...many(400, 1))[0]?.slot.type).toBe('IP')
    expect(slotsOf(...many(400, 40))[0]?.slot.type).toBe('FREETEXT')
  })

  it('the number behind an address is its port', () => {
    expect(slotsOf('from 10.0.0.1:443').map(({ slot }) => [slot.name, slot.type, slot.subtype])).toEqual([
      ['from', 'IP', ''],
      ['port', 'NUMERIC', 'port'],
    ])
  })

  it('a number that passes for a card by chance does not make a column of ids private', () => {
    const ids = Array.from({ length: 40 }, (_, i) => `done id=${4_000_000_000_000 + i * 7919}`)
    expect(slotsOf(...ids)[0]?.slot.piiRisk).toBe(false)
    expect(JSON.stringify(slotsOf(...ids)[0]?.slot.topValues)).toContain('<id>')
    expect(slotsOf('paid card=4111111111111111')[0]?.slot).toMatchObject({ piiRisk: true, tier: 'Restricted' })
  })
})

describe('private data', () => {
  it.each(['imsi', 'user_email', 'userName', 'apiKey', 'access_token', 'MSISDN'])('%s is a private name', (name) => {
    expect(isPrivateName(name)).toBe(true)
  })
  it.each(['node', 'used', 'tokenizer', 'phones'])('%s is not', (name) => {
    expect(isPrivateName(name)).toBe(false)
  })
  const token = `eyJ${'a'.repeat(30)}`
  it.each(['ann@example.org', '4111111111111111', 'DE89370400440532013000', '+4915112345678', '262011234567890', 'AKIAIOSFODNN7EXAMPLE', 'to <ann@example.org>', token])(
    '%s is a private value',
    (value) => expect(isPrivateValue(value)).toBe(true),
  )
  it.each(['crt-07', '4111111111111112', 'DE89370400440532013001', '10.0.0.1', '', 'GB00'])('%j is not', (value) => {
    expect(isPrivateValue(value)).toBe(false)
  })
  it('the check digit matches the worked example', () => {
    // 7992739871 with check digit 3 (the example of ISO/IEC 7812-1's annex)
    expect([...'0123456789'].filter((digit) => luhn(`7992739871${digit}`))).toEqual(['3'])
  })
})
