/** The values of a template: what each is called, of what type it is, whether it names an entity, and who may see it. */
import { SEVERITY_TIER, type Severity } from '../../contracts/index.ts'
import { wilsonLower } from '../../kernel/stats/index.ts'
import { snakeCase, splitIdentifier } from '../../kernel/text/index.ts'
import type { LogSlot, SlotType } from '../candidate.ts'
import { commonValues, distinctOf, mainKind, SKETCH_SIZE, VALUE_KINDS } from '../shapes/index.ts'
import type { SlotSketch, ValueKind } from '../shapes/index.ts'
import { arePersonNames, arePrivateValues, isPrivateKey, isPrivateValue } from './pii.ts'
import { privateWordAt } from './places.ts'
import { MASK } from './show.ts'
import type { Template } from './templates.ts'
import { isWord } from './words.ts'

export interface TypedSlot {
  readonly slot: LogSlot
  /** true where the values name things that events share: nodes, hosts, sessions */
  readonly entity: boolean
}

const TOP_VALUES = 20
/** A type holds for a slot when this share of its values surely has it: one odd line must not change the column. */
const TYPE_SHARE = 0.95
const ENUM_COVERAGE = 0.99

const ENTITY_NAMES: ReadonlySet<string> = new Set(
  `node host hostname nf session device router switch peer neighbor neighbour instance pod container vm machine
  server cell site interface port link cluster tenant volume disk queue topic shard replica worker job order
  resource element`.split(/\s+/),
)
const NEVER_ENTITY: ReadonlySet<string> = new Set(
  'version release build code status state reason cause level type mode date time duration size count amount'.split(' '),
)
const NO_NAME: ReadonlySet<string> = new Set(['duration', 'bytes', 'timestamp', 'text', 'quoted', 'list', 'version', 'path'])

/** The slots of a template, in the order in which they stand in it. */
export function typeSlots(template: Pick<Template, 'parts' | 'sketches'>, severity: Severity): TypedSlot[] {
  const positions = template.parts.flatMap((part, position) => (part.slot ? [position] : []))
  const names = new Map<string, number>()
  const typed: TypedSlot[] = []
  for (const [slotIdx, sketch] of template.sketches.entries()) {
    const base = nameOf(template, positions[slotIdx] ?? 0, sketch)
    const seen = (names.get(base) ?? 0) + 1
    names.set(base, seen)
    const beside = positions[slotIdx - 1] === (positions[slotIdx] ?? 0) - 1 && typed.at(-1)?.slot.piiRisk === true
    const isPrivate = isIbanHead(sketch) || (beside && (isIbanHead(template.sketches[slotIdx - 1]) || mainKind(sketch) === 'name'))
    typed.push(typedSlot({ name: seen === 1 ? base : `${base}_${seen}`, base, sketch, slotIdx, severity, isPrivate }))
  }
  return typed
}

interface SlotInput {
  readonly name: string
  readonly base: string
  readonly sketch: SlotSketch
  readonly slotIdx: number
  readonly severity: Severity
  /** known to be private by what stands beside it */
  readonly isPrivate: boolean
}

/** `DE12` before more figures: an account number written in groups of four. */
const isIbanHead = (sketch: SlotSketch | undefined): boolean =>
  sketch !== undefined && sketch.values.length > 0 && sketch.values.every(({ text }) => /^[A-Z]{2}\d{2}$/.test(text))

function typedSlot({ name, base, sketch, slotIdx, severity, isPrivate }: SlotInput): TypedSlot {
  const values = commonValues(sketch)
  const { type, subtype } = typeOf(sketch, base)
  const texts = values.map(([value]) => value)
  const piiRisk = isPrivate || isPrivateKey(base) || countOf(sketch, 'email') > 0 || arePrivateValues(texts) || arePersonNames(base, texts)
  const shown = ([value, count]: [string, number]): [string, number] => [isPrivateValue(value) ? `<${name}>` : value, count]
  const topValues: [string, number][] = piiRisk ? [[`<${name}>`, sketch.n]] : values.slice(0, TOP_VALUES).map(shown)
  const slot: LogSlot = {
    slotIdx, name, type, subtype, distinctCount: distinctOf(sketch), sampleCount: sketch.n, topValues, piiRisk,
    tier: piiRisk ? 'Restricted' : SEVERITY_TIER[severity],
  }
  return { slot, entity: !piiRisk && isEntity(base, type, subtype) }
}

