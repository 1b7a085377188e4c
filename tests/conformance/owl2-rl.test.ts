import { afterAll, describe, expect, it } from 'vitest'
import { proofChecker, proofOf } from '../../src/kernel/datalog/index.ts'
import { closureOf, entailedSimply, entails } from '../../src/kernel/owl/index.ts'
import { quadKey } from '../../src/kernel/rdf/index.ts'
import { KNOWN } from './owl2-rl.known.ts'
import type { Kind, OwlCase } from './owl2-suite.ts'
import { casesOf, hasSuite } from './owl2-suite.ts'

/** Conclusions may merge things; what the product reports as a conflict of names is no inconsistency of the language. */
const STRICT = { uniqueNames: false }
const counts: string[] = []

/** Runs every case of a kind and says which ones did not come out as the suite wants. */
function run(kind: Kind, fails: (one: OwlCase) => string | undefined): {
  passed: number; of: number; missed: Record<string,
  string>,
} {
  const cases = casesOf(kind)
  const missed: Record<string, string> = {}
  for (const one of cases) {
    const why = fails(one)
    if (why !== undefined) missed[one.name] = why
  }
  const passed = cases.length - Object.keys(missed).length
  counts.push(`OWL 2 RL ${kind}: ${passed} of ${cases.length}`)
  for (const [name, why] of Object.entries(missed)) counts.push(`  missed ${name}: ${KNOWN[name]?.reason ?? why}`)
  return { passed, of: cases.length, missed }
}

describe.skipIf(!hasSuite)('OWL 2 test cases of the RL profile', () => {
  afterAll(() => console.log(counts.join('\n')))

  it('what must follow follows, but for what lies outside the rules', () => {
    let plain = 0
    const { passed, of, missed } = run('PositiveEntailmentTest', ({ premise, conclusion }) => {
      const { entailed, missing } = entails(premise, conclusion)
      return entailed ? undefined : missing.map(quadKey).join(' ; ')
    })
    for (const { premise, conclusion } of casesOf('PositiveEntailmentTest')) {
      if (entailedSimply(closureOf(premise, { ...STRICT, trivial: true }), conclusion).entailed) plain += 1
    }
    counts.push(
      `  of these by the closure alone: ${plain}; the others by a hypothesis (disjointness, difference, axioms about properties)`
    )
    expect(of).toBe(30)
    expect(passed).toBeGreaterThanOrEqual(27)
    expect(Object.keys(missed).toSorted(), 'the known misses, each with a reason').toEqual(Object.keys(KNOWN).toSorted())
    for (const { reason } of Object.values(KNOWN)) expect(reason).toMatch(/^outside tables 4-9: /)
  })

  it('what must not follow does not', () => {
    const { passed, of } = run(
      'NegativeEntailmentTest',
      ({ premise, conclusion }) => (entails(premise, conclusion).entailed ? 'it was derived' : undefined),
    )
    expect([passed, of]).toEqual([7, 7])
  })

  it('what cannot be is found out', () => {
    const { passed, of } = run(
      'InconsistencyTest',
      ({ premise }) => (closureOf(premise, STRICT).inconsistencies.length === 0 ? 'no inconsistency' : undefined),
    )
    expect([passed, of]).toEqual([14, 14])
  })

  it('what can be is not called inconsistent', () => {
    const { passed, of } = run('ConsistencyTest', ({ premise }) => closureOf(premise, STRICT).inconsistencies[0]?.predicate)
    expect(passed).toBe(of)
  })

  it('the independent checker accepts what was derived, inconsistencies included', () => {
    let checked = 0
    for (const kind of ['PositiveEntailmentTest', 'InconsistencyTest'] as const) {
      for (const { premise } of casesOf(kind)) {
        const { model, program, base } = closureOf(premise, STRICT)
        const check = proofChecker({ rules: program, base, closed: (predicate) => model.find(predicate) })
        for (const fact of model.facts) {
          if (fact.asserted) continue
          expect(check(proofOf(model, fact.id))).toEqual({ valid: true })
          checked += 1
        }
      }
    }
    counts.push(`  proofs checked: ${checked}`)
    expect(checked).toBeGreaterThan(50)
  })
})

it.skipIf(hasSuite)('the suite is not here: set SHARED_DATA to run it', (context) => context.skip())
