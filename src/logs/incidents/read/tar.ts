/**
 * The files of a tar archive (POSIX ustar, with the long names of pax and GNU) out of a stream. Nothing is written to disk, so a
 * name is only a label; one that is absolute or climbs out of the archive is refused all the same, as are sizes that are no
 * number. Links, devices and whatever else is no file is passed over.
 */
import { ServiceError } from '../../../contracts/index.ts'
import { cleanText } from '../../clean.ts'
import type { Chunks } from './unpack.ts'

export interface TarFile {
  readonly name: string
  readonly size: number
  /** to be read before the next file is asked for; what is left is passed over */
  readonly body: AsyncGenerator<Uint8Array>
}

const BLOCK = 512
const LONG_NAME_BYTES = 64 * 1024

export async function* tarFiles(chunks: Chunks): AsyncGenerator<TarFile> {
  const bytes = new ByteQueue(chunks)
  let longName: string | null = null
  for (;;) {
    const header = await bytes.take(BLOCK)
    if (header.every((byte) => byte === 0)) return
    if (header.length < BLOCK) throw damaged('ends inside a header')
    if (!sumHolds(header)) throw damaged('has a header whose checksum is wrong')
    const size = sizeOf(header)
    const padded = Math.ceil(size / BLOCK) * BLOCK
    const type = String.fromCharCode(header[156] ?? 0)
    if (type === 'L' || type === 'x') {
      if (size > LONG_NAME_BYTES) throw damaged('has a name that is too long')
      const text = textOf((await bytes.take(padded)).subarray(0, size))
      longName = type === 'L' ? text : (/(?:^|\n)\d+ path=([^\n]*)\n/.exec(text)?.[1] ?? longName)
      continue
    }
    const name: string = safeName(longName ?? headerName(header))
    longName = null
    const left = { bytes: size }
    if (type === '0' || type === '\0' || type === '7') yield { name, size, body: bodyOf(bytes, left) }
    await bytes.pass(left.bytes + padded - size)
  }
}

async function* bodyOf(bytes: ByteQueue, left: { bytes: number }): AsyncGenerator<Uint8Array> {
  while (left.bytes > 0) {
    const part = await bytes.some(left.bytes)
    if (part.length === 0) throw damaged('ends inside a file')
    left.bytes -= part.length
    yield part
  }
}

/** Bytes of a stream by number, not by how they come. */
class ByteQueue {
  readonly #chunks: AsyncIterator<Uint8Array>
  #held: Uint8Array = new Uint8Array(0)

  constructor(chunks: Chunks) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** At least one byte and at most so many; none at the end. */
  async some(most: number): Promise<Uint8Array> {
    while (this.#held.length === 0) {
      const { done, value } = await this.#chunks.next()
      if (done === true) return this.#held
      this.#held = value
    }
    const part = this.#held.subarray(0, most)
    this.#held = this.#held.subarray(part.length)
    return part
  }

  /** So many bytes, or fewer at the end. */
  async take(count: number): Promise<Uint8Array> {
    const parts: Uint8Array[] = []
    for (let left = count; left > 0; ) {
      const part = await this.some(left)
      if (part.length === 0) break
      parts.push(part)
      left -= part.length
    }
    return Buffer.concat(parts)
  }

  async pass(count: number): Promise<void> {
    for (let left = count; left > 0; ) {
      const part = await this.some(left)
      if (part.length === 0) throw damaged('ends inside a file')
      left -= part.length
    }
  }
}

function sumHolds(header: Uint8Array): boolean {
  let sum = 0
  for (let i = 0; i < BLOCK; i += 1) sum += i >= 148 && i < 156 ? 32 : (header[i] ?? 0)
  return sum === octal(header, 148, 8)
}

function sizeOf(header: Uint8Array): number {
  // GNU writes what is too large for the octal digits in base 256; no file of measurements is that large
  const size = octal(header, 124, 12)
  if (!Number.isSafeInteger(size) || size < 0) throw damaged('has a file whose size is no number')
  return size
}

function octal(header: Uint8Array, from: number, length: number): number {
  const text = textOf(header.subarray(from, from + length)).trim()
  return /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : text === '' ? 0 : Number.NaN
}

const textOf = (bytes: Uint8Array): string => {
  const end = bytes.indexOf(0)
  return Buffer.from(end === -1 ? bytes : bytes.subarray(0, end)).toString('utf8')
}

function headerName(header: Uint8Array): string {
  const name = textOf(header.subarray(0, 100))
  const prefix = textOf(header.subarray(257, 263)) === 'ustar' ? textOf(header.subarray(345, 500)) : ''
  return prefix === '' ? name : `${prefix}/${name}`
}

function safeName(name: string): string {
  const parts = name.split('/')
  if (name.startsWith('/') || parts.includes('..') || name.includes('\\') || cleanText(name) !== name) throw damaged('has a file whose name leads out of it')
  return parts.filter((part) => part !== '.' && part !== '').join('/')
}

const damaged = (how: string): ServiceError =>
  new ServiceError('invalid_request', `the archive ${how}`, { hint: 'pack the folder again with tar' })
