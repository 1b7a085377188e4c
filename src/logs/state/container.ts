/**
 * How a partial state lies on disk or in a pipe: a head, then chunks with a length and a checksum each, then an end. What was
 * not written to its end is told from what was.
 */
import { crc32 } from 'node:zlib'

const MAGIC = 'WFSTATES'
/** Raise it when the meaning of any chunk changes: states of another version are refused. */
export const STATE_VERSION = 2
const HEAD_BYTES = 16
const CHUNK_HEAD = 12

export const CHUNKS = { rows: 1, table: 2, end: 3 } as const
export type ChunkType = (typeof CHUNKS)[keyof typeof CHUNKS]

/** Gets the bytes in order. What is handed over is used again afterwards: write it or copy it. */
export type ByteSink = (bytes: Uint8Array) => void

export class BadState extends Error {}

export function writeHead(sink: ByteSink): void {
  const head = Buffer.alloc(HEAD_BYTES)
  head.write(MAGIC, 'latin1')
  head.writeUInt32LE(STATE_VERSION, 8)
  // typed arrays are written as they lie in memory: a host of the other byte order must not read them
  new Uint32Array(head.buffer, head.byteOffset + 12, 1)[0] = 0x01020304
  sink(head)
}

export function writeChunk(sink: ByteSink, type: ChunkType, payload: Uint8Array): void {
  const head = Buffer.alloc(CHUNK_HEAD)
  head.writeUInt32LE(type, 0)
  head.writeUInt32LE(payload.length, 4)
  head.writeUInt32LE(crc32(payload), 8)
  sink(head)
  sink(payload)
}

export const writeEnd = (sink: ByteSink): void => writeChunk(sink, CHUNKS.end, new Uint8Array(0))

/** Reads so many bytes, or null where there are no more; fewer than asked for are the last ones. */
export interface ByteSource {
  (length: number): Uint8Array | null
  /** steps over so many bytes without looking at them */
  readonly skip: (length: number) => void
}

export interface Chunk {
  readonly type: ChunkType
  readonly payload: Uint8Array
}

/** The largest chunk that is believed: a wrong length must not take all memory. */
const MAX_CHUNK = 1 << 30

/** The chunks of a state up to its end, or those of one type; throws BadState where something is missing or damaged. */
export function* readChunks(source: ByteSource, only?: ChunkType): Generator<Chunk> {
  const head = source(HEAD_BYTES)
  if (head === null || head.length < HEAD_BYTES || Buffer.from(head).toString('latin1', 0, MAGIC.length) !== MAGIC) throw new BadState('this is no partial state of mining')
  const view = Buffer.from(head)
  if (view.readUInt32LE(8) !== STATE_VERSION) throw new BadState(`the state has version ${view.readUInt32LE(8)}, this program reads ${STATE_VERSION}`)
  const own = new Uint32Array(1)
  new Uint8Array(own.buffer).set(view.subarray(12, 16))
  if (own[0] !== 0x01020304) throw new BadState('the state was written on a host of another byte order')
  for (;;) {
    const chunkHead = source(CHUNK_HEAD)
    if (chunkHead === null || chunkHead.length < CHUNK_HEAD) throw new BadState('the state ends early')
    const fields = Buffer.from(chunkHead)
    const [type, length, sum] = [fields.readUInt32LE(0), fields.readUInt32LE(4), fields.readUInt32LE(8)]
    if (length > MAX_CHUNK || !isChunkType(type)) throw new BadState('the state is damaged')
    if (only !== undefined && type !== only && type !== CHUNKS.end) {
      source.skip(length)
      continue
    }
    const payload = length === 0 ? new Uint8Array(0) : source(length)
    if (payload === null || payload.length < length) throw new BadState('the state ends early')
    if (crc32(payload) !== sum) throw new BadState('the state is damaged')
    if (type === CHUNKS.end) return
    yield { type, payload }
  }
}

const isChunkType = (type: number): type is ChunkType => type >= CHUNKS.rows && type <= CHUNKS.end
