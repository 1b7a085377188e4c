/** A project with a small graph of its own: an incident in three events that many may see, and one more behind a higher tier. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Session, type SessionEvent } from '../src/contracts/index.ts'
import { compileCausalRule } from '../src/rules/index.ts'
import { openProject } from '../src/runtime/index.ts'
import { openWorkspace } from '../src/store/index.ts'
import { type HttpWorld, httpWorld } from './support-http.ts'

export const BASE = 'https://enterprise.example/ontology#'
export const RECORD = 'https://enterprise.example/record/'
export const PREFIXES = `@prefix : <${BASE}> . @prefix r: <${RECORD}> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n`

const TIERS = { WARN: 'Internal', CRITICAL: 'Restricted' } as const
type Severity = keyof typeof TIERS

export interface GraphParts {
  /** event classes by name */
  readonly classes: Readonly<Record<string, Severity>>
  /** causes and effects */
  readonly causes: readonly (readonly [string, string])[]
  /** name, class, seconds after ten o'clock */
  readonly events: readonly (readonly [string, string, number])[]
  /** further triples, in Turtle */
  readonly schema?: string
  readonly data?: string
}

export const INCIDENT: GraphParts = {
  classes: { LinkDown: 'WARN', BgpPeerLost: 'WARN', NfHeartbeatLost: 'WARN', NfDeregister: 'CRITICAL' },
  causes: [['LinkDown', 'BgpPeerLost'], ['BgpPeerLost', 'NfHeartbeatLost'], ['NfHeartbeatLost', 'NfDeregister']],
  events: [
    ['e1', 'LinkDown', 0], ['e2', 'BgpPeerLost', 2], ['e3', 'NfHeartbeatLost', 6], ['e4', 'NfDeregister', 12],
    ['late', 'BgpPeerLost', 600],
  ],
}

const time = (seconds: number) => `"${new Date(Date.UTC(2024, 4, 1, 10) + seconds * 1000).toISOString()}"^^xsd:dateTime`

/** Writes what phases 2 and abox would write, and the session that the rules come from. */
export function writeGraph(folder: string, { classes, causes, events, schema = '', data = '' }: GraphParts): void {
  const { config } = openProject({ cwd: folder, env: {} })
  mkdirSync(join(config.out, 'ontology'), { recursive: true })
  const described = Object.entries(classes).map(
    ([name, severity]) => `:${name} a owl:Class ; rdfs:subClassOf :CausalEvent ; :sensitivityTier "${TIERS[severity]}" .\n`,
  )
  const axioms = ':hasCause rdfs:subPropertyOf :precededBy ; rdfs:domain :CausalEvent .\n:triggers owl:inverseOf :hasCause .\n'
  writeFileSync(join(config.out, 'ontology', 'enterprise.ttl'), PREFIXES + axioms + described.join('') + schema)
  const happened = events.map(([name, cls, at]) => `r:${name} a :${cls} ; :startedAt ${time(at)} ; :onEntity r:crt-07 .\n`)
  writeFileSync(join(config.out, 'ontology', 'log-events.ttl'), PREFIXES + happened.join('') + data)

  const workspace = openWorkspace(config.store, { clock: () => new Date('2026-01-01T00:00:00Z') })
  const known = Object.entries(classes).map(([name, severity]): SessionEvent => ({
    name, label: name, templates: [], severity, service: '', source: 'log-discovery',
  }))
  const causal_rules = causes.map(([causeClass, effectClass]) =>
    compileCausalRule({
      id: `causal-${causeClass}-${effectClass}`.toLowerCase(), pid: '', causeClass, effectClass, windowSeconds: 30,
      sharedEntity: 'node', baseIri: BASE,
    }),
  )
  workspace.session.save(Session.parse({ events: known, causal_rules }), workspace.session.load().version)
  workspace.close()
}

export async function graphWorld(parts: GraphParts = INCIDENT): Promise<HttpWorld> {
  const world = await httpWorld()
  writeGraph(world.folder, parts)
  return world
}

export const asking = (fields: Readonly<Record<string, string | number>>): string =>
  new URLSearchParams(Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)])).toString()
