import fc from 'fast-check'
import { expect, it } from 'vitest'
import { valueKind } from './value-kind.ts'

it.each([
  ['down', 'word'],
  ['heartbeat-timeout', 'word'],
  ['crt-07', 'identifier'],
  ['ge-0/0/1', 'identifier'],
  ['v1.2.3', 'identifier'],
  ['1.2.3', 'identifier'],
  ['42', 'number'],
  ['-1.5e-3', 'number'],
  ['97%', 'number'],
  ['12ms', 'duration'],
  ['1.5s', 'duration'],
  ['4KiB', 'bytes'],
  ['10.0.0.1', 'ip'],
  ['10.0.0.1:443', 'ip'],
  ['256.0.0.1', 'identifier'],
  ['fe80::1', 'ip'],
  ['2001:db8:0:0:0:0:0:1', 'ip'],
  ['a::b', 'ip'],
  ['std::vector', 'word'],
  ['0x1f', 'hex'],
  ['deadbeef01', 'hex'],
  ['00:1b:44:11:3a:b7', 'hex'],
  ['f81d4fae-7dec-11d0-a765-00a0c91e6bf6', 'uuid'],
  ['https://a.example/x', 'iri'],
  ['://x', 'word'],
  ['ops@example.org', 'email'],
  ['a@b', 'word'],
  ['/var/log/x', 'path'],
  ['/', 'word'],
  ['C:\\logs', 'path'],
  ['2026-03-14', 'timestamp'],
  ['2026-03-14T09:00:00.123Z', 'timestamp'],
  ['09:15:02,123', 'timestamp'],
  ['', 'word'],
])('%j is a value of kind %s', (text, kind) => {
  expect(valueKind(text)).toBe(kind)
})

it('any number a program prints is numeric', () => {
  const numbers = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  fc.assert(fc.property(numbers, (n) => valueKind(String(n)) === 'number'))
})

it('time grows with the length of the text, not with its square', () => {
  const long = '1.'.repeat(200_000)
  const started = performance.now()
  for (const text of [long, `${long}x`, 'a'.repeat(400_000), `${':'.repeat(400_000)}1`]) valueKind(text)
  expect(performance.now() - started).toBeLessThan(1000)
})
