/**
 * What simple CHECK constraints say about one column: a closed list of values, a bound, a LIKE pattern, "not null".
 * Engines spell the same constraint differently (`"price" >= 0`, `((price >= (0)::numeric))`, `` `status` in (_utf8mb4'a') ``);
 * what is not recognised is left to the database and reported as such, never guessed at.
 */
export type Bound = '>=' | '>' | '<=' | '<'
export type Scalar = string | number

export type ColumnFact =
  | { readonly kind: 'in'; readonly column: string; readonly values: readonly Scalar[] }
  | { readonly kind: 'range'; readonly column: string; readonly bound: Bound; readonly value: Scalar }
  | { readonly kind: 'like'; readonly column: string; readonly like: string }
  | { readonly kind: 'required'; readonly column: string }

export interface ReadCheck {
  readonly facts: readonly ColumnFact[]
  /** every part of the text is among the facts */
  readonly complete: boolean
  /** the names in the text that are columns of the table, read or not */
  readonly columns: readonly string[]
}

/** Each part of a conjunction stands on its own: a row that breaks one part breaks the whole. */
export function readCheck(text: string, columns: readonly string[]): ReadCheck {
  const tokens = tokenize(text)
  if (tokens === null) return { facts: [], complete: false, columns: [...columns] }
  const named = (token: Token | undefined): string | null => columnNamed(token, columns)
  const parts = conjuncts(withoutCheck(tokens)).map((part) => factOf(part, named))
  return {
    facts: parts.flatMap((part) => part ?? []),
    complete: parts.every((part) => part !== null),
    columns: columns.filter((column) => tokens.some((token) => named(token) === column)),
  }
}

/** The values of a type such as `enum('new','paid')`, or null. */
export function enumValues(declaredType: string): readonly string[] | null {
  if (!/^\s*enum\s*\(/i.test(declaredType)) return null
  const list = listItems((tokenize(declaredType) ?? []).slice(1))
  const values = list?.map((items) => scalarOf(items)) ?? []
  return values.length > 0 && values.every((value) => typeof value === 'string') ? values : null
}

type Token =
  | { readonly kind: 'name'; readonly text: string; readonly quoted: boolean }
  | { readonly kind: 'string'; readonly text: string }
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'sign'; readonly text: string }

/** Space, or one of: text (with a character set before it), name, name, number, bare name, sign. */
const TOKEN = new RegExp(
  [
    /\s+/, /(?:\b(?:_[a-z0-9]+|[nNeE]))?('(?:[^']|'')*')/, /"((?:[^"]|"")*)"/, /`((?:[^`]|``)*)`/,
    /(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+)/, /([\p{L}_][\p{L}\p{N}_$]*)/u, /(::|<=|>=|<>|!=|[-+=<>(),[\]])/,
  ].map(({ source }) => source).join('|'),
  'yu',
)
const BRACKETED = /\[([^\]]+)\]/y

/** null for a text with anything in it that no simple constraint needs. */
function tokenize(text: string): Token[] | null {
  // MySQL prints the quotes of a stored constraint with a backslash; a backslash anywhere else could be an escape of any engine
  const plain = text.replaceAll(/(_[a-z0-9]+)\\'((?:[^'\\])*)\\'/g, "$1'$2'")
  if (plain.includes('\\')) return null
  const tokens: Token[] = []
  for (let at = 0; at < plain.length; ) {
    const match = matchAt(bracketsName(tokens.at(-1)) ? BRACKETED : TOKEN, plain, at) ?? matchAt(TOKEN, plain, at)
    if (match === null) return null
    at += match[0].length
    const token = match[0].startsWith('[') && match.length === 2 ? name(match[1] ?? '', true) : tokenOf(match)
    if (token !== null) tokens.push(token)
  }
  return tokens
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** SQLite also quotes a name as `[name]`; after a name or a bracket it is an array or an index. */
const bracketsName = (before: Token | undefined): boolean =>
  before === undefined ||
  (before.kind === 'sign' && ![')', ']', '::'].includes(before.text)) ||
  ['AND', 'OR', 'NOT'].some((word) => isWord(before, word))

function tokenOf([, string, double, back, number, word, sign]: RegExpExecArray): Token | null {
  if (string !== undefined) return { kind: 'string', text: string.slice(1, -1).replaceAll("''", "'") }
  if (double !== undefined) return name(double.replaceAll('""', '"'), true)
  if (back !== undefined) return name(back.replaceAll('``', '`'), true)
  if (number !== undefined) return { kind: 'number', text: number }
  if (word !== undefined) return name(word, false)
  return sign === undefined ? null : { kind: 'sign', text: sign }
}

