/** A post-mortem in Markdown: the same bytes for the same graph, nothing in it but what the insight says. */
import type { ChainStep, LogLine, PremiseNode, RankedCause, SimilarIncident, TimelineEntry } from '../contracts/index.ts'
import type { ComputedInsight } from './rca.ts'
import { seconds } from './wording.ts'

export interface PostMortem {
  readonly insight: ComputedInsight
  readonly similar: readonly SimilarIncident[]
  /** a term as people read it */
  readonly short: (term: string) => string
  /** the template of the lines of an event class, where it is known */
  readonly template: (className: string) => string | undefined
}

export function postMortem(about: PostMortem): string {
  const { insight } = about
  const title = insight.about === undefined ? 'Post-mortem' : `Post-mortem: ${text(insight.about.label)} at ${insight.about.time}`
  const sections: [string, readonly string[]][] = [
    ['Summary', summaryOf(insight)],
    ['Time line', timeline(insight.timeline ?? [])],
    ['Chain of causes', chainOf(about)],
    ['Ranked causes', rankedOf(insight.ranked_causes ?? [])],
    ['Competing causes', competingOf(insight)],
    ['What would refute this', bullets(insight.refutation ?? [])],
    ['Similar incidents', similarOf(about.similar)],
    ['Affected records', recordsOf(about)],
    ['Open questions', openQuestions(insight)],
  ]
  return `${[`# ${title}`, ...sections.map(([name, lines]) => [`## ${name}`, '', ...(lines.length === 0 ? ['None known.'] : lines)].join('\n'))].join('\n\n')}\n`
}

function summaryOf({ answer, ranked_causes: [best] = [], timeline: events = [] }: ComputedInsight): string[] {
  if (best === undefined) return [text(answer)]
  const effects = events.filter(({ role }) => role === 'effect').length
  const proof = best.supposed === null ? 'Every step is proven from the logs' : `One step is supposed, not proven (${text(best.supposed)})`
  return [
    text(answer.split('\n')[0] ?? ''),
    '',
    `${proof}; the score of the cause is ${best.score.toFixed(2)} of 1. ${effects} further ${effects === 1 ? 'event goes' : 'events go'} back to it.`,
  ]
}

const timeline = (events: readonly TimelineEntry[]): string[] =>
  table(
    ['time', 'after', 'event', 'role', 'severity', 'times', 'line'],
    events.map(({ time, after_ms, label, role, severity, count, line }) =>
      [time, after_ms < 0 ? `-${seconds(-after_ms)}` : `+${seconds(after_ms)}`, label, role, severity ?? '', String(count), lineText(line)]),
  )

function chainOf({ insight: { chain = [] }, short, template }: PostMortem): string[] {
  return chain.flatMap((step, n) => {
    const next = chain[n + 1]
    const kind = template(step.label.split(' on ')[0] ?? '')
    return [
      `${n + 1}. **${text(step.label)}** at ${step.time}${step.severity === null ? '' : `, ${text(step.severity)}`}`,
      ...(step.line === null ? [] : [`   - log line: ${code(lineText(step.line))}${kind === undefined ? '' : `, ${code(kind)}`}${step.count > 1 ? `, ${step.repeated_at === undefined ? 'the first' : `at ${step.repeated_at}, one`} of ${step.count}` : ''}`]),
      ...(next === undefined ? [] : [`   - ${stepText(step)} → ${text(next.label)}`, ...premises(step.premises, short)]),
    ]
  })
}

function stepText({ lag_ms: lag, usual_lag_ms: usual, rule, supposed }: ChainStep): string {
  const normal = usual === undefined ? '' : ` (usual: ${seconds(usual[0])} to ${seconds(usual[1])})`
  const by = supposed !== null ? `supposed, not proven: ${text(supposed)}` : rule === null ? 'stated by the graph' : `proven by rule ${code(rule)}`
  return `after ${seconds(lag ?? 0)}${normal}, ${by}`
}

const premises = (nodes: readonly PremiseNode[], short: (term: string) => string): string[] =>
  nodes.map((node) => {
    if (node.kind !== 'triple') return `     - ${code(node.text)}`
    const { subject, predicate, object } = node.triple
    return `     - ${code([subject, predicate, object].map(short).join(' '))}${node.asserted ? '' : ' (derived)'}`
  })

const rankedOf = (causes: readonly RankedCause[]): string[] =>
  table(
    ['cause', 'time', 'score', 'share', 'evidence', 'lag fit', 'change', 'position', 'proven'],
    causes.map(({ label, time, score, parts, supposed }) =>
      [label, time, ...[score, parts.share, parts.evidence, parts.lag_fit, parts.change, parts.position].map((part) => part.toFixed(2)), supposed === null ? 'yes' : 'no']),
  )

const competingOf = ({ competing = [] }: ComputedInsight): string[] =>
  competing.flatMap(({ effect, causes }) => [
    `- ${text(effect.label)} at ${effect.time} may go back to`,
    ...causes.map(({ label, time, share, lag_ms, supposed }) =>
      `  - ${text(label)} at ${time}, ${seconds(lag_ms)} before: ${Math.round(100 * share)} % of the blame${supposed === null ? '' : ` (supposed: ${text(supposed)})`}`),
  ])

const similarOf = (similar: readonly SimilarIncident[]): string[] =>
  table(
    ['event', 'time', 'similarity', 'same causes', 'what was different'],
    similar.map(({ label, time, similarity, shared_causes, differences }) =>
      [label, time, similarity.toFixed(2), shared_causes.join(', '), differences.length === 0 ? 'nothing' : differences.join('; ')]),
  )

const recordsOf = ({ insight: { records = [] }, short }: PostMortem): string[] =>
  records.map(({ record, label, classes, events }) =>
    `- ${text(label)} (${classes.map(text).join(', ')}): ${code(short(record))}, in ${events} ${events === 1 ? 'event' : 'events'} of the chain`)

function openQuestions({ warnings, hints = [], ranked_causes: [best, second] = [] }: ComputedInsight): string[] {
  const close = best !== undefined && second !== undefined && second.score > 0.5 * best.score
    ? [`Was it ${text(best.label)} or ${text(second.label)}? Their scores are close (${best.score.toFixed(2)} and ${second.score.toFixed(2)}).`]
    : []
  const started = best === undefined ? [] : [`What brought ${text(best.label)} about? The graph knows no cause of it.`]
  return bullets([...close, ...started, ...warnings, ...hints.map(({ title }) => `Is it true that ${title}? Nobody has reviewed it.`)])
}

const lineText = (line: LogLine | null): string => (line === null ? '' : `${line.file}:${line.offset}`)
const bullets = (lines: readonly string[]): string[] => lines.map((line) => `- ${text(line)}`)

function table(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return []
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => text(cell).replaceAll('|', String.raw`\|`)).join(' | ')} |`
  return [line(header), `|${header.map(() => '---').join('|')}|`, ...rows.map(line)]
}

/** Text of the logs stays text: on one line, and nothing in it becomes markup, a link or HTML. */
const text = (value: string): string =>
  value.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').replaceAll(/[\\`*_[\]<>#]/g, String.raw`\$&`)
const code = (value: string): string => `\`${value.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').replaceAll('`', "'")}\``
