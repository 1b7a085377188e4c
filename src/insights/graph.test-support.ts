/** A small graph of events with causal rules between their classes. */
import { readFileSync } from 'node:fs'
import type { Tier } from '../contracts/index.ts'
import type { Materialisation } from '../materialise/index.ts'
import { inputFrom, materialise } from '../materialise/index.ts'
import { compileCausalRule, loadLibrary } from '../rules/index.ts'
import type { EdgeFigures } from './edge-book.ts'

export const BASE = 'https://enterprise.example/ontology#'
export const RECORD = 'https://enterprise.example/record/'
const PREFIXES = `@prefix : <${BASE}> . @prefix r: <${RECORD}> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n`
const { rules } = loadLibrary(readFileSync('templates/rules/rca.yaml', 'utf8'))

export interface Edge {
  readonly from: string
  readonly to: string
  readonly p50?: number
  readonly p95?: number
  readonly joined?: boolean
}

export interface Happened {
  readonly id: string
  readonly cls: string
  /** seconds after ten o'clock */
  readonly at: number
  readonly on?: string
  /** seconds after it, each line 100 bytes after the one before, as phase 2 writes them */
  readonly repeats?: readonly number[]
}

const timeAt = (second: number): string => new Date(Date.UTC(2024, 4, 1, 10) + Math.round(second * 1000)).toISOString()

const repeated = (at: number, repeats: readonly number[]): string =>
  ` ; :endedAt "${timeAt(at + (repeats.at(-1) ?? 0))}"^^xsd:dateTime ; :occurrences ${repeats.length + 1} ; :logFile "a.log" ; :logOffset 0` +
  ` ; :repeats "${JSON.stringify(repeats.map((second, n) => [second * 1000, 100 * (n + 1)]))}"`

export function graphOf(
  edges: readonly Edge[],
  events: readonly Happened[],
  { tiers = {}, ceiling = 'Restricted' }: { tiers?: Readonly<Record<string, Tier>>; ceiling?: Tier } = {},
): Materialisation {
  const classes = [...new Set([...edges.flatMap(({ from, to }) => [from, to]), ...events.map(({ cls }) => cls)])]
  const enterprise = PREFIXES + classes
    .map((name) => `:${name} rdfs:subClassOf :CausalEvent ; :sensitivityTier "${tiers[name] ?? 'Public'}" .`)
    .join('\n')
  const logEvents = PREFIXES + events.map(({ id, cls, at, on, repeats }) => {
    const time = timeAt(at)
    const entity = on === undefined ? '' : ` ; :onEntity <${RECORD}entity/node/${on}>`
    return `r:${id} a :${cls} ; :startedAt "${time}"^^xsd:dateTime${entity}${repeats === undefined ? '' : repeated(at, repeats)} .\n`
  }).join('')
  const causalRules = edges.map(({ from, to, joined }) =>
    compileCausalRule({
      id: `${from}-${to}`.toLowerCase(), pid: '', causeClass: from, effectClass: to, windowSeconds: 30,
      sharedEntity: joined === true ? 'node' : null, baseIri: BASE,
    }),
  )
  return materialise(inputFrom({ enterprise, logEvents }, { baseIri: BASE, rules, causalRules, ceiling }))
}

export const figuresOf = (edges: readonly Edge[]): EdgeFigures[] =>
  edges.map(({ from, to, p50 = null, p95 = null, joined = false }) => ({
    rule: `${from}-${to}`.toLowerCase(), cause: from, effect: to, windowSeconds: 30, joined, confidence: 0.9,
    n: 20, followed: 18, lagMsP50: p50, lagMsP95: p95,
  }))