const name = (text: string, quoted: boolean): Token => ({ kind: 'name', text, quoted })
const isWord = (token: Token | undefined, word: string): boolean =>
  token?.kind === 'name' && !token.quoted && token.text.toUpperCase() === word
const isSign = (token: Token | undefined, sign: string): boolean => token?.kind === 'sign' && token.text === sign

function columnNamed(token: Token | undefined, columns: readonly string[]): string | null {
  if (token?.kind !== 'name') return null
  const exact = columns.find((column) => column === token.text)
  return exact ?? columns.find((column) => column.toLowerCase() === token.text.toLowerCase()) ?? null
}

/** `CONSTRAINT positive CHECK (...)`, `CHECK (...)` and the bare expression are the same to us. */
function withoutCheck(tokens: readonly Token[]): readonly Token[] {
  const at = isWord(tokens[0], 'CHECK') ? 0 : isWord(tokens[0], 'CONSTRAINT') && isWord(tokens[2], 'CHECK') ? 2 : -1
  return unwrapped(tokens.slice(at + 1))
}

/** Without parentheses around the whole, and without PostgreSQL's casts. */
function unwrapped(tokens: readonly Token[]): readonly Token[] {
  let inner = withoutCast(tokens)
  while (isSign(inner[0], '(') && closing(inner, 0) === inner.length - 1) inner = withoutCast(inner.slice(1, -1))
  return inner
}

function withoutCast(tokens: readonly Token[]): readonly Token[] {
  const at = topLevel(tokens, (token) => isSign(token, '::')).at(-1)
  if (at === undefined || at === 0) return tokens
  const type = tokens.slice(at + 1)
  const typeOnly = type.every((token) => token.kind !== 'string' && (token.kind !== 'sign' || '(),[]'.includes(token.text)))
  const operators = ['AND', 'OR', 'IN', 'LIKE', 'BETWEEN', 'IS', 'NOT']
  const endsThere = typeOnly && !type.some((token) => operators.some((word) => isWord(token, word)))
  return endsThere ? withoutCast(tokens.slice(0, at)) : tokens
}

function closing(tokens: readonly Token[], open: number): number {
  let depth = 0
  for (let at = open; at < tokens.length; at += 1) {
    if (isSign(tokens[at], '(') || isSign(tokens[at], '[')) depth += 1
    if (isSign(tokens[at], ')') || isSign(tokens[at], ']')) depth -= 1
    if (depth === 0) return at
  }
  return -1
}

/** Where tokens outside all parentheses fit. */
function topLevel(tokens: readonly Token[], fits: (token: Token) => boolean): number[] {
  const found: number[] = []
  let depth = 0
  for (const [at, token] of tokens.entries()) {
    if (isSign(token, '(') || isSign(token, '[')) depth += 1
    if (isSign(token, ')') || isSign(token, ']')) depth -= 1
    if (depth === 0 && fits(token)) found.push(at)
  }
  return found
}

function split(tokens: readonly Token[], at: readonly number[]): (readonly Token[])[] {
  return [...at, tokens.length].map((end, i) => tokens.slice(i === 0 ? 0 : (at[i - 1] ?? 0) + 1, end))
}

function conjuncts(tokens: readonly Token[]): (readonly Token[])[] {
  const inner = unwrapped(tokens)
  if (topLevel(inner, (token) => isWord(token, 'OR')).length > 0) return [inner]
  const betweens = topLevel(inner, (token) => isWord(token, 'BETWEEN'))
  // the first AND after a BETWEEN belongs to it
  const ands = topLevel(inner, (token) => isWord(token, 'AND'))
  const own = new Set(betweens.map((between) => ands.find((and) => and > between)))
  const between = split(inner, ands.filter((and) => !own.has(and)))
  return between.length === 1 ? [inner] : between.flatMap(conjuncts)
}

type Named = (token: Token | undefined) => string | null

function factOf(part: readonly Token[], named: Named): ColumnFact[] | null {
  const tokens = unwrapped(part)
  const ors = topLevel(tokens, (token) => isWord(token, 'OR'))
  if (ors.length > 0) return alternatives(split(tokens, ors), named)
  const at = topLevel(tokens, (token) => token.kind === 'sign' && '= < > <= >='.split(' ').includes(token.text))[0]
  if (at !== undefined) return comparison(tokens.slice(0, at), tokens[at]?.text ?? '', tokens.slice(at + 1), named)
  const word = topLevel(tokens, (token) => ['IN', 'BETWEEN', 'LIKE', 'IS'].some((each) => isWord(token, each)))[0]
  if (word === undefined) return null
  const column = columnOf(tokens.slice(0, word), named)
  const rest = tokens.slice(word + 1)
  if (column === null) return null
  if (isWord(tokens[word], 'IN')) return closedList(column, listItems(rest))
  if (isWord(tokens[word], 'LIKE')) {
    const like = scalarOf(rest)
    return typeof like === 'string' ? [{ kind: 'like', column, like }] : null
  }
  if (isWord(tokens[word], 'IS')) return words(rest) === 'NOT NULL' ? [{ kind: 'required', column }] : null
  const [low, high] = split(rest, topLevel(rest, (token) => isWord(token, 'AND'))).map(scalarOf)
  if (low === undefined || low === null || high === undefined || high === null) return null
  return [
    { kind: 'range', column, bound: '>=', value: low },
    { kind: 'range', column, bound: '<=', value: high },
  ]
}

