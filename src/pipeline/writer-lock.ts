/** One writer per project, across processes: a lock file that names its owner. */
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { ServiceError } from '../contracts/index.ts'

/** Holds the project's writer lock while `work` runs. A lock left by a process that is gone is taken over. */
export async function asOnlyWriter<T>(lockFile: string, phase: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(lockFile), { recursive: true, mode: 0o700 })
  const mine = `${process.pid} ${phase}`
  takeLock(lockFile, mine)
  try {
    return await work()
  } finally {
    if (read(lockFile) === mine) rmSync(lockFile, { force: true })
  }
}

function takeLock(lockFile: string, mine: string): void {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if (createWhole(lockFile, mine)) return
    const held = read(lockFile)
    if (held === null) continue // released since
    const { pid, phase } = ownerOf(held)
    if (isAlive(pid)) {
      const owner = phase === '' ? `process ${pid}` : `process ${pid}, phase ${phase}`
      throw new ServiceError('conflict', `another writer is at work (${owner})`, { hint: 'wait for it to end', locked: true })
    }
    clearStale(lockFile, held)
  }
  throw new ServiceError('conflict', 'another writer took the lock', { hint: 'wait for it to end', locked: true })
}

/** A link appears with its content or not at all: nobody can read a lock whose owner is not yet written. */
function createWhole(lockFile: string, text: string): boolean {
  const draft = `${lockFile}.${process.pid}`
  writeFileSync(draft, text, { mode: 0o600 })
  try {
    linkSync(draft, lockFile)
    return true
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
    return false
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Moves a dead owner's lock aside; if another process was faster and the lock is already somebody else's, it goes back. */
function clearStale(lockFile: string, held: string): void {
  const aside = `${lockFile}.stale.${process.pid}`
  try {
    renameSync(lockFile, aside)
    if (read(aside) !== held) linkSync(aside, lockFile)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'EEXIST') throw cause
  } finally {
    rmSync(aside, { force: true })
  }
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw cause
  }
}

/** Anybody may have written into the file, so only what looks like an owner is repeated to a caller. */
function ownerOf(text: string): { pid: number; phase: string } {
  const [, pid = '0', phase = ''] = /^(\d{1,10})(?: ([a-z0-9-]{1,32}))?$/.exec(text.trim()) ?? []
  return { pid: Number(pid), phase }
}

function isAlive(pid: number): boolean {
  if (pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
