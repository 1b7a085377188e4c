/** What is ordinary for a service, at rest: one model each, replaced when the service is learned anew. */
import { objectOf } from './json.ts'
import { type Connection, query } from './sqlite-dialect.ts'

export interface StoredHmm {
  readonly service: string
  readonly states: number
  readonly body: Readonly<Record<string, unknown>>
}

export interface HmmModels {
  save(models: readonly StoredHmm[], now: string): void
  /** by service */
  all(): StoredHmm[]
}

export function hmmModelsOf(store: Connection): HmmModels {
  return {
    save: (models, now) =>
      store.transaction(() => {
        for (const { service, states, body } of models) {
          const columns = { states, body: JSON.stringify(body) }
          store.change(
            query
              .insertInto('log_hmm_models')
              .values({ service, created_at: now, ...columns })
              .onConflict((conflict) => conflict.column('service').doUpdateSet(columns)),
          )
        }
      }),
    all: () =>
      store
        .rows(query.selectFrom('log_hmm_models').selectAll().orderBy('service'))
        .map(({ service, states, body }) => ({ service, states, body: objectOf(body) })),
  }
}
