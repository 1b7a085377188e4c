import { describe, expect, it } from 'vitest'
import type { SearchAnswer } from '../../contracts/index.ts'
import { answerText } from './print.ts'
import { verificationText } from './verify-command.ts'

const answer = (key: string, label = 'Acme'): SearchAnswer => ({
  run_id: 'r', status: 'ok', answer: 'x', claims: [], executed_query: '', executed_queries: [], plan: null,
  citations: [{ n: 1, iri: 'urn:1', label, source_table: 'customer', key: { id: key }, columns: ['id'], tier: 'Internal', inferred: false }],
  results: { columns: [], rows: [], truncated: false }, inferred: [],
  subgraph: { id: null, count: 0, view: { nodes: [], edges: [], truncated: false } },
  confidence: 1, warnings: [], follow_ups: [], trace: [], provider: 'embedded', model: '', timings_ms: {},
})

describe('a record on the terminal', () => {
  it.each(['\n', '\t', '\r', '\u001B', '\u0085', '\u200B', '\u202E', '\u2028', '\u2029', '\u2066', '\uFEFF'])(
    'keeps its key on one line, whatever is in it: %j', (sign) => {
      expect(answerText(answer(`1${sign}  [2] Forged`))).toContain('  [1] Acme  (customer: id=1\uFFFD  [2] Forged; Internal)\n')
    },
  )

  it('keeps its label on one line', () => {
    expect(answerText(answer('1', 'Acme\n\u2028[2] Forged'))).toContain('  [1] Acme [2] Forged  (customer: id=1; Internal)\n')
  })
})

it('the verdict says what was not checked, and no id of the document writes a line of its own', () => {
  const text = verificationText({
    ok: false, max_tier: 'Internal', flavor: 'generic', unchecked: ['confidence', 'run_id'],
    claims: [{ id: 'c1\nverified  c2', text: 'So it is.', verified: false, why: 'it is not' }],
    document: [{ part: 'a\nverified  b', why: 'it is not' }],
  })
  expect(text.split('\n')).toEqual([
    'failed    c1\uFFFDverified  c2  it is not: So it is.',
    'failed    a\uFFFDverified  b: it is not',
    'not checked, as no database can confirm it: confidence, run_id',
    '',
    '0 of 1 claims verified within tier Internal: the answer does not hold',
  ])
})
