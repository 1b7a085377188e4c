import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CausalRule } from '../contracts/index.ts'
import { type CausalEdge, compileCausalRule } from './causal.ts'
import { windowSecondsOf } from './causal-window.ts'
import { termIri } from './term-text.ts'
import { validateRule } from './validate.ts'

const edge: CausalEdge = {
  id: 'causal-link-down-bgp-peer-lost', pid: 'p', causeClass: 'LinkDown', effectClass: 'BgpPeerLost', windowSeconds: 30,
  sharedEntity: 'node',
  baseIri: 'https://enterprise.example/ontology#',
}

const GOLDEN = `# window_seconds: 30
PREFIX : <https://enterprise.example/ontology#>
CONSTRUCT {
  ?effect :hasCause ?cause .
  ?cause :triggers ?effect .
}
WHERE {
  ?cause a :LinkDown ; :startedAt ?ct .
  OPTIONAL { ?cause :endedAt ?cz }
  ?effect a :BgpPeerLost ; :startedAt ?et .
  ?cause :onEntity ?entity .
  ?effect :onEntity ?entity .
  FILTER(CONTAINS(STR(?entity), "/entity/node/") || !CONTAINS(STR(?entity), "/entity/"))
  FILTER(?et > ?ct)
}
`

describe('a compiled causal rule', () => {
  it('is this text', () => {
    expect(compileCausalRule(edge)).toEqual({
      id: 'causal-link-down-bgp-peer-lost', kind: 'sparql', label: 'LinkDown causes BgpPeerLost', body: GOLDEN, enabled: true,
      nl_summary: 'A LinkDown causes a BgpPeerLost on the same node that starts within 30 s after it.',
      source: 'log-discovery', window_seconds: 30, cause_class: 'LinkDown', effect_class: 'BgpPeerLost', pid: 'p',
    })
  })

  it('joins on an entity only where mining found one', () => {
    const lines = GOLDEN.split('\n').filter((line) => !line.includes('?entity'))
    expect(compileCausalRule({ ...edge, sharedEntity: null }).body).toBe(lines.join('\n'))
  })

  it('states whole seconds and never less than mining saw', () => {
    expect(compileCausalRule({ ...edge, windowSeconds: 2.2 }).body.split('\n')[0]).toBe('# window_seconds: 3')
    expect(compileCausalRule({ ...edge, windowSeconds: 0 }).window_seconds).toBe(1)
  })

  it('refuses a base that would not stay between its brackets', () => {
    expect(() => compileCausalRule({ ...edge,
      baseIri: 'https://x/> } DELETE { <y' })).toThrow(expect.objectContaining({ code: 'invalid_rule' }))
  })

  it('stays one valid rule whatever the log calls its events', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.string({ minLength: 1 }), (causeClass, effectClass) => {
        const rule = compileCausalRule({ ...edge, causeClass, effectClass })
        expect(CausalRule.safeParse(rule).success).toBe(true)
        expect(validateRule(rule)).toEqual({ ok: true, errors: [], warnings: [] })
        expect(windowSecondsOf(rule.body)).toBe(30)
        expect(rule.body.split('\n')).toHaveLength(GOLDEN.split('\n').length)
      }),
      { numRuns: 200 },
    )
  })
})

describe('the IRI of a name', () => {
  it.each([
    ['LinkDown', 'https://x#LinkDown'],
    ['link down', 'https://x#link%20down'],
    ['a>b', 'https://x#a%3Eb'],
    ['\ud800', 'https://x#%EF%BF%BD'],
  ])('of %j is %s', (name, expected) => {
    expect(termIri('https://x#', name)).toBe(expected)
  })
})

describe('the window of a body', () => {
  it.each([
    ['# window_seconds: 30\nCONSTRUCT', 30],
    ['# rule: x\n# window_seconds: 5\n# window_seconds: 6\n', 5],
    ['# window_seconds: 30\r\nCONSTRUCT', 30],
    [' # window_seconds: 30', null],
    ['# window_seconds: 30s', null],
    ['# window_seconds: -1', null],
    [`# window_seconds: ${'9'.repeat(40)}`, null],
    ['', null],
  ])('%j is %s', (body, expected) => {
    expect(windowSecondsOf(body)).toBe(expected)
  })
})
