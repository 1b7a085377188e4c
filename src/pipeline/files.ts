/** Output files: written whole or not at all, readable by their owner only, one writer at a time. */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ServiceError } from '../contracts/index.ts'

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
  for (const { path, text } of files) writeAtomically(join(out, path), text)
  return files.map(({ path }) => path)
}

export const removeOutput = (out: string, path: string): void => rmSync(join(out, path), { force: true })

export const readOutput = (out: string, path: string): string | null =>
  existsSync(join(out, path)) ? readFileSync(join(out, path), 'utf8') : null

/** Holds the project's writer lock while `work` runs. A lock left by a process that is gone is taken over. */
export async function asOnlyWriter<T>(lockFile: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(lockFile), { recursive: true, mode: 0o700 })
  takeLock(lockFile)
  try {
    return await work()
  } finally {
    rmSync(lockFile, { force: true })
  }
}

function takeLock(lockFile: string): void {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      const handle = openSync(lockFile, 'wx', 0o600)
      writeFileSync(handle, String(process.pid))
      closeSync(handle)
      return
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
      const owner = Number(readFileSync(lockFile, 'utf8'))
      if (isAlive(owner)) {
        throw new ServiceError('conflict', `another writer holds the lock (process ${owner})`, { hint: 'wait for it to end', locked: true, cause })
      }
      rmSync(lockFile, { force: true })
    }
  }
  throw new ServiceError('conflict', 'another writer took the lock', { locked: true })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return pid > 0
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
