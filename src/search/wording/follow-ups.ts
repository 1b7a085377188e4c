/**
 * Questions that a reader may ask next, made from the plan alone: they name nothing that the plan does not name or that stands
 * beside it in the same class of the cut ontology. Where a plan says more than such a question could, there is none.
 */
import type { Condition, Plan } from '../../contracts/index.ts'
import type { Ontology, OntologyClass } from '../../ontology/index.ts'
import { isFolded } from '../compiler/shape.ts'
import { describeRecords } from './describe-plan.ts'
import { isNumeric } from './units.ts'
import { classOf, propertyNoun } from './ways.ts'

const MOST = 3
/** Longer questions are nobody's next one. */
const MAX_LENGTH = 120

export function followUps(ontology: Ontology, plan: Plan): string[] {
  const cls = classOf(ontology, plan.from)
  const special = plan.why !== undefined || plan.set_op !== undefined || plan.having.length > 0 || plan.limit !== undefined
  if (cls === null || special || !plan.where.every((condition) => isPlain(cls, condition))) return []
  // of one record that is named there is nothing to list or count
  if (plan.where.some((condition) => 'path' in condition && condition.path.join(' ') === cls.labelProperty)) return []
  const records = describeRecords(ontology, plan)
  const grouped = plan.group_by.length > 0
  const counts = plan.select.some(({ aggregate, path }) => aggregate === 'count' && path === undefined)
  const asked = [
    ...(isFolded(plan) ? [`List the ${records}`] : [`How many ${records} are there?`]),
    ...(counts && grouped ? [`How many ${records} are there?`] : []),
    ...(grouped ? [] : kindsOf(cls, plan).map((noun) => `How many ${records} per ${noun}?`)),
  ]
  return [...new Set(asked)].filter((question) => question.length <= MAX_LENGTH).slice(0, MOST)
}

/** A condition that a question can repeat word for word: one value of one property, of the record or of one it belongs to. */
function isPlain(cls: OntologyClass, condition: Condition): boolean {
  if (!('path' in condition) || condition.plan !== undefined || condition.where !== undefined) return false
  const { path, op, value } = condition
  const property = cls.properties.find(({ name }) => name === path[0])
  const simple = op === '=' && typeof value === 'string' && /^[\p{L}\p{N}][\p{L}\p{N} _.-]{0,39}$/u.test(value)
  return simple && path.length <= 2 && property !== undefined && (path.length === 1) === (property.kind === 'data')
}

const KINDS = new Set(['status', 'state', 'severity', 'priority', 'kind', 'type', 'category', 'role', 'segment', 'country'])

/** Properties that sort the records into few kinds, and that the plan has not settled already. */
function kindsOf(cls: OntologyClass, plan: Plan): string[] {
  const settled = new Set(plan.where.flatMap((condition) => ('path' in condition ? [condition.path[0]] : [])))
  return cls.properties
    .filter((property) => property.kind === 'data' && !isNumeric(property) && KINDS.has(property.name) && !settled.has(property.name))
    .map((property) => propertyNoun(property))
    .slice(0, 1)
}
