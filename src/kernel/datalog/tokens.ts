/** Cuts rule text into tokens, each with its place. Bad characters become faults; reading goes on behind them. */
import type { RuleFault } from './program.ts'

export interface Token {
  readonly kind: 'name' | 'variable' | 'string' | 'number' | 'iri' | 'mark' | 'end'
  /** the spelling; for strings, IRIs and variables what stands inside the quotes, brackets or behind the `?` */
  readonly text: string
  readonly line: number
  readonly column: number
}

/** The order matters: `:-` before `:`, `<=` before `<`, an IRI (known by its scheme) before `<`. */
const PATTERNS: readonly (readonly [Token['kind'] | 'space', RegExp])[] = [
  ['space', /[\s\uFEFF]+|%[^\n]*/uy],
  // combining marks: the vowel signs of Devanagari and Thai names, and letters that come decomposed
  ['variable', /\?[\p{L}][\p{L}\p{M}\p{N}_]*/uy],
  ['name', /[\p{L}_][\p{L}\p{M}\p{N}_]*(?:-[\p{L}\p{M}\p{N}_]+)*/uy],
  ['number', /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y],
  ['string', /"[^"\\\n]*(?:\\.[^"\\\n]*)*"/y],
  ['iri', /<[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"{}|^`\\]*>/y],
  ['mark', /:-|!=|<=|>=|\^\^|[(){},:.=<>@+*/-]/y],
]
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|(.))/g
const KNOWN_ESCAPES = `\\" \\' \\\\ \\n \\t \\r \\uXXXX`
const ESCAPES: Readonly<Record<string, string>> = { '"': '"', "'": "'", '\\': '\\', n: '\n', t: '\t', r: '\r' }

export function tokenise(text: string): { readonly tokens: readonly Token[]; readonly faults: readonly RuleFault[] } {
  const tokens: Token[] = []
  const faults: RuleFault[] = []
  let at = 0
  let line = 1
  let lineStart = 0
  let inBadText = false

  while (at < text.length) {
    const column = at - lineStart + 1
    const [kind, spelling] = match(text, at, endsOperand(tokens.at(-1)))
    if (kind === undefined) {
      if (!inBadText) faults.push({ message: complaint(text, at), line, column })
      inBadText = true
    } else {
      inBadText = false
      if (kind === 'string') {
        const { value, fault } = unescape(spelling)
        if (fault !== undefined) faults.push({ message: fault.message, line, column: column + fault.offset })
        tokens.push({ kind, text: value, line, column })
      } else if (kind !== 'space') {
        const inside = kind === 'iri' ? spelling.slice(1, -1) : kind === 'variable' ? spelling.slice(1) : spelling
        tokens.push({ kind, text: inside, line, column })
      }
    }
    for (let i = at; i < at + spelling.length; i++) {
      if (text[i] === '\n') {
        line++
        lineStart = i + 1
      }
    }
    at += spelling.length
  }
  tokens.push({ kind: 'end', text: '', line, column: at - lineStart + 1 })
  return { tokens, faults }
}

/** Behind an operand a minus subtracts, elsewhere it is the sign of a number: `?a -1` against `= -1`. */
const endsOperand = (token: Token | undefined): boolean =>
  token !== undefined && token.kind !== 'end' && (token.kind !== 'mark' || token.text === ')')

function match(text: string, at: number, afterOperand: boolean): readonly [Token['kind'] | 'space' | undefined, string] {
  if (afterOperand && text[at] === '-') return ['mark', '-']
  for (const [kind, pattern] of PATTERNS) {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) return [kind, found[0]]
  }
  // an open string spoils the rest of its line, anything else one character
  if (text[at] === '"') return [undefined, /^[^\n]*/.exec(text.slice(at))?.[0] ?? '"']
  return [undefined, String.fromCodePoint(text.codePointAt(at) ?? 0)]
}

function complaint(text: string, at: number): string {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
  if (character === '"') return 'this string does not end on its line'
  if (character === '?') return 'a variable is written ?name, starting with a letter'
  return `unexpected character ${JSON.stringify(character)}`
}

function unescape(spelling: string): { value: string; fault?: { message: string; offset: number } } {
  let fault: { message: string; offset: number } | undefined
  const value = spelling.slice(1, -1).replace(ESCAPE, (all: string, hex: string | undefined, letter: string, offset: number) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
    const known = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined
    if (known === undefined) fault ??= { message: `unknown escape ${all}; known: ${KNOWN_ESCAPES}`, offset: offset + 1 }
    return known ?? all
  })
  return fault === undefined ? { value } : { value, fault }
}
