import { expect, it } from 'vitest'
import { checksOf } from './checks.ts'

it('reads the conditions of a whole table', () => {
  expect(
    checksOf(`CREATE TABLE film (
      rating TEXT CHECK (rating IN ('G', 'PG-13')) , -- CHECK (not this)
      "CHECK" INTEGER, note TEXT DEFAULT 'CHECK (nor this)',
      CONSTRAINT positive CHECK(
        length > 0 and   (length < 999)))`),
  ).toEqual([`rating IN ('G', 'PG-13')`, 'length > 0 and (length < 999)'])
})

it.each([
  ['no check', 'CREATE TABLE a (b)', []],
  ['a quote inside', `CREATE TABLE a (b CHECK (b <> 'it''s )'))`, [`b <> 'it''s )'`]],
  ['a bracketed name', 'CREATE TABLE a ([b )] CHECK ([b )] > 0))', ['[b )] > 0']],
  ['a comment inside', 'CREATE TABLE a (b CHECK (b /* ) */ > 0))', ['b > 0']],
  ['lower case', 'create table a (b check(b))', ['b']],
  ['an unfinished text', 'CREATE TABLE a (b CHECK (b', []],
  ['other alphabets', 'CREATE TABLE a (größe CHECK (größe>0))', ['größe>0']],
])('%s', (_, sql, checks) => {
  expect(checksOf(sql)).toEqual(checks)
})
