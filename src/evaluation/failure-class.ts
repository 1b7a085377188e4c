/** Why an answer is wrong, told from the outlines of both queries: the first thing in which they differ. Nothing is parsed. */
import { sqlTokens } from './sql-text.ts'

/** In the order in which they are looked for: what comes first explains what comes after. */
export const FAILURE_CLASSES = [
  'no reading', 'right, but unsure', 'does not run', 'set operation', 'nested', 'other number of columns', 'other columns', 'other tables',
  'grouping', 'order or limit', 'filter', 'distinct', 'same outline',
] as const
export type FailureClass = (typeof FAILURE_CLASSES)[number]

/** How two queries differ that were both run. */
export function failureClass(gold: string, ours: string): FailureClass {
  const [wanted, found] = [outlineOf(gold), outlineOf(ours)]
  if (wanted.sets !== found.sets && !(wanted.sets !== '' && found.nested)) return 'set operation'
  if (wanted.nested && !found.nested && found.sets === '') return 'nested'
  if (wanted.shown.length !== found.shown.length) return 'other number of columns'
  if (!same(wanted.shown, found.shown)) return 'other columns'
  if (!same(wanted.tables, found.tables)) return 'other tables'
  if (wanted.grouped !== found.grouped || !same(wanted.having, found.having)) return 'grouping'
  if (wanted.limit !== found.limit || (wanted.order !== '' && wanted.order !== found.order)) return 'order or limit'
  if (!same(wanted.filters, found.filters)) return 'filter'
  return wanted.distinct !== found.distinct ? 'distinct' : 'same outline'
}

interface Outline {
  readonly shown: readonly string[]
  readonly distinct: boolean
  readonly tables: readonly string[]
  /** what conditions compare and with what, wherever they stand */
  readonly filters: readonly string[]
  readonly grouped: boolean
  readonly having: readonly string[]
  /** the first key and its direction; the keys after it only break ties */
  readonly order: string
  readonly limit: string
  readonly nested: boolean
  readonly sets: string
}

const CLAUSES = ['select', 'from', 'where', 'group', 'having', 'order', 'limit', 'union', 'intersect', 'except'] as const
type Clause = (typeof CLAUSES)[number]
const SETS: ReadonlySet<string> = new Set(['union', 'intersect', 'except'])
const QUIET: ReadonlySet<string> = new Set(['collate', 'binary', 'as', 'asc', 'by', 'and', 'or', 'not', 'is', 'null', '(', ')', ',', '.', 'where', 'on'])

export function outlineOf(sql: string): Outline {
  const words = sqlTokens(sql).filter((token) => token.trim() !== '' && token !== ';').map(bare)
  const clauses = clausesOf(words)
  const shown = (clauses.get('select') ?? []).filter((word) => word !== 'distinct')
  const order = splitAt(clauses.get('order') ?? [])[0] ?? []
  return {
    shown: splitAt(shown).map(columnOf).toSorted(),
    distinct: clauses.get('select')?.[0] === 'distinct',
    tables: [...new Set(tablesIn(words))].toSorted(),
    filters: [...new Set(words.filter((word, at) => isLiteral(word) && !['limit', 'select'].includes(words[at - 1] ?? '')))].toSorted(),
    grouped: clauses.has('group'),
    having: [...new Set((clauses.get('having') ?? []).filter((word) => !QUIET.has(word)))].filter(isLiteral).toSorted(),
    order: order.length === 0 ? '' : `${columnOf(order.filter((word) => word !== 'desc'))}${order.includes('desc') ? ' desc' : ''}`,
    limit: (clauses.get('limit') ?? []).join(' '),
    nested: words.some((word, at) => word === 'select' && words[at - 1] === '('),
    sets: words.filter((word) => SETS.has(word)).toSorted().join(' '),
  }
}

/** The clauses of the outermost select, the first of a set operation. */
function clausesOf(words: readonly string[]): Map<Clause, string[]> {
  const found = new Map<Clause, string[]>()
  let [depth, ended] = [0, false]
  let open: string[] = []
  for (const word of words) {
    depth += word === '(' ? 1 : word === ')' ? -1 : 0
    const clause = depth === 0 ? CLAUSES.find((name) => name === word) : undefined
    if (clause === undefined) {
      if (!(word === 'by' && open.length === 0)) open.push(word)
    } else if (!ended) {
      ended = SETS.has(clause)
      open = []
      if (!ended) found.set(clause, open)
    }
  }
  return found
}

function splitAt(words: readonly string[]): string[][] {
  const parts: string[][] = [[]]
  let depth = 0
  for (const word of words) {
    depth += word === '(' ? 1 : word === ')' ? -1 : 0
    if (word === ',' && depth === 0) parts.push([])
    else parts.at(-1)?.push(word)
  }
  return parts.filter((part) => part.length > 0)
}

/** `max(T1.age) as "max(age)"` reads `max ( age )`: without the table, the new name and how it is compared. */
function columnOf(words: readonly string[]): string {
  const named = words.lastIndexOf('as')
  const own = (named < 0 ? words : words.slice(0, named)).filter((word) => !['collate', 'binary', 'asc'].includes(word))
  return own.filter((word, at) => word !== '.' && own[at + 1] !== '.').join(' ')
}

const tablesIn = (words: readonly string[]): string[] =>
  words.filter((word, at) => (words[at - 1] === 'from' || words[at - 1] === 'join') && word !== '(')

const isLiteral = (word: string): boolean => word.startsWith("'") || /^\d/.test(word)

/** One spelling for names and texts: small letters, no marks around names, texts in single ones. */
function bare(token: string): string {
  const mark = token.charAt(0)
  if (mark === "'") return token.toLowerCase().replaceAll('%', '')
  if (mark === '"' || mark === '`' || mark === '[') return token.slice(1, -1).toLowerCase()
  return token.toLowerCase()
}

const same = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((each, at) => each === b[at])
