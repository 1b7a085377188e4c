/** Reads the slots back out of a rule's Turtle. A text that says anything the slots cannot say has none: nothing gets lost. */
import { type Quad, RDF, RDF_TYPE, SH } from '../kernel/rdf/index.ts'
import type { Term } from '../kernel/term.ts'
import { termKey } from '../kernel/term.ts'
import type { SlotOperator, RuleMeta, SlotCondition, SlotValue } from '../contracts/index.ts'
import { BOUNDS, isSameByTerm } from './slot-fill.ts'
import { type Step, nameOfIri, nameOfProperty, pathText, slotOfTerm } from './slot-names.ts'
import { parseFragment } from './turtle-fragment.ts'

/** Thrown to leave a text that is not made of slots. */
class NotSlots extends Error {}

/** null when the body is not what `writeSlotFill` makes of some slots. */
export function metaOf(body: string, baseIri: string): RuleMeta | null {
  const parsed = parseFragment(body)
  if (!parsed.ok) return null
  try {
    return readMeta(new Pile(parsed.quads), baseIri)
  } catch (error) {
    if (error instanceof NotSlots) return null
    throw error
  }
}

/** Owns which triples have been read: what is left over at the end was not understood. */
class Pile {
  readonly #about: Map<string, Quad[]>
  #left: number

  constructor(quads: readonly Quad[]) {
    this.#about = Map.groupBy(quads, ({ subject }) => termKey(subject))
    this.#left = quads.length
  }

  get isEmpty(): boolean {
    return this.#left === 0
  }

  subjects(property: string): Term[] {
    return [...this.#about.values()].flatMap((quads) => {
      const found = quads.find(({ predicate }) => predicate.value === property)
      return found === undefined ? [] : [found.subject]
    })
  }

  /** The values of a property, in the order of the text; they are read now and will not be found again. */
  take(subject: Term, property: string): Term[] {
    const about = this.#about.get(termKey(subject)) ?? []
    const taken = about.filter(({ predicate }) => predicate.value === property)
    this.#about.set(termKey(subject), about.filter(({ predicate }) => predicate.value !== property))
    this.#left -= taken.length
    return taken.map(({ object }) => object)
  }

  one(subject: Term, property: string): Term {
    const [only, ...more] = this.take(subject, property)
    if (only === undefined || more.length > 0) throw new NotSlots()
    return only
  }

  maybe(subject: Term, property: string): Term | undefined {
    const [only, ...more] = this.take(subject, property)
    if (more.length > 0) throw new NotSlots()
    return only
  }

  list(head: Term): Term[] {
    const items: Term[] = []
    // a cell is taken when it is read, so a list that bites its tail ends in a cell without content
    for (let cell = head; cell.value !== `${RDF}nil`; cell = this.one(cell, `${RDF}rest`)) {
      items.push(this.one(cell, `${RDF}first`))
    }
    return items
  }
}

function readMeta(pile: Pile, baseIri: string): RuleMeta {
  const [shape, ...more] = pile.subjects(`${SH}rule`)
  if (shape === undefined || more.length > 0) throw new NotSlots()
  expectIri(pile.one(shape, RDF_TYPE), `${SH}NodeShape`)
  const target = iriValue(pile.one(shape, `${SH}targetClass`))
  const rule = pile.one(shape, `${SH}rule`)
  expectIri(pile.one(rule, RDF_TYPE), `${SH}TripleRule`)
  expectIri(pile.one(rule, `${SH}subject`), `${SH}this`)
  const property = iriValue(pile.one(rule, `${SH}predicate`))
  const value = slotValue(pile.one(rule, `${SH}object`), baseIri)
  const conditions = pile.take(rule, `${SH}condition`).map((condition) => {
    const about = pile.one(condition, `${SH}property`)
    const path = pathText(readPath(pile, pile.one(about, `${SH}path`)), baseIri)
    return { path, ...readConstraint(pile, about, baseIri) }
  })
  if (!pile.isEmpty) throw new NotSlots()
  const assertion = { path: nameOfProperty(property, baseIri), value }
  return { target_class: nameOfIri(target, baseIri), conditions, assertion }
}

