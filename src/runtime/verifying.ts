/** Verification as the service offers it: which database and rules a stored answer is held against, and under which ceiling. */
import {
  type Flavor, LIMITS, type Plan, SearchAnswer, ServiceError, TIERS, type Tier, minTier, tierRank,
} from '../contracts/index.ts'
import { type Ontology, cutOntology } from '../ontology/index.ts'
import {
  type AnswerReport, compareAnswer, planOf, remake, requestsFor, ruleBook, sameQueries, sameReads, unfitReport,
} from '../search/index.ts'
import type { OpenSources } from './open-sources.ts'
import { type Project, flavorNamed } from './project.ts'
import { parseRequest } from './reasoning_search.ts'
import type { Caller, Labelled } from './service.ts'

export interface VerifyOptions {
  /** a configured source; with `anyPath` also a file or an address */
  readonly db?: string
  readonly anyPath?: boolean
  readonly flavor?: string
  /** the ceiling of the answer; without it each ceiling within the grant is tried */
  readonly maxTier?: Tier
}

/** The report, and the ceiling and flavor under which the answer was made again. */
export interface Verification extends AnswerReport {
  readonly max_tier: Tier
  readonly flavor: string
}

interface VerifyParts {
  readonly project: Project
  readonly sources: OpenSources
  readonly clock: { now(): number }
}

/** Works without SERVICE_SEARCH: nobody asks anything new. */
export function verifying({ project, sources, clock }: VerifyParts) {
  return async function verify(raw: unknown, asked: VerifyOptions, caller: Caller): Promise<Labelled<Verification>> {
    const document = readAnswer(raw)
    if (asked.flavor !== undefined) flavorNamed(project, asked.flavor)
    const named = sources.find(asked.db, asked.flavor, asked.anyPath === true)
    const { source, ontology } = await sources.open(named)
    const plan = planOf(document)
    const grant = minTier(caller.grant, named.maxTier)
    const flavor = flavorFor(project, asked.flavor ?? named.flavor, plan, cutOntology(ontology, grant))
    const ceilings = asked.maxTier === undefined ? ceilingsFor(document, grant) : [minTier(asked.maxTier, grant)]
    const done = (report: AnswerReport, ceiling: Tier) => ({
      value: { ...report, max_tier: ceiling, flavor: flavor.name },
      ceiling: grant,
    })

    const guesses = requestsFor(document)
    let best: { report: AnswerReport; ceiling: Tier } | null = null
    for (const ceiling of plan === null ? [] : ceilings) {
      const cut = cutOntology(ontology, ceiling)
      let queriesFit = false
      let limit: number | null = null
      for (const guess of guesses) {
        if (limit !== null && guess.limit !== limit) break
        const asksFor = { ...guess, max_tier: ceiling, timeout_ms: LIMITS.max_timeout_ms }
        const request = { ...parseRequest({ question: 'verify', ...asksFor }), ...(plan && { plan }) }
        const startedAt = clock.now()
        const seen = { ceiling, ontology: cut, granted: cut }
        const context = { runId: 'verify', request, source, flavor, ...seen, clock, startedAt, today: new Date(0), warnings: [] }
        const remade = await remake(context).catch((error: unknown) => {
          if (error instanceof ServiceError && error.code === 'invalid_request') return null
          throw error
        })
        if (remade === null) break // the plan names what this ceiling does not have
        const report = compareAnswer(document, raw, remade)
        if (report.ok) return done(report, ceiling)
        if (best === null || holding(report) > holding(best.report)) best = { report, ceiling }
        if (sameReads(document, remade.answer)) limit = guess.limit
        queriesFit ||= sameQueries(document, remade.answer)
      }
      if (queriesFit) break // another ceiling would read the same
    }
    if (best !== null) return done(best.report, best.ceiling)
    return done(unfitReport(document, plan === null ? NO_PLAN : UNFIT_PLAN), ceilings[0] ?? grant)
  }
}

const NO_PLAN = 'the document has no plan to run again'
const UNFIT_PLAN = 'the plan names what this database does not have within the ceiling'

const holding = ({ claims, document }: AnswerReport): number =>
  claims.filter(({ verified }) => verified).length * 100 - document.length

/** The default of a search first, then the others; none below what the document itself names. */
function ceilingsFor({ citations, inferred }: SearchAnswer, grant: Tier): Tier[] {
  const least = Math.max(0, ...[...citations, ...inferred].map(({ tier }) => tierRank(tier)))
  const possible = TIERS.filter((tier) => tierRank(tier) >= least && tierRank(tier) <= tierRank(grant))
  const first = possible.filter((tier) => tier === 'Internal')
  const all = [...first, ...possible.filter((tier) => tier !== 'Internal')]
  return all.length === 0 ? [grant] : all
}

/** A file named by its path has no flavor of its own: a derivation then tells whose rules it used. */
function flavorFor(project: Project, known: string | null, plan: Plan | null, granted: Ontology): Flavor {
  if (known !== null) return flavorNamed(project, known)
  const goal = plan?.why?.predicate
  const derives = (flavor: Flavor) => ruleBook(flavor, granted).rules.some(({ head }) => head.predicate === goal)
  return (goal === undefined ? undefined : [...project.flavors.values()].find(derives)) ?? flavorNamed(project, 'generic')
}

function readAnswer(raw: unknown): SearchAnswer {
  const parsed = SearchAnswer.safeParse(raw)
  if (parsed.success) return parsed.data
  throw new ServiceError('invalid_request', 'this is not an answer document', {
    hint: 'wherefore search "<question>" --json prints one',
    errors: parsed.error.issues.slice(0, 10).map((issue) => ({ path: issue.path.join('.'), message: issue.message })),
  })
}
