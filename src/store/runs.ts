/** Searches that ran, by id. Who asked and under which ceiling stands beside the answer, so that a reader can be held to both. */
import { Tier, UNLABELLED } from '../contracts/index.ts'
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
}

export function runsOf(store: Connection): Runs {
  return {
    save({ runId, ceiling, caller, body, createdAt }) {
      const columns = { ceiling, caller, body: JSON.stringify(body), created_at: createdAt }
      store.change(
        query
          .insertInto('search_runs')
          .values({ run_id: runId, ...columns })
          .onConflict((conflict) => conflict.column('run_id').doUpdateSet(columns)),
      )
    },
    get(runId) {
      const row = store.first(query.selectFrom('search_runs').selectAll().where('run_id', '=', runId))
      return row === undefined ? undefined : runOf(row)
    },
    all: () => store.rows(query.selectFrom('search_runs').selectAll().orderBy('created_at').orderBy('run_id')).map(runOf),
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
