/** Where names stand in messages: behind a noun that says what is named, or behind such a key. */
import { isPrivateName } from './pii.ts'
import { isNameable, isNaming, isStatus, isSymbol, isWord } from './words.ts'

interface Part {
  readonly slot: boolean
  readonly text: string
  readonly key: string
}

/** `user=`, `host=`: its values name persons or things. */
export const isNamingKey = (key: string): boolean => isNaming(key) || isPrivateName(key)

/** The nearest word before a place; marks between do not matter, values do. */
function wordBefore(parts: readonly Part[], place: number): string {
  const before = parts.slice(0, place).findLast((part) => part.slot || isWord(part))
  return before === undefined || before.slot ? '' : before.text
}

/** True where the word before says what stands here: `user root`, `host alpha`. */
export function isNamePlace(parts: readonly Part[], place: number): boolean {
  const part = parts[place]
  if (part === undefined || !isNaming(wordBefore(parts, place))) return false
  return part.slot || (isNameable(part.text) && !isStatus(part.text))
}

/** `stationName: x`: a name that programs give, a colon, and nothing but a mark behind the value. */
export function isLabelled(parts: readonly Part[], place: number): boolean {
  const [label, colon] = [parts[place - 2], parts[place - 1]]
  return endsHere(parts, place) && colon?.text === ':' && label !== undefined && isWord(label) && isSymbol(label.text)
}

/** Nothing follows, or a mark that opens nothing. */
function endsHere(parts: readonly Part[], place: number): boolean {
  const after = parts[place + 1]
  return after === undefined || (!after.slot && !isWord(after) && !'([{<'.includes(after.text[0] ?? ' '))
}

/** `username: ann`: what stands here is private, whether or not it changes. */
export function isPrivatePlace(parts: readonly Part[], place: number): boolean {
  const [label, colon, part] = [parts[place - 2], parts[place - 1], parts[place]]
  if (part === undefined || !isNameable(part.text) || isStatus(part.text) || !endsHere(parts, place)) return false
  return colon?.text === ':' && label !== undefined && isWord(label) && isPrivateName(label.text)
}

/** What is known of a place by what stands before it. */
export function placeOf(parts: readonly Part[], place: number): { readonly key: string; readonly named: boolean } {
  const key = parts[place]?.key ?? ''
  return { key, named: key === '' ? isNamePlace(parts, place) : isNamingKey(key) }
}
