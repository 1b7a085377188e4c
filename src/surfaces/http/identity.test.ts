import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bearer, readTokens } from './identity.ts'
import type { Token } from './identity.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const TOKENS: Token[] = [
  { name: 'ann', sha256: sha256('first'), max_tier: 'Internal', roles: ['reader'] },
  { name: 'bob', sha256: sha256('second'), max_tier: 'Restricted', roles: ['reader', 'admin'] },
]
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wherefore-tokens-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

it('knows the holder of a token', () => {
  expect(bearer('Bearer second', TOKENS)).toEqual({ name: 'bob', grant: 'Restricted', roles: ['reader', 'admin'] })
  expect(bearer('bearer  first', TOKENS).name).toBe('ann')
})

it.each([
  undefined, '', 'Bearer', 'Bearer ', 'Bearer third', 'Basic second', 'second', `Bearer ${sha256('second')}`, 'Bearer second x',
])('takes %s for nobody', (header) => {
  expect(() => bearer(header, TOKENS)).toThrow(expect.objectContaining({ code: 'unauthenticated' }))
})

it('reads a tokens file and says what is wrong with a bad one', () => {
  const path = join(folder, 'tokens.json')
  const read = (content: string) => {
    writeFileSync(path, content)
    return readTokens(path)
  }
  expect(read(JSON.stringify(TOKENS))).toEqual(TOKENS)
  const wrong = [{ sha256: 'short' }, { roles: ['root'] }, { max_tier: 'internal' }, { colour: 'red' }]
  for (const bad of ['{', '[]', '{}', ...wrong.map((part) => JSON.stringify([{ ...TOKENS[0], ...part }]))]) {
    const shown = { code: 'invalid_request', message: expect.not.stringContaining(folder) }
    expect(() => read(bad)).toThrow(expect.objectContaining(shown))
  }
})
