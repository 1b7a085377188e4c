/** Rules of every kind to Datalog rules, each remembered with its engine. What cannot be compiled is delegated, or refused with a reason. */
import type { CausalRule, Rule } from '../contracts/index.ts'
import type { Argument, DatalogRule, Expr, RuleFault } from '../kernel/datalog/index.ts'
import type { GraphView, Quad } from '../kernel/rdf/index.ts'
import { markBlanks } from '../kernel/rdf/index.ts'
import { compileShaclRules } from '../kernel/shacl/index.ts'
import type { DelegatedConstruct } from '../kernel/sparql/index.ts'
import { type RuleVocabulary, compileDatalogRule, parseFragment, readConstruct, vocabularyOfGraph } from '../rules/index.ts'
import type { Origin, Refused } from './materialisation.ts'
import { outOfOrder } from './shacl-order.ts'

export interface CompileOptions {
  /** leave the times of cause and effect as far apart as they like */
  readonly ignoreWindows: boolean
  /** false: causal rules relate events of different entities too */
  readonly entityJoin: boolean
  readonly baseIri: string
  /** whose classes and properties a Datalog rule may name */
  readonly graph: readonly Quad[]
}

export interface CompiledRule extends Origin {
  readonly compiled: readonly DatalogRule[]
  /** sh:order of a SHACL rule */
  readonly order?: number
  /** what the SPARQL store has to be asked, and why */
  readonly delegated?: DelegatedConstruct & { readonly reason: string }
}

export interface Compilation {
  readonly rules: readonly CompiledRule[]
  /** what OWL rules add to the graph */
  readonly axioms: readonly Quad[]
  readonly refused: readonly Refused[]
  readonly notices: readonly string[]
  /** rules that follow from what the graph holds: subclasses hand their instances up to the targets of shapes, say */
  readonly specialise: (graph: GraphView) => readonly DatalogRule[]
}

/** What one rule comes to. */
interface Compiled {
  readonly rules?: readonly CompiledRule[]
  readonly axioms?: readonly Quad[]
  readonly refused?: string
  readonly notices?: readonly string[]
  readonly specialise?: Compilation['specialise']
}

export function compileRules(rules: readonly Rule[], causalRules: readonly CausalRule[], options: CompileOptions): Compilation {
  const causal = new Set<Rule>(causalRules)
  const { unique, refused: twins } = distinctIds([...rules, ...causalRules].filter(({ enabled }) => enabled))
  const datalog = unique.filter(({ kind }) => kind === 'datalog')
  const vocabulary = datalog.length === 0 ? NO_VOCABULARY : vocabularyOfGraph(options.graph, options.baseIri)
  const all = unique.map((rule): Compiled & { readonly rule: Rule } => {
    if (rule.kind === 'sparql') return { rule, ...sparql(rule, causal.has(rule), options) }
    if (rule.kind === 'shacl') return { rule, ...shacl(rule) }
    if (rule.kind === 'owl') return { rule, ...owl(rule) }
    return { rule, ...fromText(rule, vocabulary, options.baseIri, datalog) }
  })
  const compiled = all.flatMap((one) => one.rules ?? [])
  const misplaced = outOfOrder(compiled)
  const orders = new Set(compiled.flatMap(({ order }) => order ?? []))
  return {
    rules: compiled.filter((one) => !misplaced.some(({ rule }) => rule === one)),
    axioms: all.flatMap((one) => one.axioms ?? []),
    refused: [
      ...twins,
      ...misplaced.map(({ rule: { engine, rule }, reason }) => ({ engine, rule, reason })),
      ...all.flatMap(({ rule, refused }) => (refused === undefined ? [] : [{ engine: rule.kind, rule: rule.id, reason: refused }])),
    ],
    notices: [
      ...(orders.size > 1 ? ['sh:order does not order the rules: all run until nothing new follows'] : []),
      ...all.flatMap(({ rule, notices = [] }) => notices.map((notice) => `${rule.id}: ${notice}`)),
    ],
    specialise: (graph) => all.flatMap(({ specialise }) => specialise?.(graph) ?? []),
  }
}

