/** Where names stand in messages: behind a noun that says what is named, or behind such a key. */
import { isPrivateKey, isPrivateName } from './pii.ts'
import { isNameable, isNaming, isStatus, isSubstantive, isSymbol, isWord } from './words.ts'

interface Part {
  readonly slot: boolean
  readonly text: string
  readonly key: string
}

/** `user=`, `host=`: its values name persons or things. */
export const isNamingKey = (key: string): boolean => isNaming(key) || isPrivateKey(key)

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

/** Between a private word and its value: `password is x`, `user id x`, `Authorization: Basic x`. */
const LINKS: ReadonlySet<string> = new Set('is was are be id name number no nr value named called basic bearer digest key'.split(' '))

const OWNERS: ReadonlySet<string> = new Set(['my', 'your', 'his', 'her', 'their'])

/** Words that follow a private word in plain sentences; what else follows is its value. */
const PLAIN_AFTER: ReadonlySet<string> = new Set(
  `request requests reset change changed changes mismatch missing incorrect wrong unknown required expired logged locked unlocked
  authentication authorization authenticated authorized auth agent agents data info information account accounts profile
  attempt attempts page form url uri path field header headers policy hash store manager service server session sessions list
  count limit input type level mode space group groups role roles record records entry table code codes validation verified
  verification check checked checking using used updated updating set unset found exists given provided supplied
  configured rotated rotation exchange issued issuing generated refresh refreshed refreshing bucket buffer ring
  process processes defined interface error errors name id number key keys value values address login user password token
  message messages event events equipment station app application traffic card cards phone device notification notifications
  does did cannot when where which who has had gets got tries tried wants signed quit left joined enters entered`.split(/\s+/),
)

/** The private word that says what stands here (`user ann`, `password: x`, `"token":"x"`), else empty. Two names in a row are one person's. */
export function privateWordAt(parts: readonly Part[], place: number): string {
  let at = place - 1
  while (at >= 0) {
    const part = parts[at] as Part
    if (part.slot) return followsName(parts, place) ? privateWordAt(parts, place - 1) : ''
    if (isWord(part)) {
      if (isPrivateName(part.text)) return part.text
      if (part.text === 'name' && OWNERS.has(parts[at - 1]?.text.toLowerCase() ?? '')) return 'person name'
      if (!LINKS.has(part.text.toLowerCase())) return followsName(parts, place) ? privateWordAt(parts, place - 1) : ''
    } else if (!/^[:="'\\]+$/.test(part.text)) return ''
    at -= 1
  }
  return ''
}

/** `Bob Mallory`: a capitalised word directly behind what may be one, or behind a value. */
function followsName(parts: readonly Part[], place: number): boolean {
  const [before, part] = [parts[place - 1], parts[place]]
  if (before === undefined || part === undefined || part.slot || !isCapitalised(part.text) || isPlain(part.text)) return false
  return before.slot ? before.key === '' : isCapitalised(before.text) && !isPlain(before.text)
}

const isCapitalised = (word: string): boolean => /^\p{Lu}\p{Ll}/u.test(word)

const isPlain = (word: string): boolean => isStatus(word) || PLAIN_AFTER.has(word.toLowerCase()) || LINKS.has(word.toLowerCase()) || !isSubstantive(word)

/** `username: ann`, `user ann`: what stands here is private, whether or not it changes. */
export function isPrivatePlace(parts: readonly Part[], place: number): boolean {
  const part = parts[place]
  if (part === undefined || part.slot || !isWord(part) || isPlain(part.text) || parts[place + 1]?.text === '=') return false
  return privateWordAt(parts, place) !== ''
}

/** What is known of a place by what stands before it. */
export function placeOf(parts: readonly Part[], place: number): { readonly key: string; readonly named: boolean } {
  const key = parts[place]?.key ?? ''
  return { key, named: key === '' ? isNamePlace(parts, place) || privateWordAt(parts, place) !== '' : isNamingKey(key) }
}
