/** Names of classes and properties, made from names that a database allows but an ontology and a rule do not. */
import { hash64, pascalCase, singular, snakeCase, splitIdentifier } from '../kernel/text/index.ts'
import { compareText } from '../kernel/term.ts'

/** `order_lines` is `OrderLine`; a name without any letter gets one from its hash. */
export function className(table: string): string {
  const words = splitIdentifier(table)
  const last = words.at(-1)
  const name = last === undefined ? '' : pascalCase([...words.slice(0, -1), singular(last)])
  // a mark that stood alone now stands on the letter before it, and the two may have one spelling together
  return (startsWell(name) ? name : `T${name === '' ? suffix(table) : name}`).normalize('NFC')
}

/** `Contact E-Mail` is `contact_e_mail`. */
export function propertyName(column: string): string {
  const name = snakeCase(column)
  return startsWell(name) ? name : `c${name === '' ? suffix(column) : `_${name}`}`
}

/**
 * A reference is called after its column without the `id`. Several columns together are called after where they lead, and so is
 * one column whose name only shortens that: `deptid` leads to departments.
 */
export function referenceName(columns: readonly string[], refTable: string): string {
  const [only, ...more] = columns
  const words = only === undefined || more.length > 0 ? [] : splitIdentifier(only)
  const noun = ['id', 'fk'].includes(words.at(-1) ?? '') ? words.slice(0, -1) : words
  const target = splitIdentifier(className(refTable)).join('_')
  const short = noun.length === 1 ? /^(.+)id$/u.exec(noun[0] ?? '')?.[1] : undefined
  return propertyName(noun.length === 0 || (short !== undefined && shortens(short, target)) ? target : noun.join('_'))
}

/** Starts like the word, and leaves out letters of it but changes none: `dept` shortens `department`. */
function shortens(short: string, word: string): boolean {
  let at = 0
  for (const letter of short) {
    at = word.indexOf(letter, at) + 1
    if (at === 0) return false
  }
  return short[0] === word[0]
}

/** `link_down` of `NetworkEvent` is `LinkDownNetworkEvent`; a value that ends like the class does not say it twice. */
export function kindName(value: string, className: string): string {
  const name = pascalCase(kindWords(value, splitIdentifier(className)))
  return (startsWell(name) ? name : `T${name}`).normalize('NFC')
}

/** `link_down` of "Network event" is "Link down network event". */
export const kindLabel = (value: string, classLabel: string): string =>
  capital(kindWords(value, splitIdentifier(classLabel)).join(' '))

function kindWords(value: string, noun: readonly string[]): string[] {
  const words = splitIdentifier(value)
  return words.at(-1) === noun.at(-1) ? [...words.slice(0, -1), ...noun] : [...words, ...noun]
}

/** What people read: `redundancy_groups` is "Redundancy group". */
export function classLabel(table: string): string {
  const words = splitIdentifier(table)
  const label = words.map((word, i) => (i === words.length - 1 ? singular(word) : word)).join(' ')
  return capital(label === '' ? className(table) : label)
}

function capital(text: string): string {
  const [first = '', ...rest] = text
  return first.toUpperCase() + rest.join('')
}

export const propertyLabel = (name: string): string => name.replaceAll('_', ' ')

/** What the product itself says under the same base: a table must not become a class that already means something else. */
export const RESERVED_CLASSES: ReadonlySet<string> = new Set(['CausalEvent'])

/**
 * One name per source name. Of several that come out the same, the first in code-unit order keeps the name and each other one
 * gets a mark from its own hash, so that the order in which an engine lists its tables does not matter.
 */
export function uniqueNames(
  sources: readonly string[],
  name: (source: string) => string,
  reserved: Iterable<string> = [],
): Map<string, string> {
  const taken = new Set(reserved)
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
