/** Text as it may be stored and shown: without the characters by which a log line can steer a terminal or a reader's eye. */

const ESCAPE = 0x1b
const BELL = 0x07

/** Drops terminal escape sequences and invisible direction marks; other control characters become a space. */
export function cleanText(text: string): string {
  let out = ''
  let kept = 0 // everything before this index is in `out`
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if ((code >= 0x20 && code < 0x7f) || code === 0x09 || (code > 0x9f && !isDirectionMark(code))) continue
    out += text.slice(kept, i)
    if (code === ESCAPE) i = escapeEnd(text, i)
    else if (!isDirectionMark(code)) out += ' '
    kept = i + 1
  }
  return kept === 0 ? text : out + text.slice(kept)
}

const isDirectionMark = (code: number): boolean =>
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
