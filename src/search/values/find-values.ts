/**
 * Which words of a question are values of the database. Only text columns of the cut ontology are looked into: a value above
 * the ceiling cannot be found, so it cannot be told from one that does not exist.
 */
import type { Ontology, OntologyClass, OntologyProperty } from '../../ontology/index.ts'
import { compareText } from '../../kernel/term.ts'
import type { Source } from '../../sources/index.ts'
import type { Token } from '../planner/tokens.ts'
import { askedFor } from './alike.ts'
import { codesFor } from './codes.ts'
import type { ColumnValues } from './column-values.ts'
import { formOf, hashOf, normalise } from './normalise.ts'
import { probe } from './probe.ts'
import { type Span, spansOf } from './spans.ts'
import { type TextColumn, textColumns } from './text-columns.ts'
import { nameOf } from './value-index.ts'
import { type LookLimits, ValueShelf } from './value-shelf.ts'

export interface FoundValue {
  /** tokens [start, end) */
  readonly start: number
  readonly end: number
  readonly cls: OntologyClass
  readonly property: OntologyProperty
  /** as stored */
  readonly value: string
  /** rows that hold it */
  readonly count: number
  /** the same characters; the same once normalised; in the singular; words of a longer value; but for a slip */
  readonly how: 'exact' | 'folded' | 'form' | 'part' | 'fuzzy'
}

/** What more values than this contain, or nearly are, means none of them. */
const MAX_GUESSES = 20
/** One property may hold a text in many spellings; a few of them tell that it does. */
const MAX_SPELLINGS = 20

const shelf = new ValueShelf()

/** How many looks so far had to do without a whole index: an answer that was made in between may not stand. */
export const partialLooks = (source: Source): number => shelf.partialLooks(source)

/** Makes the index of these columns, unless it is there. Returns how many different values it holds. */
export async function countIndexed(ontology: Ontology, source: Source, limits: LookLimits, from: ValueShelf = shelf): Promise<number> {
  const { index } = await from.look(ontology, source, limits)
  return [...index.columns.values()].reduce((sum, { size }) => sum + size, 0)
}

/** Sorted by place, class, property and value. */
export async function findValues(
  ontology: Ontology,
  source: Source,
  question: string,
  tokens: readonly Token[],
  limits: LookLimits,
  from: ValueShelf = shelf,
): Promise<readonly FoundValue[]> {
  const spans = spansOf(question, tokens)
  if (spans.length === 0) return []
  const began = performance.now()
  const { index } = await from.look(ontology, source, limits)
  const columns = textColumns(ontology)
  const indexed = columns.flatMap((column) => {
    const values = index.columns.get(nameOf(column))
    return values === undefined ? [] : [{ column, values }]
  })
  const asked = columns.filter((column) => index.probed.has(nameOf(column)))
  const timeoutMs = Math.max(1, Math.ceil(limits.timeoutMs - (performance.now() - began)))
  const probed = await probe(source, asked, spans, { ...limits, timeoutMs })
  const sure = distinct([
    ...equals(spans, indexed),
    ...coded(tokens, indexed),
    ...probed.flatMap(({ span, column, value, count }) => foundAs(span, column, value, count)),
  ])
  const parts = spans.filter(({ mayBePart }) => mayBePart).flatMap((span) => guesses(span, indexed, 'part'))
  const hit = new Set([...sure, ...parts].map(({ start, end }) => `${start} ${end}`))
  const slips = spans
    .filter(({ start, end, mayBeSlip }) => mayBeSlip && !hit.has(`${start} ${end}`))
    .flatMap((span) => guesses(span, indexed, 'fuzzy'))
    // "Acme Retail is" is no slip of the "Acme Retail" that was found in it
    .filter((slip) => !sure.some((found) => overlap(found, slip) && isSame(found, slip)))
  return [...sure, ...parts, ...slips].toSorted(inOrder)
}

interface Indexed {
  readonly column: TextColumn
  readonly values: ColumnValues
}

/** Plain loops: every span meets every column, and nearly all find nothing. */
function equals(spans: readonly Span[], indexed: readonly Indexed[]): FoundValue[] {
  const all: FoundValue[] = []
  for (const { column, values } of indexed) {
    for (const span of spans) {
      const ids = values.equal(span)
      if (ids.length === 0) continue
      const found = ids.flatMap((id) => foundAs(span, column, ...values.at(id)))
      all.push(...found.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, MAX_SPELLINGS))
    }
  }
  return all
}

/** Words that a column holds as a code, where the code stands in it. */
function coded(tokens: readonly Token[], indexed: readonly Indexed[]): FoundValue[] {
  return indexed.flatMap(({ column: { cls, property }, values }) => tokens.flatMap(({ lower, quoted }, start): FoundValue[] => {
    const codes = quoted ? [] : codesFor(lower, property.name)
    return codes.filter((code) => normalise(code) !== normalise(lower)).flatMap((code) => {
      const [norm, form] = [normalise(code), formOf(normalise(code))]
      return values.equal({ norm, form, normHash: hashOf(norm), formHash: hashOf(form) }).map((id) => {
        const [value, count] = values.at(id)
        return { start, end: start + 1, cls, property, value, count, how: 'form' as const }
      })
    })
  }))
}

function foundAs({ start, end, text, norm, form, glue }: Span, { cls, property }: TextColumn, value: string, count: number): FoundValue[] {
  const found = (how: FoundValue['how']): FoundValue[] => [{ start, end, cls, property, value, count, how }]
  if (value === text) return found('exact')
  if (glue) return []
  const stored = normalise(value)
  if (stored === norm) return found('folded')
  return formOf(stored) === form ? found('form') : []
}

/** Values that the span may stand for, as long as they are few. */
function guesses({ start, end, norm }: Span, indexed: readonly Indexed[], how: 'part' | 'fuzzy'): FoundValue[] {
  const look = how === 'part' ? containing(norm) : alike(norm)
  const found: FoundValue[] = []
  const different = new Set<string>()
  for (const { column: { cls, property }, values } of indexed) {
    const ids = look(values)
    if (ids === null) return []
    for (const id of ids) {
      const [value, count] = values.at(id)
      different.add(value)
      if (different.size > MAX_GUESSES) return []
      found.push({ start, end, cls, property, value, count, how })
    }
  }
  return found
}

type LookIn = (values: ColumnValues) => number[] | null

function containing(norm: string): LookIn {
  const hashes = norm.split(' ').map((word) => hashOf(word))
  return (values) => values.containing(norm, hashes, MAX_GUESSES)
}

function alike(norm: string): LookIn {
  const asked = askedFor(norm)
  return (values) => values.alike(asked)
}

/** A column may be both indexed and asked: what was asked just now is listed last, and counts. */
const distinct = (found: readonly FoundValue[]): FoundValue[] => [
  ...new Map(found.map((each) => [JSON.stringify([each.start, each.end, nameOf(each), each.value]), each])).values(),
]

const RANK: readonly FoundValue['how'][] = ['exact', 'folded', 'form', 'part', 'fuzzy']
const rankOf = ({ how }: FoundValue): number => RANK.indexOf(how)
const overlap = (a: FoundValue, b: FoundValue): boolean => a.start < b.end && b.start < a.end
const isSame = (a: FoundValue, b: FoundValue): boolean => a.cls === b.cls && a.property === b.property && a.value === b.value

const inOrder = (a: FoundValue, b: FoundValue): number =>
  a.start - b.start || a.end - b.end || compareText(a.cls.name, b.cls.name) || compareText(a.property.name, b.property.name) ||
  compareText(a.value, b.value)
