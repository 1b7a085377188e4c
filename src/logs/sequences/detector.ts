/** What every detector of strange sequences is: it learns from ordinary ones, then gives each sequence a strangeness. */
import type { Rng } from '../../kernel/stats/index.ts'

export interface Learning {
  /** symbols are 0..size-1; `size` itself is a template that was never learned */
  readonly size: number
  readonly random: Rng
}

/** Higher is stranger; units are the detector's own. */
export type Strangeness = (sequence: readonly number[]) => number

export interface Detector {
  readonly name: string
  readonly learn: (sequences: readonly (readonly number[])[], learning: Learning) => Strangeness
}
