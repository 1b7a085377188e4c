/** A look at rule text without an ontology: what it derives, and which classes it takes for granted. */
import { createHash } from 'node:crypto'
import type { Rule } from '../contracts/index.ts'
import type { Relation } from '../kernel/datalog/index.ts'
import { RECORD_COLUMN } from '../ontology/index.ts'

const NAME = '[\\p{L}_][\\p{L}\\p{M}\\p{N}_]*(?:-[\\p{L}\\p{M}\\p{N}_]+)*'
const ATOM = new RegExp(`(?<![\\p{L}\\p{M}\\p{N}_?])(${NAME})\\s*\\(([^()]*)\\)`, 'gu')
const HEAD = new RegExp(`^\\s*(${NAME})\\s*\\(([^()]*)\\)`, 'u')
const COLUMN = new RegExp(`^\\s*(${NAME})\\s*:(?!-)`, 'u')

/** Strings and IRIs are emptied and comments left out, so that no mark inside them is taken for one of the rule's. */
const bare = (text: string): string =>
  text.replace(/"(?:[^"\\\n]|\\.)*"|<[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"{}|^`\\]*>|%[^\n]*/g, (part) =>
    part.startsWith('%') ? '' : part.startsWith('"') ? '""' : '<>',
  )

const split = (args: string): string[] => (args.trim() === '' ? [] : args.split(','))

/** The predicates that the clauses of a text derive, with their numbers of arguments. */
export function headsOf(text: string): { readonly name: string; readonly arity: number }[] {
  return bare(text)
    .split(/\.(?!\d)/)
    .flatMap((clause) => {
      const [, name, args = ''] = HEAD.exec(clause) ?? []
      return name === undefined ? [] : [{ name, arity: split(args).length }]
    })
}

interface Heads {
  readonly heads: readonly { readonly name: string; readonly arity: number }[]
  /** short, and the same for the same heads */
  readonly key: string
}

const headsKept = new WeakMap<object, Heads>()

/** What the Datalog rules of a list derive: each rule among many is read by it, so it is found once for the list. */
export function headsAmong(rules: readonly Pick<Rule, 'kind' | 'body'>[]): Heads {
  const found = headsKept.get(rules)
  if (found !== undefined) return found
  const heads = rules.flatMap(({ kind, body }) => (kind === 'datalog' ? headsOf(body) : []))
  const key = createHash('sha256').update(heads.map(({ name, arity }) => `${name}/${arity}`).join(' ')).digest('base64url')
  headsKept.set(rules, { heads, key })
  return { heads, key }
}

/** Classes that a text names: by a capital letter, or by giving an argument its name. What it derives itself is none. */
export function relationsIn(text: string): Relation[] {
  const heads = new Set(headsOf(text).map(({ name }) => name))
  const classes = new Map<string, Set<string>>()
  for (const [, name = '', args = ''] of bare(text).matchAll(ATOM)) {
    const columns = split(args).flatMap((arg) => COLUMN.exec(arg)?.[1] ?? [])
    if (heads.has(name) || (columns.length === 0 && !/^\p{Lu}/u.test(name))) continue
    const known = classes.get(name) ?? new Set()
    for (const column of columns) known.add(column)
    classes.set(name, known)
  }
  return [...classes].map(([name, columns]) => ({
    name,
    columns: [RECORD_COLUMN, ...columns].map((column) => ({ name: column, tier: 0 })),
  }))
}
