import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gate } from './gate.ts'

const PASS = { pmi: 2, leadRatio: 0.7, grangerP: 0.049, teZ: 2.1 }

describe('the gate', () => {
  it.each([
    { name: 'all conditions at their bounds', change: {}, failed: [] },
    { name: 'Granger alone is enough', change: { teZ: null }, failed: [] },
    { name: 'transfer entropy alone is enough', change: { grangerP: null }, failed: [] },
    { name: 'PMI below 2', change: { pmi: 1.999 }, failed: ['pmi'] },
    { name: 'lead below 0.7', change: { leadRatio: 0.699 }, failed: ['temporal_lead_ratio'] },
    { name: 'neither test', change: { grangerP: 0.05, teZ: 2 }, failed: ['granger_p or transfer_entropy_z'] },
    { name: 'no test could be run', change: { grangerP: null, teZ: null }, failed: ['granger_p or transfer_entropy_z'] },
    { name: 'PMI and lead', change: { pmi: 0, leadRatio: 0 }, failed: ['pmi', 'temporal_lead_ratio'] },
  ])('$name: $failed', ({ change, failed }) => {
    const verdict = gate({ ...PASS, ...change })
    expect(verdict.failed).toEqual(failed)
    expect(verdict.verdict).toBe(failed.length === 0 ? 'LOG_CAUSAL_EDGE' : 'LOG_RELATIONSHIP')
  })

  it('stronger figures never turn a cause into a relationship', () => {
    const more = fc.double({ min: 0, max: 5, noNaN: true })
    fc.assert(
      fc.property(more, more, (pmi, z) => gate({ ...PASS, pmi: 2 + pmi, teZ: 2.1 + z }).verdict === 'LOG_CAUSAL_EDGE'),
    )
  })
})
