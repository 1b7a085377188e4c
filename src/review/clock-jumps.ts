/** Files whose clock runs backwards: what they say about order is to be taken with care. */
import { LIMITS } from '../contracts/index.ts'
import { compareText } from '../kernel/term.ts'

export interface ClockJump {
  readonly file: string
  readonly jumps: number
  /** the longest step back */
  readonly worstMs: number
}

interface Line {
  readonly file: string
  readonly offset: number
  readonly tsMs: number
}

/**
 * Lines of one file are written in turn, so a time that lies clearly before that of a line above it was set back. A clock that
 * was set forward shows when it is set back again; one that stays ahead cannot be told from a quiet log.
 */
export function clockJumps(lines: readonly Line[], toleranceMs: number = LIMITS.log_repeat_seconds * 1000): ClockJump[] {
  const byFile = Map.groupBy(lines, ({ file }) => file)
  return [...byFile].flatMap(([file, own]) => {
    let [latest, jumps, worstMs] = [-Infinity, 0, 0]
    for (const { tsMs } of own.toSorted((x, y) => x.offset - y.offset)) {
      const backMs = latest - tsMs
      if (backMs > toleranceMs) {
        jumps += 1
        worstMs = Math.max(worstMs, backMs)
        latest = tsMs // the clock goes on from here
      } else latest = Math.max(latest, tsMs)
    }
    return jumps === 0 ? [] : [{ file, jumps, worstMs }]
  }).toSorted((x, y) => compareText(x.file, y.file))
}

export const jumpLine = ({ file, jumps, worstMs }: ClockJump): string =>
  `the clock of ${file} jumps back ${jumps === 1 ? 'once' : `${jumps} times`}, by up to ${Math.round(worstMs / 1000)} s: ` +
  'its events stay in the order of their times, and what they follow may be wrong'
