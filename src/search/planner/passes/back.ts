/** "those", "them": where the question itself has said, or goes on to say, of what it speaks. */
import { isTerm } from '../elements.ts'
import type { Reader } from '../reader.ts'

const RELATIVE: ReadonlySet<string> = new Set('that which whose with having in on at from for to who'.split(' '))

export function readBack(reader: Reader): void {
  for (const { at } of reader.operations('back')) {
    if (/same/i.test(reader.text(at))) continue
    // "those lamps", "of those red lamps"
    const named = isTerm(reader.elements[at + 1])
    const spokenOf = reader.elements.slice(0, at).some(isTerm)
    // "the prices of those that are broken", "lamps and the shelves that hold them"
    const goesOn = RELATIVE.has(reader.word(at + 1)) || reader.operation(at + 1, 'ask') !== null
    if (named || spokenOf || (goesOn && /^those$/i.test(reader.text(at)))) reader.take(at)
  }
}
