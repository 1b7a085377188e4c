/** An insight as a person reads it in a terminal: the answer, the chain, the ranking, and what speaks against it. */
import type { ChainStep, Insight } from '../../contracts/index.ts'
import { inline, plain, table, wrapped } from './print.ts'

/** More than these belong into --json or --report. */
const SHOWN = 5

export function insightText(insight: Insight): string {
  const { chain = [], ranked_causes: causes = [], refutation = [], similar = [], hints = [], records = [] } = insight
  const sections = [
    // its further lines say the steps, which stand in the chain below
    [wrapped(plain(insight.answer.split('\n')[0] ?? ''))],
    chain.length === 0 ? [] : ['Chain', ...chain.flatMap(stepLines)],
    records.length === 0 ? [] : ['Records of the database that it touches', ...records.map(({ label, classes }) => `  ${inline(label)} (${classes.map(inline).join(', ')})`)],
    causes.length === 0 || similar.length > 0 ? [] : ['Candidate root causes', ...indented(causesTable(insight))],
    similar.length === 0 ? [] : ['Similar incidents', ...indented(similarTable(insight))],
    refutation.length === 0 ? [] : ['What would refute it', ...refutation.slice(0, SHOWN).map((line) => `  - ${wrapped(inline(line), 104).replaceAll('\n', '\n  ')}`)],
    hints.length === 0 ? [] : ['Not approved, so only a hint', ...hints.map(({ title, confidence, pid }) => `  - ${inline(title)}, confidence ${confidence.toFixed(2)}: wherefore review show ${pid}`)],
    insight.warnings.map((warning) => `note: ${plain(warning)}`),
  ]
  return sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n')).join('\n\n')
}

function stepLines(step: ChainStep): string[] {
  const times = step.count > 1 ? `, ${step.count} times` : ''
  const line = step.line === null ? '' : `  ${inline(step.line.file)}:${step.line.offset}`
  const own = `  ${step.time}  ${inline(step.label)}${times}${line}`
  if (step.lag_ms === null) return [own]
  const usual = step.usual_lag_ms === undefined ? '' : ` (usual ${span(step.usual_lag_ms)})`
  const by = step.supposed === null ? (step.rule === null ? '' : `, by ${inline(step.rule)}`) : `, supposed: ${inline(step.supposed)}`
  const from = step.repeated_at === undefined ? '' : `repeated at ${step.repeated_at}, `
  return [own, `      ${from}then ${seconds(step.lag_ms)} later${usual}${by}`]
}

const causesTable = ({ ranked_causes: causes = [] }: Insight): string =>
  table(
    ['score', 'cause', 'time', 'share', 'evidence', 'lag fit', 'change', 'position', ''],
    causes.slice(0, SHOWN).map(({ score, label, time, parts, supposed }) => [
      score.toFixed(2), label, time,
      ...[parts.share, parts.evidence, parts.lag_fit, parts.change, parts.position].map((part) => part.toFixed(2)),
      supposed === null ? '' : 'supposed',
    ]),
  )

const similarTable = ({ similar = [] }: Insight): string =>
  table(
    ['similar', 'event', 'time', 'same causes', 'what was different'],
    similar.slice(0, 2 * SHOWN).map(({ similarity, label, time, shared_causes, differences }) =>
      [similarity.toFixed(2), label, time, shared_causes.join(', '), differences.length === 0 ? 'nothing' : differences.join('; ')]),
  )

const indented = (text: string): string[] => text.split('\n').map((line) => `  ${line}`)
const seconds = (ms: number): string => (Math.abs(ms) < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`)
const span = ([from, to]: readonly [number, number]): string => `${seconds(from)} to ${seconds(to)}`
