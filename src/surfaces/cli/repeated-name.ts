/** A name that stands twice in one object of a JSON text: readers differ in which of the two they take. */

/** The first such name, or null. The text must be JSON. */
export function repeatedName(text: string): string | null {
  const open: Set<string>[] = []
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]
    if (sign === '{' || sign === '[') open.push(new Set())
    else if (sign === '}' || sign === ']') open.pop()
    if (sign !== '"') continue
    const end = endOfText(text, at)
    if (isName(text, end)) {
      // "a" and "\u0061" are one name
      const name = JSON.parse(text.slice(at, end)) as string
      const names = open.at(-1)
      if (names?.has(name) === true) return name
      names?.add(name)
    }
    at = end - 1
  }
  return null
}

/** Behind the closing quote of the text that begins at `from`. */
function endOfText(text: string, from: number): number {
  let at = from + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

/** Only a name has a colon behind it. */
function isName(text: string, end: number): boolean {
  let at = end
  while (' \t\n\r'.includes(text[at] ?? '-')) at += 1
  return text[at] === ':'
}
