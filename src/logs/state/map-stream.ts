/** A stream of bytes, or files one after the other, into one partial state: what a map task of any engine runs. */
import { resolve, relative } from 'node:path'
import { type FeedOptions, type LogFile, TextFeed, type ReadCounts, addCounts, listLogFiles, noCounts, piecesOf, readPiece, serviceOf } from '../read/index.ts'
import { SNIFF_BYTES, sniffText } from '../read/sniff.ts'
import { StateBuilder } from './builder.ts'
import type { ByteSink } from './container.ts'

export interface StreamOptions {
  /** what the stream is called in the result: shards of one file share its name */
  readonly name: string
  /** where the first byte lies in that file */
  readonly offset: number
  /** when the log was last written, for times that have no year */
  readonly referenceMs: number
}

/** `drained` is waited for between chunks, so that a slow reader of the state slows the reading of the log. */
export async function mapStream(
  chunks: AsyncIterable<Uint8Array>, sink: ByteSink, { name, offset, referenceMs }: StreamOptions, drained: () => Promise<void> = async () => {},
): Promise<ReadCounts> {
  const counts = noCounts()
  const builder = new StateBuilder(sink)
  builder.startFile(name, serviceOf(name))
  let feed: TextFeed | null = null
  for await (const chunk of chunks) {
    if (feed === null) {
      const { encoding, mark } = offset === 0 ? sniffText(chunk.subarray(0, SNIFF_BYTES)) : NO_MARK
      feed = new TextFeed(counts, (fields, at) => builder.add(fields, at), { referenceMs, offset, mark, encoding })
    }
    feed.push(chunk)
    await drained()
  }
  feed?.end()
  if (offset === 0) counts.files += 1
  builder.end(counts)
  return counts
}

const NO_MARK: Pick<FeedOptions, 'encoding' | 'mark'> = { encoding: 'utf8', mark: 0 }

/** Files, folders and patterns into one state; names are relative to the root. */
export async function mapPaths(paths: readonly string[], root: string, sink: ByteSink, drained: () => Promise<void> = async () => {}): Promise<ReadCounts> {
  const counts = noCounts()
  const builder = new StateBuilder(sink)
  const files = new Map(paths.flatMap((path) => listLogFiles(path, counts)).map((file) => [resolve(file.path), file]))
  for (const file of files.values()) {
    const named: LogFile = { ...file, name: relative(resolve(root), resolve(file.path)).replaceAll('\\', '/') || file.name }
    for (const piece of piecesOf([named], counts, Number.MAX_SAFE_INTEGER)) {
      builder.startFile(named.name, serviceOf(named.name))
      addCounts(counts, await readPiece(piece, (fields, offset) => builder.add(fields, offset)))
      await drained()
    }
  }
  builder.end(counts)
  return counts
}
