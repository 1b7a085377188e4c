/** What the compilation of one query carries along: its name, its faults, the rules of its own relations, fresh names. */
import type { Atom, BodyItem, DatalogRule, RuleFault } from '../datalog/index.ts'
import { literal } from '../term.ts'
import type { Alternative } from './alternative.ts'
import { UNIT, joined } from './alternative.ts'
import type { Reading } from './terms.ts'
import { contextOf } from './terms.ts'
import type { Placed, Query } from './syntax.ts'
import { offsetOf, placeAt } from './syntax.ts'

/** A fault of a query. `unsupported` names a feature that is SPARQL, but has no reading as rules: another engine may run it. */
export interface SparqlFault extends RuleFault {
  readonly unsupported?: string
}

/** More alternatives than this are no longer premises that a person reads, and their number doubles with each OPTIONAL. */
export const MAX_ALTERNATIVES = 128
export const MAX_RULES = 2000
/** Conditions of all alternatives together: each is kept, checked and joined for itself. */
const MAX_CONDITIONS = 2048
/** The same of all rules together. */
export const MAX_RULE_CONDITIONS = 4096
/** Groups read, those of EXISTS once for each alternative: a pattern inside a pattern inside a pattern adds up quickly. */
const MAX_GROUPS = 2000

export interface Compiling extends Reading {
  readonly id: string
  readonly faults: readonly SparqlFault[]
  /** rules of the relations that the query needs for itself, by their order of appearance */
  readonly rules: readonly DatalogRule[]
  /** variables that an expression asked for, and whether they had a value anywhere */
  readonly asked: Map<string, { readonly node: Placed; bound: boolean }>
  fresh(): string
  add(...rules: DatalogRule[]): void
  /** whether a rule of this id is there already */
  has(rule: string): boolean
  /** counts a group; false where there are too many of them */
  enter(node: Placed): boolean
  /** `<word> <id> <n>`: a relation of this query. A name with a space in it is never a property. */
  relation(word: string): { readonly predicate: string; readonly rule: (suffix?: string) => string }
  limited(alternatives: readonly Alternative[], node: Placed): readonly Alternative[]
}

export interface CompileOptions {
  readonly id: string
  readonly prefixes?: Readonly<Record<string, string>>
  /** what relative IRIs are resolved against where the query has no BASE */
  readonly base?: string
}

export function startCompiling(text: string, query: Query, { id, prefixes = {}, base }: CompileOptions): Compiling {
  const faults: SparqlFault[] = []
  const told = new Set<string>()
  const rules: DatalogRule[] = []
  const numbers = new Map<string, number>()
  const blanks = new Map<string, string>()
  const known = new Set<string>()
  let hidden = 0
  let groups = 0
  let conditions = 0
  const refuse = (node: Placed, message: string, unsupported?: string) => {
    const place = placeAt(text, offsetOf(node) ?? offsetOf(query.where ?? {}) ?? 0)
    const fault = { message, ...place, ...(unsupported === undefined ? {} : { unsupported }) }
    const key = JSON.stringify(fault)
    if (!told.has(key)) faults.push(fault)
    told.add(key)
  }
  return {
    id,
    faults,
    rules,
    asked: new Map(),
    ...contextOf(query, prefixes, base, refuse),
    refuse,
    fresh: () => `_:${++hidden}`,
    blank: (label) => {
      // the parser numbers blank nodes by how many queries it has read before
      const variable = blanks.get(label) ?? `_:b${blanks.size + 1}`
      blanks.set(label, variable)
      return variable
    },
    add: (...more) => {
      for (const rule of more) {
        if (known.has(rule.id)) continue
        rules.push(rule)
        conditions += rule.body.length
      }
      for (const rule of more) known.add(rule.id)
    },
    has: (rule) => known.has(rule),
    enter: (node) => {
      if (++groups > MAX_GROUPS) refuse(node, 'the patterns of the query nest in too many ways', 'nesting')
      return groups <= MAX_GROUPS
    },
    relation: (word) => {
      const n = (numbers.get(word) ?? 0) + 1
      numbers.set(word, n)
      return { predicate: `${word} ${id} ${n}`, rule: (suffix = '') => `${id}~${word}-${n}${suffix}` }
    },
    limited: (alternatives, node) => {
      const isFew = alternatives.length <= MAX_ALTERNATIVES && rules.length <= MAX_RULES
      const isShort = conditions <= MAX_RULE_CONDITIONS && conditionsOf(alternatives) <= MAX_CONDITIONS
      if (isFew && isShort) return alternatives
      const many = isFew ? `${MAX_CONDITIONS} conditions in all its alternatives` : `${MAX_ALTERNATIVES} alternatives`
      refuse(node, `the pattern has more than ${many}`, 'alternatives')
      // nothing is left to go on with: whatever follows costs no more
      return []
    },
  }
}

export const conditionsOf = (bodies: readonly { readonly body: readonly BodyItem[] }[]): number =>
  bodies.reduce((sum, { body }) => sum + body.length, 0)

/** Relations have at least one argument. */
export const ANY = literal('any')

/** An atom over variables; without any, one that holds as a whole. */
export const relationAtom = (predicate: string, variables: readonly string[]): Atom => ({
  predicate,
  args: variables.length === 0 ? [{ term: ANY }] : variables.map((variable) => ({ variable })),
})

/** The query around a pattern: a condition inside EXISTS or OPTIONAL may look at the values of the solution outside. */
export interface Scope {
  readonly outer: Alternative
  readonly parent: Scope | null
}

export function isOuter(variable: string, scope: Scope | null): boolean {
  for (let at = scope; at !== null; at = at.parent) if (at.outer.bound.has(variable)) return true
  return false
}

/** An alternative as the body of a rule by itself: where it needs values from outside, what binds them outside comes along. */
export function grounded(
  alternative: Alternative,
  scope: Scope | null,
  fresh: () => string,
  also: Iterable<string> = [],
): Alternative {
  const missing = [...alternative.needs, ...also].filter((variable) => !alternative.bound.has(variable))
  if (missing.length === 0) return { ...alternative, needs: UNIT.needs }
  if (scope === null) throw new Error(`nothing binds ?${missing.join(', ?')}`)
  const outside = grounded(scope.outer, scope.parent, fresh, missing.filter((variable) => !scope.outer.bound.has(variable)))
  return { ...joined(outside, alternative, fresh), needs: UNIT.needs }
}

/** How many parts of a body are plain atoms; a pattern of one atom can be denied as it stands. */
export const onlyAtom = (body: readonly BodyItem[]): Atom | undefined =>
  body.length === 1 && body[0]?.kind === 'atom' ? body[0].atom : undefined
