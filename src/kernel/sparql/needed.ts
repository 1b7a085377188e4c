/** What a rule can do without: patterns that a template triple does not depend on, relations that nobody reads. */
import type { Atom, BodyItem, DatalogRule } from '../datalog/index.ts'
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
  const cases = new Map<string, { triples: TemplateTriple[]; patterns: readonly Pattern[] }>()
  for (const triple of triples) {
    const parts = [triple.subject, triple.property, triple.object]
    // a blank node stands for the whole solution
    const needed = parts.some((part) => 'blank' in part) ? patterns : neededFor(parts.flatMap(namedIn), patterns, given)
    const key = patterns.map((pattern) => (needed.includes(pattern) ? '+' : '-')).join('')
    const same = cases.get(key)
    if (same === undefined) cases.set(key, { triples: [triple], patterns: needed })
    else same.triples.push(triple)
  }
  return [...cases.values()]
}

const namedIn = (part: Part): string[] => ('variable' in part ? [part.variable] : [])

function neededFor(asked: readonly string[], patterns: readonly Pattern[], given: ReadonlySet<string>): readonly Pattern[] {
  let needed = patterns
  for (const pattern of patterns.toReversed()) {
    if (pattern.type !== 'pattern' || pattern.subType !== 'optional') continue
    // triples bind what they name; other patterns may only mention it
    const before = patterns.slice(0, patterns.indexOf(pattern)).filter(({ subType }) => subType === 'bgp')
    const known = new Set([...given, ...before.flatMap(variablesWithin)])
    const others = needed.filter((other) => other !== pattern)
    const used = new Set([...asked, ...others.flatMap(variablesWithin)])
    if (variablesWithin(pattern).every((variable) => known.has(variable) || !used.has(variable))) needed = others
  }
  return needed
}

/** Every variable that is written anywhere in a pattern. */
function variablesWithin(pattern: Pattern): string[] {
  const found: string[] = []
  const pending: unknown[] = [pattern]
  while (pending.length > 0) {
    const node = pending.pop()
    if (typeof node !== 'object' || node === null) continue
    if ('subType' in node && node.subType === 'variable' && 'value' in node) found.push(String(node.value))
    else pending.push(...Object.values(node))
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
