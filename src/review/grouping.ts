/**
 * Near-duplicates, so that a reviewer meets one row and not twenty: events whose templates are the same but for one word or any
 * numbers, and edges between the same groups of events. Each group has a leader and everything in it is like the leader; likeness
 * is not passed on from member to member, or a long chain would end in one group.
 */
import { hashHalves } from '../kernel/text/index.ts'
import type { Brief } from './brief.ts'

/** Below this many words, one word is most of the meaning: `link down` and `link up` are no duplicates. */
const LEAST_WORDS = 4
/** Longer templates are compared by their beginnings. */
const MOST_WORDS = 40

/** The leader's pid for each candidate. `briefs` come best first: the best of a group leads it. */
export function groupsOf(briefs: readonly Brief[]): Map<string, string> {
  const groups = new Map<string, string>()
  const leaders = new Map<string | number, string>()
  const join = (brief: Brief, keys: readonly (string | number)[]): void => {
    const found = keys.map((key) => leaders.get(key)).find((leader) => leader !== undefined)
    groups.set(brief.pid, found ?? brief.pid)
    if (found === undefined) for (const key of keys) leaders.set(key, brief.pid)
  }
  const isEdge = ({ cause, effect }: Brief) => cause !== null && effect !== null
  const byCluster = new Map<string, string>()
  for (const brief of briefs) {
    if (isEdge(brief)) continue
    join(brief, keysOf(brief))
    if (brief.kind !== 'LOG_EVENT' || brief.strategy === 'HMM_SEQUENCE_ANOMALY') continue
    for (const cluster of brief.clusters) byCluster.set(cluster, groups.get(brief.pid) ?? brief.pid)
  }
  const end = (cluster: string | null): string => byCluster.get(cluster ?? '') ?? cluster ?? ''
  for (const brief of briefs) if (isEdge(brief)) join(brief, [`${brief.kind} ${end(brief.cause)} > ${end(brief.effect)}`])
  return groups
}

/** What two candidates must share one of to be near-duplicates. */
function keysOf({ kind, strategy, severity, text }: Brief): (string | number)[] {
  // a decision for a group must not cross kinds, ways of finding or severities
  const mark = `${kind} ${strategy === 'HMM_SEQUENCE_ANOMALY' ? 'sequence' : ''} ${severity} `
  const words = wordsOf(text)
  const whole = mark + words.join(' ')
  if (words.length < LEAST_WORDS) return [whole]
  // the words with a hole at each place, as sums: taking one word out of a sum is one subtraction
  const signs = words.slice(0, MOST_WORDS).map((word, i) => signOf(`${i} ${word}`))
  const rest = signOf(`${mark}${words.length} ${words.slice(MOST_WORDS).join(' ')}`)
  const sum = signs.reduce((total, sign) => total + sign, rest)
  return [whole, ...signs.map((sign, i) => sum - sign + signOf(`hole ${i}`))]
}

const known = new Map<string, number>()
const MOST_KNOWN = 100_000

/** A text as a number below 2^46: some forty of them add up exactly. */
function signOf(text: string): number {
  const found = known.get(text)
  if (found !== undefined) return found
  const [high, low] = hashHalves(text)
  const sign = (high & 0x3fff) * 0x1_0000_0000 + low
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(text, sign)
  return sign
}

/** Numbers and slots are all alike. */
const wordsOf = (text: string): string[] =>
  text.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/<[^<>\s]*>|\d+/g, '#').split(/[^\p{L}#]+/u).filter((word) => word !== '').map((word) => word.toLowerCase())
