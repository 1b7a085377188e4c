/** Sets of ASCII characters as tables. */

export const table = (chars: string): Uint8Array => {
  const out = new Uint8Array(128)
  for (const char of chars) out[char.charCodeAt(0)] = 1
  return out
}
export const isIn = (set: Uint8Array, code: number): boolean => code < 128 && set[code] === 1
export const isSpace = (code: number): boolean => code <= 32
