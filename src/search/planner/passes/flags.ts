/** Columns of yes and no, said as a word of the thing: "active customers", "customers that are not active". */
import type { Reader } from '../reader.ts'

/** Before anything could take such a word for something to show or to count. */
export function readFlags(reader: Reader): void {
  for (const [at] of reader.elements.entries()) {
    const flag = reader.property(at)
    const yes = flag?.property.yes
    if (flag === null || yes === undefined || !reader.free(at)) continue
    const denial = negationBefore(reader, at)
    if (!isModifier(reader, at) && !isPredicate(reader, at, denial ?? at)) continue
    const ref = { cls: flag.cls, property: flag.property }
    reader.sketch.restrictions.push({ ref, op: denial === null ? '=' : '!=', value: yes, at })
    reader.take(at, ...(denial === null ? [] : [denial]))
  }
}

const negationBefore = (reader: Reader, at: number): number | null => (reader.operation(at - 1, 'negation') === null ? null : at - 1)

/** Right before what has it; "the active of customers" and "customer active" name the column. */
function isModifier(reader: Reader, at: number): boolean {
  const noun = reader.cls(at + 1)
  return noun !== null && noun.cls.name === reader.property(at)?.cls.name && !reader.paused(at + 1)
}

const COPULAS: ReadonlySet<string> = new Set(['is', 'are', 'was', 'were', 'be', 'been', 'being'])

/** Right behind "is" or "are", with nothing behind it that it would be compared with; in the head of a question it is asked for. */
function isPredicate(reader: Reader, at: number, from: number): boolean {
  const said = reader.elements.slice(0, at).some(({ kind }) => kind === 'class')
  const next = reader.elements[at + 1]
  return said && COPULAS.has(reader.word(from - 1)) && (next === undefined || next.kind === 'word' || next.kind === 'operation')
}