const NO_VOCABULARY: RuleVocabulary = { classes: [], properties: [] }

/** A library rule that a session holds too is one rule; another rule under the same id would be mistaken for it. */
function distinctIds(rules: readonly Rule[]): { unique: Rule[]; refused: Refused[] } {
  const seen = new Map<string, Rule>()
  const refused: Refused[] = []
  for (const rule of rules) {
    const twin = seen.get(rule.id)
    if (twin === undefined) seen.set(rule.id, rule)
    else if (twin.body !== rule.body || twin.kind !== rule.kind) {
      refused.push({ engine: rule.kind, rule: rule.id, reason: 'another rule has the same id' })
    }
  }
  return { unique: [...seen.values()], refused }
}

function sparql(rule: Rule, isCausal: boolean, { ignoreWindows, entityJoin, baseIri }: CompileOptions): Compiled {
  const reading = readConstruct(rule, { ignoreWindows })
  if (reading.how === 'refused') return { refused: said(reading.faults) }
  const origin = { engine: 'sparql', rule: rule.id } as const
  if (reading.how === 'delegated') {
    const { delegated, faults } = reading
    return { rules: [{ ...origin, compiled: delegated.rules, delegated: { ...delegated, reason: said(faults) } }] }
  }
  const compiled = isCausal && !entityJoin ? reading.rules.map((one) => apart(one, baseIri)) : reading.rules
  return { rules: [{ ...origin, compiled }] }
}

function shacl({ id, body }: Rule): Compiled {
  const parsed = parseFragment(body)
  if (!parsed.ok) return { refused: said([{ ...parsed.fault, column: 0 }]) }
  const { rules, faults, notices, specialise } = compileShaclRules(parsed.quads, { id })
  if (faults.length > 0) return { refused: said(faults) }
  if (rules.length === 0) return { refused: 'there is no sh:rule in it' }
  const active = rules.filter(({ deactivated }) => !deactivated)
  return {
    rules: active.map((one) => ({ engine: 'shacl', rule: id, shape: one.shape, order: one.order, compiled: one.rules })),
    notices,
    specialise,
  }
}

function owl({ id, body }: Rule): Compiled {
  const parsed = parseFragment(body)
  return parsed.ok ? { axioms: markBlanks(parsed.quads, id) } : { refused: said([{ ...parsed.fault, column: 0 }]) }
}

function fromText(rule: Rule, vocabulary: RuleVocabulary, baseIri: string, datalog: readonly Rule[]): Compiled {
  const others = datalog.filter((other) => other !== rule)
  const result = compileDatalogRule(rule, vocabulary, baseIri, others)
  if (!result.ok) return { refused: said(result.faults) }
  return { rules: [{ engine: 'datalog', rule: rule.id, compiled: result.rules }], notices: result.notes }
}

const said = (faults: readonly RuleFault[]): string =>
  faults
    .map(({ line, column, message }) => (line === 0 ? message : `line ${line}${column === 0 ? '' : `, column ${column}`}: ${message}`))
    .join('; ')

/** The same rule without the demand that cause and effect share an entity, and without what it asks of that entity. */
function apart(rule: DatalogRule, baseIri: string): DatalogRule {
  const isJoin = (item: DatalogRule['body'][number]) => item.kind === 'atom' && item.atom.predicate === `${baseIri}onEntity`
  const shared = new Set(rule.body.filter(isJoin).flatMap((item) => (item.kind === 'atom' ? variableAt(item.atom.args[1]) : [])))
  return { ...rule, body: rule.body.filter((item) => !isJoin(item) && !(item.kind === 'test' && asksOf(item.expr, shared))) }
}

const variableAt = (arg: Argument | null | undefined): string[] => (arg !== null && arg !== undefined && 'variable' in arg ? [arg.variable] : [])

const asksOf = (expr: Expr, variables: ReadonlySet<string>): boolean =>
  'call' in expr ? expr.args.some((arg) => asksOf(arg, variables)) : 'variable' in expr && variables.has(expr.variable)
