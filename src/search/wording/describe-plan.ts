/** A plan in a few English words, for a question back and for the sentence around a result. */
import type { Filter, Plan } from '../../contracts/index.ts'
import { plural } from '../../kernel/text/index.ts'
import type { Ontology } from '../../ontology/index.ts'

/** A step of a path in words; a step back names the class it leads to. */
const spoken = (name: string) => (name.startsWith('^') ? (name.slice(1).split('.', 1)[0] ?? '') : name).replaceAll(/[._]/g, ' ').toLowerCase()

export function nounOf(ontology: Ontology, className: string, count = 2): string {
  const label = (ontology.classes.find((cls) => cls.name === className)?.label ?? className).toLowerCase()
  return count === 1 ? label : plural(label)
}

export function describeFilter({ path, op, value }: Filter): string {
  const property = path.map(spoken).join(' ')
  if (op === 'is_null') return `no ${property}`
  if (op === 'exists') return `a ${property}`
  if (op === 'not_exists') return `no ${property}`
  const shown = Array.isArray(value) ? value.join(', ') : String(value)
  if (op === 'in') return `${property} ${Array.isArray(value) ? value.join(' or ') : shown}`
  return op === '=' ? `${property} ${shown}` : `${property} ${op} ${shown}`
}

/** "with state open and severity critical", or nothing. */
export function describeFilters(where: readonly Filter[]): string {
  const parts = where.map(describeFilter)
  if (parts.length === 0) return ''
  return ` with ${parts.length === 1 ? parts[0] : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`}`
}

export function describePlan(ontology: Ontology, plan: Plan): string {
  const noun = nounOf(ontology, plan.from)
  const filters = describeFilters(plan.where)
  if (plan.intent === 'count') {
    const groups = plan.group_by.map((path) => ` per ${path.map(spoken).join(' ')}`).join('')
    return `how many ${noun}${filters}${groups}`
  }
  if (plan.intent === 'why') return `${spoken(plan.why?.predicate ?? '')}, for ${noun}${filters}`
  const columns = plan.select.map(({ path, aggregate }) => `${aggregate === undefined ? '' : `${aggregate} of `}${(path ?? []).map(spoken).join(' ')}`)
  return `${columns.join(', ')} of ${noun}${filters}`
}
