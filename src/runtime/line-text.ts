/** One line of a log file by its byte offset, as far as it is still the line that was mined. */
import { type FileHandle, open } from 'node:fs/promises'
import { LIMITS } from '../contracts/index.ts'
import type { LinePlace } from '../review/index.ts'

const NEWLINE = 0x0a
const LEAST_WORD = 3

/** null where the file is gone, packed, or says something else there by now. */
export async function lineText({ path, offset, template }: LinePlace): Promise<string | null> {
  let file: FileHandle | undefined
  try {
    file = await open(path, 'r')
    if (!(await file.stat()).isFile()) return null
    const from = Math.max(0, offset - 1)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(LIMITS.log_line_bytes + 1), 0, LIMITS.log_line_bytes + 1, from)
    const begins = offset === 0 || buffer[0] === NEWLINE
    if (!begins || bytesRead <= offset - from) return null
    const rest = buffer.subarray(offset - from, bytesRead)
    const end = rest.indexOf(NEWLINE)
    const text = (end === -1 ? rest : rest.subarray(0, end)).toString('utf8').replace(/\r$/, '')
    return says(text, template) ? text : null
  } catch {
    return null // whatever the disk says: the figures stand without the text
  } finally {
    await file?.close()
  }
}

/** Most of the fixed words of the template are there; escapes of a JSON log may hide some. */
function says(text: string, template: string): boolean {
  const words = template.split(/<[^<>\s]*>|[^\p{L}]+/u).filter((word) => word.length >= LEAST_WORD)
  return words.filter((word) => text.includes(word)).length * 2 >= words.length
}
