/** Rules of every kind to Datalog rules, each remembered with its engine. What cannot be compiled is refused with a reason. */
import type { CausalRule, Rule } from '../contracts/index.ts'
import type { DatalogRule } from '../kernel/datalog/index.ts'
import type { Quad } from '../kernel/rdf/index.ts'
import { compileConstruct, markBlanks, parseTurtle } from '../kernel/rdf/index.ts'
import { windowSecondsOf } from '../rules/index.ts'
import type { Origin, Refused } from './materialisation.ts'

export interface CompileOptions {
  /** leave the times of cause and effect as far apart as they like */
  readonly ignoreWindows: boolean
  /** false: causal rules relate events of different entities too */
  readonly entityJoin: boolean
  readonly baseIri: string
}

export interface CompiledRule extends Origin {
  readonly compiled: readonly DatalogRule[]
}

export interface Compilation {
  readonly rules: readonly CompiledRule[]
  /** what OWL rules add to the graph */
  readonly axioms: readonly Quad[]
  readonly refused: readonly Refused[]
}

export function compileRules(rules: readonly Rule[], causalRules: readonly CausalRule[], options: CompileOptions): Compilation {
  const compilation = { rules: [] as CompiledRule[], axioms: [] as Quad[], refused: [] as Refused[] }
  const seen = new Map<string, Rule>()
  const causal = new Set<Rule>(causalRules)
  for (const rule of [...rules, ...causalRules]) {
    if (!rule.enabled) continue
    const refuse = (reason: string) => compilation.refused.push({ engine: rule.kind, rule: rule.id, reason })
    const twin = seen.get(rule.id)
    if (twin !== undefined) {
      if (twin.body !== rule.body || twin.kind !== rule.kind) refuse('another rule has the same id')
      continue
    }
    seen.set(rule.id, rule)
    if (rule.kind === 'sparql') {
      const windowSeconds = options.ignoreWindows ? undefined : (windowSecondsOf(rule.body) ?? undefined)
      const result = compileConstruct(rule.body, { id: rule.id, windowSeconds })
      if (!result.ok)
        refuse(result.faults.map(({ line, column, message }) => `line ${line}, column ${column}: ${message}`).join('; '))
      else {
        const compiled =
          causal.has(rule) && !options.entityJoin ? result.rules.map((one) => apart(one, options.baseIri)) : result.rules
        compilation.rules.push({ engine: 'sparql', rule: rule.id, compiled })
      }
    } else if (rule.kind === 'owl') {
      const parsed = parseTurtle(rule.body)
      if (parsed.ok) compilation.axioms.push(...markBlanks(parsed.quads, rule.id))
      else refuse(`line ${parsed.fault.line}: ${parsed.fault.message}`)
    } else refuse(`rules of kind ${rule.kind} are not run by the reason phase of this version`)
  }
  return compilation
}

/** The same rule without the demand that cause and effect share an entity. */
function apart(rule: DatalogRule, baseIri: string): DatalogRule {
  return { ...rule, body: rule.body.filter((item) => item.kind !== 'atom' || item.atom.predicate !== `${baseIri}onEntity`) }
}
