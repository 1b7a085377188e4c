/** Searches that ran, by id. Who asked and under which ceiling stands beside the answer, so that a reader can be held to both. */
import { sql } from 'kysely'
import { TIERS, Tier, UNLABELLED, within } from '../contracts/index.ts'
import type { Tables } from './schema.ts'
import { type Connection, query } from './sqlite-dialect.ts'

export interface StoredRun {
  readonly runId: string
  readonly ceiling: Tier
  readonly caller: string
  readonly body: unknown
  readonly createdAt: string
}

export interface Runs {
  /** a second save under the same id replaces the first */
  save(run: StoredRun): void
  get(runId: string): StoredRun | undefined
  /** oldest first */
  all(): StoredRun[]
  /** the runs of one caller that a grant reaches, newest first, after the one named `before` */
  of(caller: string, grant: Tier, page: { readonly limit: number; readonly before?: string }): StoredRun[]
  /** sets one field of the body and leaves the others to whoever else is writing; false where there is no such run */
  note(runId: string, field: string, value: unknown): boolean
}

/** A body that says more than its ceiling holds names the tier it takes to read it. */
const SIGHT = sql<string>`coalesce(json_extract(body, '$.sight'), ceiling)`

export function runsOf(store: Connection): Runs {
  const get = (runId: string): StoredRun | undefined => {
    const row = store.first(query.selectFrom('search_runs').selectAll().where('run_id', '=', runId))
    return row === undefined ? undefined : runOf(row)
  }
  return {
    get,
    save({ runId, ceiling, caller, body, createdAt }) {
      const columns = { ceiling, caller, body: JSON.stringify(body), created_at: createdAt }
      store.change(
        query
          .insertInto('search_runs')
          .values({ run_id: runId, ...columns })
          .onConflict((conflict) => conflict.column('run_id').doUpdateSet(columns)),
      )
    },
    all: () => store.rows(query.selectFrom('search_runs').selectAll().orderBy('created_at').orderBy('run_id')).map(runOf),
    of(caller, grant, { limit, before }) {
      // two runs of one millisecond stand in the order they were stored; their ids are chance
      let found = query
        .selectFrom('search_runs')
        .select('run_id')
        .where('caller', '=', caller)
        .orderBy('created_at', 'desc')
        .orderBy(sql`rowid`, 'desc')
        .limit(limit)
      const seen = TIERS.filter((tier) => within(tier, grant))
      // looking into every body takes time, and who sees everything needs none of it
      if (seen.length < TIERS.length) found = found.where(SIGHT, 'in', seen)
      if (before !== undefined) {
        const there = sql`(select created_at, rowid from search_runs where run_id = ${before})`
        found = found.where(sql<boolean>`(created_at, rowid) < ${there}`)
      }
      // bodies are long: only those of the page are read, and none is carried through the sorting
      return store.rows(found).flatMap(({ run_id }) => get(run_id) ?? [])
    },
    note: (runId, field, value) =>
      store.change(
        query
          .updateTable('search_runs')
          .set({ body: sql<string>`json_set(body, ${`$.${field}`}, json(${JSON.stringify(value)}))` })
          .where('run_id', '=', runId),
      ) > 0,
  }
}

function runOf(row: Tables['search_runs']): StoredRun {
  const ceiling = Tier.safeParse(row.ceiling)
  return {
    runId: row.run_id,
    ceiling: ceiling.success ? ceiling.data : UNLABELLED,
    caller: row.caller,
    body: JSON.parse(row.body) as unknown,
    createdAt: row.created_at,
  }
}