const TURNED: Readonly<Record<string, Bound>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' }

function comparison(left: readonly Token[], sign: string, right: readonly Token[], named: Named): ColumnFact[] | null {
  const [column, turned] = [columnOf(left, named), columnOf(right, named)]
  if (column !== null && sign === '=' && isWord(right[0], 'ANY')) return closedList(column, arrayItems(right.slice(1)))
  const [subject, value, bound] =
    column === null ? [turned, scalarOf(left), TURNED[sign] ?? sign] : [column, scalarOf(right), sign]
  if (subject === null || value === null) return null
  if (bound === '=') return [{ kind: 'in', column: subject, values: [value] }]
  return [{ kind: 'range', column: subject, bound: bound as Bound, value }]
}

/** `a = 1 OR a = 2 OR a IS NULL` is a closed list; a CHECK lets NULL pass anyway. */
function alternatives(parts: readonly (readonly Token[])[], named: Named): ColumnFact[] | null {
  const facts = parts.map((part): ColumnFact[] | null => {
    const tokens = unwrapped(part)
    const nullable = words(tokens.slice(-2)) === 'IS NULL' ? columnOf(tokens.slice(0, -2), named) : null
    return nullable === null ? factOf(tokens, named) : [{ kind: 'in', column: nullable, values: [] }]
  })
  const flat = facts.flatMap((fact) => fact ?? [])
  const column = flat[0]?.column
  if (facts.includes(null) || column === undefined || flat.some((fact) => fact.column !== column)) return null
  const lists = flat.flatMap((fact) => (fact.kind === 'in' ? [fact] : []))
  if (lists.length === flat.length) return closed(column, lists.flatMap(({ values }) => values))
  // only `IS NULL` beside one other condition: the condition itself
  const others = facts.filter((fact) => fact?.some(({ kind }) => kind !== 'in'))
  return lists.every(({ values }) => values.length === 0) && others.length === 1 ? (others[0] ?? null) : null
}

function columnOf(tokens: readonly Token[], named: Named): string | null {
  const inner = unwrapped(tokens)
  return inner.length === 1 ? named(inner[0]) : null
}

function scalarOf(tokens: readonly Token[]): Scalar | null {
  const inner = unwrapped(tokens)
  const [first, second] = inner
  if (inner.length === 1 && first?.kind === 'string') return first.text
  if (inner.length === 1 && first?.kind === 'number') return numberOf(first.text)
  const signed = inner.length === 2 && second?.kind === 'number' && (isSign(first, '-') || isSign(first, '+'))
  return signed ? numberOf(`${isSign(first, '-') ? '-' : ''}${second.text}`) : null
}

/** A number that JavaScript would round is kept as text. */
const numberOf = (text: string): Scalar => (text.replaceAll(/[^0-9]/g, '').length > 15 ? text : Number(text))

function listItems(tokens: readonly Token[]): (readonly Token[])[] | null {
  if (!isSign(tokens[0], '(') || closing(tokens, 0) !== tokens.length - 1) return null
  const inner = tokens.slice(1, -1)
  return split(inner, topLevel(inner, (token) => isSign(token, ',')))
}

/** `(ARRAY['a'::text, 'b'::text])`, with a cast around it or not. */
function arrayItems(tokens: readonly Token[]): (readonly Token[])[] | null {
  const inner = unwrapped(tokens)
  if (!isWord(inner[0], 'ARRAY') || !isSign(inner[1], '[') || closing(inner, 1) !== inner.length - 1) return null
  const items = inner.slice(2, -1)
  return split(items, topLevel(items, (token) => isSign(token, ',')))
}

function closedList(column: string, items: readonly (readonly Token[])[] | null): ColumnFact[] | null {
  const values = items?.map(scalarOf) ?? [null]
  return values.includes(null) ? null : closed(column, values.filter((value) => value !== null))
}

const closed = (column: string, values: readonly Scalar[]): ColumnFact[] | null =>
  values.length === 0 ? null : [{ kind: 'in', column, values: [...new Set(values)] }]
const words = (tokens: readonly Token[]): string =>
  tokens.map((token) => (token.kind === 'name' && !token.quoted ? token.text.toUpperCase() : '?')).join(' ')
