/** Output files as callers may read them: names from a closed list, each held to the ceiling that its own header names. */
import { createHash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { ServiceError, type Tier, within } from '../contracts/index.ts'
import { HEADER_BYTES, PREVIOUS, ceilingOf, mediaTypeOf, outputPaths } from '../pipeline/index.ts'
import type { OutputLine, OutputShelf } from './desks.ts'
import { unifiedDiff } from './unified-diff.ts'

/** Comparing takes both versions into memory. */
const MAX_DIFF_BYTES = 8 * 1024 * 1024

export function outputShelf(out: string): OutputShelf {
  const hashes = new Map<string, { readonly stamp: string; readonly etag: string }>()

  /** The content's hash; a file that has not changed since is not read again. */
  async function etagOf(path: string, handle: FileHandle): Promise<string> {
    const { ino, size, mtimeMs } = await handle.stat()
    const stamp = `${ino}:${size}:${mtimeMs}`
    const known = hashes.get(path)
    if (known?.stamp === stamp) return known.etag
    const hash = createHash('sha256')
    for await (const chunk of handle.createReadStream({ start: 0, autoClose: false })) hash.update(chunk as Buffer)
    const etag = hash.digest('hex').slice(0, 32)
    hashes.set(path, { stamp, etag })
    return etag
  }

  async function lineOf(path: string, handle: FileHandle, grant: Tier): Promise<OutputLine> {
    const name = posix.basename(path)
    const ceiling = await headerCeiling(name, handle)
    const etag = within(ceiling, grant) ? await etagOf(path, handle) : ''
    const mayCompare = async (previous: FileHandle): Promise<boolean> => within(await headerCeiling(name, previous), grant)
    const has_previous = await using(join(out, PREVIOUS, path), mayCompare, false)
    return { name, path, media_type: mediaTypeOf(name), ceiling, bytes: (await handle.stat()).size, etag, has_previous }
  }

  /** By path, or by name alone. Only paths that we list ourselves are ever opened. */
  function pathOf(name: string): string {
    const found = outputPaths(out).find((path) => path === name || posix.basename(path) === name)
    if (found === undefined) throw unknown()
    return found
  }

  return {
    async list({ grant }) {
      const lines: OutputLine[] = []
      for (const path of outputPaths(out)) {
        const line = await using(join(out, path), (handle) => lineOf(path, handle, grant), null)
        if (line !== null && within(line.ceiling, grant)) lines.push(line)
      }
      return { value: lines, ceiling: grant }
    },

    async read(name, { grant }) {
      const path = pathOf(name)
      const handle = await openRegular(join(out, path))
      if (handle === null) throw unknown()
      try {
        const line = await lineOf(path, handle, grant)
        if (!within(line.ceiling, grant)) throw unknown()
        // the handle stays on this version, whatever a phase puts in its place meanwhile
        return { value: { ...line, body: handle.createReadStream({ start: 0 }) }, ceiling: line.ceiling }
      } catch (error) {
        await handle.close()
        throw error
      }
    },

    async diff(name, { grant }) {
      const path = pathOf(name)
      const [after, before] = await Promise.all([out, join(out, PREVIOUS)].map((folder) => wholeText(join(folder, path), grant)))
      if (after === null || after === undefined) throw unknown()
      const names = { before: `previous/${path}`, after: path }
      return { value: before === null || before === undefined ? '' : unifiedDiff(before, after, names), ceiling: grant }
    },
  }
}

const unknown = (): ServiceError => new ServiceError('not_found', 'no such file')

async function openRegular(file: string): Promise<FileHandle | null> {
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return null
  try {
    return await open(file, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

async function using<T>(file: string, work: (handle: FileHandle) => Promise<T>, otherwise: T): Promise<T> {
  const handle = await openRegular(file)
  if (handle === null) return otherwise
  try {
    return await work(handle)
  } finally {
    await handle.close()
  }
}

async function headerCeiling(name: string, handle: FileHandle): Promise<Tier> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0)
  return ceilingOf(name, buffer.subarray(0, bytesRead).toString('utf8'))
}

/** null when it is not there, or not for this caller. */
const wholeText = (file: string, grant: Tier): Promise<string | null> =>
  using<string | null>(
    file,
    async (handle) => {
      if (!within(await headerCeiling(posix.basename(file), handle), grant)) return null
      if ((await handle.stat()).size > MAX_DIFF_BYTES) {
        const hint = 'it can still be fetched whole'
        throw new ServiceError('unsupported_query', 'the file is too large to be compared', { hint })
      }
      return handle.readFile('utf8')
    },
    null,
  )
