/** One piece of a log into one state file, which appears whole or not at all. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import type { Piece, Progress } from '../read/index.ts'
import { readPiece, serviceOf } from '../read/index.ts'
import { StateBuilder } from './builder.ts'
import type { ByteSink } from './container.ts'

export interface MapTask {
  readonly piece: Piece
  readonly target: string
}

/** Bytes of the input, and lines, since the last time. */
export type MapProgress = (bytes: number, lines: number) => void

export async function mapPiece({ piece, target }: MapTask, progress: MapProgress): Promise<void> {
  const draft = `${target}.${process.pid}.tmp`
  try {
    const handle = openSync(draft, 'w', 0o600)
    try {
      const out = buffered(handle)
      const builder = new StateBuilder(out.sink)
      builder.startFile(piece.file.name, serviceOf(piece.file.name))
      let lines = 0
      const told: Progress = (bytes) => {
        progress(bytes, lines)
        lines = 0
      }
      const counts = await readPiece(piece, (fields, offset) => {
        lines += 1
        builder.add(fields, offset)
      }, told)
      progress(0, lines)
      builder.end(counts)
      out.flush()
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    renameSync(draft, target)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** Writes whole, and few times: a block goes out as it is, heads wait for it. */
export function buffered(handle: number): { readonly sink: ByteSink; readonly flush: () => void } {
  let held: Uint8Array[] = []
  let length = 0
  const flush = (): void => {
    const all = held.length === 1 ? (held[0] as Uint8Array) : Buffer.concat(held)
    for (let at = 0; at < all.length; ) at += writeSync(handle, all, at, all.length - at)
    held = []
    length = 0
  }
  const sink: ByteSink = (bytes) => {
    held.push(bytes)
    length += bytes.length
    if (length >= 1 << 16) flush()
  }
  return { sink, flush }
}
