/**
 * Tries the likeliest readings of a question on the data: one that finds nothing is the less likely one. Only where all the data
 * is small, so that neither the time nor the outcome depends on what else the machine does.
 */
import { type Plan, ServiceError } from '../contracts/index.ts'
import type { Ontology } from '../ontology/index.ts'
import type { Selected, Source } from '../sources/index.ts'
import { compilePlan } from './compiler/compile.ts'
import { ranked } from './planner/rank.ts'
import type { Option } from './planner/read-question.ts'
import type { LookLimits } from './values/value-shelf.ts'

const TRIED = 4
const MOST_RECORDS = 10_000
/** Evidence against a reading. */
const NOTHING = 'finds nothing'

/** Readings that find the same rows are no question to ask back about: whichever is meant, this is the answer. */
export async function findTheSame(ontology: Ontology, source: Source, options: readonly Pick<Option, 'plan'>[], limits: LookLimits): Promise<boolean> {
  if (!isSmall(ontology) || options.some(({ plan }) => plan.why !== undefined)) return false
  const found = new Set<string>()
  for (const { plan } of options) {
    // what does not run, or not in time, is not the same as anything
    const result = await source.select(compilePlan(ontology, plan).main, { ...limits, maxRows: MOST_COMPARED }).catch(() => null)
    if (result === null || result.truncated) return false
    const { rows } = result
    found.add(JSON.stringify(rows.map((row) => row.map(String))))
  }
  return found.size === 1
}
const MOST_COMPARED = 200

const isSmall = ({ classes }: Ontology): boolean => classes.reduce((sum, { instances }) => sum + instances, 0) <= MOST_RECORDS

export async function tryReadings(ontology: Ontology, source: Source, options: readonly Option[], limits: LookLimits): Promise<readonly Option[]> {
  if (!isSmall(ontology) || !options.some(({ plan }) => mayFindNothing(plan))) return options
  const tried: Option[] = []
  for (const option of options.slice(0, TRIED)) {
    const found = mayFindNothing(option.plan) ? await findingsOf(ontology, source, option.plan, limits) : 'something'
    if (found === 'nothing') tried.push({ ...option, evidence: { ...option.evidence, [NOTHING]: 1 } })
    else if (found === 'something') tried.push(option)
  }
  return ranked([...tried, ...options.slice(TRIED)])
}

/** Without a condition there is always something; what a rule derives is not for a query to say. */
const mayFindNothing = ({ where, having, set_op, why, intent }: Plan): boolean =>
  why === undefined && intent !== 'exists' && where.length + having.length + (set_op === undefined ? 0 : 1) > 0

/** A reading that the database refuses to run is none. */
async function findingsOf(ontology: Ontology, source: Source, plan: Plan, limits: LookLimits): Promise<'nothing' | 'something' | 'refused'> {
  try {
    const { main } = compilePlan(ontology, plan)
    return isNothing(plan, await source.select(main, { ...limits, maxRows: 1 })) ? 'nothing' : 'something'
  } catch (error) {
    // what stopped the search stops it here as well
    if (error instanceof ServiceError) throw error
    return 'refused'
  }
}

/** No row; or one row of figures over no record, which are zero or unknown. */
export function isNothing({ select, group_by }: Plan, { rows }: Pick<Selected, 'rows'>): boolean {
  if (rows.length === 0) return true
  const figures = group_by.length === 0 && select.every(({ aggregate }) => aggregate !== undefined)
  return figures && (rows[0] ?? []).every((cell) => cell === null || Number(cell) === 0)
}
