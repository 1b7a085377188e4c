import { describe, expect, it } from 'vitest'
import { cleanText } from '../clean.ts'
import { addLine, shapeOf } from '../shapes/index.ts'
import type { ShapeTable } from '../shapes/index.ts'
import { arePersonNames, hidePrivate, isPrivateKey, isPrivateName, isPrivateValue, withoutPrivate } from './pii.ts'
import { maskedMessage, slotRanges } from './records.ts'
import { typeSlots } from './slots.ts'
import { templatesOf } from './templates.ts'

const PRIVATE = [
  '4539 1488 0343 6467', '5500-0000-0000-0004', '4539148803436467', 'DE89 3704 0044 0532 0130 00', 'DE89370400440532013000',
  'https://svc:Pa55@host/x', 'postgres://app:S3cret@db:5432/x', 'https://api.example.com/u?email=a.b@corp.example.com&x=1',
  '/users/ann@corp.example.com/profile', 'mailto:ann@corp.example.com', '/cb?token=abc&z=1', '/cb?x=1&password=abc',
  'https://h.example/u?email=ann%40corp.example.com', 'ghp_Ab0000000000000000000000000000000000', 'sk-live-abcDEFghijkl', 'glpat-abcdefghijklmnop',
  '+49 170 9876501', '+4917098765', '00491701111000', 'imsi-262021234567890', 'app:S3cret@db', 'AKIAABCDEFGHIJKLMNOP',
  'eyJhbGciOiJIUzI1NiJ9.reqjwt.sig',
]
const PUBLIC = [
  '10.0.0.1:443', 'blk_-1608999687919862906', '2026-03-14 08:00:00', '1773475200000', 'https://host/x?page=2', '/var/log/app.log', '+1000',
  '7f8e0f60-9d5e-4c0e-9d7a-3a52b5a0b7b1', 'node@3f2a', '12 13 14 15', 'git@host:repo', 'DE89', '4539 1488 0343 6468', 'sk-1',
]

describe('a value', () => {
  it.each(PRIVATE)('%s is private, alone and in a text', (value) => {
    expect(isPrivateValue(value)).toBe(true)
    expect(isPrivateValue(`at ${value}, then`)).toBe(true)
    expect(hidePrivate(`at ${value}, then`)).not.toContain(value)
    expect(withoutPrivate(value)).toMatch(/^private-[0-9a-f]{16}$/)
  })

  it.each(PUBLIC)('%s is not', (value) => {
    expect(isPrivateValue(value)).toBe(false)
    expect(hidePrivate(`at ${value} then`)).toBe(`at ${value} then`)
  })

  it('of a million hostile characters is judged by its head', () => {
    for (const unit of ['a:', '1 ', '+1 ', 'DE12 ', '@a', 'a://', '=a&', '1234-']) expect(isPrivateValue(unit.repeat(500_000))).toBeTypeOf('boolean')
  })
})

it.each(['user_email', 'x_api_key', 'aws_secret_access_key', 'pan', 'mailto'])('the name %s is private', (name) => {
  expect(isPrivateName(name)).toBe(true)
})

it.each([
  'full_name', 'fullName', 'fullname', 'FullName', 'account_holder', 'accountHolder', 'holder', 'contact', 'emergency_contact', 'nickname', 'salary',
  'street', 'home_address', 'homeAddress', 'postal_address', 'billing_address', 'shippingAddress', 'national_id', 'passport', 'passport_no', 'iban',
  'birth_date', 'birthDate', 'date_of_birth', 'dob', 'maiden_name', 'tax_id',
])('the key %s is private', (key) => {
  expect(isPrivateKey(key)).toBe(true)
})

it.each(['name', 'address', 'ip_address', 'host_name', 'service_name', 'lock_holder', 'lease_holder', 'placeholder', 'full', 'national', 'id', 'addr', 'tax_rate'])(
  'the key %s is not',
  (key) => {
    expect(isPrivateKey(key)).toBe(false)
  },
)

