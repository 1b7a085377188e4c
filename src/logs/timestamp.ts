/** Times as logs write them, read without the host's time zone: `Date.parse` takes a time without a zone as local. */

const EARLIEST = Date.UTC(1990, 0, 1)
const LATEST = Date.UTC(2100, 0, 1)

/** Milliseconds since 1970 of an ISO text or an epoch in s, ms, us or ns; null when it is none, or lies outside 1990 to 2099. */
export function readTime(value: unknown): number | null {
  const time = typeof value === 'number' ? epoch(value) : typeof value === 'string' ? textTime(value) : null
  return time !== null && time >= EARLIEST && time < LATEST ? time : null
}

function textTime(text: string): number | null {
  if (/^\d{9,19}(?:\.\d{1,9})?$/.test(text)) return epoch(Number(text))
  const time = leadingTime(text)
  return time !== null && time.end === text.length ? time.tsMs : null
}

/** The ISO time at the start of a text and where it ends. Without a zone it counts as UTC. */
export function leadingTime(text: string): { tsMs: number; end: number } | null {
  const match = ISO.exec(text.slice(0, 48))
  if (match === null) return null
  const [all, year, month, day, hour, minute, second = '0', fraction = '', zone = 'Z'] = match
  const numbers = [year, month, day, hour, minute, second].map(Number)
  const [y = 0, mo = 0, d = 0, h = 0, mi = 0, s = 0] = numbers
  const utc = Date.UTC(y, mo - 1, d, h, mi, s, Math.floor(Number(`0.${fraction || '0'}`) * 1000))
  // Date.UTC rolls the 31st of February over into March
  if (new Date(utc).getUTCMonth() !== mo - 1 || h > 24 || mi > 59 || s > 60) return null
  return { tsMs: utc - offsetMs(zone), end: all.length }
}

/** Fixed widths and one class each: nothing in it can backtrack over more than a few characters. */
const ISO = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?/

function offsetMs(zone: string): number {
  if (zone === 'Z') return 0
  const digits = zone.slice(1).replace(':', '')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  return (zone.startsWith('-') ? -1 : 1) * minutes * 60_000
}

/** The unit follows from the size: seconds stay below 1e11 until the year 5138. */
function epoch(value: number): number | null {
  if (!Number.isFinite(value) || value <= 0) return null
  const perMs = [1e11, 1e14, 1e17].findIndex((bound) => value < bound)
  return Math.floor(perMs === 0 ? value * 1000 : perMs === 1 ? value : perMs === 2 ? value / 1e3 : value / 1e6)
}
