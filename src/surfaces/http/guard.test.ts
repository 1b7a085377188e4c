import fc from 'fast-check'
import { expect, it } from 'vitest'
import { checkDepth, checkHost, checkOrigin } from './guard.ts'

const refused = (act: () => void) => expect(act).toThrow(expect.objectContaining({ code: 'forbidden_origin' }))

it.each(['localhost', 'localhost:4747', '127.0.0.1', '127.0.0.1:80', '[::1]', '[::1]:4747', 'LOCALHOST', 'wherefore.lan:4747'])(
  'answers under the Host %s',
  (host) => expect(() => checkHost(host, 'wherefore.lan')).not.toThrow(),
)

it.each([
  undefined, '', 'evil.example', 'evil.example:4747', 'localhost.evil.example', '127.0.0.1.evil.example', 'user@localhost',
  'localhost/', '[::1', '::1', 'localhost:4747:80', 'localhost evil',
])('refuses the Host %s', (host) => refused(() => checkHost(host, '127.0.0.1')))

it('takes any Host when it listens on every address, since a token is asked for then', () => {
  for (const configured of ['0.0.0.0', '::']) expect(() => checkHost('box.lan', configured)).not.toThrow()
})

it('lets programs and its own pages write, and no other page', () => {
  expect(() => checkOrigin('POST', undefined, 'localhost:4747')).not.toThrow()
  expect(() => checkOrigin('POST', 'http://localhost:4747', 'localhost:4747')).not.toThrow()
  expect(() => checkOrigin('GET', 'https://evil.example', 'localhost:4747')).not.toThrow()
  for (const origin of ['https://evil.example', 'null', 'http://localhost:4748', 'http://localhost', '']) {
    refused(() => checkOrigin('POST', origin, 'localhost:4747'))
  }
})

it('counts nesting outside strings only', () => {
  expect(() => checkDepth('[[1,{"a":"[[[[{{{{"}]]', 3)).not.toThrow()
  expect(() => checkDepth('{"a":"\\"[","b":[[1]]}', 3)).not.toThrow()
  expect(() => checkDepth('[[[[1]]]]', 3)).toThrow('nested deeper than 3')
  expect(() => checkDepth('[],[],[],[],[]', 1)).not.toThrow()
})

it('agrees with the depth of any JSON value', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const text = JSON.stringify(value)
      const depth = depthOf(value)
      expect(() => checkDepth(text, depth)).not.toThrow()
      if (depth > 0) expect(() => checkDepth(text, depth - 1)).toThrow()
    }),
  )
})