it.each([
  ['name', ['Ann Smith', 'Bob de Vries', 'José A. García'], true], ['name', ['"Ann Smith"'], true], ['name', ['Ann Smith', 'db-1', 'db-2'], false],
  ['name', ['gateway', 'eth0'], false], ['name', ['Payment'], false], ['name', [], false], ['service', ['Ann Smith'], false],
] as const)('%s with the values %j names persons: %s', (name, values, expected) => {
  expect(arePersonNames(name, values)).toBe(expected)
})

it('a sentence with a word that is private as a key alone keeps its words', () => {
  expect(mined('contact the holder now').template).toBe('contact the holder now')
})

it.each(['full_name="Ann % Smith"', 'account_holder=ann%', '"fullName":"Ann%"', 'name="Ann Smith"', 'salary=5%000'])('the values of %s are not shown', (pair) => {
  const { slots, sample } = mined(`order placed ${pair} ok`, 12)
  expect(slots.some(({ slot }) => slot.piiRisk)).toBe(true)
  expect(JSON.stringify(slots) + sample).not.toMatch(/Ann|ann\d|5\d000/)
})

const mined = (message: string, times = 1) => {
  const table: ShapeTable = new Map()
  for (let i = 0; i < times; i += 1) addLine(table, { message: message.replaceAll('%', `${i}`), severity: 'INFO', service: 's' })
  const [template] = templatesOf(table).templates
  if (template === undefined) throw new Error('no template')
  const slots = typeSlots(template, 'INFO')
  const line = message.replaceAll('%', '0')
  return { template: template.text, slots, sample: maskedMessage(line, slotRanges(template, line, shapeOf(line).key), slots) }
}

describe('a value behind a private word', () => {
  it.each([
    ['user gertrudeq gave up', 'gertrudeq', 'user <*> gave up'],
    ['login: wilhelminaq once', 'wilhelminaq', 'login: <*> once'],
    ['secret topsecretword once', 'topsecretword', 'secret <*> once'],
    ['the password correcthorsex leaked', 'correcthorsex', 'the password <*> leaked'],
    ['password is opensesame now', 'opensesame', 'password is <*> now'],
    ['api_key: sk-live-abcDEFghi once', 'abcDEFghi', 'api_key: <*> once'],
    ['User Bob Mallory created an account', 'Mallory', 'User <*> <*> created an account'],
    ['customer "Ann Miller" updated', 'Miller', 'customer "<*> <*>" updated'],
    ['user alfred logged in', 'alfred', 'user <*> logged in'],
    ['rcpt mailto:ann@corp.example.com final', 'ann', 'rcpt mailto:<*>@<*> final'],
    ['{"password":"hunter2"} posted', 'hunter2', '{"password":"<*>"} posted'],
    ['hello my name is victorni today', 'victorni', 'hello my name is <*> today'],
  ])('is a slot after one line: %s', (message, value, text) => {
    const { template, sample, slots } = mined(message)
    expect(template).toBe(text)
    expect(sample).not.toContain(value)
    expect(JSON.stringify(slots)).not.toContain(value)
  })

  it.each([
    ['password: hunter%x', 'password: <*>', 'hunter'],
    ['Authorization: Basic dXNlcjpwYXNz%Q sent', 'Authorization: Basic <*> sent', 'dXNl'],
    ['Authorization: Bearer abcdefTok%xyz sent', 'Authorization: Bearer <*> sent', 'abcdef'],
  ])('shows nothing of what its values have in common: %s', (message, text, head) => {
    const { template, sample, slots } = mined(message, 12)
    expect(template).toBe(text)
    expect(sample + JSON.stringify(slots)).not.toContain(head)
  })

  it.each(['Failed password for root', 'user request failed', 'user logged in', 'password expired', 'token refreshed'])(
    'is not seen where a sentence goes on: %s', (message) => {
      expect(mined(message).template).toBe(message)
    },
  )
})

it.each(['a\u200bb', 'a\u2060b', 'a\ufeffb', 'a\u{e0041}b', 'a\u{e007f}b', 'a\u202eb'])('invisible characters are dropped: %j', (text) => {
  expect(cleanText(text)).toBe('ab')
})
