import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseTurtle, quadKey } from '../kernel/rdf/index.ts'
import { nameBlanks } from './blank-names.ts'
import type { TieredQuad } from './materialisation.ts'

const PREFIX = '@prefix : <urn:x:> .\n'
const read = (turtle: string): TieredQuad[] => {
  const parsed = parseTurtle(PREFIX + turtle)
  if (!parsed.ok) throw new Error(parsed.fault.message)
  return parsed.quads.map((quad) => ({ quad, tier: 'Internal' }))
}
const named = (turtle: string) => nameBlanks(read(turtle)).map(({ quad }) => quadKey(quad)).toSorted()

describe('names of blank nodes', () => {
  it('say what a node is about, and not what stands before it', () => {
    const visible = ':A :sub [ :on :p ; :some :B ] .'
    const alone = named(visible)
    const behind = named(`:H :sub [ :on :q ] . ${visible}`)
    expect(alone.some((line) => /_:n[0-9a-f]{16} <urn:x:on> <urn:x:p>/.test(line))).toBe(true)
    expect(behind).toEqual(expect.arrayContaining(alone))
  })

  it('tell nodes apart by what they lead to and by what leads to them', () => {
    const nodes = (turtle: string) => new Set(named(turtle).flatMap((line) => line.match(/_:\S+/g) ?? [])).size
    expect(nodes(':A :list ( :x :y :x ) .')).toBe(3)
    expect(nodes(':A :sub [ :on :p ] . :B :sub [ :on :p ] .')).toBe(2)
    // nothing tells these two apart, and they are still two
    expect(nodes(':A :sub [ :on :p ] , [ :on :p ] .')).toBe(2)
    expect(nodes('_:a :next _:b . _:b :next _:c . _:c :next _:a .')).toBe(3)
  })

  it('leave a graph without any as it is', () => {
    const quads = read(':a :b :c .')
    expect(nameBlanks(quads)).toEqual(quads)
  })

  const node = fc.constantFrom('_:a', '_:b', '_:c', '_:d', ':x', ':y')
  it('do not depend on labels or on the order of the triples, where the nodes form trees', () => {
    const pairs = fc.tuple(fc.constantFrom(':p', ':q'), fc.constantFrom(':x', ':y', '5')).map((pair) => pair.join(' '))
    const about = fc.uniqueArray(pairs, { minLength: 1 })
    const trees = fc.uniqueArray(about, { selector: (some) => some.toSorted().join(), minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(trees, (nodes) => {
        const lines = nodes.map((said, n) => `:root :has _:n${n} . _:n${n} ${said.join(' ; ')} .`)
        const turned = nodes.map((said, n) => `_:m${99 - n} ${said.toReversed().join(' ; ')} . :root :has _:m${99 - n} .`)
        expect(named(turned.toReversed().join('\n'))).toEqual(named(lines.join('\n')))
      }),
    )
  })

  it('never make one node of two', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(node, fc.constantFrom(':p', ':q'), node), { minLength: 1, maxLength: 8 }), (triples) => {
        const turtle = triples.map((triple) => `${triple.join(' ')} .`).join('\n')
        const blanks = new Set(triples.flat().filter((term) => term.startsWith('_:')))
        expect(new Set(named(turtle).flatMap((line) => line.match(/_:\S+/g) ?? [])).size).toBe(blanks.size)
      }),
    )
  })
})
