/** Text as it may be stored and shown: without the characters by which a log line can steer a terminal or a reader's eye. */

const ESCAPE = 0x1b
const BELL = 0x07

/** Drops terminal escape sequences and invisible marks; other control characters become a space. */
export function cleanText(text: string): string {
  let out = ''
  let kept = 0 // everything before this index is in `out`
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if ((code >= 0x20 && code < 0x7f) || code === 0x09) continue
    const tag = isTag(text, i)
    if (code > 0x9f && !isInvisible(code) && !tag) continue
    out += text.slice(kept, i)
    if (code === ESCAPE) i = escapeEnd(text, i)
    else if (tag) i += 1
    else if (!isInvisible(code)) out += ' '
    kept = i + 1
  }
  return kept === 0 ? text : out + text.slice(kept)
}

/** U+E0000 to U+E007F repeat ASCII invisibly; each is two code units. */
const isTag = (text: string, i: number): boolean =>
  text.charCodeAt(i) === 0xdb40 && text.charCodeAt(i + 1) >= 0xdc00 && text.charCodeAt(i + 1) <= 0xdc7f

/** Marks of direction, and spaces without width. */
const isInvisible = (code: number): boolean =>
  code === 0x200b || code === 0xfeff || (code >= 0x2060 && code <= 0x2064) ||
  (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || code === 0x200e || code === 0x200f

/** The last index of the escape sequence that starts here (ECMA-48: CSI ends at a final byte, OSC at BEL or ESC). */
function escapeEnd(text: string, from: number): number {
  const opener = text[from + 1]
  let i = from + 2
  if (opener === '[') {
    while (i < text.length && !(text.charCodeAt(i) >= 0x40 && text.charCodeAt(i) <= 0x7e)) i += 1
    return i
  }
  if (opener === ']') {
    while (i < text.length && text.charCodeAt(i) !== BELL && text.charCodeAt(i) !== ESCAPE) i += 1
    return text.charCodeAt(i) === ESCAPE ? i + 1 : i
  }
  return from + 1
}
