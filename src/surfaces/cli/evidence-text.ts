/** A candidate and its evidence as a terminal shows them: the gate as a table, histograms as bars, the lines themselves. */
import type { AuditEntry, Candidate, EvidenceView } from '../../contracts/index.ts'
import { inline, plain, table } from './print.ts'

const BAR = 24
const MOST_VALUES = 8

export function candidateText(candidate: Candidate, evidence: EvidenceView, audit: readonly AuditEntry[]): string {
  const { pid, proposal_type: kind, status, title, confidence, consequence, score, tier, group, merged_into: into } = candidate
  const parts = [
    [
      plain(title),
      `${kind}  ${status}  ${tier}  confidence ${confidence.toFixed(3)} x consequence ${consequence.toFixed(3)} = ${score.toFixed(3)}`,
      `pid ${pid}, version ${candidate.version}${group === undefined || group === pid ? '' : `, group ${group}`}${into === null ? '' : `, merged into ${into}`}`,
      ...(candidate.lag_ms_p50 === null ? [] : [`lag ${seconds(candidate.lag_ms_p50)} (median), ${seconds(candidate.lag_ms_p95 ?? 0)} (95 %)`]),
      ...(Object.keys(candidate.edits).length === 0 ? [] : [`edited: ${inline(JSON.stringify(candidate.edits))}`]),
    ],
    section('Samples', evidence.samples.map((sample) => `  ${inline(sample)}`)),
    section('Gate', gateLines(evidence)),
    section('Lags: observed, and what the shuffled times give', lagLines(evidence)),
    section('Slots', evidence.slots.flatMap(slotLines)),
    section('Lines', evidence.lines.map((line) => `  ${lineText(line)}`)),
    section('Line pairs', evidence.line_pairs.flatMap(({ cause, effect, lag_ms: lag }) => [`  ${lineText(cause)}`, `    then ${seconds(lag)}: ${lineText(effect)}`])),
    section('Merged into this one', evidence.merged.map(({ pid: from, name }) => `  ${from}  ${inline(name)}`)),
    section('What approval would add', candidate.candidate_turtle.trimEnd().split('\n').filter((line) => line !== '').map((line) => `  ${inline(line)}`)),
    section('History', audit.map(auditLine)),
  ]
  return parts.filter((lines) => lines.length > 0).map((lines) => lines.join('\n')).join('\n\n')
}

const section = (title: string, lines: readonly string[]): string[] => (lines.length === 0 ? [] : [title, ...lines])

function gateLines({ gate, why_demoted: why }: EvidenceView): string[] {
  const rows = gate.map(({ condition, value, operator, threshold, passed }) =>
    [`  ${condition}`, value === null ? 'too little data' : String(value), `${operator} ${threshold}`, passed ? 'passed' : 'FAILED'])
  return [...(rows.length === 0 ? [] : [table(['  condition', 'value', 'wanted', 'result'], rows)]), ...(why === null ? [] : [`  demoted: ${inline(why)}`])]
}

function lagLines({ lag_histogram: lags }: EvidenceView): string[] {
  if (lags === null) return []
  const most = Math.max(1, ...lags.bins.flatMap(({ observed, expected }) => [observed, expected]))
  const bar = (value: number, sign: string) => sign.repeat(Math.round((BAR * value) / most)).padEnd(BAR)
  const rows = lags.bins.map(({ to_ms, observed, expected }) => [`  <= ${seconds(to_ms)}`, `${bar(observed, '#')} ${observed}`, `${bar(expected, '.')} ${expected.toFixed(1)}`])
  return [table(['  lag', 'observed', 'expected by chance'], rows), `  ${lags.followed} followed where chance gives ${lags.expected.toFixed(1)}`]
}

function slotLines({ name, type, distinct_count: distinct, pii_risk: pii, histogram }: EvidenceView['slots'][number]): string[] {
  const most = Math.max(1, ...histogram.map(({ count }) => count))
  return [
    `  ${inline(name)}  ${type}  ${distinct} values${pii ? '  may name a person' : ''}`,
    ...histogram.slice(0, MOST_VALUES).map(({ value, count }) => `    ${'#'.repeat(Math.max(1, Math.round((BAR * count) / most))).padEnd(BAR)} ${count}  ${inline(value)}`),
    ...(histogram.length > MOST_VALUES ? [`    ... and ${histogram.length - MOST_VALUES} more`] : []),
  ]
}

const lineText = ({ file, offset, ts, text }: EvidenceView['lines'][number]): string =>
  `${inline(file)} @ ${offset}${ts === null ? '' : `  ${ts}`}${text === null ? '' : `\n      ${inline(text)}`}`

const auditLine = ({ at, action, from, to, reviewer, note, edits }: AuditEntry): string =>
  `  ${at}  ${action}  ${from} -> ${to}  ${inline(reviewer)}${note === null ? '' : `: ${inline(note)}`}` +
  (Object.keys(edits).length === 0 ? '' : `  ${inline(JSON.stringify(edits))}`)

const seconds = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`)