/** The key before `=`, `port` behind an address, else the word before the value, else what kind of value it is. */
function nameOf({ parts }: Pick<Template, 'parts'>, position: number, sketch: SlotSketch): string {
  const part = parts[position]
  if (part === undefined) return 'value'
  // `token=<*>=1`: what stands before the mark is a value itself, not a name
  if (part.key !== '' && parts[position - 2]?.slot !== true) return snakeCase(part.key) || 'value'
  const [mark, address] = [parts[position - 1], parts[position - 2]]
  if (mark?.text === ':' && !part.spaced && address?.slot === true && mainKind(sketch) === 'number') return 'port'
  const word = privateWordAt(parts, position)
  return snakeCase(word === '' ? wordBefore(parts, position) : word) || mainKind(sketch)
}

function wordBefore(parts: Template['parts'], position: number): string {
  const before = parts.slice(0, position).findLast((each) => each.slot || isWord(each))
  const text = parts[position]?.text ?? ''
  return before !== undefined && !before.slot ? before.text : text.slice(0, text.indexOf(MASK))
}

const TYPES: Partial<Record<ValueKind, SlotType>> = {
  iri: 'IRI', ip: 'IP', uuid: 'UUID', hex: 'HEX', number: 'NUMERIC', duration: 'NUMERIC', bytes: 'NUMERIC',
}
const SUBTYPES: Partial<Record<ValueKind, string>> = {
  duration: 'duration', bytes: 'bytes', email: 'e-mail', path: 'path', timestamp: 'timestamp', identifier: 'id', host: 'host',
  version: 'version', quoted: 'quoted', list: 'list', text: 'text',
}

const countOf = (sketch: SlotSketch, kind: ValueKind): number => sketch.kinds[VALUE_KINDS.indexOf(kind)] ?? 0

/** All values agree, or so many of so many that the others are exceptions. */
const holds = (count: number, n: number): boolean => count === n || wilsonLower(count, n) >= TYPE_SHARE

function typeOf(sketch: SlotSketch, name: string): { type: SlotType; subtype: string } {
  const kind = mainKind(sketch)
  const subtype = holds(countOf(sketch, kind), sketch.n) ? (SUBTYPES[kind] ?? '') : ''
  for (const type of ['IRI', 'IP', 'UUID', 'HEX', 'NUMERIC'] as const) {
    const count = VALUE_KINDS.reduce((sum, each) => sum + (TYPES[each] === type ? countOf(sketch, each) : 0), 0)
    if (count > 0 && holds(count, sketch.n)) return { type, subtype: subtype || (isPort(name, type) ? 'port' : '') }
  }
  return { type: isEnum(sketch) ? 'ENUM' : 'FREETEXT', subtype }
}

const isPort = (name: string, type: SlotType): boolean => type === 'NUMERIC' && splitIdentifier(name).at(-1) === 'port'

/** Few values that come again and again; from four lines on, as one line would make any slot an ENUM. */
function isEnum(sketch: SlotSketch): boolean {
  const { n, values } = sketch
  if (n < 4 || values.length >= SKETCH_SIZE || values.length > Math.sqrt(n)) return false
  const top = commonValues(sketch).slice(0, TOP_VALUES).reduce((sum, [, count]) => sum + count, 0)
  return values.length <= TOP_VALUES && top >= ENUM_COVERAGE * n
}

/** By name (node, session_id), or by values that look like names of things; a measure is none, whatever it is called. */
function isEntity(name: string, type: SlotType, subtype: string): boolean {
  const words = splitIdentifier(name)
  const last = words.at(-1) ?? ''
  if (words.some((word) => NEVER_ENTITY.has(word)) || NO_NAME.has(subtype)) return false
  if (last === 'id') return true
  if (type === 'NUMERIC') return last === 'session'
  return ENTITY_NAMES.has(last) || type === 'UUID' || type === 'IP' || subtype === 'id' || subtype === 'host'
}
