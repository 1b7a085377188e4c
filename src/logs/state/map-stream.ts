/** A stream of bytes, or files one after the other, into one partial state: what a map task of any engine runs. */
import { resolve, relative } from 'node:path'
import { Readable } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { LIMITS, ServiceError } from '../../contracts/index.ts'
import { type LogFile, TextFeed, type ReadCounts, addCounts, listLogFiles, noCounts, piecesOf, readPiece, serviceOf } from '../read/index.ts'
import { skip } from '../read/counts.ts'
import { SNIFF_BYTES, type Sniffed, sniff, sniffText } from '../read/sniff.ts'
import { StateBuilder } from './builder.ts'
import type { ByteSink } from './container.ts'

export interface StreamOptions {
  /** what the stream is called in the result: shards of one file share its name */
  readonly name: string
  /** where the first byte lies in that file */
  readonly offset: number
  /** when the log was last written, for times that have no year */
  readonly referenceMs: number
}

/** `drained` is waited for between chunks, so that a slow reader of the state slows the reading of the log. */
export async function mapStream(
  chunks: AsyncIterable<Uint8Array>, sink: ByteSink, { name, offset, referenceMs }: StreamOptions, drained: () => Promise<void> = async () => {},
): Promise<ReadCounts> {
  const counts = noCounts()
  const { head, rest } = await headOf(chunks)
  const sniffed = offset === 0 ? sniff(head.subarray(0, SNIFF_BYTES)) : PART
  if (sniffed.refused !== null) throw noText(sniffed.refused)
  const builder = new StateBuilder(sink)
  builder.startFile(name, serviceOf(name))
  let feed: TextFeed | null = null
  for await (const chunk of sniffed.packing === 'none' ? rest : unpacked(rest, sniffed.packing, counts)) {
    if (feed === null) {
      const { encoding, mark, refused } = offset === 0 ? sniffText(chunk.subarray(0, SNIFF_BYTES)) : PART
      if (refused !== null) throw noText(refused)
      feed = new TextFeed(counts, (fields, at) => builder.add(fields, at), { referenceMs, offset, mark, encoding })
    }
    feed.push(chunk)
    await drained()
  }
  feed?.end()
  if (offset === 0) counts.files += 1
  builder.end(counts)
  return counts
}

/** What stands in the middle of a file is not judged by its first bytes. */
const PART: Sniffed = { packing: 'none', encoding: 'utf8', mark: 0, refused: null }

const noText = (reason: string) =>
  new ServiceError('invalid_request', 'standard input is no text', { stage: 'read', hint: `text, plain or packed with gzip or zstd, not ${reason}` })

/** Enough of the beginning to judge it by, and the whole again: a pipe may give a few bytes at a time. */
async function headOf(chunks: AsyncIterable<Uint8Array>): Promise<{ readonly head: Uint8Array; readonly rest: AsyncIterable<Uint8Array> }> {
  const source = chunks[Symbol.asyncIterator]()
  const held: Uint8Array[] = []
  let length = 0
  let done = false
  while (!done && length < HEAD_BYTES) {
    const next = await source.next()
    done = next.done === true
    if (next.done === true) break
    held.push(Uint8Array.from(next.value)) // a copy: the giver may use its buffer again
    length += next.value.length
  }
  const head = Buffer.concat(held)
  async function* rest() {
    if (head.length > 0) yield head
    if (!done) yield* { [Symbol.asyncIterator]: () => source }
  }
  return { head, rest: rest() }
}

const HEAD_BYTES = 4096

/** Up to the limits of the reader; a stream that breaks off has given what it gave. */
async function* unpacked(chunks: AsyncIterable<Uint8Array>, packing: 'gzip' | 'zstd', counts: ReadCounts): AsyncGenerator<Uint8Array> {
  let [packed, length] = [0, 0]
  async function* copies() {
    for await (const chunk of chunks) {
      packed += chunk.length
      yield Uint8Array.from(chunk)
    }
  }
  const unpack = packing === 'gzip' ? createGunzip() : createZstdDecompress()
  const source = Readable.from(copies(), { objectMode: false })
  source.on('error', (error) => unpack.destroy(error))
  source.pipe(unpack)
  const output = (unpack as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await output.next().catch(() => null)
      if (next === null) skip(counts, 'corrupt', { files: 1 })
      if (next === null || next.done === true) return
      length += next.value.length
      yield next.value
      const ratio = length > LIMITS.log_unpacked_free_bytes && length > packed * LIMITS.log_unpacked_ratio
      if (ratio || length > LIMITS.log_unpacked_bytes) return skip(counts, ratio ? 'bomb' : 'too_large', { files: 1 })
    }
  } finally {
    source.destroy()
    unpack.destroy()
  }
}

/** Files, folders and patterns into one state; names are relative to the root. */
export async function mapPaths(paths: readonly string[], root: string, sink: ByteSink, drained: () => Promise<void> = async () => {}): Promise<ReadCounts> {
  const counts = noCounts()
  const builder = new StateBuilder(sink)
  const files = new Map(paths.flatMap((path) => listLogFiles(path, counts)).map((file) => [resolve(file.path), file]))
  for (const file of files.values()) {
    const named: LogFile = { ...file, name: relative(resolve(root), resolve(file.path)).replaceAll('\\', '/') || file.name }
    for (const piece of piecesOf([named], counts, Number.MAX_SAFE_INTEGER)) {
      builder.startFile(named.name, serviceOf(named.name))
      addCounts(counts, await readPiece(piece, (fields, offset) => builder.add(fields, offset)))
      await drained()
    }
  }
  builder.end(counts)
  return counts
}
