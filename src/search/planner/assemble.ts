/** Turns one reading into a plan, or refuses: every element of the reading must find its place, none is passed over. */
import type { Plan } from '../../contracts/index.ts'
import { XSD } from '../../kernel/term.ts'
import type { Ontology, OntologyClass } from '../../ontology/index.ts'
import { Draft, isNumeric } from './draft-plan.ts'
import type { Meaning } from './lexicon.ts'
import type { Element, Reading } from './readings.ts'

export interface Assembled {
  readonly plan: Plan
  /** foreign keys walked in all: the longer the way, the less sure the reading */
  readonly steps: number
}

/** A list, count or aggregate plan; null when the reading does not hang together. */
export function assemble(ontology: Ontology, reading: Reading): Assembled | null {
  const { elements } = reading
  const operations = elements.flatMap(({ operation }) => (operation === null ? [] : [operation.kind]))
  // an absence needs a nested plan, "why" and "who" need a rule: none is guessed at here
  if (operations.some((kind) => kind === 'negation' || kind === 'why' || kind === 'who')) return null
  if (operations.filter((kind) => kind === 'count' || kind === 'aggregate').length > 1) return null
  const focus = focusOf(elements)
  if (focus === null) return null
  const draft = new Draft(ontology, focus, operations.includes('count'))
  return place(elements, draft) ? draft.finish() : null
}

/**
 * What is asked for: the first class or value named. A value right before a class describes it ("open alarms"); one that stands
 * alone is a noun of its own ("how many routers per site"). Without either, the class of the first property.
 */
export function focusOf(elements: readonly Element[]): OntologyClass | null {
  // what stands after "each" groups the answer; it is not what is asked for
  const grouped = (i: number) => elements[i - 1]?.operation?.kind === 'per'
  const at = elements.findIndex(({ meaning }, i) => (meaning?.kind === 'class' || meaning?.kind === 'value') && !grouped(i))
  const first = elements[at]?.meaning ?? elements.find(({ meaning }) => meaning?.kind === 'property')?.meaning
  if (first === null || first === undefined || first.kind === 'rule') return null
  for (let next = at; next !== -1 && next < elements.length; next += 1) {
    const { meaning, segment } = elements[next]!
    if (meaning?.kind === 'class') return meaning.cls
    if (meaning?.kind !== 'value' || elements[next + 1]?.segment.start !== segment.end) break
  }
  return first.cls
}

function place(elements: readonly Element[], draft: Draft): boolean {
  for (const [at, { meaning, operation }] of elements.entries()) {
    const [before, after] = [elements[at - 1], elements[at + 1]]
    const ok =
      operation === null
        ? meaning !== null && placeMeaning(meaning, before, after, at, elements, draft)
        : placeOperation(operation, elements, at, draft)
    if (!ok) return false
  }
  return true
}

/** An operation is placed together with the element it works on; here it is only made sure that there is one. */
function placeOperation(operation: NonNullable<Element['operation']>, elements: readonly Element[], at: number, draft: Draft): boolean {
  const [before, after] = [elements[at - 1]?.meaning, elements[at + 1]?.meaning]
  switch (operation.kind) {
    case 'count':
      return true
    case 'compare': {
      if (before?.kind !== 'property' || !isNumeric(before.property)) return false
      return draft.filter(before.cls, before.property, operation.op, operation.value)
    }
    case 'aggregate': {
      const target = aggregated(elements, at)
      return target !== null && isNumeric(target.property) && draft.project(target.cls, target.property, operation.fn)
    }
    case 'per':
      return after?.kind === 'property' || after?.kind === 'class'
    case 'also':
      return after?.kind === 'class' || after?.kind === 'property'
    case 'or':
      return before?.kind === 'value' && after?.kind === 'value' && before.property.iri === after.property.iri
    default:
      return false
  }
}

/** The property that an aggregate folds: the first one after it, with nothing but class names between. */
function aggregated(elements: readonly Element[], at: number) {
  for (const { meaning } of elements.slice(at + 1)) {
    if (meaning?.kind === 'property') return meaning
    if (meaning?.kind !== 'class') return null
  }
  return null
}

function placeMeaning(
  meaning: NonNullable<Element['meaning']>,
  before: Element | undefined,
  after: Element | undefined,
  at: number,
  elements: readonly Element[],
  draft: Draft,
): boolean {
  switch (meaning.kind) {
    case 'rule':
      return false
    case 'class':
      if (before?.operation?.kind === 'per') return draft.groupByClass(meaning.cls)
      if (before?.operation?.kind === 'also') return draft.showClass(meaning.cls)
      draft.mention(meaning.cls)
      return true
    case 'value': {
      // "depends on web-vpn-12": a value right after a relation belongs to that relation, which has placed it already
      const relation = before?.meaning
      if (meaning.cls.name === draft.focusName && refersToAnother(meaning, elements, at)) return false
      if (relation?.kind === 'property' && relation.property.kind === 'object' && relation.property.range === meaning.cls.name) return true
      return draft.value(meaning.cls, meaning.property, meaning.value)
    }
    case 'property': {
      const { cls, property } = meaning
      if (property.kind === 'object') {
        return after?.meaning?.kind === 'value' && after.meaning.cls.name === property.range && draft.relation(cls, property, after.meaning)
      }
      if (before?.operation?.kind === 'per') return draft.groupByProperty(cls, property)
      if (after?.operation?.kind === 'compare') return true
      // "which items are active": whether a yes-or-no property is meant as a condition or as an answer cannot be told
      if (property.range === `${XSD}boolean`) return false
      if (before?.operation?.kind === 'count') return draft.countDifferent(cls, property)
      const fold = elements.slice(0, at).findLastIndex(({ operation }) => operation?.kind === 'aggregate')
      if (fold !== -1 && aggregated(elements, fold) === meaning) return true
      // "severity critical": the word names the property of the value beside it
      const beside = [before?.meaning, after?.meaning].some((other) => other?.kind === 'value' && other.property.iri === property.iri)
      return beside || draft.project(cls, property)
    }
  }
}

/**
 * "resources in the redundancy group of crt-07", "services with the category of X": the value names another record of the class
 * asked for, which a single-record plan cannot say. A value right after its class ("router crt-07") names the record itself.
 */
function refersToAnother(value: Extract<Meaning, { kind: 'value' }>, elements: readonly Element[], at: number): boolean {
  if (value.property.name !== value.cls.labelProperty) return false
  const own = elements.slice(0, at).findLastIndex(({ meaning }) => meaning?.kind === 'class' && meaning.cls.name === value.cls.name)
  if (own === -1) return false
  return elements.slice(own + 1, at).some(({ meaning }) => meaning?.kind === 'class' || meaning?.kind === 'property')
}
