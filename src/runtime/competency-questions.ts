/** The competency questions of a project: kept in its session, seen and set within the caller's ceiling, and asked as tests. */
import { createHash } from 'node:crypto'
import {
  CompetencyQuestion, type CompetencyReport, type CompetencyResult, type Fault, MAX_QUESTIONS, QUESTION_TIER, SearchRequest,
  ServiceError, type Session, type Tier, minTier, questionTier, tierRank, within,
} from '../contracts/index.ts'
import type { Workspace } from '../store/index.ts'
import { differencesOf, rowsNeeded } from './competency-check.ts'
import type { Caller, Labelled, Service } from './service.ts'

/** Questions within the caller's ceiling, in the order in which they were saved. The ETag is made from exactly these. */
export interface CompetencyView {
  readonly questions: readonly CompetencyQuestion[]
  readonly etag: string
}

export interface CompetencyRun {
  /** all that the caller sees, unless named */
  readonly ids?: readonly string[]
  readonly maxTier?: Tier
  readonly requestId: string
  readonly signal?: AbortSignal
  /** told of each question as it ends */
  readonly onResult?: (result: CompetencyResult) => void
}

export interface CompetencyDesk {
  list(caller: Caller): Labelled<CompetencyView>
  /** These take the place of all that the caller sees; those above the ceiling stay. */
  set(questions: readonly CompetencyQuestion[], caller: Caller, ifMatch?: (etag: string) => boolean): Labelled<CompetencyView>
  /** Asks them one after the other through the search itself. */
  run(asked: CompetencyRun, caller: Caller): Promise<Labelled<CompetencyReport>>
}

interface CompetencyParts {
  readonly workspace: () => Workspace
  /** the workspace if there is one; looking something up makes none */
  readonly peek: () => Workspace | null
  readonly search: Service['search']
  readonly demandEnabled: () => void
  readonly clock: { now(): number }
}

type Saved = Session['competency_questions'][number]
type QuestionWithTier = CompetencyQuestion & { readonly max_tier: Tier }

export function competencyDesk({ workspace, peek, search, demandEnabled, clock }: CompetencyParts): CompetencyDesk {
  const viewFor = ({ grant }: Caller): CompetencyView =>
    viewOf(peek()?.session.load().session.competency_questions ?? [], grant)

  async function ask(asked: CompetencyQuestion, about: CompetencyRun, caller: Caller): Promise<CompetencyResult> {
    const since = clock.now()
    const ceiling = minTier(questionTier(asked), about.maxTier ?? caller.grant, caller.grant)
    const { question, flavor, db_path, expect } = asked
    const request = SearchRequest.parse({ question, flavor, db_path, max_tier: ceiling, limit: rowsNeeded(expect) })
    const signal = about.signal === undefined ? {} : { signal: about.signal }
    let runId: string | null = null
    for await (const { event, data } of search(request, caller, { requestId: about.requestId, ...signal })) {
      if (event === 'run') runId = data.run_id
      if (event !== 'answer' && event !== 'error') continue
      const told = { id: asked.id, question, max_tier: ceiling, run_id: runId, ms: Math.round(clock.now() - since) }
      if (event === 'answer') {
        const differences = differencesOf(expect, data)
        const passed = differences.length === 0
        return { ...told, passed, status: data.status, code: null, differences, rows: data.results.rows.length }
      }
      const message = [data.detail, data.hint].filter((part) => part !== undefined).join('; ')
      return { ...told, passed: false, status: 'error', code: data.code, differences: [{ field: 'status', message }], rows: 0 }
    }
    throw new ServiceError('internal', 'a search ended without an answer')
  }

  return {
    list: (caller) => ({ value: viewFor(caller), ceiling: caller.grant }),
    set(questions, caller, ifMatch = () => true) {
      if (questions.length > MAX_QUESTIONS) {
        throw new ServiceError('invalid_request', `at most ${MAX_QUESTIONS} questions can be kept`)
      }
      demandDistinct(questions)
      if (!ifMatch(viewFor(caller).etag)) {
        throw new ServiceError('stale', 'the questions have changed meanwhile', { hint: 'load them again' })
      }
      const { version, session } = workspace().session.load()
      const mine = questions.map((each) => ({ ...each, max_tier: minTier(each.max_tier ?? QUESTION_TIER, caller.grant) }))
      const [seen, hidden] = [true, false].map((shown) =>
        session.competency_questions.filter((entry) => isShown(entry, caller.grant) === shown)) as [Saved[], Saved[]]
      const next = { ...session, competency_questions: [...underOwnIds(mine, seen), ...hidden] }
      workspace().session.save(next, version)
      return { value: viewOf(next.competency_questions, caller.grant), ceiling: caller.grant }
    },
    async run(about, caller) {
      demandEnabled()
      const { questions } = viewFor(caller)
      const chosen = about.ids === undefined ? questions : about.ids.map((id) => known(questions, id))
      const since = clock.now()
      const results: CompetencyResult[] = []
      for (const question of chosen) {
        if (about.signal?.aborted === true) throw new ServiceError('cancelled', 'the client left before the end')
        const result = await ask(question, about, caller)
        results.push(result)
        about.onResult?.(result)
      }
      const passed = results.filter((result) => result.passed).length
      const counts = { total: results.length, passed, failed: results.length - passed }
      return { value: { ...counts, ms: Math.round(clock.now() - since), results }, ceiling: caller.grant }
    },
  }
}

