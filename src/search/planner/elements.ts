/** What a question is read as: a row of elements, each a stretch of its words with one meaning. */
import type { OntologyClass, OntologyProperty } from '../../ontology/index.ts'
import type { Operation } from './operators.ts'

/** How words came to mean a term: by its whole name, a part of it, half of a "full name", another word for a word of it, or a slip. */
export type Link = 'whole' | 'part' | 'half' | 'usual' | 'synonym' | 'kind' | 'derived' | 'vector' | 'spelling'

interface Stretch {
  /** tokens [start, end) */
  readonly start: number
  readonly end: number
  /** how much the match says for itself */
  readonly score: number
}

export interface ClassElement extends Stretch {
  readonly kind: 'class'
  readonly cls: OntologyClass
  readonly via?: string
  /** the records of an earlier answer: "those", "them" */
  readonly back?: boolean
  readonly weight: number
  readonly link: Link
}

export interface PropertyElement extends Stretch {
  readonly kind: 'property'
  readonly cls: OntologyClass
  readonly property: OntologyProperty
  readonly weight: number
  readonly link: Link
  readonly qualified?: boolean
}

export interface ValueElement extends Stretch {
  readonly kind: 'value'
  readonly cls: OntologyClass
  readonly property: OntologyProperty
  readonly value: string
  readonly how: string
  /** one common word in small letters */
  readonly plain?: boolean
  /** and one that says how something is: of what, the question has to say */
  readonly describes?: boolean
}

export interface RuleElement extends Stretch {
  readonly kind: 'rule'
  readonly predicate: string
}

export interface NumberElement extends Stretch {
  readonly kind: 'number'
  readonly value: number
}

/** A period: from (inclusive) to (exclusive), either side open. */
export interface TimeElement extends Stretch {
  readonly kind: 'time'
  readonly from: string | null
  readonly to: string | null
  /** a bare year may as well be a number */
  readonly bare: boolean
}

export interface OperationElement extends Stretch {
  readonly kind: 'operation'
  readonly operation: Operation
}

/** A word in quotation marks that stands nowhere in the data. */
export interface TextElement extends Stretch {
  readonly kind: 'text'
  readonly text: string
}

/** A word without a meaning of its own; `content` when it should have had one. */
export interface WordElement extends Stretch {
  readonly kind: 'word'
  readonly lower: string
  readonly content: 'none' | 'verb' | 'other'
  /** why it may be passed over, though it says something */
  readonly passed?: Passed
}

/** A noun that adds nothing beside a term, any noun beside one, a verb between two terms. */
export type Passed = 'weak' | 'apposition' | 'verb'


export type Element =
  | ClassElement | PropertyElement | ValueElement | RuleElement | NumberElement | TimeElement | OperationElement | TextElement
  | WordElement

export type TermElement = ClassElement | PropertyElement | ValueElement

export const isTerm = (element: Element | undefined): element is TermElement =>
  element?.kind === 'class' || element?.kind === 'property' || element?.kind === 'value'
