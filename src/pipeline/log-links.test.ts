import { describe, expect, it } from 'vitest'
import { LOG_DISCOVERY, type Session, type Tier } from '../contracts/index.ts'
import type { KeyMatch } from '../ontology/index.ts'
import { choose } from './log-links.ts'

const match = (cls: string, tier: Tier = 'Internal'): KeyMatch => ({ cls: { name: cls }, property: { name: 'id' }, record: `${cls}/7`, tier }) as KeyMatch
const session = (...approved: [from: string, to: string][]): Session =>
  ({ relationships: approved.map(([from, to]) => ({ source: LOG_DISCOVERY, from, to })) }) as unknown as Session
const chosen = (slot: string, name: string, matches: readonly KeyMatch[], known = session()): { match: string | undefined; doubtful: string[] } => {
  const { match: one, doubtful } = choose({ slot, name }, matches, known)
  return { match: one?.cls.name, doubtful: doubtful.map(({ cls }) => cls.name) }
}

describe('a name in a log line', () => {
  it.each<[string, string, string, readonly KeyMatch[], { match: string | undefined; doubtful: string[] }]>([
    ['a name of one record', 'node', 'crt-07', [match('Resource')], { match: 'Resource', doubtful: [] }],
    ['a bare number, though one table alone has it', 'attempt', '7', [match('Resource')], { match: undefined, doubtful: [] }],
    ['a bare number of a signed or broken kind', 'load', '-7.5', [match('Resource')], { match: undefined, doubtful: [] }],
    ['a number whose slot says of what', 'customer_id', '7', [match('Resource'), match('Customer')], { match: 'Customer', doubtful: [] }],
    ['a number of a class of two words', 'serviceOrderNo', '7', [match('ServiceOrder'), match('Service')], { match: 'ServiceOrder', doubtful: [] }],
    ['a name of two records', 'node', 'crt-07', [match('Resource'), match('Site')], { match: undefined, doubtful: ['Resource', 'Site'] }],
    ['a name that only a higher tier could mistake', 'node', 'crt-07', [match('Resource'), match('Probe', 'Restricted')], { match: 'Resource', doubtful: ['Probe'] }],
    ['a name of nothing', 'node', 'crt-07', [], { match: undefined, doubtful: [] }],
  ])('%s', (_, slot, name, matches, expected) => expect(chosen(slot, name, matches)).toEqual(expected))

  it('is of the kind that a reviewer approved for its slot, also a bare number', () => {
    expect(chosen('port', '7', [match('Resource'), match('Site')], session(['Port', 'Site']))).toEqual({ match: 'Site', doubtful: [] })
    expect(chosen('lane', '7', [match('Resource'), match('Site')], session(['Port', 'Site']))).toEqual({ match: undefined, doubtful: [] })
  })
})
