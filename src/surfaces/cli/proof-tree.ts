/** A premise tree as lines for a terminal: nothing is said twice, and other ways are counted unless they are asked for. */
import type { Explained, Explanation, NearMiss, PremiseNode, TripleText, WhyNot } from '../../contracts/index.ts'
import { plain } from './print.ts'

export interface TreeOptions {
  /** a term as people read it */
  readonly short: (term: string) => string
  /** every derivation of each triple, and not only the first */
  readonly all?: boolean
}

interface Branch {
  readonly text: string
  readonly below: readonly Branch[]
}

export function treeText(tree: Explained, options: TreeOptions): string {
  const labelled = { ...options, short: withLabels(options.short, tree.labels ?? {}) }
  return [...lines(branch(tree, labelled, new Set()), '', ''), ...noteLines(tree.notes ?? [])].join('\n')
}

const LONGEST_LABEL = 60

/** A thing's label stands beside its name where it is named first. */
function withLabels(short: TreeOptions['short'], labels: Readonly<Record<string, string>>): TreeOptions['short'] {
  const said = new Set<string>()
  return (term) => {
    const label = Object.hasOwn(labels, term) ? labels[term] : undefined
    if (label === undefined || said.has(term)) return short(term)
    said.add(term)
    return `${short(term)} (${label.length > LONGEST_LABEL ? `${label.slice(0, LONGEST_LABEL - 1).toWellFormed()}…` : label})`
  }
}

const noteLines = (notes: readonly string[]): string[] => notes.map((note) => `note: ${plain(note)}`)

export function whyNotText({ triple, holds, asserted, misses, unknown = [], notes }: WhyNot, options: TreeOptions): string {
  const said = tripleLine(triple, options)
  const head = `${said}  ${holds ? (asserted ? 'is there: asserted' : 'is there: derived') : 'is not there'}`
  const below = misses.map((miss) => missBranch(miss, options))
  const strangers = unknown.map((term) => `${oneLine(term)} occurs nowhere in the graph`)
  return [...strangers, ...lines({ text: head, below }, '', ''), ...noteLines(notes)].join('\n')
}

function missBranch({ rule, engine, held, missing, further, partial }: NearMiss, options: TreeOptions): Branch {
  const has = held.map((premise) => ({ text: `has    ${premiseBranch(premise, options, new Set()).text}`, below: [] }))
  const lacks = [missing, ...further].map(({ text, triples = [] }) => ({
    text: `needs  ${sentence(text, options)}`,
    below: triples.map((triple) => ({ text: `in the way: ${tripleLine(triple, options)}`, below: [] })),
  }))
  const note = partial === true ? ' (a closer instance may exist: there were too many to look at each)' : ''
  return { text: `${engine} rule ${plain(rule)}${note}`, below: [...has, ...lacks] }
}

/** `shown` are the triples whose derivations stand above already. */
function branch(node: Explanation, options: TreeOptions, shown: Set<string>): Branch {
  const said = tripleLine(node.triple, options)
  if (node.derivations.length === 0) return { text: `${said}  ${node.asserted ? 'asserted' : 'derived'}`, below: [] }
  const key = JSON.stringify(node.triple)
  if (shown.has(key)) return { text: `${said}  derived (as above)`, below: [] }
  shown.add(key)
  const ways = options.all === true ? node.derivations : node.derivations.slice(0, 1)
  const others = node.derivations.length - ways.length
  const below = ways.map(({ rule, engine, premises, partial, shape }): Branch => {
    const of = shape === undefined ? '' : ` of ${plain(options.short(shape))}`
    const note = partial === true ? ' (ran as a query: there may be more premises)' : ''
    return {
      text: `by ${engine} rule ${plain(rule)}${of}${note}`,
      below: premises.map((premise) => premiseBranch(premise, options, shown)),
    }
  })
  const counted = others === 1 ? 'and in 1 other way: --all shows it' : `and in ${others} other ways: --all shows them`
  const more = others === 0 ? [] : [{ text: counted, below: [] }]
  return { text: `${said}  ${node.asserted ? 'asserted, and derived' : 'derived'}`, below: [...below, ...more] }
}

const premiseBranch = (premise: PremiseNode, options: TreeOptions, shown: Set<string>): Branch =>
  premise.kind === 'triple'
    ? branch(premise, options, shown)
    : { text: `${sentence(premise.text, options)}  ${premise.kind}`, below: [] }

const RDF_TYPE = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type'

const tripleLine = ({ subject, predicate, object }: TripleText, { short }: TreeOptions): string =>
  [short(subject), predicate === RDF_TYPE ? 'a' : short(predicate), short(object)].map(oneLine).join(' ')

/** A sentence of the service, with the IRIs in it as short as elsewhere. */
const sentence = (text: string, { short }: TreeOptions): string =>
  oneLine(text.replaceAll(/<([^<>\s]+)>/g, (_all, iri: string) => short(iri)))

/** A value may hold line breaks, which would tear the tree. */
const oneLine = (text: string): string => plain(text).replaceAll(/\s+/g, ' ')

function lines({ text, below }: Branch, first: string, rest: string): string[] {
  return [
    `${first}${text}`,
    ...below.flatMap((inner, at) => {
      const isLast = at === below.length - 1
      return lines(inner, `${rest}${isLast ? '└─ ' : '├─ '}`, `${rest}${isLast ? '   ' : '│  '}`)
    }),
  ]
}
