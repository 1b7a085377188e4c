import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Config, ServiceError } from '../contracts/index.ts'
import { LIBRARY_BASE } from './library-base.ts'
import { loadLibrary, withBase } from './library.ts'

const rca = readFileSync(new URL('../../templates/rules/rca.yaml', import.meta.url), 'utf8')
const body = '"PREFIX : <https://enterprise.example/ontology#>\\nCONSTRUCT { ?a :b ?c } WHERE { ?a :d ?c }"'

describe('the root-cause library', () => {
  it('holds the five starter rules and those for circles, each valid and explained', () => {
    const { name, rules } = loadLibrary(rca)
    expect(name).toBe('rca')
    expect(rules.map(({ id, kind }) => [id, kind])).toEqual([
      ['rca-rootcause-onehop', 'sparql'],
      ['rca-rootcause-twohop', 'sparql'],
      ['rca-multiple-causes', 'sparql'],
      ['rca-derivation-inferred', 'sparql'],
      ['rca-derivation-measured', 'sparql'],
      ['rca-causal-cycle', 'sparql'],
      ['rca-cycle-entry', 'sparql'],
    ])
    for (const rule of rules) expect([rule.enabled, rule.nl_summary !== '', rule.label !== '']).toEqual([true, true, true])
  })

  it('is written over the base that a project has by default', () => {
    expect(LIBRARY_BASE).toBe(Config.parse({}).base_iri)
    const library = loadLibrary(rca)
    expect(withBase(library, LIBRARY_BASE)).toEqual(library)
  })

  it('follows a project to its own base', () => {
    const { rules } = withBase(loadLibrary(rca), 'https://acme.example/o$&#')
    for (const { body } of rules) {
      expect(body).toContain('PREFIX : <https://acme.example/o$&#>')
      expect(body).not.toContain(LIBRARY_BASE)
    }
    expect(() => withBase(loadLibrary(rca), 'no iri')).toThrow(ServiceError)
  })
})

const refusal = (text: string): ServiceError => {
  try {
    loadLibrary(text)
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
  throw new Error('it was accepted')
}

describe('a library is refused', () => {
  it.each([
    ['when it is not YAML', 'name: [', { line: 1 }],
    ['when a key stands twice', 'name: a\nname: b\n', { line: 2, column: 1 }],
    ['when a field is missing', 'name: a\nlabel: A\n', { path: 'rules' }],
    ['when a field is unknown', `name: a\nlabel: A\nrules: []\nextra: 1\n`, { path: '' }],
    ['when a rule has a bad id', `name: a\nlabel: A\nrules: [{ id: "../x", kind: sparql, body: ${body} }]`,
    { path: 'rules.0.id' }],
    ['when an id stands twice',
    `name: a\nlabel: A\nrules: [{ id: x, kind: sparql, body: ${body} }, { id: x, kind: sparql, body: ${body} }]`,
    { path: 'rules.x', message: 'this id stands twice' }],
    ['when a rule does not parse', 'name: a\nlabel: A\nrules: [{ id: x, kind: sparql, body: "CONSTRUCT {" }]', { path: 'rules.x',
    line: 1 }],
  ])('%s', (_, text, fault) => {
    const error = refusal(text)
    expect(error.code).toBe('invalid_rule')
    expect(error.about.errors).toContainEqual(expect.objectContaining(fault))
  })

  it('when its aliases would unfold without end', () => {
    const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]', ...'bcdefgh'.split('').map((name,
      i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefg'[i]}`).join(', ')}]`)]
    expect(refusal(bomb.join('\n')).message).toMatch(/repeats itself/)
  })
})
