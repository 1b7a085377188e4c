/** FNV-1a over UTF-8, 64 bits: a stable name for a text, not a secret. Two 32-bit halves, as BigInt is ten times slower here. */

const utf8 = new TextEncoder()

/** 16 hex digits, the same on every host and run: `hash64('a')` is `'af63dc4c8601ec8c'`. */
export function hash64(text: string): string {
  const [high, low] = hashHalves(text)
  return hex64(high, low)
}

/** Two halves as 16 hex digits. */
export const hex64 = (high: number, low: number): string =>
  high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0')

/** The same hash as two numbers of 32 bits. */
export function hashHalves(text: string): [high: number, low: number] {
  let high = 0xcbf29ce4
  let low = 0x84222325
  const bytes = isAscii(text) ? null : utf8.encode(text) // most texts are, and need no copy
  const length = bytes === null ? text.length : bytes.length
  for (let i = 0; i < length; i += 1) {
    low = (low ^ (bytes === null ? text.charCodeAt(i) : (bytes[i] ?? 0))) >>> 0
    // times the prime 2^40 + 0x1b3: the product of the low half stays below 2^41, so doubles are exact
    const product = low * 0x1b3
    const carry = Math.floor(product / 0x1_0000_0000)
    high = (Math.imul(high, 0x1b3) + carry + (low << 8)) >>> 0
    low = product >>> 0
  }
  return [high, low]
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) if (text.charCodeAt(i) > 127) return false
  return true
}
