/**
 * One file that holds a project: gzip over lines of JSON. A first line says what it is, each entry is a line with its name,
 * lines of base64, and a line with its length and SHA-256; a last line counts the entries, so that a cut file is noticed.
 */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import { ServiceError } from '../contracts/index.ts'

export const BACKUP_VERSION = 1
const CHUNK_BYTES = 48 * 1024 // a multiple of three, so that base64 needs no padding in between
const LINE_CHARS = 4 * CHUNK_BYTES
/** far above any project, far below a disk: a file that swells beyond it is not one of ours */
const MAX_BYTES = 64 * 1024 ** 3

const About = z.strictObject({ wherefore_backup: z.int(), program: z.string().regex(/^[\w.+-]{1,64}$/), schema_version: z.int(), created_at: z.iso.datetime() })
export type About = z.infer<typeof About>
const Line = z.union([
  z.strictObject({ entry: z.string() }),
  z.strictObject({ data: z.base64() }),
  z.strictObject({ end: z.string(), bytes: z.int(), sha256: z.string() }),
  z.strictObject({ complete: z.int() }),
])

/** A file of the project: where it belongs, and where its bytes are now. */
export interface Entry {
  /** relative to the project folder, with forward slashes */
  readonly name: string
  readonly file: string
}

export async function writeBackup(to: string, about: About, entries: readonly Entry[]): Promise<void> {
  const file = createWriteStream(to, { flags: 'wx', mode: 0o600, flush: true })
  await pipeline(Readable.from(linesOf(about, entries)), createGzip(), file)
}

async function* linesOf(about: About, entries: readonly Entry[]): AsyncGenerator<string> {
  const line = (value: unknown) => `${JSON.stringify(value)}\n`
  yield line(about)
  for (const { name, file } of entries) {
    yield line({ entry: name })
    const hash = createHash('sha256')
    let bytes = 0
    for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
      hash.update(chunk)
      bytes += chunk.length
      yield line({ data: chunk.toString('base64') })
    }
    yield line({ end: name, bytes, sha256: hash.digest('hex') })
  }
  yield line({ complete: entries.length })
}

export interface Unpacked {
  readonly about: About
  readonly entries: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[]
}

/** What an entry is written to while it is read. */
export interface Target {
  write(chunk: Buffer): void
  close(): void
}

/** Reads the whole file; every entry goes to the target that `open` gives for its name. Anything out of order refuses it all. */
export async function readBackup(from: string, open: (name: string) => Target): Promise<Unpacked> {
  let about: About | null = null
  const entries: { name: string; bytes: number; sha256: string }[] = []
  let current: { name: string; target: Target; hash: ReturnType<typeof createHash>; bytes: number } | null = null
  let complete = false
  let total = 0
  try {
    for await (const text of textLines(from)) {
      const value = jsonOf(text)
      if (about === null) {
        about = aboutOf(value)
        continue
      }
      const line = Line.safeParse(value)
      if (!line.success || complete) throw damaged()
      if ('entry' in line.data) {
        if (current !== null || entries.some(({ name }) => name === (line.data as { entry: string }).entry)) throw damaged()
        current = { name: line.data.entry, target: open(line.data.entry), hash: createHash('sha256'), bytes: 0 }
      } else if ('data' in line.data) {
        if (current === null) throw damaged()
        const chunk = Buffer.from(line.data.data, 'base64')
        total += chunk.length
        if (total > MAX_BYTES) throw new ServiceError('invalid_request', 'the backup is larger than any project')
        current.hash.update(chunk)
        current.bytes += chunk.length
        current.target.write(chunk)
      } else if ('end' in line.data) {
        if (current === null) throw damaged()
        const { name, bytes, hash, target } = current
        target.close()
        current = null
        const sha256 = hash.digest('hex')
        if (line.data.end !== name || line.data.bytes !== bytes || line.data.sha256 !== sha256) throw damaged()
        entries.push({ name, bytes, sha256 })
      } else {
        if (current !== null || line.data.complete !== entries.length) throw damaged()
        complete = true
      }
    }
  } catch (error) {
    current?.target.close()
    throw error
  }
  if (about === null || !complete) throw damaged()
  return { about, entries }
}

async function* textLines(from: string): AsyncGenerator<string> {
  const gunzip = createGunzip()
  const source = createReadStream(from)
  source.on('error', (error) => gunzip.destroy(error))
  source.pipe(gunzip)
  let rest = ''
  try {
    for await (const chunk of gunzip.setEncoding('utf8') as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      if (rest.length > LINE_CHARS) throw damaged()
      yield* lines
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    throw code.startsWith('Z_') || code === 'ERR_BUFFER_TOO_LARGE' ? damaged(error) : error
  } finally {
    source.destroy()
  }
  if (rest !== '') throw damaged()
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw damaged(cause)
  }
}

function aboutOf(value: unknown): About {
  const version = (value as { wherefore_backup?: unknown } | null)?.wherefore_backup
  if (typeof version === 'number' && version > BACKUP_VERSION) {
    throw new ServiceError('conflict', `the backup has format ${version}, this program knows ${BACKUP_VERSION}`, {
      hint: 'use the newer program that wrote it',
    })
  }
  const about = About.safeParse(value)
  if (about.success) return about.data
  throw damaged()
}

const damaged = (cause?: unknown): ServiceError =>
  new ServiceError('invalid_request', 'the file is not a whole backup; nothing was changed', {
    cause,
    hint: 'take another copy of it',
  })
