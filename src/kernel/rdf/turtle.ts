/**
 * Turtle in one canonical spelling: the same set of triples gives the same bytes, whatever order they came in.
 * Subjects, predicates and objects stand in code-unit order, `a` leads, and only prefixes that are used are declared.
 */
import type { Term } from '../term.ts'
import { XSD, compareText, termKey } from '../term.ts'
import { orderTriples } from './order.ts'
import type { Quad } from './quad.ts'
import { RDF_TYPE } from './quad.ts'

export interface TurtleOptions {
  /** prefix -> namespace; the longest namespace that fits wins */
  readonly prefixes?: Readonly<Record<string, string>>
  /** lines of the comment at the top, without the `# ` */
  readonly header?: readonly string[]
}

export const writeTurtle = (quads: readonly Quad[], options: TurtleOptions = {}): string => [...turtleChunks(quads, options)].join('')

/** The same text in pieces: one string cannot hold the spelling of every graph. */
export function* turtleChunks(quads: readonly Quad[], { prefixes = {}, header = [] }: TurtleOptions = {}): Generator<string> {
  const names = turtleNames(prefixes)
  const { terms, order, subjects, predicates, objects, isRepeated } = orderTriples(quads, (quad) => quad)
  const type = terms.findIndex(isType)
  const written: string[] = []
  const spell = (number: number) => (written[number] ??= names.write(terms[number] ?? NO_TERM))
  // spelt before anything is given out: the declarations stand at the top
  for (const column of [subjects, predicates, objects]) {
    for (const number of column) if (column !== predicates || number !== type) spell(number)
  }
  const lineFrom = (from: number): { text: string; to: number } => {
    const first = order[from] ?? 0
    const [subject, predicate] = [subjects[first], predicates[first] ?? 0]
    let text = `${predicate === type ? 'a' : spell(predicate)} ${spell(objects[first] ?? 0)}`
    for (let to = from + 1; ; to++) {
      const next = order[to]
      if (next === undefined || subjects[next] !== subject || predicates[next] !== predicate) return { text, to }
      if (!isRepeated(to)) text += `, ${spell(objects[next] ?? 0)}`
    }
  }
  const blockFrom = (from: number): { text: string; to: number } => {
    const subject = subjects[order[from] ?? 0] ?? 0
    const lines: string[] = []
    let to = from
    for (let next = order[to]; next !== undefined && subjects[next] === subject; next = order[to]) {
      const line = lineFrom(to)
      if (predicates[next] === type) lines.unshift(line.text)
      else lines.push(line.text)
      to = line.to
    }
    return { text: `${spell(subject)} ${lines.join(LINE_END)} .\n`, to }
  }
  yield* inPieces(
    (function* () {
      const head = names.head(header)
      if (head !== '') yield head
      for (let from = 0; from < order.length; ) {
        const { text, to } = blockFrom(from)
        yield from === 0 && head === '' ? text : `\n${text}`
        from = to
      }
    })(),
  )
}

const LINE_END = ' ;\n  '
const NO_TERM: Term = { kind: 'bnode', value: '' }
const PIECE = 1 << 16

/** Small texts joined to larger ones, so that whoever writes them down does so less often. */
export function* inPieces(texts: Iterable<string>): Generator<string> {
  let piece: string[] = []
  let length = 0
  for (const text of texts) {
    piece.push(text)
    length += text.length
    if (length < PIECE) continue
    yield piece.join('')
    piece = []
    length = 0
  }
  if (length > 0) yield piece.join('')
}

/** How terms are written under a choice of prefixes. */
export interface TurtleNames {
  write(term: Term): string
  /** the comment and the prefixes that were used so far */
  head(header: readonly string[]): string
  /** what is said about one subject, in any order and maybe twice */
  block(subject: Term, about: readonly (readonly [predicate: Term, object: Term])[]): string
}

/** Texts kept to be used again: a file may name millions of things once. */
const MOST_KEPT = 1 << 18

