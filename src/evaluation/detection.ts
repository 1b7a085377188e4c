/** Figures of a detector whose verdicts are compared with labels. Cases without a label count nowhere. */

export interface Detection {
  readonly precision: number | null
  readonly recall: number | null
  readonly f1: number | null
  readonly false_alarm_rate: number | null
  readonly true_positives: number
  readonly false_positives: number
  readonly false_negatives: number
  readonly true_negatives: number
}

export type LabelledVerdict = readonly [label: number | boolean | undefined, found: boolean]

export function detectionOf(cases: readonly LabelledVerdict[]): Detection {
  const count = (isOdd: boolean, isFound: boolean): number =>
    cases.filter(([label, found]) => label !== undefined && (Number(label) !== 0) === isOdd && found === isFound).length
  const [hits, alarms, missed, calm] = [count(true, true), count(false, true), count(true, false), count(false, false)]
  return figuresOf(hits, alarms, missed, calm)
}

/** Several counts as one. */
export function together(parts: readonly Detection[]): Detection {
  const sum = (of: (part: Detection) => number): number => parts.reduce((total, part) => total + of(part), 0)
  return figuresOf(
    sum((part) => part.true_positives), sum((part) => part.false_positives), sum((part) => part.false_negatives),
    sum((part) => part.true_negatives),
  )
}

const figuresOf = (hits: number, alarms: number, missed: number, calm: number): Detection => ({
  precision: share(hits, hits + alarms), recall: share(hits, hits + missed), f1: share(2 * hits, 2 * hits + alarms + missed),
  false_alarm_rate: share(alarms, alarms + calm), true_positives: hits, false_positives: alarms, false_negatives: missed,
  true_negatives: calm,
})

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)
