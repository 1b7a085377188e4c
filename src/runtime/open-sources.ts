/** The databases in use: each opened once, its ontology rebuilt when the file has changed. */
import { statSync } from 'node:fs'
import type { Config, Tier } from '../contracts/index.ts'
import { ServiceError } from '../contracts/index.ts'
import { type Ontology, buildOntology } from '../ontology/index.ts'
import { type Source, openSource } from '../sources/index.ts'

export interface NamedSource {
  readonly name: string
  readonly path: string
  readonly flavor: string | null
  readonly maxTier: Tier
}

interface Opened {
  readonly source: Source
  readonly stamp: string
  readonly ontology: Promise<Ontology>
}

export class OpenSources {
  private readonly opened = new Map<string, Promise<Opened>>()
  private readonly config: Config

  constructor(config: Config) {
    this.config = config
  }

  configured(): NamedSource[] {
    return Object.entries(this.config.sources).map(([name, { path, flavor, max_tier }]) => ({ name, path, flavor: flavor ?? null, maxTier: max_tier }))
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
    const found = known.find(({ name, path }) => name === named || path === named)
    if (found !== undefined) return found
    if (anyPath) return { name: 'database', path: named, flavor: null, maxTier: 'Restricted' }
    throw new ServiceError('source_not_allowed', 'only configured sources can be asked', { hint })
  }

  async open({ path }: NamedSource): Promise<{ source: Source; ontology: Ontology }> {
    const stamp = stampOf(path)
    let current = await this.opened.get(path)
    if (current === undefined || current.stamp !== stamp) {
      const before = current
      const next = this.openAt(path, stamp, before?.source)
      this.opened.set(path, next)
      next.catch(() => this.opened.delete(path))
      current = await next
    }
    return { source: current.source, ontology: await current.ontology }
  }

  private async openAt(path: string, stamp: string, reuse: Source | undefined): Promise<Opened> {
    const source = reuse ?? (await openSource(path))
    const { base_iri: baseIri, record_base: recordBase } = this.config
    const ontology = source.introspect().then((catalogue) => buildOntology(catalogue, { baseIri, recordBase }))
    await ontology
    return { source, stamp, ontology }
  }

  async close(): Promise<void> {
    for (const opening of this.opened.values()) await opening.then(({ source }) => source.close()).catch(() => undefined)
    this.opened.clear()
  }
}

/** Changes when the file or its write-ahead log does. */
function stampOf(path: string): string {
  return [path, `${path}-wal`]
    .map((file) => {
      const stat = statSync(file, { throwIfNoEntry: false })
      return stat === undefined ? '-' : `${stat.size}:${stat.mtimeMs}:${stat.ino}`
    })
    .join(' ')
}
