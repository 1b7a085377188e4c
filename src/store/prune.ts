/** Removes what has grown too old: runs, log events, and samples of values. Decisions, their audit and the session stay. */
import { objectOf } from './json.ts'
import { PROPOSALS } from './schema.ts'
import { type Connection, query } from './sqlite-dialect.ts'

export interface Pruned {
  readonly search_runs: number
  /** by the time of the line itself, not of its mining */
  readonly log_events: number
  /** templates, slots and candidates whose sample values were emptied */
  readonly samples: number
}

export function prune(store: Connection, before: Date, dryRun: boolean): Pruned {
  const iso = before.toISOString()
  const counts = store.transaction((): Pruned => {
    const samples = emptySamples(store, iso, dryRun)
    if (!dryRun) {
      const runs = store.change(query.deleteFrom('search_runs').where('created_at', '<', iso))
      const events = store.change(query.deleteFrom('log_events').where('ts_ms', '<', before.getTime()))
      return { search_runs: runs, log_events: events, samples }
    }
    const runs = query.selectFrom('search_runs').select(query.fn.countAll<number>().as('n')).where('created_at', '<', iso)
    const events = query.selectFrom('log_events').select(query.fn.countAll<number>().as('n')).where('ts_ms', '<', before.getTime())
    return { search_runs: store.first(runs)?.n ?? 0, log_events: store.first(events)?.n ?? 0, samples }
  })
  // a deleted row stays readable in the file until its page is written anew
  const changed = !dryRun && counts.search_runs + counts.log_events + counts.samples > 0
  if (changed) store.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')
  return counts
}

function emptySamples(store: Connection, iso: string, dryRun: boolean): number {
  const templates = query.selectFrom('log_templates').select(['id', 'sample_line']).where('last_seen', '<', iso)
  let emptied = 0
  for (const { id, sample_line } of store.rows(templates.where('last_seen', '!=', ''))) {
    const slots = query.selectFrom('log_template_slots').select('id').where('template_id', '=', id).where('top_values', '!=', '[]')
    emptied += store.rows(slots).length + (sample_line === '' ? 0 : 1)
    if (dryRun) continue
    store.change(query.updateTable('log_templates').set({ sample_line: '' }).where('id', '=', id))
    store.change(query.updateTable('log_template_slots').set({ top_values: '[]' }).where('template_id', '=', id))
  }
  const candidates = query.selectFrom(PROPOSALS).select(['pid', 'evidence', 'evidence_sample']).where('updated_at', '<', iso)
  for (const { pid, evidence, evidence_sample } of store.rows(candidates.where('updated_at', '!=', ''))) {
    const bare = JSON.stringify(withoutValues(objectOf(evidence)))
    if (bare === JSON.stringify(objectOf(evidence)) && evidence_sample === '') continue
    emptied += 1
    if (!dryRun) store.change(query.updateTable(PROPOSALS).set({ evidence: bare, evidence_sample: '' }).where('pid', '=', pid))
  }
  return emptied
}

/** Evidence keys that hold values of lines, or lead to lines that are gone. The figures that a decision rests on stay. */
const VALUE_KEYS = ['top_values', 'topValues', 'lines', 'line_pairs', 'samples']

function withoutValues(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([key, each]): [string, unknown] => {
      if (VALUE_KEYS.includes(key)) return [key, []]
      if (key !== 'slots' || !Array.isArray(each)) return [key, each]
      return [key, each.map((slot: unknown) => (isObject(slot) ? withoutValues(slot) : slot))]
    }),
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
