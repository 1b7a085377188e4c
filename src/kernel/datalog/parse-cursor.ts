/** The position in the tokens while rule text is read, and the faults found so far. */
import type { RuleFault } from './program.ts'
import type { Token } from './tokens.ts'

/** Thrown to leave a clause that cannot be read further; reading goes on behind the next full stop. */
export class Unreadable extends Error {}

export class Cursor {
  readonly faults: RuleFault[] = []
  /** where each variable of the current clause stands first */
  places = new Map<string, Token>()
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  peek(ahead = 0): Token {
    const token = this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)]
    if (token === undefined) throw new Error('a token list ends with an end token')
    return token
  }

  /** Whether the token that many places ahead is this mark. */
  isMark(mark: string, ahead = 0): boolean {
    const token = this.peek(ahead)
    return token.kind === 'mark' && token.text === mark
  }

  isName(name: string, ahead = 0): boolean {
    const token = this.peek(ahead)
    return token.kind === 'name' && token.text === name
  }

  skip(count = 1): void {
    this.#at += count
  }

  take(mark: string): boolean {
    if (!this.isMark(mark)) return false
    this.#at++
    return true
  }

  expect(mark: string, expected: string): void {
    if (!this.take(mark)) this.stop(expected)
  }

  variable(): string {
    const token = this.peek()
    if (token.kind !== 'variable') this.stop('a variable')
    this.#at++
    if (!this.places.has(token.text)) this.places.set(token.text, token)
    return token.text
  }

  fail(message: string, { line, column }: Token): void {
    this.faults.push({ message, line, column })
  }

  stop(expected: string): never {
    const token = this.peek()
    return this.leave(`expected ${expected}, found ${shown(token)}`, token)
  }

  leave(message: string, token: Token): never {
    this.fail(message, token)
    throw new Unreadable()
  }

  skipClause(): void {
    while (this.peek().kind !== 'end' && !this.take('.')) this.#at++
  }
}

function shown(token: Token): string {
  if (token.kind === 'end') return 'the end of the text'
  if (token.kind === 'string') return JSON.stringify(token.text)
  return token.kind === 'variable' ? `?${token.text}` : `'${token.text}'`
}

/** Names for a message, cut where a reader would stop. */
export function listed(names: readonly string[]): string {
  const most = 12
  if (names.length === 0) return 'none'
  return names.length <= most ? names.join(', ') : `${names.slice(0, most).join(', ')} and ${names.length - most} more`
}
