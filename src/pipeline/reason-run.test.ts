import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Rule, RuleLibrary, Session } from '../contracts/index.ts'
import { ceilingOf } from './outputs.ts'
import { REASON_RUN, lastReasonRun, reasonRun, rulesMark, runLine, runText } from './reason-run.ts'

const rcaLibrary = RuleLibrary.parse({ name: 'rca', label: '', rules: [] })
const rule = (id: string, more: object = {}) => Rule.parse({ id, kind: 'datalog', body: 'p(?x) :- q(?x).', ...more })
const parts = {
  maxTier: 'Internal', uniqueNames: true, ignoreWindows: false, entityJoin: true, session: Session.parse({}), rcaLibrary,
  flavorRules: [rule('b', { source: 'flavor:sea' }), rule('a', { source: 'flavor:air' }), rule('c', { source: 'flavor:sea' })],
} as const

it('a run is read as it was written, and its file names its ceiling first', () => {
  const out = mkdtempSync(join(tmpdir(), 'wherefore-run-'))
  try {
    expect(lastReasonRun(out)).toBeNull()
    mkdirSync(join(out, 'ontology'))
    const run = reasonRun(parts)
    writeFileSync(join(out, REASON_RUN), runText(run))
    expect(lastReasonRun(out)).toEqual(run)
    expect(ceilingOf(REASON_RUN, runText(run))).toBe('Internal')
    expect([run.flavors, Object.keys(run.rules)]).toEqual([['air', 'sea'], ['Public', 'Internal']])
  } finally {
    rmSync(out, { recursive: true })
  }
})

it.each([
  [{}, 'Run with: unique names, windows and entity join on; flavors: air, sea'],
  [{ ignoreWindows: true, flavorRules: [] }, 'Run with: unique names and entity join on; windows off; flavors: none'],
  [
    { uniqueNames: false, ignoreWindows: true, entityJoin: false },
    'Run with: unique names, windows and entity join off; flavors: air, sea',
  ],
])('a run with %j is told in one line', (how, line) => {
  expect(runLine(reasonRun({ ...parts, ...how }))).toBe(line)
})

it('the mark of the rules follows what they say and which of them are on, and nothing else', () => {
  const mark = (...rules: readonly Rule[]) => rulesMark(Session.parse({ rules }), rcaLibrary, [])
  const [a, b] = [rule('a'), rule('b')]
  expect(mark(b, a)).toBe(mark(a, b))
  expect(mark(rule('a', { label: 'other' }))).toBe(mark(a))
  expect(mark(a, rule('b', { enabled: false }))).toBe(mark(a))
  expect(new Set([mark(), mark(a), mark(b), mark(a, b), mark(rule('a', { body: 'p(?x) :- r(?x).' }))]).size).toBe(5)
})
