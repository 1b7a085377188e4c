import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseTurtle } from '../../kernel/rdf/index.ts'
import { literal } from '../../kernel/term.ts'
import { callFunction, effectiveBoolean } from '../../kernel/values/index.ts'
import { previewRule } from '../../materialise/index.ts'
import { companionsOf } from '../companions.ts'
import { LIBRARY_BASE } from '../library-base.ts'
import { loadLibrary } from '../library.ts'
import { readRule } from '../rule-reading.ts'
import { vocabularyOfGraph } from '../rule-vocabulary.ts'
import { textMatching } from './matching-text.ts'
import { sampleFor } from './sample.ts'

const RECORD = 'https://enterprise.example/record/'
const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

const LIBRARIES = ['rca', 'telecom', 'healthcare', 'finance'].map((name) => {
  const parsed = name === 'rca' ? undefined : parseTurtle(read(`tests/fixtures/rules/${name}.ttl`))
  const { rules } = loadLibrary(read(`templates/rules/${name}.yaml`))
  return { rules, vocabulary: vocabularyOfGraph(parsed?.ok === true ? parsed.quads : [], LIBRARY_BASE) }
})
const ALL = LIBRARIES.flatMap(({ rules, vocabulary }) => rules.map((rule) => ({ id: rule.id, rule, rules, vocabulary })))

describe('data that is made from a rule', () => {
  it.each(ALL)('makes $id fire, and the near misses beside it do not', async ({ rule, rules, vocabulary }) => {
    const others = rules.filter((other) => other !== rule)
    const context = { vocabulary, baseIri: LIBRARY_BASE, others }
    const companions = companionsOf(rule, others)
    const beside = companions.flatMap((one) => readRule(one, { ...context, others: rules.filter((other) => other !== one) }).rules)
    const made = sampleFor(readRule(rule, context), { vocabulary, baseIri: LIBRARY_BASE, recordBase: RECORD, beside })
    expect(made.firing).toBeGreaterThan(0)
    // of one triple nothing is left to miss
    if (made.quads.length > 1) expect(made.nearMisses).toBeGreaterThan(0)
    if (rule.kind === 'datalog') return // the graph has no schema here for its names to be read by
    const asserted = made.quads.map((quad) => ({ quad, tier: 'Public' as const }))
    const found = await previewRule({ rule, others: companions, asserted, baseIri: LIBRARY_BASE })
    expect(found.errors).toEqual([])
    expect(found.lineage.every(({ premises }) => premises.length > 0)).toBe(true)
    const sets = new Set(found.derived.map(({ subject }) => /sample-\d+-/.exec(subject)?.[0]).filter((one) => one !== undefined))
    // of axioms that say each other, one set of records may be all that several rules need
    if (rule.kind === 'owl') expect(sets.size).toBeGreaterThan(0)
    else expect(sets.size).toBe(made.firing)
  })

  it('is the same each time', () => {
    const { rule, vocabulary } = ALL.find(({ id }) => id === 'tel-flapping-link')!
    const reading = readRule(rule)
    const make = () => sampleFor(reading, { vocabulary, baseIri: LIBRARY_BASE, recordBase: RECORD })
    expect(make()).toEqual(make())
  })

  it('is none where no data can satisfy the rule', () => {
    const body = `PREFIX : <${LIBRARY_BASE}>\nCONSTRUCT { ?a :b true } WHERE { ?a :n ?n FILTER(?n > 5 && ?n < 3) }`
    const reading = readRule({ id: 'r', kind: 'sparql', body })
    const made = sampleFor(reading, { vocabulary: { classes: [], properties: [] }, baseIri: LIBRARY_BASE, recordBase: RECORD })
    expect(made).toEqual({ quads: [], firing: 0, nearMisses: 0 })
  })
})

describe('a text for a pattern', () => {
  const finds = (pattern: string, text: string) => effectiveBoolean(callFunction('regex', [literal(text), literal(pattern)])) === true

  it.each(['^crt-\\d{2}$', '[A-Z]{3}[0-9]+', 'a|b', '(ab)+c?', '^\\w+@\\w+\\.com$', 'x{2,5}', '[^0-9]z', '\\p{Lu}\\p{Nd}', '(a(b|c)d){3}', ''])('%s', (pattern) => {
    const text = textMatching(pattern)
    expect(text).toBeTypeOf('string')
    expect(finds(pattern, text!)).toBe(true)
  })

  it('is found by the matcher, whatever plain pattern it is', () => {
    const piece = fc.oneof(fc.constantFrom('a', 'Z', '7', '\\d', '\\w', '[abc]', '[0-9]', '.', '(xy|z)', '-'), fc.constantFrom('a+', 'b*', 'c?', 'd{3}', '(ef){2}'))
    fc.assert(fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => finds(pieces.join(''), textMatching(pieces.join('')) ?? '\0')))
  })

  it('ends on any pattern', () => {
    fc.assert(fc.property(fc.string({ maxLength: 40 }), (pattern) => void textMatching(pattern)))
    expect(textMatching('('.repeat(5000))).toBeUndefined()
  })
})

describe('patterns of rules run in linear time', () => {
  const timed = (pattern: string, text: string) => {
    const since = performance.now()
    callFunction('regex', [literal(text), literal(pattern)])
    return performance.now() - since
  }

  it.each(['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '(.*)*x', '^(([a-z])+.)+[A-Z]([a-z])+$', '(x+x+)+y', '^(\\d+)*$'])('%s', (pattern) => {
    // a matcher that tries all ways needs longer than the age of the universe
    expect(timed(pattern, `${'a'.repeat(20_000)}!`)).toBeLessThan(2000)
  })
})
