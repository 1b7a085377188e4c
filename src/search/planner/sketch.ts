/** What a question asks for before it is fitted to the tables: terms and operations, without any way between them. */
import type { OntologyClass, OntologyProperty } from '../../ontology/index.ts'
import { XSD } from '../../kernel/term.ts'
import type { Filter, Scalar } from '../../contracts/index.ts'
import { Choices } from './choices.ts'
import type { Comparison, Fold } from './operators.ts'
import type { Role } from './roles.ts'

export interface Ref {
  readonly cls: OntologyClass
  readonly property: OntologyProperty
}

/** A column of the answer: a property, a fold of one, or a count (`of` a class, or of the different values of a property). */
export type Shown =
  /** `owner`: the class that the question says it is a property of */
  | { readonly kind: 'property'; readonly ref: Ref; readonly at: number; readonly owner?: string }
  | { readonly kind: 'record'; readonly cls: OntologyClass; readonly at: number }
  | { readonly kind: 'fold'; readonly fold: Fold; readonly ref: Ref; readonly at: number }
  | { readonly kind: 'count'; readonly of: OntologyClass | Ref; readonly distinct: boolean; readonly at: number }

/** Which end of something: "from Oslo", "to Lima". */
export type Side = 'from' | 'to'

export interface Restriction {
  readonly ref: Ref
  readonly op: Filter['op']
  readonly value?: Scalar | Scalar[]
  /** compared with a fold of the same property over all records of its class */
  readonly fold?: Fold
  /** which records that fold is over */
  readonly scope?: readonly Restriction[]
  /** of several values that are joined by "or" */
  readonly alternative?: number
  /** a common word as value of a class that the question does not speak of */
  readonly stray?: boolean
  /** said of the very record that the question names, not of all that belong to another */
  readonly ofRecord?: boolean
  /** the class that a denial is said of, where it is not that of the value */
  readonly of?: string
  /** each speaks of a record of its own: "both ... and ..." */
  readonly apart?: boolean
  /** of conditions that are apart or alternatives, those that hold together: "in March 2024 or in May 2025" */
  readonly branch?: number
  /** a comparison that must not hold */
  readonly denied?: boolean
  /** of several values each must be there, where there may be several: "who bought a lamp and a shelf" */
  readonly each?: boolean
  /** what is asked for are the values that no such record has */
  readonly without?: boolean
  readonly side?: Side
  readonly at: number
}

export type Measure =
  | { readonly kind: 'property'; readonly ref: Ref }
  | { readonly kind: 'fold'; readonly fold: Fold; readonly ref: Ref }
  /** how many records of the class belong to the group, or how many different ones; null: how often it occurs */
  | { readonly kind: 'count'; readonly cls: OntologyClass | null; readonly distinct?: boolean }

export interface GroupCondition {
  readonly measure: Measure
  readonly op: Comparison | 'between'
  readonly value: Scalar | Scalar[]
  /** compared with this fold over all records */
  readonly fold?: Fold
  /** it must not hold */
  readonly denied?: boolean
}

export interface Sketch {
  readonly shown: Shown[]
  readonly restrictions: Restriction[]
  /** classes of which no record may belong to what is asked for, with what would be true of it */
  readonly absent: { readonly cls: OntologyClass; readonly where: Restriction[]; readonly at: number }[]
  readonly groups: (Ref | OntologyClass)[]
  readonly groupConditions: GroupCondition[]
  readonly orders: { readonly measure: Measure; readonly up: boolean }[]
  limit: number | null
  distinct: boolean
  /** grouped by what stands behind "each" */
  each: boolean
  /** a yes or a no is asked for */
  whether: boolean
  /** a verb, or "who", asks for something other than what the question names */
  asksOther: boolean
  /** what is shown is asked of records of another class too: of both, or of either */
  alsoOf: { readonly ref: Ref; readonly op: 'union' | 'intersect' } | null
  /** foreign keys that the question names by their role, and where */
  readonly roles: Role[]
  /** classes that the question names and nothing else uses: a record of them must be there */
  readonly named: OntologyClass[]
  /** what the reading had to bend, and what it costs */
  penalty: number
  readonly notes: Record<string, number>
  /** where the reading could have gone another way */
  readonly choices: Choices
}

export const emptySketch = (choices: Choices = new Choices()): Sketch => ({
  shown: [], restrictions: [], absent: [], groups: [], groupConditions: [], orders: [], limit: null, distinct: false, each: false, whether: false, asksOther: false, alsoOf: null, roles: [], named: [],
  penalty: 0, notes: {}, choices,
})

/** Something that makes the reading less likely, by name: ranking weighs it. */
export function bend(sketch: Sketch, name: string, cost: number): void {
  sketch.penalty += cost
  sketch.notes[name] = (sketch.notes[name] ?? 0) + 1
}

/** A property as such, without where the question names it. */
export const bare = ({ cls, property }: Ref): Ref => ({ cls, property })

export const isRef = (of: Ref | OntologyClass): of is Ref => 'cls' in of

const NUMBERS = new Set(['integer', 'decimal', 'double', 'float'].map((name) => `${XSD}${name}`))
const MOMENTS = new Set([`${XSD}date`, `${XSD}dateTime`])

export const isKey = ({ cls, property }: Ref): boolean => property.columns.some((column) => cls.key.includes(column))
export const isNumeric = ({ property }: Ref): boolean => property.kind === 'data' && NUMBERS.has(property.range)
/** What can be added up: numbers, and texts that are numbers. */
export const isSummable = (ref: Ref): boolean => isNumeric(ref) || ref.property.figures === true
export const isMoment = ({ property }: Ref): boolean => property.kind === 'data' && MOMENTS.has(property.range)
export const isText = ({ property }: Ref): boolean => property.kind === 'data' && property.range === `${XSD}string`

/** The property that alone identifies a record. */
export const keyOf = (cls: OntologyClass): OntologyProperty | undefined =>
  cls.properties.find(({ kind, columns }) => kind === 'data' && cls.key.length === 1 && columns[0] === cls.key[0])

/** How a record may be shown: by what names it, by its key, by both. */
const WAYS_TO_SHOW = 3

/** The columns that stand for a record in an answer. Names are what people ask for, unless the reading turns to keys. */
export function shownOf(cls: OntologyClass, choices: Choices): Ref[] {
  const labels = labelsOf(cls)
  const key = keyOf(cls)
  if (key === undefined) return labels
  if (labels.some(({ property }) => property === key)) {
    const described = describing(cls, key)
    return described !== undefined && !choices.turned('record by its key alone', cls.name) ? [{ cls, property: described }] : labels
  }
  const way = choices.pick('record by its key', cls.name, WAYS_TO_SHOW)
  const own = { cls, property: key }
  return way === 0 ? labels : way === 1 ? [own] : [own, ...labels]
}

/** A text that says what a record is, where nothing names it: the details of an address, the description of a role. */
const describing = ({ properties }: OntologyClass, key: OntologyProperty): OntologyProperty | undefined =>
  properties.find((property) => property !== key && property.kind === 'data' && property.range === `${XSD}string` && DESCRIBING.test(property.name))
const DESCRIBING = /(?:^|_)(?:name|title|description|details|content)$/

/** What names a record of the class to people: its label, else its key, else its first text. */
export function labelsOf(cls: OntologyClass): Ref[] {
  const data = cls.properties.filter(({ kind }) => kind === 'data')
  const text = data.find(({ range }) => range === `${XSD}string`)
  const own = data.find(({ name }) => name === cls.labelProperty) ?? keyOf(cls) ?? text ?? data[0]
  return own === undefined ? [] : [{ cls, property: own }]
}
