/** Output files: written whole or not at all, readable by their owner only; what a run replaces is kept until the next. */
import {
  closeSync, copyFileSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { ServiceError } from '../contracts/index.ts'

/** Holds, below the output folder, each file as the run before the last one left it. */
export const PREVIOUS = '.previous'

export interface OutputFile {
  /** relative to the output folder */
  readonly path: string
  readonly text: string
}

/** Temporary file, fsync, rename: after a crash the old file or the new one stands there, never half of one. */
export function writeAtomically(file: string, text: string): void {
  writeDraft(file, [text])
  try {
    renameSync(draftOf(file), file)
  } catch (cause) {
    rmSync(draftOf(file), { force: true })
    throw cause
  }
}

/** A file that is to take the place of another one, beside it until it does. */
const draftOf = (file: string): string => `${file}.${process.pid}.tmp`

/** The new file is on the disk, the old one still stands. */
function writeDraft(file: string, chunks: Iterable<string>): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const draft = draftOf(file)
  try {
    const handle = openSync(draft, 'w', 0o600)
    try {
      // goes on until every byte is written; a plain write may stop short and say nothing
      for (const chunk of chunks) writeFileSync(handle, chunk)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
  } catch (cause) {
    rmSync(draft, { force: true })
    const full = (cause as NodeJS.ErrnoException).code === 'ENOSPC'
    throw full ? new ServiceError('storage_full', 'no room left for the output; the old files are whole', { cause }) : cause
  }
}

/** Files that belong together are all written before the first of them is put in its place. */
export function writeDrafts(out: string, files: Iterable<{ readonly path: string; readonly chunks: () => Iterable<string> }>): void {
  for (const { path, chunks } of files) writeDraft(join(out, path), chunks())
}

export function placeDrafts(out: string, paths: readonly string[]): string[] {
  for (const path of paths) {
    keepPrevious(out, path)
    renameSync(draftOf(join(out, path)), join(out, path))
  }
  return [...paths]
}

/** What a run that failed has left behind. */
export function dropDrafts(out: string, paths: readonly string[]): void {
  for (const path of paths) rmSync(draftOf(join(out, path)), { force: true })
}

export function writeOutputs(out: string, files: readonly OutputFile[]): string[] {
  for (const { path, text } of files) {
    keepPrevious(out, path)
    writeAtomically(join(out, path), text)
  }
  return files.map(({ path }) => path)
}

/** To be called before a file is replaced. A second name for the old file costs nothing and leaves it where it stands. */
export function keepPrevious(out: string, path: string): void {
  const file = join(out, path)
  if (!existsSync(file)) return
  const kept = join(out, PREVIOUS, path)
  const draft = `${kept}.${process.pid}.tmp`
  mkdirSync(dirname(kept), { recursive: true, mode: 0o700 })
  rmSync(draft, { force: true })
  try {
    linkSync(file, draft)
  } catch {
    copyFileSync(file, draft) // not every file system has links
  }
  renameSync(draft, kept)
  rmSync(draft, { force: true }) // renaming onto another name of the same file leaves both names
}

/** With its previous copy: what was taken back must not live on in either. */
export function removeOutput(out: string, path: string): void {
  for (const folder of [out, join(out, PREVIOUS)]) rmSync(join(folder, path), { force: true })
}

export const readOutput = (out: string, path: string): string | null =>
  existsSync(join(out, path)) ? readFileSync(join(out, path), 'utf8') : null
