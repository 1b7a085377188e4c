/**
 * SPARQL CONSTRUCT as Datalog, so that what it derives has premises: each alternative of WHERE gives a rule for each template
 * triple whose variables it binds. Whatever has no such reading is refused by name and place.
 */
import type { BodyItem, DatalogRule } from '../datalog/index.ts'
import type { Alternative } from './alternative.ts'
import { joined, variablesOf } from './alternative.ts'
import { MAX_RULES, MAX_RULE_CONDITIONS, conditionsOf, startCompiling } from './compiling.ts'
import type { CompileOptions, Compiling, SparqlFault } from './compiling.ts'
import { readGroup } from './group.ts'
import { casesOf, withRead } from './needed.ts'
import { refuseDatasets } from './query.ts'
import { sizeFault } from './size.ts'
import type { Construct } from './syntax.ts'
import { offsetOf, parseQuery, placeAt } from './syntax.ts'
import { headsOf, readTemplate } from './template.ts'
import { flatten } from './triples.ts'
import { directionOf, withinWindow } from './window.ts'

export interface ConstructOptions extends CompileOptions {
  /** whole seconds: the later time of `FILTER(?later > ?earlier)` lies at most so long after the earlier one */
  readonly windowSeconds?: number
  /** parts that hold in every solution, and whose variables the whole query sees: what binds ?this, say */
  readonly given?: readonly BodyItem[]
}

/** The first rule carries the id, further ones `<id>~2`, `<id>~3` ...; relations of its own are `<id>~<word>-<n>`. */
export type CompiledConstruct =
  { readonly ok: true; readonly rules: readonly DatalogRule[] } | { readonly ok: false; readonly faults: readonly SparqlFault[] }

/** The rule that a person knows, from the id of one of the rules it was compiled to. */
export const baseRule = (id: string): string => id.split('~', 1)[0] ?? id

export function compileConstruct(text: string, options: ConstructOptions): CompiledConstruct {
  const parsed = parseQuery(text, options.prefixes)
  if (!parsed.ok) return { ok: false, faults: [parsed.fault] }
  const { query } = parsed
  if (query.subType !== 'construct') {
    const message = `${query.subType.toUpperCase()} is not supported here: write a CONSTRUCT query`
    return { ok: false, faults: [{ message, ...placeAt(text, offsetOf(query) ?? 0) }] }
  }
  const large = sizeFault(text, query)
  if (large !== undefined) return { ok: false, faults: [large] }
  const compiling = startCompiling(text, query, options)
  const rules = constructRules(query, options, compiling)
  if (compiling.faults.length > 0) return { ok: false, faults: compiling.faults }
  return { ok: true, rules: withRead(rules, compiling.rules) }
}

function constructRules(query: Construct, { windowSeconds, given = [] }: ConstructOptions, compiling: Compiling): DatalogRule[] {
  refuseModifiers(query, compiling)
  if (query.where.patterns.length === 0 && given.length === 0) compiling.refuse(query.where, 'WHERE holds no triple pattern')
  const outer = givenAlternative(given)
  const scope = given.length === 0 ? null : { outer, parent: null }
  const direction = windowSeconds === undefined ? undefined : directionOf(query, windowSeconds, compiling)
  const triples = readTemplate(query, compiling)
  const all = query.values === undefined ? query.where.patterns : [...query.where.patterns, query.values]
  const cases = casesOf(triples, all, outer.bound, direction !== undefined).map(({ patterns, ...each }) => {
    const found = readGroup(patterns, { compiling, scope })
    const joinedWithGiven = found.map((one) => (given.length === 0 ? one : joined(outer, one, compiling.fresh)))
    return { ...each, alternatives: joinedWithGiven.map((one) => (direction === undefined ? one : withinWindow(one, direction))) }
  })
  // what WHERE binds is not known while a part of it cannot be read
  if (compiling.faults.length > 0) return []
  refuseUnbound(query, cases.flatMap(({ alternatives }) => alternatives), compiling)
  const heads = cases.flatMap(({ triples: own, alternatives }) =>
    alternatives.flatMap((each, n) => headsOf(own, each, n, compiling)),
  )
  if (heads.length > MAX_RULES) compiling.refuse(query.template, `the query gives more than ${MAX_RULES} rules`, 'rules')
  else if (conditionsOf(heads) > MAX_RULE_CONDITIONS) {
    compiling.refuse(query.template, `the rules of the query have more than ${MAX_RULE_CONDITIONS} conditions`, 'rules')
  }
  return heads.map(({ head, body }, n) => ({ id: n === 0 ? compiling.id : `${compiling.id}~${n + 1}`, head, body }))
}

/** Faults for what no solution can have: a query may say it, but a rule that says it is a slip. */
function refuseUnbound({ template }: Construct, alternatives: readonly Alternative[], compiling: Compiling): void {
  for (const [variable, { node, bound }] of compiling.asked) {
    if (!bound) compiling.refuse(node, `?${variable} in an expression is bound by no pattern`)
  }
  if (alternatives.length === 0) return
  for (const { subject, predicate, object } of flatten(template.triples, compiling)) {
    for (const node of [subject, predicate, object]) {
      if (node.type !== 'term' || node.subType !== 'variable') continue
      const { value } = node
      if (!alternatives.some(({ bound }) => bound.has(value)))
        compiling.refuse(node, `?${value} in the template is bound by no pattern`)
    }
  }
}

function givenAlternative(body: readonly BodyItem[]): Alternative {
  const bound = body.flatMap((item) => {
    if (item.kind === 'atom') return variablesOf(item.atom)
    return item.kind === 'assign' || item.kind === 'aggregate' ? [item.into] : []
  })
  return { body, bound: new Set(bound), needs: new Set() }
}

function refuseModifiers(query: Construct, compiling: Compiling): void {
  refuseDatasets(query, compiling)
  const modifiers = { group: 'GROUP BY', having: 'HAVING', order: 'ORDER BY', limitOffset: 'LIMIT and OFFSET' } as const
  for (const [key, word] of Object.entries(modifiers)) {
    const modifier = query.solutionModifiers[key as keyof typeof modifiers]
    if (modifier !== undefined) compiling.refuse(modifier, `${word} is not supported in a rule`, word)
  }
}