function readPath(pile: Pile, path: Term): Step[] {
  if (path.kind === 'iri') return [{ property: path.value, inverse: false }]
  const inverse = pile.maybe(path, `${SH}inversePath`)
  if (inverse !== undefined) return [{ property: iriValue(inverse), inverse: true }]
  return pile.list(path).map((item) => {
    const [step, ...more] = item.kind === 'iri' ? [{ property: item.value, inverse: false }] : readPath(pile, item)
    if (step === undefined || more.length > 0) throw new NotSlots()
    return step
  })
}

function readConstraint(pile: Pile, about: Term, baseIri: string): Pick<SlotCondition, 'op' | 'value'> {
  const least = pile.maybe(about, `${SH}minCount`)
  if (least !== undefined) return isNumber(least, '1') ? { op: 'exists' } : notSlots()
  const most = pile.maybe(about, `${SH}maxCount`)
  if (most !== undefined) return isNumber(most, '0') ? { op: 'exists', value: false } : notSlots()
  const same = pile.maybe(about, `${SH}hasValue`)
  if (same !== undefined) return isSameByTerm(same) ? { op: '=', value: slotValue(same, baseIri) } : notSlots()
  const shape = pile.one(about, `${SH}qualifiedValueShape`)
  if (!isNumber(pile.one(about, `${SH}qualifiedMinCount`), '1')) throw new NotSlots()
  const kind = pile.maybe(shape, `${SH}nodeKind`)
  if (kind !== undefined) {
    expectIri(kind, `${SH}IRIOrLiteral`)
    return { op: 'not_null' }
  }
  const pattern = pile.maybe(shape, `${SH}pattern`)
  if (pattern !== undefined) {
    const value = slotValue(pattern, baseIri)
    return typeof value === 'string' ? { op: 'regex', value } : notSlots()
  }
  const not = pile.maybe(shape, `${SH}not`)
  if (not !== undefined) return { op: '!=', value: readEqual(pile, not, baseIri) ?? notSlots() }
  const members = pile.maybe(shape, `${SH}in`)
  if (members !== undefined) {
    const terms = pile.list(members)
    if (terms.length === 0 || !terms.every(isSameByTerm)) return notSlots()
    return { op: 'in', value: terms.map((one) => slotValue(one, baseIri)) }
  }
  const or = pile.maybe(shape, `${SH}or`)
  if (or !== undefined) {
    const value = pile.list(or).map((one) => readEqual(pile, one, baseIri) ?? notSlots())
    return value.length > 0 ? { op: 'in', value } : notSlots()
  }
  const value = readEqual(pile, shape, baseIri)
  return value === undefined ? readBound(pile, shape, baseIri) : { op: '=', value }
}

/** undefined, with nothing taken that a bound would need, when the shape states no equality. */
function readEqual(pile: Pile, shape: Term, baseIri: string): SlotValue | undefined {
  const same = pile.maybe(shape, `${SH}hasValue`)
  if (same !== undefined) return isSameByTerm(same) ? slotValue(same, baseIri) : notSlots()
  const hasBoth = ['minInclusive', 'maxInclusive'].every((name) => pile.subjects(SH + name).some(is(shape)))
  if (!hasBoth) return undefined
  const [least, most] = [pile.one(shape, `${SH}minInclusive`), pile.one(shape, `${SH}maxInclusive`)]
  return termKey(least) === termKey(most) && least.kind === 'literal' ? slotValue(least, baseIri) : notSlots()
}

function readBound(pile: Pile, shape: Term, baseIri: string): Pick<SlotCondition, 'op' | 'value'> {
  const found = Object.entries(BOUNDS).flatMap(([op, name]) => {
    const bound = pile.maybe(shape, SH + name.slice('sh:'.length))
    return bound === undefined ? [] : [{ op: op as SlotOperator, value: slotValue(bound, baseIri) }]
  })
  const [only, ...more] = found
  return only === undefined || more.length > 0 ? notSlots() : only
}

const notSlots = (): never => {
  throw new NotSlots()
}
const is = (term: Term) => (other: Term): boolean => termKey(other) === termKey(term)
const isNumber = (term: Term, text: string): boolean => term.kind === 'literal' && term.value === text
const iriValue = (term: Term): string => (term.kind === 'iri' ? term.value : notSlots())
const slotValue = (term: Term, baseIri: string): SlotValue => slotOfTerm(term, baseIri) ?? notSlots()
const expectIri = (term: Term, value: string): void => {
  if (iriValue(term) !== value) throw new NotSlots()
}
