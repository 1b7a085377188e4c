/** CHECK constraints of a table, read from the text of its CREATE TABLE: SQLite keeps them nowhere else. */

/** Each constraint's condition as it is written, white space folded. An unfinished text gives what was whole. */
export function checksOf(createTable: string): string[] {
  const checks: string[] = []
  const tokens = [...tokensOf(createTable)]
  for (let at = 0; at < tokens.length; at += 1) {
    const [word, open] = [tokens[at], tokens[at + 1]]
    if (word?.text.toUpperCase() !== 'CHECK' || word.quoted || open?.text !== '(') continue
    const close = closing(tokens, at + 1)
    if (close === -1) break
    checks.push(folded(tokens.slice(at + 2, close)))
    at = close
  }
  return checks
}

interface Token {
  readonly text: string
  readonly quoted: boolean
  /** white space or a comment stands before it */
  readonly apart: boolean
}

const TOKEN = /(\s+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|('(?:[^']|'')*'?|"(?:[^"]|"")*"?|`(?:[^`]|``)*`?|\[[^\]]*\]?)|([\p{L}_][\p{L}\p{N}_$]*|[\d.]+|[<>=!|]+|[\s\S])/gu

function* tokensOf(sql: string): Generator<Token> {
  let apart = false
  for (const [, blank, quotedText, plain] of sql.matchAll(TOKEN)) {
    if (blank !== undefined) {
      apart = true
      continue
    }
    yield { text: quotedText ?? plain ?? '', quoted: quotedText !== undefined, apart }
    apart = false
  }
}

function closing(tokens: readonly Token[], open: number): number {
  let depth = 0
  for (let at = open; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token === undefined || token.quoted) continue
    if (token.text === '(') depth += 1
    if (token.text === ')') depth -= 1
    if (depth === 0) return at
  }
  return -1
}

const folded = (tokens: readonly Token[]): string =>
  tokens.map(({ text, apart }, at) => (apart && at > 0 ? ` ${text}` : text)).join('')
