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
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const temporary = `${file}.${process.pid}.tmp`
  try {
    const handle = openSync(temporary, 'w', 0o600)
    try {
      writeFileSync(handle, text)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    renameSync(temporary, file)
  } catch (cause) {
    rmSync(temporary, { force: true })
    const full = (cause as NodeJS.ErrnoException).code === 'ENOSPC'
    throw full ? new ServiceError('storage_full', 'no room left for the output; the old files are whole', { cause }) : cause
  }
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
