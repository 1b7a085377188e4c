/**
 * Metadata as a caller may see and set it. A row is visible when its table or column is in the ontology cut to the caller's
 * ceiling; every other row is absent, and writing to it fails exactly as writing to a column that never was.
 */
import { createHash } from 'node:crypto'
import { ServiceError, isTier, metadataKey, minTier, within } from '../contracts/index.ts'
import type { Fault, MetadataRow, StoredMetadata } from '../contracts/index.ts'
import { type Ontology, cutOntology } from '../ontology/index.ts'
import type { Workspace } from '../store/index.ts'
import type { MetadataDesk, MetadataView } from './desks.ts'
import type { OpenSources } from './open-sources.ts'
import type { Caller } from './service.ts'

interface Parts {
  readonly workspace: () => Workspace
  /** null while there is no store: reading must not create one */
  readonly peek: () => Workspace | null
  readonly sources: OpenSources
  readonly now: () => string
  readonly changed: () => void
}

/** What a caller may know of: places of tables and columns, and the names that rows refer to. */
interface Sight {
  readonly places: ReadonlySet<string>
  readonly terms: ReadonlySet<string>
  /** nothing is above this caller */
  readonly whole: boolean
}

export function metadataDesk({ workspace, peek, sources, now, changed }: Parts): MetadataDesk {
  async function sightOf(caller: Caller): Promise<Sight> {
    const hidden = new Set<string>()
    const places = new Set<string>()
    const terms = new Set<string>()
    for (const named of sources.configured()) {
      const ontology = await sources.open(named).then((opened) => opened.ontology, absent)
      if (ontology === null) continue
      const cut = cutOntology(ontology, minTier(caller.grant, named.maxTier))
      const open = placesOf(cut)
      // two sources may have a table of one name; what either of them hides is hidden
      for (const place of placesOf(ontology)) (open.has(place) ? places : hidden).add(place)
      for (const term of termsOf(cut)) terms.add(term)
    }
    for (const place of hidden) places.delete(place)
    return { places, terms, whole: caller.grant === 'Restricted' }
  }

  const viewOf = (sight: Sight): MetadataView => {
    const seen = (peek()?.metadata.list() ?? []).filter((row) => sight.places.has(metadataKey(row)))
    const rows = seen.map((row) => cutRow(row, sight))
    return { rows, etag: createHash('sha256').update(JSON.stringify(rows)).digest('hex').slice(0, 32) }
  }

  return {
    async list(caller) {
      return { value: viewOf(await sightOf(caller)), ceiling: caller.grant }
    },

    async set(rows, caller, ifMatch = () => true) {
      const sight = await sightOf(caller)
      refuseTwice(rows)
      refuseUnknown(rows, sight)
      const store = workspace()
      store.transaction(() => {
        if (!ifMatch(viewOf(sight).etag)) throw stale()
        const stored = new Map(store.metadata.list().map((row) => [metadataKey(row), row]))
        store.metadata.set(rows.map((row) => keepingHidden(row, stored.get(metadataKey(row)), sight)), caller.name, now())
      })
      changed()
      // a tier may have moved a row out of the caller's sight, or back into it
      return { value: viewOf(await sightOf(caller)), ceiling: caller.grant }
    },

    async history({ table, column }, caller) {
      const sight = await sightOf(caller)
      const asked = { table_name: table, column_name: column ?? null }
      if (!sight.places.has(metadataKey(asked))) throw new ServiceError('not_found', 'no such table or column')
      const history = (peek()?.metadata.history(table, column) ?? [])
        .filter((change) => sight.places.has(metadataKey(change)))
        // what was said while the place was above this ceiling was said to others
        .filter(({ before, after }) => [before, after].every((row) => saidWithin(row, caller)))
        .map(({ before, after, ...rest }) => {
          const cut = { before: before === null ? null : cutRow(before, sight), after: cutRow(after, sight) }
          return { ...rest, ...cut }
        })
      return { value: { history }, ceiling: caller.grant }
    },
  }
}

const stale = (): ServiceError => new ServiceError('stale', 'the metadata has changed meanwhile', { hint: 'load it again' })

