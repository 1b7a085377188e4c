/** Texts in quotation marks, letters and parts of names. */
import type { Reader } from '../reader.ts'
import { bend, isText } from '../sketch.ts'

/** "whose name contains 'ee'", "starting with A". */
export function readLikes(reader: Reader): void {
  for (const { at } of reader.operations('like')) {
    const { place } = reader.operation(at, 'like')!
    const before = reader.beside(at, -1, true)
    // a single letter is a letter here, not an article
    const next = /^\p{L}$/u.test(reader.text(at + 1)) ? at + 1 : reader.beside(at, 1)
    const property = reader.property(before)
    const element = reader.elements[next]
    if (property === null || !isText(property) || !reader.free(before) || element === undefined) continue
    if (element.kind !== 'text' && element.kind !== 'value' && element.kind !== 'number' && element.kind !== 'word') continue
    const text = reader.text(next)
    const pattern = `${place === 'start' ? '' : '%'}${text}${place === 'end' ? '' : '%'}`
    const op = reader.negated.has(at) ? 'not_like' : 'like'
    reader.take(at, before, next)
    const ref = { cls: property.cls, property: property.property }
    const or = reader.beside(next, 1)
    const other = reader.operation(or, 'or') === null ? -1 : reader.beside(or, 1)
    const second = reader.elements[other]
    if (second?.kind === 'text' || second?.kind === 'value') {
      // 'contains "x" or "y"'
      reader.sketch.restrictions.push({ ref, op, value: pattern, alternative: at, at })
      reader.sketch.restrictions.push({ ref, op, value: pattern.replace(text, reader.text(other)), alternative: at, at: other })
      reader.take(or, other)
    } else reader.sketch.restrictions.push({ ref, op, value: pattern, at })
  }
}

/** A quoted text that stands nowhere in the data, beside the property it is said to be of: it finds nothing, and says so. */
export function readTexts(reader: Reader): void {
  for (const [at, element] of reader.elements.entries()) {
    if (element.kind !== 'text' || reader.used.has(at)) continue
    const before = reader.beside(at, -1)
    const property = reader.property(before)
    if (property === null || !isText(property) || !reader.free(before)) continue
    reader.sketch.restrictions.push({
      ref: { cls: property.cls, property: property.property }, op: reader.negated.has(at) ? '!=' : '=', value: element.text, at,
    })
    bend(reader.sketch, 'text not in the data', 0.4)
    reader.take(at, before)
  }
}
