/**
 * The members of a JSON object on one line, as ranges of bytes: enough to find a logger's fields without building the object.
 * Objects inside are flattened to dotted names a few levels down; what lies deeper, and lists, is stepped over.
 */
import { BACKSLASH, QUOTE } from './bytes.ts'
import { Scratch } from './fields.ts'

export type MemberKind = 0 | 1 | 2 | 3
export const [TEXT, ESCAPED, LITERAL, LIST] = [0, 1, 2, 3] as const

const MAX_MEMBERS = 96
const MAX_FLATTENED = 3

export class Members {
  count = 0
  /** where each name stands: in the line, or in `paths` when it is a dotted one */
  readonly dotted = new Uint8Array(MAX_MEMBERS)
  readonly nameStart = new Uint32Array(MAX_MEMBERS)
  readonly nameEnd = new Uint32Array(MAX_MEMBERS)
  readonly kind = new Uint8Array(MAX_MEMBERS)
  readonly start = new Uint32Array(MAX_MEMBERS)
  readonly end = new Uint32Array(MAX_MEMBERS)
  readonly paths = new Scratch()
  #b: Uint8Array = new Uint8Array(0)
  #at = 0
  #end = 0

  /** The bytes that a member's name stands in. */
  nameBytes(i: number): Uint8Array {
    return this.dotted[i] === 1 ? this.paths.bytes : this.#b
  }

