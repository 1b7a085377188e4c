/**
 * The part of the vocabulary that a question may be about, for a prompt of bounded length: what its words may mean by the term
 * index, the classes on the ways between, then their neighbours, then whatever else there is room for. Names and types only.
 */
import { XSD, compareText } from '../../../kernel/term.ts'
import type { Ontology, OntologyClass, OntologyProperty } from '../../../ontology/index.ts'
import { estimatedTokens } from '../../../providers/index.ts'
import type { Element } from '../elements.ts'
import type { Ways } from '../join-tree.ts'
import { asData } from './as-data.ts'

export interface Slice {
  /** one line of JSON for each class */
  readonly lines: readonly string[]
  readonly classes: readonly string[]
  readonly properties: number
  /** nothing was left out */
  readonly whole: boolean
}

/** What one class may show; the rest is named only where the question names it. */
const MOST_PROPERTIES = 40
/** So many of the likeliest classes are joined with each other. */
const JOINED = 6

export function sliceOf(ontology: Ontology, ways: Ways, mentions: readonly Element[], maxTokens: number): Slice {
  const likely = likelihoods(mentions)
  const lines: string[] = []
  const classes: string[] = []
  let left = maxTokens
  let properties = 0
  let whole = true
  for (const cls of inOrder(ontology, ways, likely)) {
    const shown = shownOf(cls, likely)
    const line = lineOf(cls, shown)
    const tokens = estimatedTokens(line)
    if (tokens > left) {
      whole = false
      continue
    }
    left -= tokens
    properties += shown.length
    whole &&= shown.length === cls.properties.length
    lines.push(line)
    classes.push(cls.name)
  }
  return { lines, classes, properties, whole }
}

/** How much the question says for a class, and for a property of it (`Class.property`). */
type Likely = ReadonlyMap<string, number>

function likelihoods(mentions: readonly Element[]): Likely {
  const best = new Map<string, number>()
  const say = (name: string, score: number): void => void best.set(name, Math.max(best.get(name) ?? 0, score))
  for (const mention of mentions) {
    if (mention.kind === 'class') say(mention.cls.name, 1 + mention.score)
    if (mention.kind !== 'property' && mention.kind !== 'value') continue
    say(mention.cls.name, mention.score)
    say(`${mention.cls.name}.${mention.property.name}`, mention.score)
  }
  return best
}

function inOrder({ classes }: Ontology, ways: Ways, likely: Likely): OntologyClass[] {
  const byName = new Map(classes.map((cls) => [cls.name, cls]))
  const named = classes.filter(({ name }) => likely.has(name))
    .toSorted((a, b) => likely.get(b.name)! - likely.get(a.name)! || compareText(a.name, b.name))
  const first = named.slice(0, JOINED)
  const order = new Set(first.map(({ name }) => name))
  for (const from of first) {
    for (const to of first) {
      const way = from === to ? null : ways.between(from.name, to.name)
      for (const name of way === null ? [] : passedBy(byName, from.name, way.path)) order.add(name)
    }
  }
  for (const { name } of named) order.add(name)
  for (const name of [...order].slice(0, 2 * JOINED)) for (const near of neighbours(byName, name)) order.add(near)
  for (const { name } of classes) order.add(name)
  return [...order].flatMap((name) => byName.get(name) ?? [])
}

/** The classes that a way leads through. */
function passedBy(byName: ReadonlyMap<string, OntologyClass>, from: string, path: readonly string[]): string[] {
  let at = from
  return path.map((step) => {
    const back = /^\^([^.]+)\./.exec(step)?.[1]
    at = back ?? byName.get(at)?.properties.find(({ name }) => name === step)?.range ?? at
    return at
  })
}

const neighbours = (byName: ReadonlyMap<string, OntologyClass>, name: string): string[] =>
  (byName.get(name)?.properties ?? []).filter(({ kind }) => kind === 'object').map(({ range }) => range)

function shownOf(cls: OntologyClass, likely: Likely): OntologyProperty[] {
  const rank = (property: OntologyProperty): number => {
    const said = likely.get(`${cls.name}.${property.name}`)
    if (said !== undefined) return 2 + said
    return property.name === cls.labelProperty || property.kind === 'object' ? 1 : 0
  }
  const kept = new Set(cls.properties.toSorted((a, b) => rank(b) - rank(a)).slice(0, MOST_PROPERTIES))
  return cls.properties.filter((property) => kept.has(property))
}

function lineOf(cls: OntologyClass, shown: readonly OntologyProperty[]): string {
  const properties = Object.fromEntries(shown.map((property) => [property.name, typeOf(property)]))
  const called = calledOf(cls.label, cls.synonyms, cls.name)
  const names = shown.flatMap(({ name, label, synonyms }): [string, string][] => {
    const said = calledOf(label, synonyms, name)
    return said === '' ? [] : [[name, said]]
  })
  return asData({
    class: cls.name, ...(called === '' ? {} : { called }), ...(cls.labelProperty === null ? {} : { name_of_a_record: cls.labelProperty }), properties,
    ...(names.length === 0 ? {} : { properties_called: Object.fromEntries(names) }),
  })
}

/** Labels are for people and may say anything: a few words of them do. */
const calledOf = (label: string, synonyms: readonly string[], name: string): string =>
  [...new Set([label, ...synonyms.slice(0, 3)])]
    .filter((each) => plainly(each) !== plainly(name))
    .map((each) => each.slice(0, LABEL_CHARS))
    .join(', ')
const LABEL_CHARS = 40
const plainly = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

const typeOf = ({ kind, range, figures }: OntologyProperty): string =>
  kind === 'object' ? `-> ${range}` : figures === true ? 'number' : (TYPES.get(range.replace(XSD, '')) ?? 'text')

const TYPES: ReadonlyMap<string, string> = new Map([
  ['integer', 'number'], ['decimal', 'number'], ['double', 'number'], ['float', 'number'], ['boolean', 'yes/no'], ['date', 'date'],
  ['dateTime', 'time'], ['time', 'time'], ['base64Binary', 'bytes'],
])
