/** The tokens of one message as columns, which are filled over and over: no object per token. */
import { WordFlags } from './scan-words.ts'
import { MAX_TOKENS } from './tokens.ts'

/** One token may push three, the last one holds the rest, and nothing in brackets is a token too. */
const ROOM = MAX_TOKENS * 2 + 8

export class Tokens {
  /** the message, with zeros behind it: looking past its end finds nothing */
  bytes: Buffer = Buffer.alloc(4096)
  length = 0
  count = 0
  readonly kind = new Uint8Array(ROOM)
  readonly start = new Int32Array(ROOM)
  readonly end = new Int32Array(ROOM)
  readonly spaced = new Uint8Array(ROOM)
  /** the name before `=`; none when the end is 0 */
  readonly keyStart = new Int32Array(ROOM)
  readonly keyEnd = new Int32Array(ROOM)
  /** `textHash` of a word in two halves, where it was made in passing; else both 0 */
  readonly hashOne = new Int32Array(ROOM)
  readonly hashTwo = new Int32Array(ROOM)
  /** tokens whose kind may depend on what stands beside them: most words are no such tokens */
  unsettled = 0
  readonly toSettle = new Uint16Array(ROOM)
  readonly words = new WordFlags()

  put(i: number, kind: number, start: number, end: number, spaced: number, keyStart: number, keyEnd: number): void {
    this.kind[i] = kind
    this.start[i] = start
    this.end[i] = end
    this.spaced[i] = spaced
    this.keyStart[i] = keyStart
    this.keyEnd[i] = keyEnd
    this.hashOne[i] = 0
    this.hashTwo[i] = 0
  }
}
