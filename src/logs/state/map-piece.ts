/**
 * One piece of a log into one state file, which appears whole or not at all. What a power cut tears is told by the checksums, so
 * nothing is waited for.
 */
import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import type { Piece, Progress } from '../read/index.ts'
import { readPiece } from '../read/read-piece.ts'
import { serviceOf } from '../read/rotation.ts'
import { StateBuilder } from './builder.ts'
import type { ByteSink } from './container.ts'

export interface MapTask {
  readonly piece: Piece
  readonly target: string
}

/** Bytes of the input, and lines, since the last time; waited for where it answers with a promise. */
export type MapProgress = (bytes: number, lines: number) => void | Promise<void>

/** Tasks of several threads, and the index of the one that comes next. */
export interface SharedTasks {
  readonly tasks: readonly MapTask[]
  readonly next: Int32Array
}

/** Maps the next task as long as there is one that no other thread has taken. */
export async function mapShared({ tasks, next }: SharedTasks, progress: MapProgress): Promise<void> {
  for (;;) {
    const task = tasks[Atomics.add(next, 0, 1)]
    if (task === undefined) return
    await mapPiece(task, progress)
  }
}

async function mapPiece({ piece, target }: MapTask, progress: MapProgress): Promise<void> {
  const draft = `${target}.${process.pid}.tmp`
  try {
    const handle = openSync(draft, 'w', 0o600)
    try {
      const out = buffered(handle)
      const builder = new StateBuilder(out.sink)
      builder.startFile(piece.file.name, serviceOf(piece.file.name))
      let lines = 0
      const told: Progress = (bytes) => {
        const done = lines
        lines = 0
        return progress(bytes, done)
      }
      const counts = await readPiece(piece, (fields, offset) => {
        lines += 1
        builder.add(fields, offset)
      }, told)
      await progress(0, lines)
      builder.end(counts)
      out.flush()
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
