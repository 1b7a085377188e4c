/** Sources as callers see them: names and states, what introspection found within the ceiling, and new ones an admin adds. */
import { type Tier, TIERS, ServiceError, minTier } from '../contracts/index.ts'
import { type Ontology, cutOntology } from '../ontology/index.ts'
import type { Dialect } from '../sources/index.ts'
import { checkedSource, saveSource, taken } from './add-source.ts'
import type { Introspection, SourceDesk, SourceLine, SourceReadiness } from './desks.ts'
import { type NamedSource, OpenSources } from './open-sources.ts'
import { type Project, flavorNamed } from './project.ts'

interface Parts {
  readonly project: Project
  readonly sources: OpenSources
  readonly sourcesDir: string | null
  readonly clock: { now(): number }
}

/** Anyone may ask whether we are ready; a database is bothered no more often than this, however many ask. */
const PROBE_EVERY_MS = 5000
const PROBE_TIMEOUT_MS = 2000

export function sourceDesk({ project, sources, sourcesDir, clock }: Parts): SourceDesk {
  const probes = new Map<string, { readonly at: number; readonly outcome: Promise<SourceReadiness> }>()

  const lineOf = (named: NamedSource): SourceLine => {
    const known = sources.state(named)
    return {
      name: named.name,
      dialect: known.state === 'ready' ? known.dialect : dialectOf(named.path, project.env),
      flavor: named.flavor,
      max_tier: named.maxTier,
      state: known.state,
    }
  }

  const configured = (name: string): NamedSource => {
    const known = sources.configured()
    const found = known.find((source) => source.name === name)
    if (found !== undefined) return found
    const hint = `known: ${known.map((source) => source.name).join(', ') || 'none'}`
    throw new ServiceError('unknown_source', 'no source of that name', { hint })
  }

  async function probe(named: NamedSource): Promise<SourceReadiness> {
    try {
      const { source } = await sources.open(named)
      await source.select({ sql: 'select 1', params: [] }, { maxRows: 1, timeoutMs: PROBE_TIMEOUT_MS })
      return { ...lineOf(named), state: 'ready', detail: null, hint: null }
    } catch (error) {
      const unasked = 'the database could not be asked'
      const known = error instanceof ServiceError ? error : new ServiceError('source_unavailable', unasked)
      return { ...lineOf(named), state: 'unavailable', detail: known.message, hint: known.about.hint ?? null }
    }
  }

  return {
    list: () => sources.configured().map(lineOf),

    async test(name) {
      const named = configured(name)
      const { source } = await sources.open(named)
      await source.select({ sql: 'select 1', params: [] }, { maxRows: 1, timeoutMs: PROBE_TIMEOUT_MS })
      const { engine, dangers, notes } = await source.examineRole()
      return { name, state: 'ready', dialect: source.dialect, engine, dangers, notes }
    },

    async introspect(name, caller) {
      const named = configured(name)
      const ceiling = minTier(caller.grant, named.maxTier)
      const { ontology } = await sources.reread(named)
      return { value: introspectionOf(name, cutOntology(ontology, ceiling)), ceiling }
    },

    async add(asked) {
      const added = checkedSource(asked, { sourcesDir, env: project.env })
      if (asked.flavor !== undefined) flavorNamed(project, asked.flavor)
      if (sources.configured().some(({ name }) => name === asked.name)) throw taken()
      const trial = new OpenSources({ ...project.config, sources: { [asked.name]: added } })
      try {
        for (const named of trial.configured()) await trial.open(named) // nothing is saved that cannot be opened
      } finally {
        await trial.close()
      }
      saveSource(project, asked.name, added)
      sources.add(asked.name, added)
      return lineOf(configured(asked.name))
    },

    readiness() {
      return Promise.all(
        sources.configured().map((named) => {
          const known = probes.get(named.name)
          if (known !== undefined && clock.now() - known.at < PROBE_EVERY_MS) return known.outcome
          const outcome = probe(named)
          probes.set(named.name, { at: clock.now(), outcome })
          return outcome
        }),
      )
    },
  }
}

/** What the place of a source says about its engine before it was ever opened. */
function dialectOf(place: string, env: Project['env']): Dialect | null {
  const address = place.startsWith('env:') ? (env[place.slice('env:'.length)] ?? '') : place
  const [, scheme] = /^([a-z]+):\/\//i.exec(address) ?? []
  if (scheme === undefined) return place.startsWith('env:') ? null : 'sqlite'
  return /^postgres/i.test(scheme) ? 'postgres' : 'mysql'
}

function introspectionOf(name: string, { dialect, classes }: Ontology): Introspection {
  const tableOf = new Map(classes.map((cls) => [cls.name, cls.table]))
  const properties = classes.flatMap((cls) => cls.properties.map((property) => ({ cls, property })))
  const columns = new Map<string, Tier>()
  const references = properties.filter(({ property }) => property.kind === 'object')
  const values = properties.filter(({ property }) => property.kind === 'data')
  // a column behind a reference and a value of its own is one column, with the tier of its value
  for (const { cls, property } of [...references, ...values]) {
    for (const column of property.columns) columns.set(JSON.stringify([cls.table, column]), property.tier)
  }
  const atTier = (tier: Tier): number => [...columns.values()].filter((each) => each === tier).length
  return {
    name,
    dialect,
    tables: classes.length,
    columns: columns.size,
    columns_by_tier: Object.fromEntries(TIERS.map((tier) => [tier, atTier(tier)])) as Record<Tier, number>,
    foreign_keys: references.length,
    inferred_keys: references.flatMap(({ cls, property }) =>
      property.inferred === null
        ? []
        : [{
            table: cls.table,
            columns: property.columns,
            ref_table: tableOf.get(property.range) ?? property.range,
            ref_columns: property.refColumns,
            evidence: property.inferred,
          }],
    ),
  }
}
