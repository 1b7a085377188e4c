/** What a rule can do without: patterns that a template triple does not depend on, relations that nobody reads. */
import type { Atom, BodyItem, DatalogRule } from '../datalog/index.ts'
import { nodesWithin } from './size.ts'
import type { Pattern } from './syntax.ts'
import type { Part, TemplateTriple } from './template.ts'

export interface Case {
  readonly triples: readonly TemplateTriple[]
  readonly patterns: readonly Pattern[]
}

/**
 * Template triples with the patterns that they need: an OPTIONAL adds solutions to nothing and takes none away, so a triple
 * without its variables is derived without it, and does not have to wait until it is certain that it has no match.
 */
export function casesOf(triples: readonly TemplateTriple[], patterns: readonly Pattern[], given: ReadonlySet<string>, isWindowed = false): Case[] {
  // a window looks for the end of what it begins with, which may stand in an OPTIONAL
  if (isWindowed) return [{ triples, patterns }]
  const mentioned = mentionedIn(patterns, given)
  const cases = new Map<string, { triples: TemplateTriple[]; patterns: readonly Pattern[] }>()
  for (const triple of triples) {
    const parts = [triple.subject, triple.property, triple.object]
    // a blank node stands for the whole solution
    const needed = parts.some((part) => 'blank' in part) ? patterns : neededFor(parts.flatMap(namedIn), mentioned)
    const kept = new Set(needed)
    const key = patterns.map((pattern) => (kept.has(pattern) ? '+' : '-')).join('')
    const same = cases.get(key)
    if (same === undefined) cases.set(key, { triples: [triple], patterns: needed })
    else same.triples.push(triple)
  }
  return [...cases.values()]
}

const namedIn = (part: Part): string[] => ('variable' in part ? [part.variable] : [])

interface Mentioned {
  readonly pattern: Pattern
  readonly variables: readonly string[]
  /** what the triples before it bind */
  readonly known: ReadonlySet<string>
}

/** Each pattern is looked through once: a query may have hundreds, and the cases ask again for each triple. */
function mentionedIn(patterns: readonly Pattern[], given: ReadonlySet<string>): Mentioned[] {
  let known = given
  return patterns.map((pattern) => {
    const mentioned = { pattern, variables: [...new Set(variablesWithin(pattern))], known }
    // triples bind what they name; other patterns may only mention it
    if (pattern.subType === 'bgp') known = new Set([...known, ...mentioned.variables])
    return mentioned
  })
}

function neededFor(asked: readonly string[], patterns: readonly Mentioned[]): readonly Pattern[] {
  // how many of those that are left, the template included, speak of a variable
  const uses = new Map<string, number>()
  const count = (variables: readonly string[], by: number) => {
    for (const variable of variables) uses.set(variable, (uses.get(variable) ?? 0) + by)
  }
  count(asked, 1)
  for (const { variables } of patterns) count(variables, 1)
  const spare = new Set<Pattern>()
  for (const { pattern, variables, known } of patterns.toReversed()) {
    if (pattern.type !== 'pattern' || pattern.subType !== 'optional') continue
    if (!variables.every((variable) => known.has(variable) || uses.get(variable) === 1)) continue
    spare.add(pattern)
    count(variables, -1)
  }
  return patterns.flatMap(({ pattern }) => (spare.has(pattern) ? [] : [pattern]))
}

/** Every variable that is written anywhere in a pattern. */
function variablesWithin(pattern: Pattern): string[] {
  const found: string[] = []
  for (const node of nodesWithin(pattern)) {
    if ('subType' in node && node.subType === 'variable' && 'value' in node) found.push(String(node.value))
  }
  return found
}

/** The rules, and those of the relations that they or one another read: a relation may serve only triples that are never made. */
export function withRead(rules: readonly DatalogRule[], auxiliary: readonly DatalogRule[]): DatalogRule[] {
  const byHead = Map.groupBy(auxiliary, ({ head }) => head.predicate)
  const read = new Set<string>()
  const pending = [...rules]
  for (let rule = pending.pop(); rule !== undefined; rule = pending.pop()) {
    for (const { predicate } of rule.body.flatMap(atomsIn)) {
      if (read.has(predicate)) continue
      read.add(predicate)
      pending.push(...(byHead.get(predicate) ?? []))
    }
  }
  return [...rules, ...auxiliary.filter(({ head }) => read.has(head.predicate))]
}

function atomsIn(item: BodyItem): readonly Atom[] {
  if (item.kind === 'aggregate') return item.body
  return item.kind === 'atom' || item.kind === 'not' ? [item.atom] : []
}
