/** The desks of the fake service: metadata, sources, files and jobs without a database behind them. */
import { Readable } from 'node:stream'
import { MetadataRow, ServiceError, type StoredMetadata, metadataKey } from '../../src/contracts/index.ts'
import type { Caller, CompetencyDesk, MetadataDesk, OutputShelf, RuleDesk, RunDesk, SourceDesk, SourceLine } from '../../src/runtime/index.ts'
import { Jobs } from '../../src/runtime/jobs.ts'
import { runDesk } from '../../src/runtime/run-desk.ts'

const SOURCE: SourceLine = { name: 'network-ops', dialect: 'sqlite', flavor: 'network-ops', max_tier: 'Restricted', state: 'ready' }
const DETAIL = 'there is no database file at the configured place'

export function fakeSources({ down }: { down: () => boolean }): SourceDesk {
  const known = (name: string): SourceLine => {
    if (name !== SOURCE.name) throw new ServiceError('unknown_source', 'no source of that name', { hint: `known: ${SOURCE.name}` })
    if (down()) throw new ServiceError('source_unavailable', DETAIL)
    return SOURCE
  }
  return {
    list: () => [SOURCE],
    test: async (name) => ({ name: known(name).name, state: 'ready', dialect: 'sqlite', engine: 'SQLite', dangers: [], notes: [] }),
    introspect: async (name, { grant }) => ({
      value: {
        name: known(name).name, dialect: 'sqlite', tables: 1, columns: 2, foreign_keys: 0, inferred_keys: [],
        columns_by_tier: { Public: 0, Internal: 2, Confidential: 0, Restricted: 0 },
      },
      ceiling: grant,
    }),
    add: async ({ name, flavor = null, max_tier = 'Restricted' }) => ({ name, dialect: 'sqlite', flavor, max_tier, state: 'untried' }),
    readiness: async () =>
      down() ? [{ ...SOURCE, state: 'unavailable', detail: DETAIL, hint: 'check the path' }] : [{ ...SOURCE, detail: null, hint: null }],
  }
}

/** No question was ever saved. */
export const fakeCompetency = (): CompetencyDesk => ({
  list: ({ grant }) => ({ value: { questions: [], etag: 'none' }, ceiling: grant }),
  set: (questions, { grant }) => ({ value: { questions, etag: 'some' }, ceiling: grant }),
  run: async (_asked, { grant }) => ({ value: { total: 0, passed: 0, failed: 0, ms: 0, results: [] }, ceiling: grant }),
})

/** No rule is there, and none can be kept. */
export const fakeRules = (): RuleDesk => {
  const none = (): never => {
    throw new ServiceError('not_found', 'no rule by that id')
  }
  const whole = <T>(value: T, { grant }: Caller) => ({ value, ceiling: grant })
  return {
    list: async (caller) => whole({ rules: [], etag: 'none' }, caller),
    get: async () => none(),
    put: async () => none(),
    remove: async () => none(),
    validate: async (_input, caller) => whole({ ok: true, errors: [], warnings: [] }, caller),
    compile: (_meta, _id, caller) => whole({ body: '' }, caller),
    summarise: async (_input, caller) => whole({ nl_summary: '' }, caller),
    preview: async (_request, caller) => whole({ derived: [], lineage: [], count: 0, errors: [], warnings: [], duration_ms: 0 }, caller),
    coverage: async (caller) => whole({ classes: [], covered: 0, total: 0 }, caller),
    libraries: (caller) => whole([], caller),
    library: async () => none(),
    add: async () => none(),
  }
}

/** Nothing was ever kept. */
export const fakeRuns = (): RunDesk =>
  runDesk({
    peek: () => null,
    workspace: () => {
      throw new Error('there is no store')
    },
    now: () => '',
    demandEnabled: () => undefined,
    join: () => null,
  })

export function fakeMetadata(): MetadataDesk {
  const stored = (row: MetadataRow, author: string): StoredMetadata => ({ ...row, author, proposed: false, created_at: '', updated_at: '' })
  let rows = [stored(MetadataRow.parse({ target_type: 'table', table_name: 'customer', column_name: null }), 'ann')]
  let version = 1
  const view = () => ({ rows, etag: `m-${version}` })
  return {
    list: async ({ grant }) => ({ value: view(), ceiling: grant }),
    set: async (sent, { name, grant }, ifMatch = () => true) => {
      if (!ifMatch(view().etag)) throw new ServiceError('stale', 'the metadata has changed meanwhile')
      const keys = new Set(sent.map(metadataKey))
      rows = [...rows.filter((row) => !keys.has(metadataKey(row))), ...sent.map((row) => stored(row, name))]
      version += 1
      return { value: view(), ceiling: grant }
    },
    history: async (_of, { grant }) => ({ value: { history: [] }, ceiling: grant }),
  }
}

const TEXT = '# ceiling: Internal\n\n<a> <b> <c> .\n'

export function fakeFiles(): OutputShelf {
  const line = {
    name: 'enterprise.ttl', path: 'ontology/enterprise.ttl', media_type: 'text/turtle; charset=utf-8', ceiling: 'Internal', bytes: TEXT.length,
    etag: 'f-1', has_previous: false,
  } as const
  const known = (name: string) => {
    if (name !== line.name && name !== line.path) throw new ServiceError('not_found', 'no such file')
    return line
  }
  return {
    list: async ({ grant }) => ({ value: grant === 'Public' ? [] : [line], ceiling: grant }),
    read: async (name) => ({ value: { ...known(name), body: Readable.from([Buffer.from(TEXT)]) }, ceiling: 'Internal' }),
    diff: async (name) => ({ value: `--- previous/${known(name).path}\n`, ceiling: 'Internal' }),
  }
}

/** Jobs as they are, over phases whose names say how they behave. */
export function fakeJobs(): Jobs {
  let jobs = 0
  return new Jobs({
    ids: () => `job-${++jobs}`,
    onBug: () => undefined,
    run: async (phase, { signal, progress, onBegin, onPhase }) => {
      if (phase === 'unknown') throw new ServiceError('invalid_request', 'no phase of that name')
      onBegin?.()
      progress?.('half-way')
      if (phase === 'forever') {
        await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()))
        throw new ServiceError('cancelled', 'cancelled before phase 2')
      }
      if (phase === 'broken') throw new Error('a value that must stay inside')
      const run = { phase, ms: 3, lines: ['one line'], files: ['ontology/enterprise.ttl'], counts: { triples: 7 } }
      onPhase?.(run)
      return [run]
    },
  })
}
