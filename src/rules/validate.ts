/** A rule is checked before it is kept: what could not run later is refused now, with its place in the text. */
import { type Fault, type Rule, RuleId } from '../contracts/index.ts'
import { parseRules, type Relation } from '../kernel/datalog/index.ts'
import { compileConstruct } from '../kernel/rdf/index.ts'
import { windowSecondsOf } from './causal-window.ts'
import { parseFragment } from './turtle-fragment.ts'

export interface ValidateOptions {
  /** classes and their properties, as a Datalog rule names them */
  readonly relations?: readonly Relation[]
}

type RuleText = Pick<Rule, 'id' | 'kind' | 'body'>

/** An empty list means that the rule may be saved. */
export function validateRule(rule: RuleText, { relations }: ValidateOptions = {}): Fault[] {
  const id = RuleId.safeParse(rule.id)
  const named: Fault[] = id.success ? [] : id.error.issues.map(({ message }) => ({ path: 'id', message }))
  return [...named, ...bodyFaults(rule, relations)]
}

function bodyFaults({ id, kind, body }: RuleText, relations: readonly Relation[] | undefined): readonly Fault[] {
  switch (kind) {
    case 'sparql': {
      const window = windowSecondsOf(body)
      const compiled = compileConstruct(body, { id, ...(window === null ? {} : { windowSeconds: window }) })
      return compiled.ok ? [] : compiled.faults
    }
    case 'shacl':
    case 'owl': {
      const parsed = parseFragment(body)
      if (!parsed.ok) return [parsed.fault]
      return parsed.quads.length > 0 ? [] : [{ message: 'the text states no triple', line: 1, column: 1 }]
    }
    case 'datalog': {
      if (relations === undefined) return [{ message: 'a Datalog rule is checked against an ontology, and none was given' }]
      const parsed = parseRules(body, { relations, id })
      return parsed.ok ? [] : parsed.faults
    }
  }
}
