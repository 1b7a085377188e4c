/** Our closure beside that of owlrl, an independent implementation of the same tables, on made-up ontologies. */
import { afterAll, describe, expect, it } from 'vitest'
import { proofChecker, proofOf } from '../../src/kernel/datalog/index.ts'
import { closureOf, inconsistentRule } from '../../src/kernel/owl/index.ts'
import type { Closure } from '../../src/kernel/owl/index.ts'
import { compareText } from '../../src/kernel/term.ts'
import { goldenClosures, ontologyOf, shortKey } from './owlrl-golden.ts'

const STRICT = { uniqueNames: false }
const closures = goldenClosures()

const parts = (one: string): [string, string, string] => {
  const [subject = '', property = '', ...object] = one.split(' ')
  return [subject, property, object.join(' ')]
}
const HIERARCHY = new Set(['s:subClassOf', 's:subPropertyOf', 'o:equivalentClass', 'o:equivalentProperty'])
const isReflexive = (one: string): boolean => {
  const [subject, , object] = parts(one)
  return subject === object
}

/** Why a triple is on one side only; undefined would be a difference that nobody has explained. */
const DIFFERENCES: readonly {
  readonly why: string; readonly side: 'ours' | 'theirs'; readonly is: (one: string) => boolean
}[] = [
  {
    why: 'owlrl leaves out that a class or property in a circle is above itself (scm-sco, scm-spo, scm-eqc2, scm-eqp2)',
    side: 'ours',
    is: (one) => isReflexive(one) && HIERARCHY.has(parts(one)[1]),
  },
  {
    why: 'owlrl finds equal values (dt-eq) within one datatype only; 1 is one number, as integer or as nonNegativeInteger',
    side: 'ours',
    is: (one) => /"\d"\^\^x:(integer|nonNegativeInteger)$/.test(one),
  },
  {
    why: 'that a word of the vocabulary is itself (eq-ref), where only triples of the two kinds above use it',
    side: 'ours',
    is: (one) => isReflexive(one) && /^[os]:/.test(one) && parts(one)[1] === 'o:sameAs',
  },
  {
    why: 'owlrl replaces equals inside list cells, which are then no list any more (rdf:first with two values)',
    side: 'theirs',
    is: (one) => parts(one)[1] === 'r:first',
  },
]

/** What is true of every graph or says of a thing that it is itself; left out unless asked for. */
const isTruism = (one: string): boolean =>
  isReflexive(one) || [
    'r:type x:',
    'r:type s:Datatype',
    'r:type o:AnnotationProperty',
  ].some((text) => one.includes(text)) || /(^| )o:(Thing|Nothing)( |$)/.test(one)

describe('the closure beside owlrl', () => {
  const counts = new Map<string, number>()
  let same = 0
  afterAll(() => {
    console.log(`owlrl: ${closures.length} ontologies, ${same} derived triples on both sides`)
    for (const [why, count] of [...counts].toSorted(([x], [y]) => compareText(x, y))) console.log(`  ${count} ${why}`)
  })

  it.each(closures)('ontology $seed', ({ seed, given, derived, inconsistent }) => {
    const input = ontologyOf(seed)
    const asserted = new Set(input.map(shortKey))
    expect(asserted.size, 'the golden files belong to another generator').toBe(given)
    const closure = closureOf(input, { ...STRICT, trivial: true })
    const ours = new Set(closure.triples.map(shortKey).filter((one) => !asserted.has(one) && !EVERYWHERE.has(one)))
    const theirs = new Set(derived)
    const unexplained: string[] = []
    const look = (one: string, side: 'ours' | 'theirs') => {
      const why = DIFFERENCES.find((each) => each.side === side && each.is(one))?.why
      if (why === undefined) unexplained.push(`only ${side}: ${one}`)
      else counts.set(`only ${side}: ${why}`, (counts.get(`only ${side}: ${why}`) ?? 0) + 1)
    }
    for (const one of ours) if (theirs.has(one)) same += 1
    else look(one, 'ours')
    for (const one of theirs) if (!ours.has(one)) look(one, 'theirs')
    expect(unexplained).toEqual([])
    expect(isExpected(closure, inconsistent)).toBe(true)
  })

  it('without truisms the closure is the same but for them', () => {
    for (const { seed } of closures.slice(0, process.env['WHEREFORE_FULL'] === undefined ? 20 : closures.length)) {
      const all = closureOf(ontologyOf(seed), { ...STRICT, trivial: true })
      const plain = new Set(closureOf(ontologyOf(seed), STRICT).triples.map(shortKey))
      const full = new Set(all.triples.map(shortKey))
      expect([...plain].filter((one) => !full.has(one))).toEqual([])
      // equal values in two spellings come only where a rule asks for them
      expect([...full].filter((one) => !plain.has(one) && !isTruism(one) && !one.includes('^^x:'))).toEqual([])
    }
  })

  it('the order of the triples does not matter, and closing twice adds nothing', () => {
    const keys = (closure: Closure) => closure.triples.map(shortKey).toSorted(compareText)
    for (const { seed } of closures.slice(0, process.env['WHEREFORE_FULL'] === undefined ? 10 : closures.length)) {
      const once = closureOf(ontologyOf(seed), STRICT)
      expect(keys(closureOf(ontologyOf(seed).toReversed(), STRICT))).toEqual(keys(once))
      expect(keys(closureOf(once.triples, STRICT))).toEqual(keys(once))
    }
  })

  it('the independent checker accepts every derived fact of a sample', () => {
    for (const { seed } of closures.slice(0, process.env['WHEREFORE_FULL'] === undefined ? 10 : closures.length)) {
      const { model, program, base } = closureOf(ontologyOf(seed), STRICT)
      const check = proofChecker({ rules: program, base, closed: (predicate) => model.find(predicate) })
      for (const fact of model.facts) expect(
        [fact.predicate, check(proofOf(model, fact.id))]
      ).toEqual([fact.predicate, { valid: true }])
    }
  })
})

/** What both sides add to every graph. */
const EVERYWHERE: ReadonlySet<string> = new Set(closureOf([], { ...STRICT, trivial: true }).triples.map(shortKey))

/**
 * owlrl compares no member of AllDisjointProperties, AllDisjointClasses or AllDifferent with the last one, none with itself, and
 * of a literal only the text with its own datatype, not the value with a range.
 */
const OURS_ALONE = new Set(['prp-adp', 'cax-adc', 'eq-diff2', 'eq-diff3', 'dt-not-type'])
const isExpected = ({ inconsistencies }: Closure, theirs: boolean): boolean => {
  const rules = inconsistencies.map(({ predicate }) => inconsistentRule(predicate))
  return rules.length > 0 === theirs || (!theirs && rules.every((rule) => OURS_ALONE.has(rule)))
}
