/** Readable names for event classes, from the words of their templates. */
import { pascalCase, splitIdentifier } from '../../kernel/text/index.ts'
import type { Template } from './templates.ts'
import { isWord } from './words.ts'

type Worded = Pick<Template, 'id' | 'parts'>

const MAX_WORDS = 4
/** a word of a program's author is shorter */
const MAX_WORD_CHARS = 40
const SMALL: ReadonlySet<string> = new Set(
  'a an the of to from for on at in by with is are was were has have been be and or as it'.split(' '),
)

/**
 * One name per template, in the order given: `link down node=<*>` is LinkDown. Templates that would share a name take their
 * service in front; where that does not part them, the head of their id behind.
 */
export function eventNames(named: readonly { readonly template: Worded; readonly service: string }[]): string[] {
  const plain = named.map(({ template }) => nameOf(template))
  const prefixed = (name: string, i: number): string => identifier(pascalCase(named[i]?.service ?? '') + name)
  const isUnique = uniqueIn(plain)
  const inService = plain.map((name, i) => (isUnique(name) ? name : prefixed(name, i)))
  const isUniqueThen = uniqueIn(inService)
  return inService.map((name, i) => (isUniqueThen(name) ? name : `${name}${(named[i]?.template.id ?? '').slice(0, 6)}`))
}

function uniqueIn(names: readonly string[]): (name: string) => boolean {
  const times = new Map<string, number>()
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1)
  return (name) => times.get(name) === 1
}

/** The words that the program's author wrote; a key before `=` names a value, not the event. */
const wordsOf = ({ parts }: Worded): string[] =>
  parts.flatMap((part, i) => (isWord(part) && parts[i + 1]?.text !== '=' ? [part.text] : []))

function nameOf(template: Worded): string {
  const words = wordsOf(template).flatMap(splitIdentifier)
  const telling = words.filter((word) => !SMALL.has(word))
  const chosen = (telling.length > 0 ? telling : words).slice(0, MAX_WORDS).map((word) => word.slice(0, MAX_WORD_CHARS))
  return chosen.length === 0 ? 'Unworded' : identifier(pascalCase(chosen))
}

/** A class name starts with a letter. */
const identifier = (name: string): string => (/^\p{L}/u.test(name) ? name : `Event${name}`)
