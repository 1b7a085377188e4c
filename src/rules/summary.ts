/** One English sentence that says what a rule says, written from the rule alone: the same rule always gets the same sentence. */
import { LIMITS, type Rule, RuleMeta, type SlotCondition, type SlotValue } from '../contracts/index.ts'
import type { RuleReading } from './rule-reading.ts'
import { axiomSummary } from './summary-axioms.ts'
import { clauseSummary } from './summary-clause.ts'
import { capital, classWords, listed, propertyWords, withArticle } from './summary-words.ts'

export function summaryOf(rule: Pick<Rule, 'kind' | 'label'> & { readonly meta?: unknown }, reading: RuleReading, baseIri: string): string {
  const meta = RuleMeta.safeParse(rule.meta)
  const text = meta.success ? slotSummary(meta.data) : rule.kind === 'owl' ? axiomSummary(reading.axioms) : clauseSummary(reading.rules, baseIri)
  const sentence = text === '' ? rule.label : text
  if (sentence === '') return ''
  const whole = `${capital(sentence.trim()).replace(/[.;,]+$/, '')}.`
  return whole.length <= LIMITS.rule_summary_chars ? whole : `${whole.slice(0, LIMITS.rule_summary_chars - 4).replace(/\s\S*$/, '')} ...`
}

/** "An alarm whose severity is critical and whose state is open is marked escalated." */
function slotSummary({ target_class: target, conditions, assertion: { path, value } }: RuleMeta): string {
  const clauses = conditions.map(conditionWords)
  const about = clauses.length === 0 ? '' : ` ${listed(clauses)}`
  return `${withArticle(classWords(target))}${about} ${assertionWords(path, value)}`
}

function assertionWords(path: string, value: SlotValue): string {
  if (path === 'a') return `is ${withArticle(slotWords(value))}`
  if (value === true) return `is marked ${pathWords(path)}`
  return value === false ? `is marked not ${pathWords(path)}` : `gets the ${pathWords(path)} ${slotWords(value)}`
}

const COMPARED: Readonly<Record<string, string>> = { '=': 'is', '!=': 'is not', '>=': 'is at least', '>': 'is more than', '<': 'is less than', '<=': 'is at most' }

function conditionWords({ path, op, value }: SlotCondition): string {
  const name = pathWords(path)
  if (op === 'exists') return value === false ? `that has no ${name}` : `that has ${withArticle(name)}`
  if (op === 'not_null') return `whose ${name} is known`
  if (op === 'regex') return `whose ${name} matches ${JSON.stringify(value)}`
  const given = (Array.isArray(value) ? value : [value]).flatMap((one) => (one === undefined ? [] : [slotWords(one)]))
  if (op === 'in') return `whose ${name} is ${given.length > 1 ? 'one of ' : ''}${listed(given, 'or')}`
  return `whose ${name} ${COMPARED[op] ?? op} ${given.join('')}`
}

/** "severity", or "name of the resource" for a path of several steps. */
function pathWords(path: string): string {
  const steps = path.match(/\^?(?:<[^<>]*>|[^/^<>]+)/g) ?? [path]
  return /^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(path) ? propertyWords(path) : steps
    .map((step) => propertyWords(step.replace(/^\^?<?/, '').replace(/>$/, '')) + (step.startsWith('^') ? ' (backwards)' : ''))
    .toReversed()
    .join(' of the ')
}

function slotWords(value: SlotValue): string {
  if (typeof value === 'object') return 'iri' in value ? classWords(value.iri) : value.value
  return typeof value === 'string' && !/^[\p{L}\p{N}_.-]{1,30}$/u.test(value) ? JSON.stringify(value) : String(value)
}
