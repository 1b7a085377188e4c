/** SPARQL text to its syntax tree, with a line and column for whatever is wrong with it. */
import { Parser } from '@traqula/parser-sparql-1-2'
import type { RuleFault } from '../datalog/index.ts'

type Tree = ReturnType<Parser['parse']>
export type Query = Extract<Tree, { type: 'query' }>
export type Construct = Extract<Tree, { type: 'query'; subType: 'construct' }>
export type Select = Extract<Tree, { type: 'query'; subType: 'select' }>
export type Ask = Extract<Tree, { type: 'query'; subType: 'ask' }>
export type Pattern = Construct['where']['patterns'][number]
export type Bgp = Extract<Pattern, { type: 'pattern'; subType: 'bgp' }>
export type Bind = Extract<Pattern, { type: 'pattern'; subType: 'bind' }>
export type Values = Extract<Pattern, { type: 'pattern'; subType: 'values' }>
export type SubSelect = Extract<Pattern, { type: 'query' }>
export type Modifiers = Select['solutionModifiers']
export type Triple = Extract<Bgp['triples'][number], { type: 'triple' }>
export type Collection = Exclude<Bgp['triples'][number], Triple>
export type Expression = Extract<Pattern, { subType: 'filter' }>['expression']
export type AggregateCall = Extract<Expression, { subType: 'aggregate' }>
export type ExistsCall = Extract<Expression, { subType: 'patternOperation' }>
export type GraphNode = Triple['object']
export type Path = Extract<Triple['predicate'], { type: 'path' }>
export type TreeTerm = Extract<GraphNode | Triple['predicate'], { type: 'term' }>
/** any node of the tree: where it stands is all that a fault needs */
export interface Placed {
  readonly loc?: { readonly sourceLocationType: string; readonly start?: number }
}

export type ParsedQuery = { readonly ok: true; readonly query: Query } | { readonly ok: false; readonly fault: RuleFault }

/** The parser overflows the stack near 130 parentheses or 230 braces. */
export const MAX_NESTING = 64

/** `prefixes` hold beside those that the query declares. */
export function parseQuery(text: string, prefixes: Readonly<Record<string, string>> = {}): ParsedQuery {
  const deep = nestedBeyond(text, MAX_NESTING)
  if (deep >= 0) return refused(text, deep, `braces and parentheses may nest ${MAX_NESTING} deep`)
  let tree: Tree
  try {
    parser ??= new PlacedParser()
    tree = parser.parse(text, { prefixes: { ...prefixes } })
  } catch (error) {
    return { ok: false, fault: syntaxFault(text, error) }
  }
  return tree.type === 'query' ? { ok: true, query: tree } : refused(text, 0, 'an update is not supported here: write a query')
}

/** Line and column, both from 1, of an offset in UTF-16 units. */
export function placeAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}

/** Where a node begins, if it stands in the text at all (the parser completes abbreviated triples itself). */
export function offsetOf(node: Placed): number | undefined {
  return node.loc?.sourceLocationType === 'source' ? node.loc.start : undefined
}

/** The offset of the first bracket that opens deeper than `limit`, or -1. Strings, comments and IRIs do not count. */
export function nestedBeyond(text: string, limit: number): number {
  let depth = 0
  let at = 0
  while (at < text.length) {
    const char = text[at]!
    const skipped = skip(text, at, char)
    if (skipped > at) {
      at = skipped
      continue
    }
    if ('{(['.includes(char) && (depth += 1) > limit) return at
    if ('})]'.includes(char)) depth = Math.max(0, depth - 1)
    at += 1
  }
  return -1
}

/** The end of the string, comment or IRI that begins here; the same place when none does. */
function skip(text: string, at: number, char: string): number {
  if (char === '#') {
    let end = at + 1
    while (end < text.length && text[end] !== '\n' && text[end] !== '\r') end += 1
    return end
  }
  if (char === '<') {
    let end = at + 1
    while (end < text.length && text[end]! > ' ' && !'<>"{}|^`\\'.includes(text[end]!)) end += 1
    return text[end] === '>' ? end + 1 : at
  }
  if (char !== '"' && char !== "'") return at
  const quote = text.startsWith(char.repeat(3), at) ? char.repeat(3) : char
  for (let end = at + quote.length; end < text.length; end += text[end] === '\\' ? 2 : 1) {
    if (text.startsWith(quote, end)) return end + quote.length
  }
  return text.length
}

class PlacedParser extends Parser {
  constructor() {
    super({ lexerConfig: { positionTracking: 'full' } })
    // without this every node claims to be generated, and a refusal could not say where it looks
    this.defaultContext.astFactory.tracksSourceLocation = true
  }
}

/** Made on first use: building it records the whole grammar, which takes a noticeable moment. */
let parser: PlacedParser | undefined

function refused(text: string, offset: number, message: string): { ok: false; fault: RuleFault } {
  return { ok: false, fault: { message, ...placeAt(text, offset) } }
}

/** The parser reports in prose; the place is read back out of it. */
function syntaxFault(text: string, error: unknown): RuleFault {
  if (error instanceof RangeError) return { message: 'the query is nested too deeply', line: 1, column: 1 }
  const prose = error instanceof Error ? error.message : String(error)
  const stray = /^unexpected character: ->(.*)<- at offset: (\d+)/su.exec(prose)
  if (stray !== null) return { message: `unexpected character ${stray[1]}`, ...placeAt(text, Number(stray[2])) }
  const prefix = /^Unknown prefix: (.*)$/u.exec(prose)
  if (prefix !== null)
    return { message: `the prefix ${prefix[1]}: is not declared`, ...placeAt(text, Math.max(0, text.indexOf(`${prefix[1]}:`))) }
  const line = /^Parse error on line (\d+)\n/.exec(prose)
  const column = /\n(-*)\^\n/.exec(prose)
  const found = /but found(?::| -->) '(.*)'/su.exec(prose)
  const message =
    found === null ? (prose.split('\n').at(-1) ?? prose) : `unexpected ${found[1] === '' ? 'end of the query' : found[1]}`
  if (line === null) return { message, ...placeAt(text, text.length) }
  return { message, line: Number(line[1]), column: column === null ? 1 : column[1]!.length + 1 }
}
