import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { ServiceError } from '../contracts/index.ts'
import { isServerAddress, readAddress } from './address.ts'

const refused = (text: string, env: Record<string, string> = {}): ServiceError => {
  try {
    readAddress(text, env)
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
  throw new Error('it was taken')
}

it('reads a whole address', () => {
  expect(readAddress('postgres://ann:p%40ss%3A@db.example:6543/sales?schema=shop&sslmode=verify-full', {})).toEqual({
    dialect: 'postgres', host: 'db.example', port: 6543, socket: null, user: 'ann', password: 'p@ss:', database: 'sales', schema: 'shop',
    tls: { mode: 'verify-full', caFile: null },
  })
})

it.each([
  ['postgresql://h/d', { dialect: 'postgres', port: 5432, schema: 'public', tls: { mode: 'disable' } }],
  ['mysql://h/d', { dialect: 'mysql', port: 3306 }],
  ['mariadb://h/d', { dialect: 'mysql', port: 3306 }],
  ['MySQL://h/d', { dialect: 'mysql' }],
  ['postgres://[::1]:5432/d', { host: '::1' }],
  ['postgres://localhost/d?socket=/run/pg', { socket: '/run/pg' }],
  ['postgres://h/caf%C3%A9', { database: 'café' }],
  ['some.sqlite', { dialect: 'sqlite', file: resolve('some.sqlite') }],
  ['file:x?mode=rwc', { dialect: 'sqlite', file: resolve('file:x?mode=rwc') }],
])('%s', (text, expected) => {
  expect(readAddress(text, {})).toMatchObject(expected)
})

it('takes the address from a variable', () => {
  expect(readAddress('env:SHOP', { SHOP: ' mysql://u@h/d ' })).toMatchObject({ dialect: 'mysql', user: 'u' })
  expect(readAddress('env:SHOP', { SHOP: 'shop.db' })).toMatchObject({ dialect: 'sqlite' })
  expect(refused('env:SHOP').about.hint).toContain('SHOP')
  expect(refused('env:SHOP', { SHOP: 'env:OTHER' }).code).toBe('source_unavailable')
})

it.each([
  'oracle://u:secret@h/d',
  'postgres://u:secret@h',
  'postgres://u:secret@h/',
  'postgres://u:secret@h/d?options=-c%20x',
  'postgres://u:secret@h/d?sslmode=sometimes',
  'postgres://u:secret%zz@h/d',
  'mysql://u:secret@h/d?schema=x',
  'mysql://u:secret@h:port/d',
])('refuses %s without repeating any of it', (text) => {
  const { message, about, code } = refused(text)
  expect(code).toBe('source_unavailable')
  expect(`${message} ${about.hint}`).not.toContain('secret')
})

it.each([
  ['postgres://h/d', true],
  ['env:NAME', true],
  ['env:not a name', false],
  ['C:\\data\\x.sqlite', false],
  ['data/x.sqlite', false],
])('%s is a server or a variable: %s', (text, is) => {
  expect(isServerAddress(text)).toBe(is)
})
