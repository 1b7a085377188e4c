/**
 * Looks at a statement before it goes to a server, word by word. The compiler of plans is the boundary and the role's rights
 * are the wall; this is the layer between, which still holds when the one is wrong and the other was given too much. SQLite has
 * an authorizer for it, servers have none, and a read-only transaction is no boundary: a superuser reads files inside one.
 *
 * What passes is one select over unqualified tables with functions of a short list. No comment, no second statement, no
 * variable, no system table, no lock, no join by USING or NATURAL (whose columns nothing would see).
 */

/** Pure functions whose cost follows the size of their input. */
const FUNCTIONS: ReadonlySet<string> = new Set([
  'abs', 'avg', 'ceil', 'char_length', 'coalesce', 'concat', 'convert', 'count', 'date', 'dayofmonth', 'dense_rank', 'floor',
  'greatest', 'ifnull', 'instr', 'isfinite', 'least', 'left', 'length', 'lower', 'ltrim', 'max', 'min', 'mod', 'month', 'nullif',
  'octet_length', 'position', 'rank', 'replace', 'right', 'round',
  'row_number', 'rtrim', 'sign', 'strpos', 'substr', 'substring', 'sum', 'trim', 'upper',
])

/** Words of the grammar that may stand before a bracket. */
const BEFORE_BRACKET: ReadonlySet<string> = new Set([
  'all', 'and', 'any', 'as', 'between', 'by', 'case', 'cast', 'distinct', 'else', 'except', 'exists', 'extract', 'filter', 'from',
  'having', 'in', 'intersect', 'is', 'join', 'like', 'limit', 'not', 'offset', 'on', 'or', 'over', 'select', 'some', 'then', 'union',
  'values', 'when', 'where', 'char', 'decimal', 'numeric', 'varchar', 'timestamp', 'datetime',
])

/** Words that no plain select needs. Quoted, they are names like any other. */
const REFUSED: ReadonlySet<string> = new Set([
  'alter', 'analyze', 'call', 'copy', 'create', 'delete', 'do', 'drop', 'dumpfile', 'execute', 'for', 'grant', 'handler', 'insert',
  'into', 'load', 'lock', 'merge', 'natural', 'outfile', 'prepare', 'procedure', 'revoke', 'set', 'truncate', 'update',
])

const SYSTEM_SCHEMAS: ReadonlySet<string> = new Set(['information_schema', 'mysql', 'performance_schema', 'sys', 'pg_catalog'])

/** Words after which a list of tables is over, at the same depth of brackets. */
const AFTER_TABLES: ReadonlySet<string> = new Set([
  'where', 'group', 'having', 'order', 'limit', 'offset', 'union', 'except', 'intersect', 'window', 'select',
])

/** Functions with a FROM between their arguments. */
const OWN_FROM: ReadonlySet<string> = new Set(['extract', 'substring', 'trim'])

type Kind = 'word' | 'name' | 'text' | 'number' | 'parameter' | 'mark'
interface Token {
  readonly kind: Kind
  readonly text: string
}

/** null, or why the statement may not run. `names` are the tables and columns of the schema, in lower case. */
export function refusal(sql: string, names: ReadonlySet<string>): string | null {
  const tokens = tokensOf(sql)
  if (tokens === null) return 'something in it is neither a word, a name, a value nor a plain sign'
  const [first] = tokens
  if (first?.kind !== 'word' || (first.text !== 'select' && first.text !== 'with')) return 'only a select can run here'
  for (const [at, token] of tokens.entries()) {
    const next = tokens[at + 1]
    if (token.kind === 'word' && REFUSED.has(token.text)) return `the word ${token.text}`
    if (next?.text === '(' && next.kind === 'mark' && !mayOpenBracket(token)) return `a call of ${token.text}`
    if ((token.kind === 'word' || token.kind === 'name') && isSystemName(token, next, names)) return `the system's ${token.text}`
  }
  return qualifiedTable(tokens)
}

function mayOpenBracket({ kind, text }: Token): boolean {
  if (kind === 'mark') return true
  return kind === 'word' && (FUNCTIONS.has(text) || BEFORE_BRACKET.has(text))
}

