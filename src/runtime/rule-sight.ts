/** What a rule may name under a ceiling: the terms of the sources, of the generated ontology and of approved discoveries, each cut. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, type Session, ServiceError, type Tier, minTier, within } from '../contracts/index.ts'
import { type Quad, parseTurtle } from '../kernel/rdf/index.ts'
import { tiered } from '../materialise/index.ts'
import { type Ontology, cutOntology, ontologyQuads } from '../ontology/index.ts'
import { cutSession, rcaTaxonomyQuads } from '../review/index.ts'
import { type RuleVocabulary, vocabularyOfGraph } from '../rules/index.ts'
import type { OpenSources } from './open-sources.ts'

export interface RuleSight {
  readonly ceiling: Tier
  readonly vocabulary: RuleVocabulary
  /** IRIs of classes and properties, also of other namespaces */
  readonly known: ReadonlySet<string>
  /** the schema itself */
  readonly quads: readonly Quad[]
}

interface Parts {
  readonly config: Pick<Config, 'out' | 'base_iri'>
  readonly sources: OpenSources
  readonly session: () => { readonly version: number; readonly session: Session }
}

interface Kept {
  readonly made: readonly unknown[]
  readonly sight: RuleSight
}

const ENTERPRISE = 'ontology/enterprise.ttl'

export class RuleSights {
  readonly #kept = new Map<Tier, Kept>()
  readonly #parts: Parts
  #read: { readonly stamp: string; readonly quads: readonly Quad[] } = { stamp: '', quads: [] }

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** `sent` is a session that is not saved yet, whose own events its rules may name. */
  async at(ceiling: Tier, sent?: Session): Promise<RuleSight> {
    const { config, sources, session } = this.#parts
    const opened = await Promise.all(
      sources.configured().map(async (named) => ({ named, ontology: await sources.open(named).then((one) => one.ontology, absent) })),
    )
    const { version, session: whole } = sent === undefined ? session() : { version: sent, session: sent }
    const schema = this.#enterprise()
    const made = [version, schema, ...opened.map(({ ontology }) => ontology)]
    const kept = this.#kept.get(ceiling)
    if (kept !== undefined && kept.made.length === made.length && kept.made.every((one, at) => one === made[at])) return kept.sight
    const cuts = opened.flatMap(({ named, ontology }) => {
      return ontology === null ? [] : [{ ontology, cut: cutOntology(ontology, minTier(ceiling, named.maxTier)) }]
    })
    const open = new Set(cuts.flatMap(({ cut }) => [...termsIn(ontologyQuads(cut))]))
    // the file may be older than what people have said since
    const hidden = new Set(cuts.flatMap(({ ontology }) => [...termsIn(ontologyQuads(ontology))]).filter((iri) => !open.has(iri)))
    const generated = tiered(schema, [], config.base_iri)
      .filter(({ quad, tier }) => within(tier, ceiling) && ![quad.subject, quad.object].some(({ value }) => hidden.has(value)))
      .map(({ quad }) => quad)
    const quads = [
      ...cuts.flatMap(({ cut }) => ontologyQuads(cut)),
      ...generated,
      ...rcaTaxonomyQuads(cutSession(whole, ceiling), { baseIri: config.base_iri, maxTier: ceiling }),
    ]
    const sight = { ceiling, vocabulary: vocabularyOfGraph(quads, config.base_iri), known: termsIn(quads), quads }
    if (sent === undefined) this.#kept.set(ceiling, { made, sight })
    return sight
  }

  #enterprise(): readonly Quad[] {
    const file = join(this.#parts.config.out, ENTERPRISE)
    const found = statSync(file, { throwIfNoEntry: false })
    const stamp = found === undefined ? '' : `${found.size}:${found.mtimeMs}:${found.ino}`
    if (stamp !== this.#read.stamp) {
      const parsed = stamp === '' ? undefined : parseTurtle(readFileSync(file, 'utf8'))
      this.#read = { stamp, quads: parsed?.ok === true ? parsed.quads : [] }
    }
    return this.#read.quads
  }
}

/** A source that cannot be opened shows nothing. */
function absent(error: unknown): Ontology | null {
  if (error instanceof ServiceError) return null
  throw error
}

/** What is described, and what describes it. */
const termsIn = (quads: readonly Quad[]): Set<string> =>
  new Set(quads.flatMap(({ subject, predicate }) => [predicate.value, ...(subject.kind === 'iri' ? [subject.value] : [])]))
