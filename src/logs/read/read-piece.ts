/** The records of one piece of a log, whatever it is packed in. */
import { closeSync, fstatSync, readSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { LIMITS } from '../../contracts/basics/index.ts'
import { type ReadCounts, noCounts, skip } from './counts.ts'
import { LineSplitter } from './lines.ts'
import { type Piece, openLog } from './pieces.ts'
import { RecordReader, type RecordSink } from './records.ts'
import { SNIFF_BYTES, sniffText } from './sniff.ts'

/** Called now and then with how many bytes of the file were read since; waited for where it answers with a promise. */
export type Progress = (bytes: number) => void | Promise<void>

const CHUNK = 1024 * 1024

export async function readPiece(piece: Piece, sink: RecordSink, progress: Progress = () => {}): Promise<ReadCounts> {
  const counts = noCounts()
  let handle: number
  try {
    handle = openLog(piece.file.path)
  } catch {
    const bytes = piece.to - piece.from
    counts.bytes += bytes
    skip(counts, 'unreadable', { files: 1, bytes })
    return counts
  }
  try {
    if (fstatSync(handle).size !== piece.file.size) skip(counts, 'changed', { files: 1 })
    if (piece.sniffed.packing === 'none') await readPlainPiece(handle, piece, counts, sink, progress)
    else await readPackedPiece(handle, piece, counts, sink, progress)
  } finally {
    closeSync(handle)
  }
  return counts
}

async function readPlainPiece(
  handle: number, { file, from, to, sniffed }: Piece, counts: ReadCounts, sink: RecordSink, progress: Progress,
): Promise<void> {
  const mark = from === 0 ? sniffed.mark : 0
  const text = new TextFeed(counts, sink, { referenceMs: file.mtimeMs, offset: from, mark, encoding: sniffed.encoding })
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK, Math.max(1, to - from)))
  for (let at = from; at < to; ) {
    const read = readSync(handle, chunk, 0, Math.min(chunk.length, to - at), at)
    if (read === 0) {
      skip(counts, 'changed', { files: 1 })
      break
    }
    text.push(chunk.subarray(0, read))
    await progress(read)
    at += read
  }
  text.end()
}

/** Thrown to stop unpacking; what came until then was read. */
class TooMuch extends Error {}

async function readPackedPiece(handle: number, { file, sniffed }: Piece, counts: ReadCounts, sink: RecordSink, progress: Progress): Promise<void> {
  const unpack = sniffed.packing === 'gzip' ? createGunzip({ chunkSize: CHUNK / 4 }) : createZstdDecompress({ chunkSize: CHUNK / 4 })
  let text: TextFeed | null = null
  let packed = 0
  let unpacked = 0
  let calledOff: unknown
  /** A stream over the handle would close it when it is stopped. */
  async function* source(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < file.size; ) {
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK / 4, file.size - at))
      const read = readSync(handle, chunk, 0, chunk.length, at)
      if (read === 0) return
      at += read
      packed += read
      try {
        await progress(read)
      } catch (error) {
        calledOff = error
        throw error
      }
      yield chunk.subarray(0, read)
    }
  }
  try {
    await pipeline(Readable.from(source(), { objectMode: false }), unpack, async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        unpacked += chunk.length
        const head = chunk.subarray(0, SNIFF_BYTES)
        if (text === null) {
          const { encoding, mark, refused } = sniffText(head)
          if (refused !== null) throw new TooMuch(refused)
          text = new TextFeed(counts, sink, { referenceMs: file.mtimeMs, offset: 0, mark, encoding })
        }
        text.push(chunk)
        const ratio = unpacked > LIMITS.log_unpacked_free_bytes && unpacked > packed * LIMITS.log_unpacked_ratio
        if (ratio || unpacked > LIMITS.log_unpacked_bytes) throw new TooMuch(ratio ? 'bomb' : 'too_large')
      }
    })
  } catch (error) {
    // what was read until then would pass for all there is
    if (calledOff !== undefined) throw calledOff
    const reason = error instanceof TooMuch ? (error.message as 'bomb' | 'too_large' | 'binary') : 'corrupt'
    skip(counts, reason, { files: 1 })
  }
  (text as TextFeed | null)?.end()
}

export interface FeedOptions {
  readonly referenceMs: number
  readonly offset: number
  /** bytes of a byte-order mark at the start */
  readonly mark: number
  readonly encoding: 'utf8' | 'utf16le' | 'utf16be'
}

/** Bytes of one text go in, its records go to the sink. */
export class TextFeed {
  readonly #records: RecordReader
  readonly #lines: LineSplitter
  #mark: number

  constructor(counts: ReadCounts, sink: RecordSink, { referenceMs, offset, mark, encoding }: FeedOptions) {
    const records = new RecordReader(counts, sink, referenceMs)
    const onLatin1 = (): void => {
      counts.notes.latin1 = (counts.notes.latin1 ?? 0) + 1
    }
    this.#records = records
    this.#lines = new LineSplitter(records.line.bind(records), { encoding, offset: offset + mark, onLatin1 })
    this.#mark = mark
    counts.bytes += mark
    if (mark > 0) skip(counts, 'bom', { bytes: mark })
  }

  push(chunk: Uint8Array): void {
    if (this.#mark === 0) return this.#lines.push(chunk)
    const dropped = Math.min(this.#mark, chunk.length)
    this.#mark -= dropped
    this.#lines.push(chunk.subarray(dropped))
  }

  end(): void {
    this.#lines.end()
    this.#records.end()
  }
}