/** PostgreSQL finds its own tables and functions without their schema; a customer's name may begin in the same way. */
function isSystemName({ text }: Token, next: Token | undefined, names: ReadonlySet<string>): boolean {
  const name = text.toLowerCase()
  if (names.has(name)) return false
  return name.startsWith('pg_') || (SYSTEM_SCHEMAS.has(name) && next?.text === '.')
}

/** Between FROM or JOIN and the end of that clause a dot means another schema; elsewhere it joins an alias and a column. */
function qualifiedTable(tokens: readonly Token[]): string | null {
  const depths: { tables: boolean; from: boolean; ownFrom: boolean }[] = [{ tables: false, from: false, ownFrom: false }]
  for (const [at, { kind, text }] of tokens.entries()) {
    const here = depths.at(-1)
    const before = tokens[at - 1]
    if (here === undefined) return 'a bracket too many'
    if (kind === 'mark' && text === '(') {
      // a bracket among tables may hold tables again, or a select that begins anew
      const ownFrom = before?.kind === 'word' && OWN_FROM.has(before.text)
      depths.push({ tables: here.tables, from: here.tables, ownFrom })
    } else if (kind === 'word' && text === 'from' && (here.ownFrom || before?.text === 'distinct')) {
      continue // extract(year from ...), is distinct from ...
    } else if (kind === 'mark' && text === ')') {
      depths.pop()
    } else if (kind === 'word' && (text === 'from' || text === 'join')) {
      Object.assign(here, { tables: true, from: true })
    } else if (kind === 'word' && AFTER_TABLES.has(text)) {
      Object.assign(here, { tables: false, from: false })
    } else if (kind === 'word' && text === 'on') {
      here.tables = false
    } else if (kind === 'mark' && text === ',' && here.from) {
      here.tables = true
    } else if (kind === 'mark' && text === '.' && here.tables) {
      return 'a table of another schema'
    }
  }
  return depths.length === 1 ? null : 'a bracket too few'
}

/**
 * Words come in lower case, names without their quotes. The sessions are set up so that a quote ends only by a quote
 * (standard_conforming_strings, NO_BACKSLASH_ESCAPES) and double quotes hold names (ANSI_QUOTES).
 */
function tokensOf(sql: string): Token[] | null {
  const tokens: Token[] = []
  let at = 0
  while (at < sql.length) {
    const blank = matchAt(/[ \t\r\n\f]+/y, sql, at)
    if (blank !== null) {
      at += blank.length
      continue
    }
    const token = tokenAt(sql, at)
    if (token === null) return null
    tokens.push(token[0])
    at += token[1]
  }
  return tokens
}

function tokenAt(sql: string, at: number): [Token, number] | null {
  if (sql.startsWith('--', at) || sql.startsWith('/*', at)) return null
  const quoted = matchAt(/'(?:[^'\0]|'')*'|"(?:[^"\0]|"")*"|`(?:[^`\0]|``)*`/y, sql, at)
  if (quoted !== null) {
    const mark = quoted.charAt(0)
    const text = quoted.slice(1, -1).replaceAll(mark + mark, mark)
    // two quotes side by side are one value to some engines and two to others
    if (/['"`]/.test(sql.charAt(at + quoted.length))) return null
    return [{ kind: mark === "'" ? 'text' : 'name', text }, quoted.length]
  }
  const word = matchAt(/[\p{L}_][\p{L}\p{N}_]*/uy, sql, at)
  if (word !== null) {
    // E'..', X'..', U&'..', _utf8'..': quotes with rules of their own
    if (/['"`&$]/.test(sql.charAt(at + word.length))) return null
    return [{ kind: 'word', text: word.toLowerCase() }, word.length]
  }
  const parameter = matchAt(/\$\d+|\?/y, sql, at)
  if (parameter !== null) return [{ kind: 'parameter', text: parameter }, parameter.length]
  const number = matchAt(/(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/iy, sql, at)
  if (number !== null) return [{ kind: 'number', text: number }, number.length]
  const mark = matchAt(/::|<=|>=|<>|!=|\|\||[(),.*+/%<>=-]/y, sql, at)
  return mark === null ? null : [{ kind: 'mark', text: mark }, mark.length]
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? null
}
