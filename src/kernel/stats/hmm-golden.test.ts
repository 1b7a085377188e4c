import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emStep, logLikelihood } from './hmm.ts'
import type { Hmm } from './hmm.ts'

/** Made by scripts/hmm-golden.ts with hmmlearn 0.3.3. */
interface Golden {
  readonly given: { start: number[]; transition: number[][]; emission: number[][]; sequences: number[][] }
  readonly hmmlearn: { logLikelihoods: number[]; start: number[]; transition: number[][]; emission: number[][]; after: number }
}

const cases = JSON.parse(readFileSync(join(import.meta.dirname, 'golden/hmm.json'), 'utf8')) as Golden[]

const modelOf = ({ start, transition, emission }: Golden['given']): Hmm => ({
  states: start.length,
  symbols: emission[0]!.length,
  start: Float64Array.from(start),
  transition: Float64Array.from(transition.flat()),
  emission: Float64Array.from(emission[0]!.flatMap((_, symbol) => emission.map((row) => row[symbol]!))),
})

function expectClose(values: Iterable<number>, wanted: readonly number[]): void {
  const found = [...values]
  expect(found).toHaveLength(wanted.length)
  for (const [i, value] of found.entries()) expect(Math.abs(value - wanted[i]!)).toBeLessThan(1e-6)
}

describe.each(cases.map((each) => [`${each.given.start.length} states`, each] as const))('hmmlearn agrees, %s', (_, { given, hmmlearn }) => {
  it('on the likelihood of each sequence', () => {
    expectClose(given.sequences.map((sequence) => logLikelihood(modelOf(given), sequence)), hmmlearn.logLikelihoods)
  })

  it('on one step of expectation and maximisation', () => {
    const { model, logLikelihood: before } = emStep(modelOf(given), given.sequences)
    expectClose(model.start, hmmlearn.start)
    expectClose(model.transition, hmmlearn.transition.flat())
    expectClose(model.emission, hmmlearn.emission[0]!.flatMap((_, symbol) => hmmlearn.emission.map((row) => row[symbol]!)))
    expectClose([before], [hmmlearn.logLikelihoods.reduce((sum, value) => sum + value, 0)])
    expectClose([given.sequences.reduce((sum, sequence) => sum + logLikelihood(model, sequence), 0)], [hmmlearn.after])
  })
})
