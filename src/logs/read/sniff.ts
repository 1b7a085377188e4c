/** What a file is, by its first bytes: packed, in which encoding, or no text at all. */
import type { FileSkip } from './counts.ts'
import type { Encoding } from './lines.ts'

export interface Sniffed {
  readonly packing: 'none' | 'gzip' | 'zstd'
  readonly encoding: Encoding
  /** bytes of a byte-order mark */
  readonly mark: number
  /** why it is not read */
  readonly refused: FileSkip | null
}

export const SNIFF_BYTES = 64 * 1024

const plain = (about: Partial<Sniffed>): Sniffed => ({ packing: 'none', encoding: 'utf8', mark: 0, refused: null, ...about })

const ARCHIVES: readonly (readonly number[])[] = [
  [0x50, 0x4b, 3, 4], [0x42, 0x5a, 0x68], [0xfd, 0x37, 0x7a, 0x58, 0x5a], [0x37, 0x7a, 0xbc, 0xaf], [0x52, 0x61, 0x72, 0x21], [4, 0x22, 0x4d, 0x18],
]
const SQLITE = Buffer.from('SQLite format 3\0')

export function sniff(head: Uint8Array): Sniffed {
  const [a, b, c, d] = head
  if (a === 0x1f && b === 0x8b) return plain({ packing: 'gzip' })
  if (a === 0x28 && b === 0xb5 && c === 0x2f && d === 0xfd) return plain({ packing: 'zstd' })
  if (ARCHIVES.some((magic) => magic.every((byte, i) => head[i] === byte))) return plain({ refused: 'archive' })
  if (SQLITE.every((byte, i) => head[i] === byte)) return plain({ refused: 'binary' })
  return sniffText(head)
}

/** Of what is not packed, or no longer. */
export function sniffText(head: Uint8Array): Sniffed {
  const [a, b, c] = head
  if (a === 0xef && b === 0xbb && c === 0xbf) return plain({ mark: 3 })
  if (a === 0xff && b === 0xfe) return plain({ encoding: 'utf16le', mark: 2 })
  if (a === 0xfe && b === 0xff) return plain({ encoding: 'utf16be', mark: 2 })
  const zeros = [0, 0]
  let controls = 0
  for (let i = 0; i < head.length; i += 1) {
    const byte = head[i] as number
    if (byte === 0) zeros[i % 2] = (zeros[i % 2] ?? 0) + 1
    else if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 27 && byte !== 12) controls += 1
  }
  const [even = 0, odd = 0] = zeros
  const half = head.length / 2
  // Latin text in UTF-16 has a zero in nearly every second byte; holes that a rotation left have them in all
  if (odd > 0.7 * half && even < 0.1 * half) return plain({ encoding: 'utf16le' })
  if (even > 0.7 * half && odd < 0.1 * half) return plain({ encoding: 'utf16be' })
  // a rotation or a crash leaves one hole at an end of a log; zeros among other bytes are no text
  const [from, to] = withoutHoles(head)
  for (let i = from; i < to; i += 1) if (head[i] === 0) controls += 1
  return controls > 0.1 * (to - from) ? plain({ refused: 'binary' }) : plain({})
}

function withoutHoles(head: Uint8Array): [from: number, to: number] {
  let [from, to] = [0, head.length]
  while (from < to && head[from] === 0) from += 1
  while (to > from && head[to - 1] === 0) to -= 1
  return [from, to]
}
