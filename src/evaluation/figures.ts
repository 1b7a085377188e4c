/** Outcomes become figures: how much is right, how much of what was answered is right, and whether confidence means anything. */
import { CLASSES, type QueryClass } from './sql-text.ts'

export interface Outcome {
  readonly status: string
  readonly confidence: number
  readonly ms: number
  readonly planMs: number
  readonly classes: readonly QueryClass[]
  readonly answered: boolean
  readonly right: boolean
  /** the true query: `empty` returns no rows, `failed` does not run or returns more than can be compared */
  readonly gold: 'rows' | 'empty' | 'failed'
}

export interface Share {
  readonly questions: number
  readonly right: number
  /** null when there is nothing to take a share of */
  readonly accuracy: number | null
}

export interface Figures {
  readonly questions: number
  /** questions whose true query does not run; they count nowhere */
  readonly gold_failed: number
  /** over questions whose true query returns rows, as every figure below but the times */
  readonly execution_accuracy: Share
  /** nothing is easily equal to nothing, so these stand apart */
  readonly empty_gold: Share
  readonly with_empty_gold: Share
  readonly by_class: Readonly<Record<QueryClass, Share>>
  readonly precision_at_answered: Share
  readonly share_refused: number | null
  readonly statuses: Readonly<Record<string, number>>
  /** over answered questions, ten bins of equally many */
  readonly calibration_error: number | null
  /** chance that a right answer carries more confidence than a wrong one */
  readonly auroc: number | null
  readonly ms: Percentiles
  readonly plan_ms: Percentiles
}

export interface Percentiles {
  readonly p50: number
  readonly p95: number
}

export function figuresOf(outcomes: readonly Outcome[]): Figures {
  const runs = outcomes.filter(({ gold }) => gold !== 'failed')
  const scored = runs.filter(({ gold }) => gold === 'rows')
  const answered = scored.filter((outcome) => outcome.answered)
  return {
    questions: outcomes.length,
    gold_failed: outcomes.length - runs.length,
    execution_accuracy: shareOf(scored),
    empty_gold: shareOf(runs.filter(({ gold }) => gold === 'empty')),
    with_empty_gold: shareOf(runs),
    by_class: Object.fromEntries(
      CLASSES.map((name) => [name, shareOf(scored.filter(({ classes }) => classes.includes(name)))]),
    ) as Record<QueryClass, Share>,
    precision_at_answered: shareOf(answered),
    share_refused: scored.length === 0 ? null : rounded(1 - answered.length / scored.length),
    statuses: statusesOf(scored),
    calibration_error: calibrationError(answered),
    auroc: auroc(answered),
    ms: percentiles(outcomes.map(({ ms }) => ms)),
    plan_ms: percentiles(outcomes.map(({ planMs }) => planMs)),
  }
}

function shareOf(outcomes: readonly Outcome[]): Share {
  const right = outcomes.filter((outcome) => outcome.right).length
  return { questions: outcomes.length, right, accuracy: outcomes.length === 0 ? null : rounded(right / outcomes.length) }
}

function statusesOf(outcomes: readonly Outcome[]): Record<string, number> {
  const names = [...new Set(outcomes.map(({ status }) => status))].toSorted()
  return Object.fromEntries(names.map((name) => [name, outcomes.filter(({ status }) => status === name).length]))
}

const BINS = 10

/**
 * Expected calibration error: per bin of confidence the distance of its mean from the share that is right, weighted by size. The
 * bins hold equally many answers: where confidences crowd together, bins of equal width would average the differences away.
 */
export function calibrationError(answers: readonly Pick<Outcome, 'confidence' | 'right'>[]): number | null {
  if (answers.length === 0) return null
  const groups = [...Map.groupBy(answers, ({ confidence }) => confidence)].toSorted(([a], [b]) => a - b)
  // answers of one confidence share their outcomes, so that it does not matter which of them falls into which bin
  const gaps = groups.flatMap(([confidence, group]) => {
    const gap = confidence - group.filter(({ right }) => right).length / group.length
    return group.map(() => gap)
  })
  const edge = (bin: number) => Math.round((bin * gaps.length) / BINS)
  const distances = Array.from({ length: BINS }, (_, bin) =>
    Math.abs(gaps.slice(edge(bin), edge(bin + 1)).reduce((sum, gap) => sum + gap, 0)),
  )
  return rounded(distances.reduce((sum, distance) => sum + distance, 0) / answers.length)
}

/** By the ranks of all answers, a tie counting half (Mann-Whitney). */
export function auroc(answers: readonly Pick<Outcome, 'confidence' | 'right'>[]): number | null {
  const right = answers.filter((answer) => answer.right).length
  const wrong = answers.length - right
  if (right === 0 || wrong === 0) return null
  const groups = [...Map.groupBy(answers, ({ confidence }) => confidence)].toSorted(([a], [b]) => a - b)
  let [below, wins] = [0, 0]
  for (const [, group] of groups) {
    const own = group.filter((answer) => answer.right).length
    wins += own * (below + (group.length - own) / 2)
    below += group.length - own
  }
  return rounded(wins / (right * wrong))
}

/** The nearest rank: a time that was measured, not one between two. */
function percentiles(values: readonly number[]): Percentiles {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
  return { p50: at(0.5), p95: at(0.95) }
}

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000
