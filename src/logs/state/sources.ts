/** Where partial states are kept until they are reduced: in files, or in memory for small logs. Both are read more than once. */
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { BadState, type ByteSink, type ByteSource, CHUNKS, type ChunkType, readChunks } from './container.ts'
import { type StateTable, readTable } from './partial.ts'
import { type Rows, readRows } from './rows.ts'

export interface StateSource {
  /** what it is called where it cannot be read */
  readonly name: string
  /** this process wrote or checked it: what it says need not be checked again */
  readonly own?: boolean
  /** opens it once more from its start */
  readonly read: <T>(use: (source: ByteSource) => T) => T
}

/** The same state, now that this process has written or checked it; what a disk has torn since is still told by the checksums. */
export const ownState = (state: StateSource): StateSource => ({ ...state, own: true })

/** A state that starts at an offset of a file. */
export const fileState = (path: string, start = 0): StateSource => ({
  name: path,
  read: (use) => {
    const handle = openSync(path, 'r')
    let place = start
    try {
      const next = (length: number): Uint8Array | null => {
        const bytes = Buffer.allocUnsafeSlow(length)
        let at = 0
        while (at < length) {
          const read = readSync(handle, bytes, at, length - at, place)
          if (read === 0) break
          at += read
          place += read
        }
        return at === 0 ? null : bytes.subarray(0, at)
      }
      return use(Object.assign(next, { skip: (length: number) => void (place += length) }))
    } finally {
      closeSync(handle)
    }
  },
})

/** The states that stand one after the other in a file, as an engine that joins the outputs of its tasks leaves them. */
export function statesInFile(path: string): StateSource[] {
  const stats = statSync(path)
  if (!stats.isFile()) throw new BadState('a state is read from a file or from standard input')
  if (stats.size === 0) throw new BadState('the file holds no state')
  const { size } = stats
  const states: StateSource[] = []
  for (let start = 0; start < size; ) {
    let length = 0
    fileState(path, start).read((source) => {
      const counted = (asked: number): Uint8Array | null => {
        const bytes = source(asked)
        length += bytes?.length ?? 0
        return bytes
      }
      for (const _ of readChunks(Object.assign(counted, { skip: source.skip }))) void _
    })
    states.push(fileState(path, start))
    start += length
  }
  return states
}

/** A state in memory, and the sink that fills it. */
export function memoryState(name: string): { readonly sink: ByteSink; readonly state: StateSource } {
  const pieces: Uint8Array[] = []
  const read = <T>(use: (source: ByteSource) => T): T => {
    const all = Buffer.concat(pieces)
    let at = 0
    const next = (length: number): Uint8Array | null => {
      if (at >= all.length) return null
      const part = new Uint8Array(all.subarray(at, at + length))
      at += part.length
      return part
    }
    return use(Object.assign(next, { skip: (length: number) => void (at += length) }))
  }
  return { sink: (bytes) => void pieces.push(new Uint8Array(bytes)), state: { name, read } }
}

/** The table of a state, which stands behind its rows; the rows are checked when they are read. */
export const stateTable = (state: StateSource): StateTable => tableOf(state, CHUNKS.table)

/** Throws BadState when anything in the state is damaged or missing. */
export const checkState = (state: StateSource): void => void tableOf(state)

function tableOf(state: StateSource, only?: ChunkType): StateTable {
  return state.read((source) => {
    let table: StateTable | null = null
    for (const { type, payload } of readChunks(source, only)) if (type === CHUNKS.table) table = readTable(payload, state.own)
    if (table === null) throw new BadState('the state has no table')
    return table
  })
}

export function eachBlock(state: StateSource, use: (rows: Rows) => void): void {
  state.read((source) => {
    for (const { type, payload } of readChunks(source)) if (type === CHUNKS.rows) use(readRows(payload))
  })
}
