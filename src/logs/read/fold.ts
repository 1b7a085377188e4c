/**
 * Lines that belong to the one before them: the frames of a stack trace, its causes, its source lines. Each line is judged by
 * itself, so that a log cut between two records reads the same as the whole.
 */
import { TAB, isDigitByte, isLetterByte, skipBlanks, standsAt, trimmedEnd } from './bytes.ts'

const HEADS = ['Caused by: ', 'Suppressed: ', 'Traceback (most recent call last)', 'During handling of the above exception',
  'The above exception was the direct cause', 'goroutine ', 'stack traceback:', 'Stack trace:', '--- End of ']
/** From this many spaces on a line is taken as part of what stands above it. */
const INDENT = 4

export function isContinuation(b: Uint8Array, start: number, end: number): boolean {
  const at = skipBlanks(b, start, end)
  if (at === end) return false
  if (at > start) {
    if (b[start] === TAB || at - start >= INDENT) return true
    return standsAt(b, at, end, 'at ') || standsAt(b, at, end, 'File "') || standsAt(b, at, end, '... ') || isHead(b, at, end)
  }
  const first = b[at] as number
  if (first === 67 || first === 83 || first === 84 || first === 68 || first === 103 || first === 115 || first === 45) {
    if (isHead(b, at, end)) return true
  }
  return isLetterByte(first) && isException(b, at, end)
}

const isHead = (b: Uint8Array, at: number, end: number): boolean => HEADS.some((head) => standsAt(b, at, end, head))

/** `java.io.IOException: ...`, `ValueError: ...`: a class name that ends in Exception or Error, alone or before a colon. */
function isException(b: Uint8Array, from: number, end: number): boolean {
  let at = from
  let letters = 0
  while (at < end) {
    const byte = b[at] as number
    if (isLetterByte(byte)) letters += 1
    else if (!isDigitByte(byte) && byte !== 46 && byte !== 95 && byte !== 36) break
    at += 1
  }
  if (at < end && b[at] !== 58 && trimmedEnd(b, at, end) > at) return false
  if (letters < 7 || at - from > 160) return false
  return (standsAt(b, at - 9, at, 'Exception') && at - 9 > from) || (standsAt(b, at - 5, at, 'Error') && at - 5 > from)
    || standsAt(b, at - 9, at, 'Throwable')
}
