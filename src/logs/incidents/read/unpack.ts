/** A file as a stream of its bytes, unpacked where its first bytes say gzip or zstd, and stopped where it unpacks without end. */
import { createReadStream, openSync, readSync, closeSync } from 'node:fs'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { LIMITS, ServiceError } from '../../../contracts/index.ts'
import { sniff } from '../../read/sniff.ts'

export type Chunks = AsyncIterable<Uint8Array>

const CHUNK = 256 * 1024

export async function* unpacked(path: string): AsyncGenerator<Uint8Array> {
  const { packing } = sniff(headOf(path))
  const file = createReadStream(path, { highWaterMark: CHUNK })
  if (packing === 'none') return yield* file as Chunks
  const unpack = packing === 'gzip' ? createGunzip({ chunkSize: CHUNK }) : createZstdDecompress({ chunkSize: CHUNK })
  let packed = 0
  let bytes = 0
  file.on('data', (chunk) => (packed += chunk.length))
  file.on('error', (error) => unpack.destroy(error))
  file.pipe(unpack)
  try {
    for await (const chunk of unpack as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > LIMITS.log_unpacked_free_bytes && bytes > packed * LIMITS.log_unpacked_ratio) throw tooMuch(path)
      yield chunk
    }
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause
    const hint = 'pack the file again; what is packed with gzip or zstd, or not packed, can be read'
    throw new ServiceError('invalid_request', `${nameOf(path)} is damaged: it cannot be unpacked to its end`, { cause, hint })
  } finally {
    file.destroy()
    unpack.destroy()
  }
}

function headOf(path: string): Uint8Array {
  try {
    const handle = openSync(path, 'r')
    try {
      const head = new Uint8Array(512)
      return head.subarray(0, readSync(handle, head, 0, head.length, 0))
    } finally {
      closeSync(handle)
    }
  } catch (cause) {
    throw new ServiceError('invalid_request', `${nameOf(path)} cannot be read`, { cause, hint: 'name a folder whose files you may read' })
  }
}

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

const tooMuch = (path: string): ServiceError =>
  new ServiceError('invalid_request', `${nameOf(path)} unpacks to more than ${LIMITS.log_unpacked_ratio} times its size`, {
    hint: 'unpack it yourself if this is meant',
  })
