import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { Turnstile } from './turnstile.ts'

const PATIENT = { waitMs: 60_000 }
const tooMany = expect.objectContaining({ code: 'too_many_requests' })

it('lets so many through, and the others in the order of coming', async () => {
  const turns = new Turnstile({ atOnce: 2, waiting: 3 })
  const seen: number[] = []
  const leaves = [await turns.enter(PATIENT), await turns.enter(PATIENT)]
  const waiting = [1, 2, 3].map(async (n) => {
    const leave = await turns.enter(PATIENT)
    seen.push(n)
    return leave
  })
  await expect(turns.enter(PATIENT)).rejects.toEqual(tooMany)
  expect(() => turns.demandRoom()).toThrow(tooMany)
  expect(seen).toEqual([])
  leaves[0]!()
  leaves[0]!() // a second time frees nothing
  await vi.waitFor(() => expect(seen).toEqual([1]))
  leaves[1]!()
  ;(await waiting[0]!)()
  await vi.waitFor(() => expect(seen).toEqual([1, 2, 3]))
})

it('sends away who waits too long, and forgets who left', async () => {
  const turns = new Turnstile({ atOnce: 1, waiting: 2 })
  const leave = await turns.enter(PATIENT)
  await expect(turns.enter({ waitMs: 1 })).rejects.toEqual(tooMany)
  const gone = new AbortController()
  const left = turns.enter({ ...PATIENT, signal: gone.signal })
  gone.abort()
  await expect(left).rejects.toMatchObject({ code: 'cancelled' })
  await expect(turns.enter({ ...PATIENT, signal: gone.signal })).rejects.toMatchObject({ code: 'cancelled' })
  leave()
  ;(await turns.enter({ waitMs: 1 }))()
})

it('never lets more through than allowed, and ends empty, whatever happens', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom('enter', 'leave', 'abort', 'hurry'), { maxLength: 60 }), async (steps) => {
      const turns = new Turnstile({ atOnce: 3, waiting: 4 })
      const inside: (() => void)[] = []
      const waiting: { gone: AbortController; done: Promise<unknown> }[] = []
      for (const step of steps) {
        if (step === 'leave') inside.shift()?.()
        if (step === 'abort') waiting.at(-1)?.gone.abort()
        if (step === 'enter' || step === 'hurry') {
          const gone = new AbortController()
          const done = turns.enter({ waitMs: step === 'hurry' ? 0 : 60_000, signal: gone.signal }).then(
            (leave) => void inside.push(leave),
            () => undefined,
          )
          waiting.push({ gone, done })
        }
        await Promise.resolve().then(() => undefined).then(() => undefined)
        expect(inside.length).toBeLessThanOrEqual(3)
      }
      for (const { gone } of waiting) gone.abort()
      await Promise.all(waiting.map(({ done }) => done))
      for (const leave of inside) leave()
      const again = await Promise.all([1, 2, 3].map(() => turns.enter({ waitMs: 0 })))
      expect(again).toHaveLength(3)
    }),
    { numRuns: 60 },
  )
})
