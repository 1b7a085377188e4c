/** The databases in use: each opened once, its ontology rebuilt when the file or what people said about it has changed. */
import { statSync } from 'node:fs'
import { type Config, type MetadataRow, ServiceError, type SourceConfig, type Tier, placeOf } from '../contracts/index.ts'
import { type Ontology, buildOntology, mergeMetadata, readSourceMetadata, sourceMetadataQuery } from '../ontology/index.ts'
import { type Catalogue, type Dialect, type Source } from '../sources/index.ts'
import { openSafely } from './safe-source.ts'

export interface NamedSource {
  readonly name: string
  /** a file, an address, or the variable that holds the address; never shown to a caller */
  readonly path: string
  readonly flavor: string | null
  readonly maxTier: Tier
  readonly allowDangerousRole: boolean
}

/** What opening a source came to when it was last tried. */
export type SourceState =
  | { readonly state: 'untried' }
  | { readonly state: 'ready'; readonly dialect: Dialect }
  | { readonly state: 'unavailable'; readonly error: ServiceError }

/** What is said about tables and columns, with a version that differs when the rows do. */
export interface MetadataSupply {
  version(): string
  rows(): readonly MetadataRow[]
}

interface Opened {
  readonly source: Source
  readonly stamp: string
  readonly catalogue: Catalogue
  /** what a table of the source itself says about its tables */
  readonly own: readonly MetadataRow[]
}

interface Built {
  readonly opened: Opened
  readonly version: string
  readonly ontology: Ontology
}

const NOTHING_SAID: MetadataSupply = { version: () => '', rows: () => [] }

export class OpenSources {
  private readonly opened = new Map<string, Promise<Opened>>()
  private readonly built = new Map<string, Built>()
  private readonly states = new Map<string, SourceState>()
  private readonly config: Config
  private readonly metadata: MetadataSupply
  private readonly known: Map<string, SourceConfig>

  constructor(config: Config, metadata: MetadataSupply = NOTHING_SAID) {
    this.config = config
    this.metadata = metadata
    this.known = new Map(Object.entries(config.sources))
  }

  configured(): NamedSource[] {
    return [...this.known].map(([name, source]) => namedSource(name, source))
  }

  /** A source that was configured after the start. */
  add(name: string, source: SourceConfig): void {
    this.known.set(name, source)
  }

  /** By name or by configured path; any other path only where the caller's own code names it. */
  find(named: string | undefined, flavor: string | undefined, anyPath: boolean): NamedSource {
    const known = this.configured()
    const hint = `known: ${known.map(({ name }) => name).join(', ') || 'none; add one to wherefore.json'}`
    if (named === undefined) {
      const fitting = flavor === undefined || flavor === 'generic' ? known[0] : known.find((source) => source.flavor === flavor)
      if (fitting !== undefined) return fitting
      throw new ServiceError('unknown_source', 'no source is configured for this question', { hint })
    }
    const found = known.find(({ name, path }) => name === named || (path === named && (anyPath || !isAddress(path))))
    if (found !== undefined) return found
    if (anyPath) return { name: 'database', path: named, flavor: null, maxTier: 'Restricted', allowDangerousRole: false }
    throw new ServiceError('source_not_allowed', 'only configured sources can be asked', { hint })
  }

  state({ path }: NamedSource): SourceState {
    return this.states.get(path) ?? { state: 'untried' }
  }

  async open({ path, allowDangerousRole }: NamedSource): Promise<{ source: Source; ontology: Ontology; catalogue: Catalogue }> {
    try {
      const opened = await this.current(path, allowDangerousRole)
      const { source } = opened
      this.states.set(path, { state: 'ready', dialect: source.dialect })
      return { source, ontology: this.ontologyOf(path, opened), catalogue: opened.catalogue }
    } catch (error) {
      if (error instanceof ServiceError && error.code !== 'cancelled') this.states.set(path, { state: 'unavailable', error })
      throw error
    }
  }

