import { describe, expect, it } from 'vitest'
import type { Explanation } from '../../contracts/index.ts'
import { treeText, whyNotText } from './proof-tree.ts'

const short = (term: string) => term.replace('urn:x:', ':')
const triple = (subject: string, object = 'urn:x:o') => ({ subject: `urn:x:${subject}`, predicate: 'urn:x:p', object })
const leaf = (subject: string): Explanation => ({ triple: triple(subject), asserted: true, derivations: [] })
const derived = (subject: string, ...premises: Explanation[]): Explanation => ({
  triple: triple(subject),
  asserted: false,
  derivations: [
    { rule: `make-${subject}`, engine: 'datalog', bindings: {}, premises: premises.map((one) => ({ kind: 'triple', ...one })) },
  ],
})

describe('a tree of premises', () => {
  it('says what it has said once no second time', () => {
    const shared = derived('s', leaf('a'))
    expect(treeText(derived('r', shared, shared, leaf('a'), leaf('a')), { short })).toBe(`:r :p :o  derived
└─ by datalog rule make-r
   ├─ :s :p :o  derived
   │  └─ by datalog rule make-s
   │     └─ :a :p :o  asserted
   ├─ :s :p :o  derived (as above)
   ├─ :a :p :o  asserted
   └─ :a :p :o  asserted`)
  })

  it('marks what is both asserted and derived, what is cut, and what may rest on more', () => {
    const [way] = derived('r').derivations
    const derivations = [{ ...way!, partial: true, shape: 'urn:x:Shape' }]
    const tree: Explanation = { triple: triple('r'), asserted: true, derivations }
    expect(treeText(tree, { short })).toBe(`:r :p :o  asserted, and derived
└─ by datalog rule make-r of :Shape (ran as a query: there may be more premises)`)
    expect(treeText({ triple: triple('r'), asserted: false, derivations: [] }, { short })).toBe(':r :p :o  derived')
  })

  it('shows a label where its thing is named first, cut to a line, and notes at the end', () => {
    const labels = { 'urn:x:a': 'Uplink', 'urn:x:r': 'l'.repeat(80) }
    const text = treeText({ ...derived('r', leaf('a'), leaf('a')), labels, notes: ['rules changed'] }, { short })
    expect(text).toBe(`:r (${'l'.repeat(59)}…) :p :o  derived
└─ by datalog rule make-r
   ├─ :a (Uplink) :p :o  asserted
   └─ :a :p :o  asserted
note: rules changed`)
  })

  it.each([[2, 'and in 1 other way: --all shows it'], [3, 'and in 2 other ways: --all shows them']])('counts %i ways', (ways, line) => {
    const derivations = Array.from({ length: ways }, () => derived('r').derivations[0]!)
    expect(treeText({ triple: triple('r'), asserted: false, derivations }, { short }).split('\n').at(-1)).toBe(`└─ ${line}`)
  })

  it('keeps each value on its line and no control character alive', () => {
    const text = treeText({ triple: triple('a', '"x\n  y\u001B[31m"'), asserted: true, derivations: [] }, { short })
    expect(text).toBe(':a :p "x y\uFFFD[31m"  asserted')
  })
})

describe('why-not', () => {
  it('shows what is in the way, what else fails, and that more may be close', () => {
    const miss = {
      rule: 'r', engine: 'sparql', held: [{ kind: 'condition', text: '2 > <urn:x:n>' }], partial: true,
      missing: { kind: 'unwanted', text: 'no match of { <urn:x:a> :p [] }', triples: [triple('a')] },
      further: [{ kind: 'condition', text: '1 > 2' }],
    } as const
    const found = { triple: triple('t'), holds: false, asserted: false, misses: [miss], notes: ['more'] }
    expect(whyNotText(found, { short })).toBe(`:t :p :o  is not there
└─ sparql rule r (a closer instance may exist: there were too many to look at each)
   ├─ has    2 > :n  condition
   ├─ needs  no match of { :a :p [] }
   │  └─ in the way: :a :p :o
   └─ needs  1 > 2
note: more`)
  })
})