function viewOf(saved: readonly Saved[], ceiling: Tier): CompetencyView {
  const shown = saved.filter((entry) => isShown(entry, ceiling))
  const ids = shownIds(shown)
  const questions = shown.flatMap((entry) => {
    const read = readQuestion(entry)
    return read === null ? [] : [{ ...read, id: ids.get(entry) ?? read.id }]
  })
  return { questions, etag: createHash('sha256').update(JSON.stringify(questions)).digest('hex').slice(0, 32) }
}

/** What this program cannot read, it does not show, and keeps as it is. */
const isShown = (entry: Saved, ceiling: Tier): boolean => within(questionTier(entry), ceiling) && readQuestion(entry) !== null

/** Sessions of an older program hold questions without an id. */
function readQuestion(entry: Saved): CompetencyQuestion | null {
  const read = CompetencyQuestion.safeParse({ ...entry, id: entry['id'] ?? questionId(entry.question) })
  return read.success ? read.data : null
}

/** A readable id from the words of a question: `how-many-alarms-are-open`. */
export function questionId(question: string, taken: ReadonlySet<unknown> = new Set()): string {
  const words = question.toLowerCase().normalize('NFKD').replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '')
  return freeId(words.slice(0, 48).replace(/-$/, '') || 'question', taken)
}

function freeId(id: string, taken: ReadonlySet<unknown>): string {
  if (!taken.has(id)) return id
  for (let n = 2; ; n += 1) {
    const numbered = `${id.slice(0, 58)}-${n}`
    if (!taken.has(numbered)) return numbered
  }
}

/**
 * Under which id each question is shown. Authors of different ceilings may use one id without knowing of each other, and to
 * refuse or change it would tell that the other is there. Who sees both sees the higher one under it, the other with a number:
 * nobody can put a question in the place of one that is hidden from them.
 */
function shownIds(shown: readonly Saved[]): ReadonlyMap<Saved, string> {
  const taken = new Set(shown.map((entry) => entry['id']))
  const given = new Set<unknown>()
  const highestFirst = shown.toSorted((a, b) => tierRank(questionTier(b)) - tierRank(questionTier(a)))
  return new Map(highestFirst.map((entry) => {
    const own = readQuestion(entry)?.id ?? ''
    const id = entry['id'] === undefined || given.has(own) ? freeId(own, taken) : own
    given.add(id)
    taken.add(id)
    return [entry, id]
  }))
}

/** A question that was shown with a number is saved under its own id again: those below must not learn of the number. */
function underOwnIds(mine: readonly QuestionWithTier[], seen: readonly Saved[]): QuestionWithTier[] {
  const ids = shownIds(seen)
  return mine.map((each) => {
    const was = seen.find((entry) => ids.get(entry) === each.id && questionTier(entry) === each.max_tier)
    const id = was?.['id']
    if (typeof id !== 'string' || mine.some((other) => other.id === id && other.max_tier === each.max_tier)) return each
    return { ...each, id }
  })
}

function demandDistinct(questions: readonly CompetencyQuestion[]): void {
  const seen = new Set<string>()
  const errors = questions.flatMap(({ id }, at): Fault[] => {
    if (seen.has(id)) return [{ path: `questions.${at}.id`, message: 'this id stands twice in the list' }]
    seen.add(id)
    return []
  })
  if (errors.length > 0) throw new ServiceError('invalid_request', 'every question needs an id of its own', { errors })
}

function known(questions: readonly CompetencyQuestion[], id: string): CompetencyQuestion {
  const found = questions.find((question) => question.id === id)
  if (found === undefined) throw new ServiceError('not_found', 'no question by that id')
  return found
}