/** A source that cannot be opened shows nothing; the others still do. */
function absent(error: unknown): null {
  if (error instanceof ServiceError) return null
  throw error
}

function placesOf({ classes }: Ontology): Set<string> {
  return new Set(
    classes.flatMap(({ table, properties }) => [
      metadataKey({ table_name: table, column_name: null }),
      ...properties.flatMap(({ columns }) => columns.map((column) => metadataKey({ table_name: table, column_name: column }))),
    ]),
  )
}

/** The spellings under which a row may name another property. */
function termsOf({ classes, relationships = [], inverses = [] }: Ontology): string[] {
  const named = classes.flatMap(({ name, table, properties }) =>
    properties.flatMap(({ name: property, iri, columns }) => [iri, `${name}.${property}`, `${table}.${columns.join(',')}`]),
  )
  const others = [...relationships, ...inverses].flatMap(({ name, iri, from }) => [iri, `${from}.${name}`, name])
  return [...named, ...others]
}

type Referring = { readonly table_name?: unknown; readonly has_key_columns?: unknown; readonly inverse_of?: unknown }

function keysSeen({ table_name, has_key_columns: columns }: Referring, sight: Sight): boolean {
  const place = (column: unknown): string => metadataKey({ table_name: String(table_name), column_name: String(column) })
  return !Array.isArray(columns) || columns.every((column) => sight.places.has(place(column)))
}

/** Whoever sees everything may also give the other direction a new name. To others a new name and a hidden one look alike. */
const inverseSeen = ({ inverse_of: inverse }: Referring, sight: Sight): boolean =>
  sight.whole || typeof inverse !== 'string' || sight.terms.has(inverse.trim().replace(/^:/, ''))

/** A row without its references to what the caller may not know of. */
function cutRow<Row extends Referring>(row: Row, sight: Sight): Row {
  if (sight.whole) return row
  return {
    ...row,
    ...(keysSeen(row, sight) ? {} : { has_key_columns: null }),
    ...(inverseSeen(row, sight) ? {} : { inverse_of: null }),
  }
}

/** A caller who was not shown a reference sends none back; that must not delete it. */
function keepingHidden(row: MetadataRow, stored: StoredMetadata | undefined, sight: Sight): MetadataRow {
  if (stored === undefined || sight.whole) return row
  return {
    ...row,
    ...(row.has_key_columns === null && !keysSeen(stored, sight) ? { has_key_columns: stored.has_key_columns } : {}),
    ...(row.inverse_of === null && !inverseSeen(stored, sight) ? { inverse_of: stored.inverse_of } : {}),
  }
}

function saidWithin(row: Readonly<Record<string, unknown>> | null, { grant }: Caller): boolean {
  const tier = row?.['sensitivity_tier']
  return !isTier(tier) || within(tier, grant)
}

function refuseUnknown(rows: readonly MetadataRow[], sight: Sight): void {
  const errors = rows.flatMap((row, at): Fault[] => [
    ...(sight.places.has(metadataKey(row)) ? [] : [{ path: `rows.${at}`, message: 'no such table or column' }]),
    ...(keysSeen(row, sight) ? [] : [{ path: `rows.${at}.has_key_columns`, message: 'no such column' }]),
    ...(inverseSeen(row, sight) ? [] : [{ path: `rows.${at}.inverse_of`, message: 'no such property' }]),
  ])
  if (errors.length === 0) return
  throw new ServiceError('not_found', 'a row names something that is not there; nothing was changed', {
    errors, hint: 'GET /api/ontology/vocabulary and GET /api/metadata list what there is',
  })
}

function refuseTwice(rows: readonly MetadataRow[]): void {
  const keys = rows.map(metadataKey)
  const again = keys.flatMap((key, at) => (keys.indexOf(key) === at ? [] : [at]))
  const errors = again.map((at): Fault => ({ path: `rows.${at}`, message: 'named twice' }))
  if (errors.length > 0) throw new ServiceError('invalid_request', 'a table or column is named twice', { errors })
}
