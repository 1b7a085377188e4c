/** How a column writes its dates, seen from some of its values, and a bound of a time range written the same way. */

export type DateSpelling =
  | 'year' // 2014, a number or a text
  | 'month' // 2014-03
  | 'day' // 2014-03-05
  | 'compact' // 20140305
  | 'moment' // 2014-03-05 14:30:00
  | 'moment-t' // 2014-03-05T14:30:00
  | 'moment-z' // 2014-03-05T14:30:00Z

const SPELLINGS: readonly (readonly [DateSpelling, RegExp])[] = [
  ['year', /^[12]\d{3}$/],
  ['month', /^[12]\d{3}-(?:0[1-9]|1[0-2])$/],
  ['day', /^[12]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/],
  ['compact', /^[12]\d{3}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/],
  ['moment', /^[12]\d{3}-\d{2}-\d{2} \d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/],
  ['moment-t', /^[12]\d{3}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/],
  ['moment-z', /^[12]\d{3}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z$/],
]

/** The one spelling that all values share; null when they have none that sorts in the order of time, or differ. */
export function spellingOf(values: readonly (string | number)[]): DateSpelling | null {
  if (values.length === 0) return null
  const found = SPELLINGS.find(([, form]) => values.every((value) => form.test(String(value))))
  return found?.[0] ?? null
}

/**
 * A bound of `readTime` (`2024-03-05` or `2024-03-05T14:30:00Z`) as the column would write it, so that the two compare as texts
 * or numbers. Null when the spelling is too coarse to hold it: a column of years cannot be cut in March.
 */
export function spellBound(bound: string, spelling: DateSpelling): string | null {
  const [day, time = '00:00:00'] = bound.replace(/Z$/, '').split('T') as [string, string?]
  const midnight = time === '00:00:00'
  switch (spelling) {
    case 'year':
      return midnight && day.endsWith('-01-01') ? day.slice(0, 4) : null
    case 'month':
      return midnight && day.endsWith('-01') ? day.slice(0, 7) : null
    case 'day':
      return midnight ? day : null
    case 'compact':
      return midnight ? day.replaceAll('-', '') : null
    case 'moment':
      return `${day} ${time}`
    case 'moment-t':
      return `${day}T${time}`
    case 'moment-z':
      return `${day}T${time}Z`
  }
}
