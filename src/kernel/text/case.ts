/** Identifiers as words: `customer_id`, `customerId` and `Customer ID` are the same two words, whatever wrote them. */

type Kind = 'upper' | 'lower' | 'digit' | 'mark' | 'other'

/** The lower-case words of an identifier or a phrase: `splitIdentifier('HTTPServer_id2')` is `['http', 'server', 'id2']`. */
export function splitIdentifier(text: string): string[] {
  const chars = [...text.normalize('NFC')]
  const kinds = chars.map(kindOf)
  const words: string[] = []
  let word = ''
  for (const [i, char] of chars.entries()) {
    const kind = kinds[i]
    if (kind === 'other') {
      if (word !== '') words.push(word)
      word = ''
      continue
    }
    if (word !== '' && startsWord(kinds, i)) {
      words.push(word)
      word = ''
    }
    word += char
  }
  if (word !== '') words.push(word)
  // toLowerCase, not toLocaleLowerCase: a Turkish host must give the same names
  return words.map((each) => each.toLowerCase())
}

/** `pascalCase('bgp peer lost')` is `'BgpPeerLost'`. A leading digit stays: whether it may is the caller's question. */
export function pascalCase(text: string | readonly string[]): string {
  return wordsOf(text).map(capitalise).join('')
}

/** `camelCase('customer_id')` is `'customerId'`. */
export function camelCase(text: string | readonly string[]): string {
  return wordsOf(text)
    .map((word, i) => (i === 0 ? word : capitalise(word)))
    .join('')
}

/** `snakeCase('customerId')` is `'customer_id'`. */
export function snakeCase(text: string | readonly string[]): string {
  return wordsOf(text).join('_')
}

const wordsOf = (text: string | readonly string[]): string[] =>
  typeof text === 'string' ? splitIdentifier(text) : text.flatMap(splitIdentifier)

function capitalise(word: string): string {
  const [first = '', ...rest] = word
  return first.toUpperCase() + rest.join('')
}

/** A capital opens a word after a small letter or a digit (`customerId`), and before a small letter (`HTTPServer`). */
function startsWord(kinds: readonly Kind[], i: number): boolean {
  if (kinds[i] !== 'upper') return false
  return kinds[i - 1] !== 'upper' || kinds[i + 1] === 'lower'
}

function kindOf(char: string): Kind {
  if (char >= 'a' && char <= 'z') return 'lower'
  if (char >= 'A' && char <= 'Z') return 'upper'
  if (char >= '0' && char <= '9') return 'digit'
  if (char < '\u0080') return 'other'
  if (/^[\p{Lu}\p{Lt}]$/u.test(char)) return 'upper'
  if (/^\p{L}$/u.test(char)) return 'lower'
  if (/^\p{N}$/u.test(char)) return 'digit'
  return /^\p{M}$/u.test(char) ? 'mark' : 'other'
}
