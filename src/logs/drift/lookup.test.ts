import { beforeEach, describe, expect, it, vi } from 'vitest'
import { rng } from '../../kernel/stats/index.ts'
import * as alignment from './align.ts'
import { lookupIn } from './lookup.ts'

vi.mock('./align.ts', async (original) => {
  const real = await original<typeof alignment>()
  return { ...real, align: vi.fn(real.align) }
})
beforeEach(() => {
  vi.mocked(alignment.align).mockClear()
})

const WORDS = Array.from({ length: 120 }, (_, i) => `w${String.fromCodePoint(97 + (i % 26))}${String.fromCodePoint(97 + Math.floor(i / 26))}`)

/** Templates that all share their first two words. */
function templates(count: number, seed: number) {
  const random = rng(seed)
  return Array.from({ length: count }, (_, i) => ({
    clusterId: `${seed}-${i}`,
    template: `error in ${Array.from({ length: 6 }, () => (random() < 0.2 ? '<*>' : WORDS[Math.floor(random() * WORDS.length)])).join(' ')}`,
  }))
}

describe('lookupIn', () => {
  const catalogue = templates(600, 1)

  it('lays few templates side by side, however many share a word', () => {
    const lookup = lookupIn(catalogue)
    for (const each of templates(20, 2)) lookup(each)
    expect(vi.mocked(alignment.align).mock.calls.length).toBeLessThanOrEqual(20 * 16)
  })

  it('finds the same statement without laying anything side by side', () => {
    const lookup = lookupIn(catalogue)
    expect(lookup(catalogue[5]!)).toMatchObject({ known: catalogue[5], same: true })
    expect(lookup({ clusterId: 'other', template: catalogue[5]!.template })).toMatchObject({ known: catalogue[5], same: true })
    expect(alignment.align).not.toHaveBeenCalled()
  })

  it('finds nothing where no word is shared', () => {
    expect(lookupIn(catalogue)({ clusterId: 'x', template: 'all quiet' })).toMatchObject({ known: null, same: false })
    expect(lookupIn([])({ clusterId: 'x', template: 'all quiet' }).known).toBeNull()
  })

  it('finds a statement with one word changed, and one whose slots hold words today', () => {
    const lookup = lookupIn(catalogue)
    for (const known of catalogue.slice(0, 50)) {
      const changed = lookup({ clusterId: 'x', template: known.template.replace(/\S+$/, 'changed') })
      expect(changed.alignment.similarity).toBeGreaterThanOrEqual(alignment.align(alignment.tokensOf(known.template), alignment.tokensOf(known.template.replace(/\S+$/, 'changed'))).similarity)
      expect(lookup({ clusterId: 'x', template: known.template.replaceAll('<*>', '17') }).same).toBe(true)
    }
  })

  it('is as near as the nearest of all, as a rule', () => {
    const lookup = lookupIn(catalogue)
    const given = templates(40, 3)
    const missed = given.filter((each) => {
      const tokens = alignment.tokensOf(each.template)
      const best = Math.max(...catalogue.map((known) => alignment.align(alignment.tokensOf(known.template), tokens).similarity))
      return lookup(each).alignment.similarity < best
    })
    expect(missed.length).toBeLessThanOrEqual(4)
  })
})
