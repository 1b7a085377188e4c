/** Lines for property tests. */
import fc from 'fast-check'

/** Pieces from which lines are made that hold everything the tokeniser looks at. */
const piece = fc.constantFrom(
  ...'ab17="\'\\ ,.(:@/[]{}-_#%', '\u00e9', '\u65e5', ' ', '10.0.0.1', 'node=', '0x1f', '12:30:01', 'eyJ', 'Jun 4', 'true', '://',
)
export const line = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))
