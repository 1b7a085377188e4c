/**
 * Turtle in one canonical spelling: the same set of triples gives the same bytes, whatever order they came in.
 * Subjects, predicates and objects stand in code-unit order, `a` leads, and only prefixes that are used are declared.
 */
import type { Term } from '../term.ts'
import { XSD, compareText, termKey } from '../term.ts'
import type { Quad } from './quad.ts'
import { RDF_TYPE } from './quad.ts'

export interface TurtleOptions {
  /** prefix -> namespace; the longest namespace that fits wins */
  readonly prefixes?: Readonly<Record<string, string>>
  /** lines of the comment at the top, without the `# ` */
  readonly header?: readonly string[]
}

export function writeTurtle(quads: readonly Quad[], { prefixes = {}, header = [] }: TurtleOptions = {}): string {
  const names = namer(prefixes)
  const objects = (of: readonly Quad[]) =>
    grouped(of, 'object')
      .map(([object]) => names.write(object))
      .join(', ')
  const blocks = grouped(quads, 'subject').map(([subject, about]) => {
    const lines = grouped(about, 'predicate')
      .toSorted(([x], [y]) => Number(isType(y)) - Number(isType(x)))
      .map(([predicate, of]) => `${isType(predicate) ? 'a' : names.write(predicate)} ${objects(of)}`)
    return `${names.write(subject)} ${lines.join(' ;\n  ')} .\n`
  })
  const comment = header.flatMap((line) => line.split(/\r\n|\r|\n/)).map((line) => `# ${line}`.trimEnd() + '\n')
  // asked for last, when every name has been written once
  return [comment.join(''), names.declarations(), ...blocks].filter((part) => part !== '').join('\n')
}

interface Namer {
  write(term: Term): string
  declarations(): string
}

function namer(prefixes: Readonly<Record<string, string>>): Namer {
  const longestFirst = Object.entries(prefixes).toSorted(([p, x], [q, y]) => y.length - x.length || compareText(p, q))
  const used = new Set<string>()
  const written = new Map<string, string>()
  const iriText = (value: string): string => {
    let text = written.get(value)
    if (text === undefined) written.set(value, (text = spell(value)))
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
  return {
    write: (term) => {
      if (term.kind === 'iri') return iriText(term.value)
      if (term.kind === 'bnode') return blankNode(term.value)
      if (term.language !== undefined) return `${quoted(term.value)}@${term.language}`
      if (term.datatype === `${XSD}string`) return quoted(term.value)
      if (term.datatype === `${XSD}boolean` && /^(?:true|false)$/.test(term.value)) return term.value
      if (term.datatype === `${XSD}integer` && /^[+-]?[0-9]+$/.test(term.value)) return term.value
      return `${quoted(term.value)}^^${iriText(term.datatype)}`
    },
    declarations: () =>
      [...used]
        .toSorted(compareText)
        .map((prefix) => `@prefix ${prefix}: ${iriRef(prefixes[prefix] ?? '')} .\n`)
        .join(''),
  }
}

/** Quads by one of their places, in the code-unit order of the full terms: another choice of prefixes moves nothing. */
function grouped(quads: readonly Quad[], place: keyof Quad): [Term, readonly Quad[]][] {
  // most groups inside a group are of one, and a large file has millions of them
  const [only] = quads
  if (only !== undefined && quads.length === 1) return [[only[place], quads]]
  const groups = new Map<string, [Term, Quad[]]>()
  for (const quad of quads) {
    const key = termKey(quad[place])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [quad[place], [quad]])
    else group[1].push(quad)
  }
  return [...groups].toSorted(([x], [y]) => compareText(x, y)).map(([, group]) => group)
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
