/** A file too large for memory, written while it is made: into a temporary file, which takes its place only when it is whole. */
import { mkdirSync, rmSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ServiceError } from '../contracts/index.ts'
import { keepPrevious } from './files.ts'

export async function writeStream(out: string, path: string, chunks: AsyncIterable<string>): Promise<void> {
  const file = join(out, path)
  const temporary = `${file}.${process.pid}.tmp`
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const handle = await open(temporary, 'w', 0o600)
  try {
    // writeFile goes on until every byte is written; a plain write may stop short and say nothing
    for await (const chunk of chunks) await handle.writeFile(chunk)
    await handle.sync()
  } catch (cause) {
    await handle.close()
    rmSync(temporary, { force: true })
    const full = (cause as NodeJS.ErrnoException).code === 'ENOSPC'
    throw full ? new ServiceError('storage_full', 'no room left for the output; the old files are whole', { cause }) : cause
  }
  await handle.close()
  keepPrevious(out, path)
  await rename(temporary, file)
}
