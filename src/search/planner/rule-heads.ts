/** The flavor's rules as part of the vocabulary: what can be asked for, over which classes, resting on which others. */
import type { Flavor } from '../../contracts/index.ts'
import { type BodyItem, type DatalogRule, type RuleFault, parseRules } from '../../kernel/datalog/index.ts'
import { type Ontology, datalogRelations } from '../../ontology/index.ts'

export interface RuleBook {
  readonly rules: readonly DatalogRule[]
  /** predicates whose rules name a term that the ontology does not have (or that is above the ceiling) */
  readonly unavailable: ReadonlyMap<string, readonly RuleFault[]>
}

/** Reads the flavor's rules against an ontology that has been cut to a ceiling. */
export function ruleBook(flavor: Flavor, ontology: Ontology): RuleBook {
  const relations = datalogRelations(ontology)
  const rules: DatalogRule[] = []
  const unavailable = new Map<string, readonly RuleFault[]>()
  for (const { id, body } of flavor.rules) {
    const parsed = parseRules(body, { relations, id })
    if (parsed.ok) rules.push(...parsed.rules)
    else unavailable.set(headName(body), parsed.faults)
  }
  return { rules, unavailable }
}

const headName = (body: string): string => /^\s*([\p{L}_][\p{L}\p{N}_]*)/u.exec(body)?.[1] ?? ''

/** The rules that a predicate rests on, itself included. */
export function rulesFor(book: RuleBook, predicate: string): DatalogRule[] {
  const wanted = new Set([predicate])
  for (let size = 0; size !== wanted.size; ) {
    size = wanted.size
    for (const rule of book.rules) {
      if (wanted.has(rule.head.predicate)) for (const atom of atomsOf(rule.body)) wanted.add(atom.predicate)
    }
  }
  return book.rules.filter((rule) => wanted.has(rule.head.predicate))
}

/** True when no rule that the predicate rests on is unavailable. */
export function isAvailable(book: RuleBook, predicate: string): boolean {
  const atoms = rulesFor(book, predicate).flatMap((rule) => atomsOf(rule.body))
  const used = new Set([predicate, ...atoms.map((atom) => atom.predicate)])
  return book.rules.some((rule) => rule.head.predicate === predicate) && ![...used].some((name) => book.unavailable.has(name))
}

export function atomsOf(body: readonly BodyItem[]) {
  return body.flatMap((item) => {
    if (item.kind === 'aggregate') return item.body
    return item.kind === 'atom' || item.kind === 'not' ? [item.atom] : []
  })
}

/** The classes that the arguments of a predicate range over, from the class atoms its variables stand in; null when unknown. */
export function argumentClasses(
  book: RuleBook, ontology: Ontology, predicate: string, seen: readonly string[] = [],
): (string | null)[] {
  const rules = book.rules.filter((rule) => rule.head.predicate === predicate)
  const arity = rules[0]?.head.args.length ?? 0
  return Array.from({ length: arity }, (_, at) => {
    for (const rule of rules) {
      const argument = rule.head.args[at]
      if (argument === null || argument === undefined || !('variable' in argument)) continue
      const cls = classOfVariable(book, ontology, rule, argument.variable, [...seen, predicate])
      if (cls !== null) return cls
    }
    return null
  })
}

function classOfVariable(
  book: RuleBook, ontology: Ontology, rule: DatalogRule, variable: string, seen: readonly string[],
): string | null {
  for (const item of rule.body) {
    if (item.kind !== 'atom') continue
    const at = item.atom.args.findIndex((arg) => arg !== null && 'variable' in arg && arg.variable === variable)
    if (at === -1) continue
    const cls = ontology.classes.find((candidate) => candidate.name === item.atom.predicate)
    if (cls !== undefined) {
      if (at === 0) return cls.name
      const property = cls.properties[at - 1]
      if (property?.kind === 'object') return property.range
    } else if (!seen.includes(item.atom.predicate)) {
      const inner = argumentClasses(book, ontology, item.atom.predicate, seen)[at]
      if (inner !== undefined && inner !== null) return inner
    }
  }
  return null
}
