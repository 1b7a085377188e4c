/** A cursor names the last candidate of a page by what it was sorted by, so that decisions taken meanwhile skip nothing on the next. */
import { type QueueSort, ServiceError } from '../contracts/index.ts'

export interface Cursor {
  readonly sort: QueueSort
  readonly key: number | string
  readonly pid: string
  /** how many decisions the learned order rested on: the next page follows the same */
  readonly trained?: number
}

export const writeCursor = ({ sort, key, pid, trained }: Cursor): string =>
  Buffer.from(JSON.stringify([sort, key, pid, ...(trained === undefined ? [] : [trained])])).toString('base64url')

export function readCursor(text: string, sort: QueueSort): Cursor {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    const [of, key, pid, trained]: unknown[] = Array.isArray(value) ? value : []
    const counted = trained === undefined || (typeof trained === 'number' && Number.isSafeInteger(trained) && trained >= 0)
    if (of === sort && (typeof key === 'number' || typeof key === 'string') && typeof pid === 'string' && counted) {
      return { sort, key, pid, ...(typeof trained === 'number' ? { trained } : {}) }
    }
  } catch {
    // told below, together with cursors that are JSON of another shape
  }
  throw new ServiceError('invalid_request', 'this cursor was not made by us, or for another order', {
    hint: 'begin again without a cursor',
    errors: [{ path: 'cursor', message: 'unreadable' }],
  })
}
