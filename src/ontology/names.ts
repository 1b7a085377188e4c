/** Names of classes and properties, made from names that a database allows but an ontology and a rule do not. */
import { hash64, pascalCase, singular, snakeCase, splitIdentifier } from '../kernel/text/index.ts'
import { compareText } from '../kernel/term.ts'

/** `order_lines` is `OrderLine`; a name without any letter gets one from its hash. */
export function className(table: string): string {
  const words = splitIdentifier(table)
  const last = words.at(-1)
  const name = last === undefined ? '' : pascalCase([...words.slice(0, -1), singular(last)])
  return startsWell(name) ? name : `T${name === '' ? suffix(table) : name}`
}

/** `Contact E-Mail` is `contact_e_mail`. */
export function propertyName(column: string): string {
  const name = snakeCase(column)
  return startsWell(name) ? name : `c${name === '' ? suffix(column) : `_${name}`}`
}

/** A reference is called after its column without the `id`; several columns together are called after where they lead. */
export function referenceName(columns: readonly string[], refTable: string): string {
  const [only, ...more] = columns
  const words = only === undefined || more.length > 0 ? [] : splitIdentifier(only)
  const noun = ['id', 'fk'].includes(words.at(-1) ?? '') ? words.slice(0, -1) : words
  return propertyName(noun.length > 0 ? noun.join('_') : snakeCase(className(refTable)))
}

/** What people read: `redundancy_groups` is "redundancy group". */
export function classLabel(table: string): string {
  const words = splitIdentifier(table)
  const label = words.map((word, i) => (i === words.length - 1 ? singular(word) : word)).join(' ')
  const [first = '', ...rest] = label === '' ? className(table) : label
  return first.toUpperCase() + rest.join('')
}

export const propertyLabel = (name: string): string => name.replaceAll('_', ' ')

/**
 * One name per source name. Of several that come out the same, the first in code-unit order keeps the name and the others get
 * a mark from their own hash, so that a table added later renames only itself.
 */
export function uniqueNames(sources: readonly string[], name: (source: string) => string): Map<string, string> {
  const taken = new Set<string>()
  const names = new Map<string, string>()
  const plain = new Map(sources.map((source) => [source, name(source)]))
  for (const [source, wanted] of [...plain].toSorted(([x], [y]) => compareText(x, y))) {
    const chosen = [wanted, `${wanted}_${suffix(source)}`, `${wanted}_${hash64(source)}`].find((each) => !taken.has(each))
    if (chosen === undefined) throw new Error(`no free name for ${source}`)
    taken.add(chosen)
    names.set(source, chosen)
  }
  return names
}

/** Rules and Turtle want a letter first. */
const startsWell = (name: string): boolean => /^\p{L}/u.test(name)
const suffix = (source: string): string => hash64(source).slice(0, 6)
