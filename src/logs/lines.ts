/**
 * Bytes into lines with a cap. A line of a gigabyte costs no more memory than the cap: node:readline would gather the whole
 * line and end the process.
 */
export const MAX_LINE_BYTES = 64 * 1024

export interface RawLine {
  readonly bytes: Uint8Array
  /** where the line starts in the file */
  readonly offset: number
  /** bytes behind the cap, dropped */
  readonly cut: number
}

export async function* splitLines(chunks: AsyncIterable<Uint8Array>, cap = MAX_LINE_BYTES): AsyncGenerator<RawLine> {
  const pending = new Uint8Array(cap)
  let length = 0
  let cut = 0
  let offset = 0
  let reached = 0
  const keep = (bytes: Uint8Array): void => {
    const fits = Math.min(bytes.length, cap - length)
    pending.set(bytes.subarray(0, fits), length)
    length += fits
    cut += bytes.length - fits
    reached += bytes.length
  }
  for await (const chunk of chunks) {
    let from = 0
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      keep(chunk.subarray(from, at))
      yield { bytes: pending.slice(0, length), offset, cut }
      from = at + 1
      reached += 1
      offset = reached
      length = 0
      cut = 0
    }
    keep(chunk.subarray(from))
  }
  if (reached > offset) yield { bytes: pending.slice(0, length), offset, cut }
}