  /** Reads the schema again, also where no stamp says that it has changed. */
  async reread(named: NamedSource): Promise<{ source: Source; ontology: Ontology }> {
    const before = await this.opened.get(named.path)?.catch(() => undefined)
    if (before !== undefined) this.opened.set(named.path, Promise.resolve({ ...before, stamp: `${fileOf(before.stamp)}:again` }))
    return this.open(named)
  }

  private async current(path: string, anyRole: boolean): Promise<Opened> {
    for (;;) {
      const opening = this.opened.get(path)
      const before = opening === undefined ? undefined : await opening
      if (this.opened.get(path) !== opening) continue // somebody else has begun to open it anew
      const stamp = stampOf(path)
      if (before !== undefined && before.stamp === stamp) return before
      const next = this.openAt(path, stamp, before, anyRole)
      this.opened.set(path, next)
      next.catch(() => {
        if (this.opened.get(path) === next) this.opened.delete(path)
      })
      return next
    }
  }

  private async openAt(path: string, stamp: string, before: Opened | undefined, anyRole: boolean): Promise<Opened> {
    // a file that was put in the place of another is another database, which open readers do not see
    if (before !== undefined && fileOf(before.stamp) === fileOf(stamp)) {
      // readers know the tables of when they were opened: a new one is refused, and then new readers are needed
      const again = await readSchema(before.source).catch(async (error: unknown) => {
        await before.source.close()
        if (error instanceof ServiceError) throw error
        return null
      })
      if (again !== null) return { source: before.source, stamp, ...again }
    } else await before?.source.close()
    const source = await openSafely(path, anyRole)
    try {
      return { source, stamp, ...(await readSchema(source)) }
    } catch (error) {
      await source.close()
      throw error
    }
  }

  private ontologyOf(path: string, opened: Opened): Ontology {
    const version = this.metadata.version()
    const found = this.built.get(path)
    if (found !== undefined && found.opened === opened && found.version === version) return found.ontology
    const { base_iri: baseIri, record_base: recordBase } = this.config
    // what people said here wins over what the source says of itself
    const metadata = mergeMetadata(opened.own, this.metadata.rows())
    const ontology = buildOntology(opened.catalogue, { baseIri, recordBase, metadata })
    this.built.set(path, { opened, version, ontology })
    return ontology
  }

  async close(): Promise<void> {
    for (const opening of this.opened.values()) await opening.then(({ source }) => source.close()).catch(() => undefined)
    this.opened.clear()
  }
}

const namedSource = (name: string, source: SourceConfig): NamedSource => ({
  name, path: placeOf(source), flavor: source.flavor ?? null, maxTier: source.max_tier,
  allowDangerousRole: source.allow_dangerous_role === true,
})

const OWN_METADATA = { maxRows: 100_000, timeoutMs: 10_000 } as const

async function readSchema(source: Source): Promise<Pick<Opened, 'catalogue' | 'own'>> {
  const catalogue = await source.introspect()
  const query = sourceMetadataQuery(catalogue)
  if (query === null) return { catalogue, own: [] }
  const { columns, rows } = await source.select(query, OWN_METADATA)
  const named = rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])))
  return { catalogue, own: readSourceMetadata(named).rows }
}

/** Changes when the file or its write-ahead log does. A server has no file, so its schema is read once, or when asked to. */
function stampOf(path: string): string {
  return [path, `${path}-wal`]
    .map((file) => {
      const stat = statSync(file, { throwIfNoEntry: false })
      return stat === undefined ? '-' : `${stat.ino}:${stat.size}:${stat.mtimeMs}`
    })
    .join(' ')
}

const fileOf = (stamp: string): string => stamp.split(/[: ]/, 1)[0] ?? ''

/** An address may hold a password: over the network a source answers to its name alone, never to a guess of its address. */
const isAddress = (path: string): boolean => path.includes('://') || path.startsWith('env:')
