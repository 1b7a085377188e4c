/** Turtle text to triples. What our terms cannot hold (triple terms, text direction) is refused, never dropped. */
import { Parser } from 'n3'
import type { Quad as N3Quad, Term as N3Term } from 'n3'
import type { Term } from '../term.ts'
import { XSD } from '../term.ts'
import type { Quad } from './quad.ts'

export interface TurtleFault {
  readonly message: string
  readonly line: number
  readonly column?: number
}

export type ParsedTurtle =
  | { readonly ok: true; readonly quads: readonly Quad[]; readonly prefixes: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly fault: TurtleFault }

export function parseTurtle(text: string): ParsedTurtle {
  const prefixes: Record<string, string> = {}
  try {
    const parser = new Parser({ format: 'text/turtle' })
    const blanks = new Map<string, string>()
    const quads = parser
      .parse(text, null, (prefix, namespace) => {
        prefixes[prefix] = namespace.value
      })
      .map((quad) => ownQuad(quad, blanks))
    return { ok: true, quads, prefixes }
  } catch (error) {
    return { ok: false, fault: faultOf(error, text) }
  }
}

/** Blank nodes are named by order of appearance: n3 numbers them by how many documents it has read before. */
function ownQuad(quad: N3Quad, blanks: Map<string, string>): Quad {
  return {
    subject: ownTerm(quad.subject, blanks),
    predicate: ownTerm(quad.predicate, blanks),
    object: ownTerm(quad.object, blanks),
  }
}

function ownTerm(term: N3Term, blanks: Map<string, string>): Term {
  switch (term.termType) {
    case 'NamedNode':
      if (!/^[A-Za-z][A-Za-z0-9+.-]*:/.test(term.value)) throw new Error(`<${term.value}> is not an absolute IRI`)
      return { kind: 'iri', value: term.value }
    case 'BlankNode': {
      const label = blanks.get(term.value) ?? `b${blanks.size}`
      blanks.set(term.value, label)
      return { kind: 'bnode', value: label }
    }
    case 'Literal': {
      if ('direction' in term && term.direction) throw new Error('text direction is not supported')
      const datatype = term.datatype.value
      // language tags are the same tag in any case; one spelling makes them the same term
      if (term.language !== '') return { kind: 'literal', value: term.value, datatype, language: term.language.toLowerCase() }
      return { kind: 'literal', value: term.value, datatype: datatype === '' ? `${XSD}string` : datatype }
    }
    default:
      throw new Error('triple terms are not supported')
  }
}

interface N3Context {
  readonly line?: number
  readonly token?: { readonly start?: number }
}

function faultOf(error: unknown, text: string): TurtleFault {
  const message = error instanceof Error ? error.message.replace(/ on line \d+\.$/, '') : String(error)
  const context: N3Context = error instanceof Error && 'context' in error ? (error.context as N3Context) : {}
  if (context.line !== undefined) return { message, line: context.line }
  // thrown by us, not by n3: the place is where the offending text first stands
  const named = /<([^>]*)>/.exec(message)?.[0]
  const at = named === undefined ? -1 : text.indexOf(named)
  if (at < 0) return { message, line: 1 }
  return { message, line: text.slice(0, at).split('\n').length, column: at - text.lastIndexOf('\n', at - 1) }
}
