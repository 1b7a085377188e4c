/** Times in tables: an epoch in any unit, or a date and a time of day, which without a zone are UTC. */
import { epochMs, plausible } from '../../read/time.ts'

/** Milliseconds with the parts of one that a nanosecond clock gives; NaN for what is no plausible time. */
export function cellTimeMs(text: string): number {
  if (/^\d{17,20}$/.test(text)) {
    // beyond 2^53 a number would round: whole milliseconds and the rest apart
    const ms = plausible(Number(text.slice(0, -6)))
    return ms + Number(text.slice(-6)) / 1e6
  }
  if (/^\d+(\.\d+)?$/.test(text)) return epochMs(Number(text))
  const parts = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d+)?\s*(Z|UTC|[+-]\d\d:?\d\d)?/.exec(text)
  if (parts === null) return Number.NaN
  const [, day, clock, fraction = '', zone = 'Z'] = parts
  const offset = zone === 'UTC' || zone === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(-2)}`
  return plausible(Date.parse(`${day}T${clock}${offset}`)) + (fraction === '' ? 0 : Number(fraction) * 1000)
}
