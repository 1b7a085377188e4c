/** Small pieces of English: lists, numbers, articles, nouns that agree with their number. */
import { plural } from '../../kernel/text/index.ts'

const SMALL = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
export const MAX_LISTED = 20

/** "seven", "12", "1,204": how many there are of something. */
export const spelled = (count: number): string => (Number.isInteger(count) && SMALL[count]) || grouped(String(count))

/** Digits in groups of three; what stands after the point stays as it is. */
export const grouped = (digits: string): string =>
  digits.replace(/^(-?)(\d{4,})(?![\deE])/, (_, sign: string, whole: string) => `${sign}${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}`)

/** "two open critical alarms", "one ticket" */
export const counted = (count: number, noun: string): string => `${spelled(count)} ${count === 1 ? noun : plural(noun)}`

/** "a, b and c"; a long list ends in how many more there are. Items that hold commas themselves are set apart by semicolons. */
export function listed(items: readonly string[], total = items.length, last = 'and'): string {
  const shown = items.slice(0, MAX_LISTED)
  return shown.map((item, at) => `${item}${jointAfter(at, shown, total, last)}`).join('')
}

/** What stands between one item of a list and the next, or after its last one. */
export function jointAfter(at: number, shown: readonly string[], total: number, last = 'and'): string {
  const rest = total - shown.length
  // what stands in brackets is set apart already
  const wide = shown.some((item) => item.replaceAll(/\([^()]*\)/g, '').includes(', '))
  if (at === shown.length - 1) return rest > 0 ? ` ${last} ${grouped(String(rest))} more` : ''
  if (at < shown.length - 2 || rest > 0) return wide ? '; ' : ', '
  return wide ? `; ${last} ` : ` ${last} `
}

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** "an alarm", "a user", "an hour": by how English words that begin so are mostly said. */
export function withArticle(text: string): string {
  const said = text.toLowerCase()
  const vowel = /^[aeiou]/.test(said) ? !/^(uni|use|usa|uti|ure|eu|one\b|once|ubi)/.test(said) : /^(hour|honest|honou?r|heir)/.test(said)
  return `${vowel ? 'an' : 'a'} ${text}`
}

/**
 * Fills a sentence of a rule: `{c}` with what the variable stands for, `{n:open alarm}` with a number and its noun. A part in
 * square brackets is left out when one of its variables is not known. Elsewhere an unknown variable is a defect of the
 * flavor and stays visible.
 */
export function fill(sentence: string, value: (variable: string) => string | undefined): string {
  const said = (whole: string, variable: string, noun: string | undefined): string => {
    const text = value(variable)
    if (text === undefined) return whole
    if (noun === undefined) return text
    return /^\d+$/.test(text) ? counted(Number(text), noun) : `${text} ${plural(noun)}`
  }
  return withoutUnknown(sentence, value).replaceAll(/\{(\w+)(?::([^{}]+))?\}/g, said)
}

/** The sentence with the bracketed parts that can be said, and without the others; its variables still stand in braces. */
export function withoutUnknown(sentence: string, value: (variable: string) => string | undefined): string {
  const unknown = (part: string) => [...part.matchAll(/\{(\w+)/g)].some(([, variable]) => value(variable ?? '') === undefined)
  return sentence.replaceAll(/\[([^[\]]*)\]/g, (_, part: string) => (unknown(part) ? '' : part))
}
