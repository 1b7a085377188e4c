/** Claims of a list, a count or an aggregate: what the rows say, in one sentence. */
import { isFolded } from '../compiler/shape.ts'
import type { SearchContext } from '../context.ts'
import type { ClaimDraft } from '../draft.ts'
import type { Executed } from '../execute.ts'
import { plural } from '../../kernel/text/index.ts'
import { describeRecords } from './describe-plan.ts'
import { capitalised, listed } from './english.ts'
import { foldClaim } from './fold-claims.ts'
import { listClaim } from './list-claims.ts'
import { groupNouns, havingWords, heldWords } from './measures.ts'
import { type Told, recordsIn, tell } from './told.ts'

export function rowClaims(context: SearchContext, executed: Executed): ClaimDraft[] {
  const { plan, evidence, rows } = executed
  // the average of nothing is no answer
  const empty = plan.intent === 'aggregate' && isFolded(plan) && evidence.length === 0
  if (empty || rows.length === 0) return [noneFound(context, executed)]
  const told = tell(context.ontology, executed)
  return [isFolded(plan) && plan.set_op === undefined ? foldClaim(told) : listClaim(told)]
}

/** "No alarms with severity critical were found." The executed query is what it cites. */
export function noneFound(context: SearchContext, executed: Executed): ClaimDraft {
  const told = tell(context.ontology, executed)
  const { plan, rows } = executed
  // what all records together do not meet says nothing about whether there are any
  const isWhole = plan.having.length > 0 && groupNouns(context.ontology, plan, told.cls).length === 0 && plan.set_op === undefined && rows.length === 0
  const said = isWhole ? `it does not hold that ${heldWords(told)}` : `no ${nothing(told)}`
  const text = `${plan.intent === 'exists' ? `No: ${said}` : capitalised(said)} within tier ${context.ceiling}`
  return {
    kind: 'none_found', pieces: [{ text, cites: [], joint: '' }], sqlSpans: [[0, 0, executed.compiled.main.sql.length]],
    ruleIds: [], factIds: [], supportCount: 0, check: { by: 'rows' },
  }
}

function nothing(told: Told): string {
  const { plan, ontology, cls, words } = told
  const groups = groupNouns(ontology, plan, cls)
  if (plan.having.length > 0 && groups.length > 0) {
    const having = plan.having.map((condition) => havingWords(words, plan, condition, cls))
    return `${plural(listed(groups))} with ${listed(having)} were found`
  }
  const records = recordsIn(told)
  if (plan.set_op === undefined) return `${records} were found`
  const { op, plan: other } = plan.set_op
  const others = describeRecords(ontology, other)
  const values = listed(told.columns.map(({ noun }) => plural(noun)))
  if (op === 'union') return `${values} of ${records} or of ${others} were found`
  if (op === 'intersect') return `${values} were found both among ${records} and among ${others}`
  return `${values} were found among ${records} but not among ${others}`
}