  /** True when the whole range is one object. What was found before a fault stays to be read. */
  scan(b: Uint8Array, start: number, end: number): boolean {
    this.count = 0
    this.paths.clear()
    this.#b = b
    this.#at = start
    this.#end = end
    if (!this.#object(0, 0, 0)) return false
    this.#blanks()
    return this.#at === end
  }

  #object(depth: number, prefixStart: number, prefixEnd: number): boolean {
    const b = this.#b
    this.#at += 1
    this.#blanks()
    if (b[this.#at] === 125) {
      this.#at += 1
      return true
    }
    for (;;) {
      if (b[this.#at] !== QUOTE || this.#at >= this.#end) return false
      const nameStart = this.#at + 1
      if (this.#string() < 0) return false
      const nameEnd = this.#at - 1
      this.#blanks()
      if (b[this.#at] !== 58) return false
      this.#at += 1
      this.#blanks()
      if (!this.#value(depth, nameStart, nameEnd, prefixStart, prefixEnd)) return false
      this.#blanks()
      const next = b[this.#at]
      if (this.#at >= this.#end) return false
      this.#at += 1
      if (next === 125) return true
      if (next !== 44) return false
      this.#blanks()
    }
  }

  #value(depth: number, nameStart: number, nameEnd: number, prefixStart: number, prefixEnd: number): boolean {
    const b = this.#b
    const start = this.#at
    if (start >= this.#end) return false
    const first = b[start]
    if (first === QUOTE) {
      const escaped = this.#string()
      if (escaped < 0) return false
      this.#add(escaped === 1 ? ESCAPED : TEXT, start + 1, this.#at - 1, depth, nameStart, nameEnd, prefixStart, prefixEnd)
      return true
    }
    if (first === 123 && depth < MAX_FLATTENED) {
      const pathStart = this.paths.length
      if (depth > 0) {
        // the outer path may move when the room grows, so it is copied by its place
        this.paths.append(this.paths.bytes.slice(prefixStart, prefixEnd), 0, prefixEnd - prefixStart)
        this.paths.push(46)
      }
      this.paths.append(b, nameStart, nameEnd)
      return this.#object(depth + 1, pathStart, this.paths.length)
    }
    if (first === 123 || first === 91) {
      if (!this.#skip()) return false
      if (first === 91) this.#add(LIST, start, this.#at, depth, nameStart, nameEnd, prefixStart, prefixEnd)
      return true
    }
    let at = start
    while (at < this.#end && isLiteralByte(b[at] as number)) at += 1
    if (at === start) return false
    this.#at = at
    this.#add(LITERAL, start, at, depth, nameStart, nameEnd, prefixStart, prefixEnd)
    return true
  }

  #add(
    kind: MemberKind, start: number, end: number, depth: number, nameStart: number, nameEnd: number, prefixStart: number, prefixEnd: number,
  ): void {
    const i = this.count
    if (i === MAX_MEMBERS) return
    if (depth === 0) {
      this.dotted[i] = 0
      this.nameStart[i] = nameStart
      this.nameEnd[i] = nameEnd
    } else {
      this.dotted[i] = 1
      this.nameStart[i] = this.paths.length
      this.paths.append(this.paths.bytes.slice(prefixStart, prefixEnd), 0, prefixEnd - prefixStart)
      this.paths.push(46)
      this.paths.append(this.#b, nameStart, nameEnd)
      this.nameEnd[i] = this.paths.length
    }
    this.kind[i] = kind
    this.start[i] = start
    this.end[i] = end
    this.count = i + 1
  }

  /** Steps behind the closing quote. -1: there is none, 0: no escape inside, 1: escapes inside. */
  #string(): number {
    const b = this.#b
    let escaped = 0
    for (let at = this.#at + 1; at < this.#end; at += 1) {
      const byte = b[at]
      if (byte === QUOTE) {
        this.#at = at + 1
        return escaped
      }
      if (byte === BACKSLASH) {
        escaped = 1
        at += 1
      }
    }
    this.#at = this.#end
    return -1
  }

  /** Steps behind a nested value; a counter, no recursion: depth is the sender's choice. */
  #skip(): boolean {
    const b = this.#b
    let depth = 0
    while (this.#at < this.#end) {
      const byte = b[this.#at]
      if (byte === QUOTE) {
        if (this.#string() < 0) return false
        continue
      }
      this.#at += 1
      if (byte === 123 || byte === 91) depth += 1
      else if (byte === 125 || byte === 93) {
        depth -= 1
        if (depth === 0) return true
      }
    }
    return false
  }

  #blanks(): void {
    const b = this.#b
    let at = this.#at
    while (at < this.#end && (b[at] as number) <= 32) at += 1
    this.#at = at
  }
}

/** Numbers, true, false, null. */
const isLiteralByte = (byte: number): boolean =>
  (byte >= 48 && byte <= 57) || (byte >= 97 && byte <= 122) || byte === 45 || byte === 43 || byte === 46 || byte === 69

/** The text of an escaped string, up to its first line end; false when there is more behind that. */
export function unescape(b: Uint8Array, start: number, end: number, into: Scratch): boolean {
  for (let at = start; at < end; at += 1) {
    const byte = b[at] as number
    if (byte !== BACKSLASH) {
      into.push(byte)
      continue
    }
    at += 1
    const code = b[at]
    if (code === 110 || code === 114) {
      if (onlyLineEnds(b, at - 1, end)) return true
      return false
    }
    if (code === 116) into.push(9)
    else if (code === 98 || code === 102) into.push(32)
    else if (code === 117) {
      let point = hexAt(b, at + 1, end)
      if (point < 0) into.push(63)
      else {
        at += 4
        if (point >= 0xd800 && point < 0xdc00 && b[at + 1] === BACKSLASH && b[at + 2] === 117) {
          const low = hexAt(b, at + 3, end)
          if (low >= 0xdc00 && low < 0xe000) {
            point = 0x10000 + (point - 0xd800) * 0x400 + low - 0xdc00
            at += 6
          }
        }
        if (point === 10 || point === 13) return onlyLineEnds(b, at + 1, end)
        pushPoint(into, point)
      }
    } else if (code !== undefined && at < end) into.push(code)
  }
  return true
}

function onlyLineEnds(b: Uint8Array, from: number, end: number): boolean {
  for (let at = from; at < end; at += 1) {
    const byte = b[at] as number
    if (byte === BACKSLASH && (b[at + 1] === 110 || b[at + 1] === 114)) at += 1
    else if (byte !== 32) return false
  }
  return true
}

function hexAt(b: Uint8Array, from: number, end: number): number {
  if (from + 4 > end) return -1
  let value = 0
  for (let at = from; at < from + 4; at += 1) {
    const byte = b[at] as number
    const digit = byte >= 48 && byte <= 57 ? byte - 48 : (byte | 32) >= 97 && (byte | 32) <= 102 ? (byte | 32) - 87 : -1
    if (digit < 0) return -1
    value = value * 16 + digit
  }
  return value
}

/** UTF-8 of a code point; half a pair becomes U+FFFD. */
function pushPoint(into: Scratch, asked: number): void {
  const point = asked >= 0xd800 && asked < 0xe000 ? 0xfffd : asked
  if (point < 0x80) into.push(point)
  else if (point < 0x800) {
    into.push(0xc0 | (point >> 6))
    into.push(0x80 | (point & 63))
  } else if (point < 0x10000) {
    into.push(0xe0 | (point >> 12))
    into.push(0x80 | ((point >> 6) & 63))
    into.push(0x80 | (point & 63))
  } else {
    into.push(0xf0 | (point >> 18))
    into.push(0x80 | ((point >> 12) & 63))
    into.push(0x80 | ((point >> 6) & 63))
    into.push(0x80 | (point & 63))
  }
}
