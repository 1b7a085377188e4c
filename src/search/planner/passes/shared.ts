/** "the phone numbers of all guests and drivers": one property of the records of two classes, of either or of both. */
import { splitIdentifier } from '../../../kernel/text/index.ts'
import type { OntologyClass, OntologyProperty } from '../../../ontology/index.ts'
import type { Reader } from '../reader.ts'

const PASSED: ReadonlySet<string> = new Set('of for by the all and or both either are is that used shared held common to in'.split(' '))

export function readShared(reader: Reader): void {
  const { sketch } = reader
  if (sketch.restrictions.length + sketch.shown.length + sketch.orders.length + sketch.absent.length > 0) return
  const shown = reader.elements.findIndex((_, at) => reader.property(at) !== null && reader.free(at))
  const property = reader.property(shown)
  const first = reader.beside(shown, 1, true) === -1 ? -1 : nextClass(reader, shown)
  const second = first === -1 ? -1 : nextClass(reader, first)
  const [one, two] = [reader.cls(first), reader.cls(second)]
  if (property === null || one === null || two === null || one.cls.name === two.cls.name || property.cls.name !== one.cls.name) return
  if (reader.elements.slice(second + 1).some(({ kind }) => kind !== 'word')) return
  const joint = reader.wordsBetween(first, second)
  const or = reader.elements.slice(first + 1, second).some((_, i) => reader.operation(first + 1 + i, 'or') !== null)
  if (!or && !joint.includes('and')) return
  const other = sameProperty(property.cls, property.property, two.cls)
  const between = reader.elements.slice(shown + 1, second).map((_, i) => reader.text(shown + 1 + i).toLowerCase())
  if (other === null) return
  const both = between.includes('both') || between.some((word) => /^(?:used|shared|common)$/.test(word))
  // "of guests and drivers" may as well ask for both beside each other
  const sure = both || or || between.includes('all')
  if (reader.choices.turned('of either', first) === sure) return
  sketch.alsoOf = { ref: { cls: two.cls, property: other }, op: both ? 'intersect' : 'union' }
  for (let at = shown + 1; at <= second; at += 1) reader.take(at)
}

/** The next class, with nothing but small words before it. */
function nextClass(reader: Reader, from: number): number {
  let at = from + 1
  while (PASSED.has(reader.text(at).toLowerCase())) at += 1
  return reader.cls(at) !== null && reader.free(at) && !reader.opens(at) ? at : -1
}

/** The property of another class that is called the same, whatever the classes are called. */
function sameProperty(cls: OntologyClass, property: OntologyProperty, other: OntologyClass): OntologyProperty | null {
  const bare = (owner: OntologyClass, name: string) => {
    const own = new Set(splitIdentifier(owner.name))
    return splitIdentifier(name).filter((word) => !own.has(word)).join(' ')
  }
  const wanted = bare(cls, property.name)
  return other.properties.find(({ kind, name, range }) => kind === property.kind && range === property.range && bare(other, name) === wanted) ?? null
}
