import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TIERS, tierRank } from '../contracts/index.ts'
import type { Caller } from '../runtime/index.ts'
import { okAnswer } from '../../tests/e2e/fake-answer.ts'
import { emit, emitSearch, frame, writeJson } from './emit.ts'

const caller = (grant: Caller['grant']): Caller => ({ name: 'someone', grant, roles: ['reader'] })

describe('emit', () => {
  it('hands over a value whose ceiling the caller reaches, and refuses any other as if it did not exist', () => {
    for (const ceiling of TIERS) {
      for (const grant of TIERS) {
        const out = () => emit({ value: 'here', ceiling }, caller(grant))
        if (tierRank(ceiling) <= tierRank(grant)) expect(out()).toBe('here')
        else expect(out).toThrow(expect.objectContaining({ code: 'not_found' }))
      }
    }
  })

  it('stops an answer that names a tier above the ceiling of its search', () => {
    const data = okAnswer('run-1', true)
    expect(emitSearch({ event: 'answer', data }, 'Internal').data).toBe(data)
    expect(() => emitSearch({ event: 'answer', data }, 'Public')).toThrow('above the ceiling')
    const inferred = data.inferred.map((fact) => ({ ...fact, tier: 'Confidential' as const }))
    expect(() => emitSearch({ event: 'answer', data: { ...data, inferred } }, 'Internal')).toThrow('above the ceiling')
  })
})

describe('writeJson', () => {
  it('writes integers beyond a double as decimal strings', () => {
    expect(writeJson({ id: 9007199254740993n, rows: [[1n, 2]] })).toBe('{"id":"9007199254740993","rows":[["1",2]]}')
  })

  it('refuses what JSON cannot hold', () => {
    expect(() => writeJson(undefined)).toThrow(TypeError)
  })
})

describe('frame', () => {
  it('is an id, an event and one line of data', () => {
    expect(frame({ id: 3, event: 'run', data: { run_id: 'r' } })).toBe('id: 3\nevent: run\ndata: {"run_id":"r"}\n\n')
  })

  it('keeps any text of a record on its one line', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('\n', '\r', ':', ' ', 'event', 'data', 'a', '"', '\\') }), (text) => {
        const lines = frame({ id: 1, event: 'claim', data: { text } }).split(/\r\n|\r|\n/)
        expect(lines).toHaveLength(5)
        expect(JSON.parse(lines[2]!.slice('data: '.length))).toEqual({ text })
      }),
    )
  })

  it('takes no event outside the list and no id but a whole number', () => {
    expect(() => frame({ id: 1, event: 'run\ndata: x' as 'run', data: {} })).toThrow(RangeError)
    for (const id of [-1, 1.5, Number.NaN]) expect(() => frame({ id, event: 'run', data: {} })).toThrow(RangeError)
  })
})
