/** A small graph that tests of explain share: an incident in four events, with the causal rules and the root-cause library. */
import { readFileSync } from 'node:fs'
import type { Rule } from '../contracts/index.ts'
import { compileCausalRule, loadLibrary } from '../rules/index.ts'
import { inputFrom } from './load.ts'
import type { Materialisation } from './materialisation.ts'
import type { MaterialiseInput } from './run.ts'
import { materialise } from './run.ts'

export const BASE = 'https://enterprise.example/ontology#'
export const RECORD = 'https://enterprise.example/record/'
export const PREFIXES = `@prefix : <${BASE}> . @prefix r: <${RECORD}> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n`
const CHAIN = ['LinkDown', 'BgpPeerLost', 'NfHeartbeatLost', 'NfDeregister'] as const
const SCHEMA = `${PREFIXES}
:hasCause rdfs:subPropertyOf :precededBy ; rdfs:domain :CausalEvent .
:triggers owl:inverseOf :hasCause .
:LinkDown rdfs:subClassOf :CausalEvent ; :sensitivityTier "Internal" .
:BgpPeerLost rdfs:subClassOf :CausalEvent ; :sensitivityTier "Internal" .
:NfHeartbeatLost rdfs:subClassOf :CausalEvent ; :sensitivityTier "Internal" .
:NfDeregister rdfs:subClassOf :CausalEvent ; :sensitivityTier "Restricted" .
`
const EVENTS = `${PREFIXES}
r:e1 a :LinkDown ; :startedAt "2024-05-01T10:12:29.000Z"^^xsd:dateTime ; :onEntity r:crt-07 ; :line 17 .
r:e2 a :BgpPeerLost ; :startedAt "2024-05-01T10:12:31.100Z"^^xsd:dateTime ; :onEntity r:crt-07 ; :text "a \\"b\\"" .
r:e3 a :NfHeartbeatLost ; :startedAt "2024-05-01T10:12:35.000Z"^^xsd:dateTime ; :onEntity r:crt-07 .
r:e4 a :NfDeregister ; :startedAt "2024-05-01T10:12:41.100Z"^^xsd:dateTime ; :onEntity r:crt-07 .
r:far a :BgpPeerLost ; :startedAt "2024-05-01T10:12:33.000Z"^^xsd:dateTime ; :onEntity r:crt-09 .
r:late a :BgpPeerLost ; :startedAt "2024-05-01T11:12:33.000Z"^^xsd:dateTime ; :onEntity r:crt-07 .
`
const library = loadLibrary(readFileSync('templates/rules/rca.yaml', 'utf8'))
const common = { pid: '', windowSeconds: 30, sharedEntity: 'node', baseIri: BASE }
const causalRules = CHAIN.slice(1).map((effectClass, n) =>
  compileCausalRule({ ...common, id: `cause-${n}`, causeClass: CHAIN[n]!, effectClass }),
)

export const sparql = (id: string, body: string): Rule => ({
  id, kind: 'sparql', label: '', body: `PREFIX : <${BASE}>\n${body}`, enabled: true, nl_summary: '', source: 'user',
})

/** `events` are further triples of the data. */
export function incident(more: Partial<MaterialiseInput> & { readonly events?: string } = {}): Materialisation {
  const { rules = [], events = '', ...options } = more
  const texts = { enterprise: SCHEMA, logEvents: EVENTS + events }
  return materialise(inputFrom(texts, { baseIri: BASE, rules: [...library.rules, ...rules], causalRules, ...options }))
}

export const short = (value: string): string => value.replaceAll(BASE, ':').replaceAll(RECORD, 'r:')
