/** Small pieces of English: lists, numbers, nouns that agree with their number. */
import { plural } from '../../kernel/text/index.ts'

const SMALL = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const MAX_LISTED = 20

export const spelled = (count: number): string => (Number.isInteger(count) && SMALL[count]) || String(count)

/** "two open critical alarms", "one ticket" */
export const counted = (count: number, noun: string): string => `${spelled(count)} ${count === 1 ? noun : plural(noun)}`

/** "a, b and c"; a long list ends in how many more there are. */
export function listed(items: readonly string[], total = items.length): string {
  const shown = items.slice(0, MAX_LISTED)
  const rest = total - shown.length
  if (rest > 0) return `${shown.join(', ')} and ${rest} more`
  return shown.length < 2 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/**
 * Fills a sentence of a rule: `{c}` with what the variable stands for, `{n:open alarm}` with a number and its noun. A part in
 * square brackets is left out when one of its variables is not known. Elsewhere an unknown variable is a defect of the
 * flavor and stays visible.
 */
export function fill(sentence: string, value: (variable: string) => string | undefined): string {
  const unknown = (part: string) => [...part.matchAll(/\{(\w+)/g)].some(([, variable]) => value(variable ?? '') === undefined)
  return sentence
    .replaceAll(/\[([^[\]]*)\]/g, (_, part: string) => (unknown(part) ? '' : part))
    .replaceAll(/\{(\w+)(?::([^{}]+))?\}/g, (whole, variable: string, noun: string | undefined) => {
      const text = value(variable)
      if (text === undefined) return whole
      return noun === undefined ? text : counted(Number(text), noun)
    })
}
