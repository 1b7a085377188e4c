/** Evidence in words, for the person who has to believe it. */
import type { ChangeEvidence } from './changes.ts'
import { CHILD, END, START, splitKey } from './observe.ts'
import type { PatternEvidence } from './patterns.ts'
import type { SlowEvidence } from './slowness.ts'

export type AnyEvidence = PatternEvidence | SlowEvidence | ChangeEvidence

const SHOWN = 70

export function sentenceOf(evidence: AnyEvidence, texts: ReadonlyMap<string, string>): string {
  const event = (key: string): string => eventText(key, texts)
  if (evidence.kind === 'metric') {
    const { service, metric, value, usual, z } = evidence
    return `${service}: ${metric} went to ${figure(value)} from ${figure(usual)}, ${figure(z)} times its usual spread`
  }
  const [k1, n1] = evidence.now
  const [k0, n0] = evidence.before
  if ('what' in evidence) {
    const { service, what, limitMs } = evidence
    const named = splitKey(what).map(event).join(' to ')
    return `${service}: ${named} took longer than ${figure(limitMs)} ms in ${k1} of ${n1}, before in ${k0} of ${n0}`
  }
  const expected = figure((k0 / n0) * n1)
  const { service, outcome, context } = evidence
  const after = splitKey(context).slice(evidence.kind === 'call' ? 1 : 0).map(event).join(' and ')
  const what = event(splitKey(outcome).at(-1) ?? outcome)
  const place = evidence.kind === 'call' ? `between ${after} of ${splitKey(context)[0]}` : `after ${after}`
  const change = k1 === 0 ? 'stopped' : k1 / n1 < k0 / n0 ? 'became rarer' : k0 === 0 ? 'is new' : 'became more common'
  return `${service}: ${what} ${change} ${place}: expected ${expected} of ${n1}, saw ${k1}`
}

function eventText(key: string, texts: ReadonlyMap<string, string>): string {
  if (key === END) return 'nothing more'
  if (key.startsWith(START)) return `the start of ${key.slice(1)}`
  if (key.startsWith(CHILD)) return `call ${key.slice(1)}`
  // the ids of trace and span say nothing of what the line means, and push that out of sight
  const text = (texts.get(key) ?? key).replaceAll(/\w*(trace|span)\w*[:=] ?<\*>|\s+/gi, ' ').replaceAll(/ +/g, ' ').replace(/^<\*> /, '')
  return `"${text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text}"`
}

const figure = (value: number): string => (Number.isInteger(value) ? String(value) : Number(value.toPrecision(3)).toString())
