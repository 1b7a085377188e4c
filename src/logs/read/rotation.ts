/** Names that log rotation gives: `app.log.2.gz` is older than `app.log.1`, which is older than `app.log`. */
import { compareText } from '../../kernel/term.ts'

export interface Rotated {
  /** the name of the log that is written to */
  readonly live: string
  /** 0 for that log itself; the larger, the older */
  readonly age: number
  /** a date in the name, else empty: the later, the younger */
  readonly date: string
}

const COMPRESSED = /\.(?:gz|zst|zstd)$/

export function rotationOf(name: string): Rotated {
  const plain = name.replace(COMPRESSED, '')
  const numbered = /^(.+)\.(\d{1,4})$/.exec(plain)
  if (numbered !== null) return { live: numbered[1] ?? plain, age: Number(numbered[2]), date: '' }
  const dated = /^(.+?)[-_.](\d{4}-?\d{2}-?\d{2}(?:[-_T]?\d{2,6})?)(\.[A-Za-z]+)?$/.exec(plain)
  if (dated !== null) return { live: (dated[1] ?? '') + (dated[3] ?? ''), age: 1, date: dated[2] ?? '' }
  return { live: plain, age: 0, date: '' }
}

/** By log, the oldest first. */
export function compareRotated(x: string, y: string): number {
  const [a, b] = [rotationOf(x), rotationOf(y)]
  if (a.live !== b.live) return compareText(a.live, b.live)
  const dates = a.date !== '' && b.date !== '' ? compareText(a.date, b.date) : 0
  return dates || b.age - a.age || compareText(x, y)
}

/** What a line without a service of its own belongs to: the log's name without folder, number and ending. */
export function serviceOf(name: string): string {
  const { live } = rotationOf(name)
  const base = live.slice(live.lastIndexOf('/') + 1)
  return base.replace(/\.[A-Za-z]{1,8}$/, '') || base
}
