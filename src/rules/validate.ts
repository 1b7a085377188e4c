/** A rule is checked before it is kept: what could not run later is refused now, with its place in the text. */
import { type Fault, LIMITS, type Rule, RULE_VERBS, RuleId, RuleMeta } from '../contracts/index.ts'
import { LIBRARY_BASE } from './library-base.ts'
import { windowFindings } from './window-check.ts'
import { type ReadingContext, type RuleReading, readRule } from './rule-reading.ts'
import { metaOf } from './slot-read.ts'
import { strataFindings } from './strata-check.ts'
import { termFindings } from './term-check.ts'
import { valueFindings } from './value-check.ts'

export type RuleDraft = Pick<Rule, 'id' | 'kind' | 'body'> &
  Partial<Pick<Rule, 'label' | 'nl_summary' | 'window_seconds' | 'cause_class' | 'effect_class'>> & { readonly meta?: unknown }

export interface RuleContext extends ReadingContext {
  /** further terms that rules may read, beside those of the vocabulary */
  readonly known?: ReadonlySet<string>
}

export interface Validation {
  /** whether the rule may be saved */
  readonly ok: boolean
  readonly errors: readonly Fault[]
  readonly warnings: readonly Fault[]
}

export interface Findings {
  readonly errors?: readonly Fault[]
  readonly warnings?: readonly Fault[]
}

export const validateRule = (rule: RuleDraft, context: RuleContext = {}): Validation => checkedRule(rule, context).validation

/** The same, with what the rule was read as: whoever goes on with it need not read it again. */
export function checkedRule(rule: RuleDraft, context: RuleContext = {}): { validation: Validation; reading: RuleReading } {
  const sizes = sizeFindings(rule)
  const reading = sizes.length > 0 ? NOTHING : readRule(rule, context)
  // what does not parse says nothing that could be looked at further
  const further = sizes.length > 0 || reading.errors.length > 0 ? [] : [
    termFindings(rule, reading, context), valueFindings(rule, reading, context), strataFindings(rule, reading, context),
  ]
  const found: Findings[] = [
    nameFindings(rule, context), { errors: sizes }, reading, ...further, windowFindings(rule), slotFindings(rule, context),
  ]
  const errors = distinct(found.flatMap((one) => one.errors ?? []))
  const warnings = distinct(found.flatMap((one) => one.warnings ?? []))
  return { validation: { ok: errors.length === 0, errors, warnings }, reading }
}

const NOTHING: RuleReading = { errors: [], warnings: [], rules: [], axioms: [], isDelegated: false }

function nameFindings({ id }: RuleDraft, { others = [] }: RuleContext): Findings {
  const parsed = RuleId.safeParse(id)
  if (!parsed.success) return { errors: parsed.error.issues.map(({ message }) => ({ path: 'id', message })) }
  if (RULE_VERBS.some((verb) => verb === id)) return { errors: [{ path: 'id', message: 'this id is reserved' }] }
  return others.some((other) => other.id === id) ? { errors: [{ path: 'id', message: 'another rule has this id' }] } : {}
}

/** Before anything is parsed: a text that nobody can read needs no reading. */
function sizeFindings({ body, label = '', nl_summary: summary = '' }: RuleDraft): Fault[] {
  const long = (path: string, text: string, most: number): Fault[] =>
    text.length <= most ? [] : [{ path, message: `${path} has ${text.length} characters, at most ${most} are allowed`, line: 1, column: 1 }]
  return [
    ...long('body', body, LIMITS.rule_body_chars),
    ...long('label', label, LIMITS.rule_label_chars),
    ...long('nl_summary', summary, LIMITS.rule_summary_chars),
  ]
}

/** Slots beside a text they do not say would show one rule and run another. */
function slotFindings({ kind, body, meta }: RuleDraft, { baseIri = LIBRARY_BASE }: RuleContext): Findings {
  if (meta === undefined) return {}
  const slots = RuleMeta.safeParse(meta)
  if (!slots.success) {
    return { errors: slots.error.issues.map(({ path, message }) => ({ path: ['meta', ...path].join('.'), message })) }
  }
  const said = kind === 'shacl' ? metaOf(body, baseIri) : null
  const isSame = said !== null && JSON.stringify(said) === JSON.stringify(slots.data)
  return isSame ? {} : { errors: [{ path: 'meta', message: 'the slots do not say what the text of the rule says' }] }
}

function distinct(faults: readonly Fault[]): Fault[] {
  return [...new Map(faults.map((fault) => [JSON.stringify(fault), fault])).values()]
}