/** Names below `passing` are not kept: there are many of them, and each is written a few times only. */
export function turtleNames(prefixes: Readonly<Record<string, string>>, passing?: string): TurtleNames {
  const longestFirst = Object.entries(prefixes).toSorted(([p, x], [q, y]) => y.length - x.length || compareText(p, q))
  const used = new Set<string>()
  const kept = new Map<string, string>()
  const iriText = (value: string): string => {
    if (passing !== undefined && value.startsWith(passing)) return spell(value)
    let text = kept.get(value)
    if (text === undefined) {
      if (kept.size >= MOST_KEPT) kept.clear()
      kept.set(value, (text = spell(value)))
    }
    return text
  }
  const spell = (value: string): string => {
    for (const [prefix, namespace] of longestFirst) {
      if (!value.startsWith(namespace)) continue
      const local = value.slice(namespace.length)
      if (!LOCAL_NAME.test(local)) continue
      used.add(prefix)
      return `${prefix}:${local}`
    }
    return iriRef(value)
  }
  const write = (term: Term): string => {
    if (term.kind === 'iri') return iriText(term.value)
    if (term.kind === 'bnode') return blankNode(term.value)
    if (term.language !== undefined) return `${quoted(term.value)}@${term.language}`
    if (term.datatype === `${XSD}string`) return quoted(term.value)
    if (term.datatype === `${XSD}boolean` && /^(?:true|false)$/.test(term.value)) return term.value
    if (term.datatype === `${XSD}integer` && /^[+-]?[0-9]+$/.test(term.value)) return term.value
    return `${quoted(term.value)}^^${iriText(term.datatype)}`
  }
  return {
    write,
    head: (header) => {
      const comment = header.flatMap((line) => line.split(/\r\n|\r|\n/)).map((line) => `# ${line}`.trimEnd() + '\n')
      const declarations = [...used].toSorted(compareText).map((prefix) => `@prefix ${prefix}: ${iriRef(prefixes[prefix] ?? '')} .\n`)
      return [comment.join(''), declarations.join('')].filter((part) => part !== '').join('\n')
    },
    block: (subject, about) => {
      const sorted = about.toSorted(([p, x], [q, y]) => Number(isType(q)) - Number(isType(p)) || compareTerms(p, q) || compareTerms(x, y))
      let text = write(subject)
      for (const [n, [predicate, object]] of sorted.entries()) {
        const before = sorted[n - 1]
        const isSame = before !== undefined && compareTerms(before[0], predicate) === 0
        if (isSame && compareTerms(before[1], object) === 0) continue
        if (isSame) text += `, ${write(object)}`
        else text += `${n === 0 ? ' ' : LINE_END}${isType(predicate) ? 'a' : write(predicate)} ${write(object)}`
      }
      return `${text} .\n`
    },
  }
}

/** The order of the terms' keys, which are only made where the terms do not tell it themselves. */
function compareTerms(x: Term, y: Term): number {
  if (x === y) return 0
  if (x.kind !== y.kind || x.kind === 'literal' || x.value.startsWith(y.value) || y.value.startsWith(x.value)) {
    return compareText(termKey(x), termKey(y))
  }
  return compareText(x.value, y.value)
}

const isType = (term: Term): boolean => term.kind === 'iri' && term.value === RDF_TYPE

// PN_LOCAL of the Turtle grammar without its escapes: letters, digits, `_`, inner dots, hyphens and colons
const BASE =
  'A-Za-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F' +
  '\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}'
const LOCAL_NAME = new RegExp(
  `^[${BASE}_0-9](?:[${BASE}_0-9\\u00B7\\u0300-\\u036F\\u203F\\u2040.-]*[${BASE}_0-9\\u00B7\\u0300-\\u036F\\u203F\\u2040-])?$`,
  'u',
)
const BLANK_LABEL = /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?$/

function blankNode(label: string): string {
  if (!BLANK_LABEL.test(label)) throw new Error(`not a blank node label: ${JSON.stringify(label)}`)
  return `_:${label}`
}

/** Turtle has no spelling for these characters inside <...>, escaped or not: whoever made the IRI should have encoded them. */
function iriRef(value: string): string {
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u0020<>"{}|^`\\]/.test(value)) throw new Error(`not an IRI: ${JSON.stringify(value)}`)
  return `<${value.toWellFormed()}>`
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
}

function quoted(text: string): string {
  // a lone surrogate has no UTF-8 bytes, so it is replaced here and not by whoever writes the file
  // oxlint-disable-next-line no-control-regex
  const escaped = text.toWellFormed().replaceAll(/["\\\u0000-\u001F\u007F]/g, (char) => {
    return ESCAPES[char] ?? `\\u${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
  })
  return `"${escaped}"`
}
