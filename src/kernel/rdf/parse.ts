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
  const quads: Quad[] = []
  const terms = new OwnTerms()
  let failure: unknown
  const fail = (error: unknown) => {
    failure ??= error
  }
  try {
    new Parser({ format: 'text/turtle' }).parse(
      // of a stream it only wants to hear
      inPieces(text) as Parameters<Parser['parse']>[0],
      (error, quad) => {
        if (error) fail(error)
        else if (quad && failure === undefined) quads.push(terms.quad(quad))
      },
      (prefix, namespace) => {
        prefixes[prefix] = namespace.value
      },
    )
  } catch (error) {
    fail(error)
  }
  return failure === undefined ? { ok: true, quads, prefixes } : { ok: false, fault: faultOf(failure, text) }
}

const PIECE = 1 << 18

/**
 * The text as a stream that is read at once: from a string the parser would first make all tokens, and those of a large file
 * need more memory than its triples. A piece ends with a line, so that no character is cut in two.
 */
function inPieces(text: string) {
  const hears = new Map<string, (piece: string) => void>()
  return {
    on(event: string, hear: (piece: string) => void) {
      hears.set(event, hear)
      if (event !== 'end') return
      for (let from = 0; from < text.length; ) {
        const lineEnd = text.indexOf('\n', from + PIECE)
        const to = lineEnd < 0 ? text.length : lineEnd + 1
        hears.get('data')?.(text.slice(from, to))
        from = to
      }
      hear('')
    },
  }
}

/** The parser's terms as ours, one object for all places where a term stands. */
class OwnTerms {
  /** blank nodes are named by order of appearance: n3 numbers them by how many documents it has read before */
  readonly #blanks = new Map<string, Term>()
  readonly #iris = new Map<string, Term>()
  /** by datatype, or by language behind an @ */
  readonly #literals = new Map<string, Map<string, Term>>()

  quad({ subject, predicate, object }: N3Quad): Quad {
    return { subject: this.#term(subject), predicate: this.#term(predicate), object: this.#term(object) }
  }

  #term(term: N3Term): Term {
    switch (term.termType) {
      case 'NamedNode':
        return kept(this.#iris, term.value, () => ({ kind: 'iri', value: absolute(term.value) }))
      case 'BlankNode':
        return kept(this.#blanks, term.value, () => ({ kind: 'bnode', value: `b${this.#blanks.size}` }))
      case 'Literal': {
        if ('direction' in term && term.direction) throw new Error('text direction is not supported')
        // language tags are the same tag in any case; one spelling makes them the same term
        const language = term.language.toLowerCase()
        const datatype = term.datatype.value === '' ? `${XSD}string` : term.datatype.value
        const alike = kept(this.#literals, language === '' ? absolute(datatype) : `@${language}`, () => new Map<string, Term>())
        return kept(alike, term.value, () => ({ kind: 'literal', value: term.value, datatype, ...(language === '' ? {} : { language }) }))
      }
      default:
        throw new Error('triple terms are not supported')
    }
  }
}

function absolute(value: string): string {
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:/.test(value)) throw new Error(`<${value}> is not an absolute IRI`)
  return value
}

function kept<T>(known: Map<string, T>, key: string, make: () => T): T {
  let found = known.get(key)
  if (found === undefined) known.set(key, (found = make()))
  return found
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
