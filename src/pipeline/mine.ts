/** Phase mine: logs become candidates in the review queue. The logs room computes, this saves. */
import { rmSync } from 'node:fs'
import { ServiceError } from '../contracts/index.ts'
import {
  BadState, type MappedFiles, type MappingProgress, type Mined, type Reduced, type ReducedTemplates, addCounts, givenStates, mapFiles,
  mineReduced, noCounts, realPath, reduceRows, reduceTemplates, withEvents,
} from '../logs/index.ts'
import { compareText } from '../kernel/term.ts'
import { hash64 } from '../kernel/text/index.ts'
import { withTurtle } from '../review/index.ts'
import { demandLogs } from './demand.ts'
import { writeOutputs } from './files.ts'
import { MINING_SUMMARY, miningSummary, summaryText } from './mining-summary.ts'
import type { Phase, PhaseContext } from './phase.ts'

export const mine: Phase = async (context) => {
  const { reduced, mapped, run } = await reducedLogs(context)
  const mined = mineReduced(reduced, { windowSeconds: context.windowSeconds, gate: context.gate ?? 'sound', dependent: context.dependent ?? false })
  const now = context.clock().toISOString()
  const baseIri = context.config.base_iri
  const seeded = context.workspace.transaction(() => {
    const events = mined.events.map((event) => ({ ...event, run: mapped.files.get(event.file) ?? run }))
    context.workspace.logs.save({ ...mined, events }, { run, now })
    return context.workspace.proposals.upsert(withTurtle(mined.candidates, { baseIri }), now)
  })
  const summary = miningSummary(reduced, mined, context.maxTier)
  const files = writeOutputs(context.config.out, [{ path: MINING_SUMMARY, text: summaryText(summary) }])
  dropWork(context)
  const unstored = reduced.unstored + reduced.events.length - mined.events.length
  const causal = mined.edges.filter(({ verdict }) => verdict === 'LOG_CAUSAL_EDGE').length
  const stated = mined.edges.filter(({ statedVerdict }) => statedVerdict === 'LOG_CAUSAL_EDGE').length
  return {
    lines: [
      `${mined.lines} records of ${reduced.counts.lines} lines read, ${skippedText(mined.skipped)}`,
      ...(mapped.reused > 0 ? [`${mapped.reused} of ${mapped.pieces} pieces were there from a run that was stopped`] : []),
      ...((mapped.repeated ?? 0) > 0 ? [`${mapped.repeated} states were given more than once and are counted once`] : []),
      ...(reduced.overflow > 0 ? [`overflow: ${reduced.overflow} records found no room in the table of shapes and have no template`] : []),
      ...(reduced.leftOut.length > 0 ? [`${reduced.leftOut.length} templates are too frequent to be looked at for order and cause`] : []),
      ...(unstored > 0 ? [`${unstored} events are counted but not stored one by one`] : []),
      `${mined.templates.length} templates, ${mined.edges.length} edges: ${causal} causal, ${mined.edges.length - causal} demoted to relationships`,
      `by the stated conditions alone: ${stated} causal, ${mined.edges.length - stated} demoted`,
      searchedText(mined.searched),
      `${mined.entityEdges.length} pairs of things that go together`,
      `${mined.candidates.length} candidates: ${seeded.inserted} new, ${seeded.kept_decisions} decisions kept`,
    ],
    files,
    counts: {
      lines: mined.lines, templates: mined.templates.length, causal, demoted: mined.edges.length - causal,
      stated_causal: stated, stated_demoted: mined.edges.length - stated,
      inserted: seeded.inserted, kept_decisions: seeded.kept_decisions,
      ...Object.fromEntries(Object.entries(seeded.by_kind).map(([kind, count]) => [kind, count])),
    },
  }
}

/** Templates, events and columns of the logs that the context names. States lie beside the store until `dropWork`. */
export async function reducedLogs(context: PhaseContext): Promise<{ reduced: Reduced; mapped: Mapped; run: string }> {
  const { similarity, minHits } = context
  const mapped = context.states === undefined ? await mappedLogs(context, demandLogs(context)) : handedStates(context.states)
  const templates = demandGood(() => reduceTemplates(mapped.states, {
    ...(similarity === undefined ? {} : { similarity }), ...(minHits === undefined ? {} : { mergeHitFloor: minHits }),
  }))
  addCounts(templates.merged.counts, mapped.counts)
  return { reduced: demandGood(() => withEvents(templates, reduceRows(templates))), mapped, run: context.logPath === null ? runOf(templates) : realPath(context.logPath) }
}

/** States that were not told what they were made of are known by what they say, however it was cut. */
function runOf({ merged, sources }: ReducedTemplates): string {
  const files = [...new Set(sources.flatMap((source) => source.files))].toSorted(compareText)
  const shapes = [...merged.facts].map(([key, { firstMs, timed }]) => `${key} ${firstMs} ${timed}`).toSorted(compareText)
  return `states ${hash64(JSON.stringify([files, shapes]))}`
}

interface Mapped extends MappedFiles {
  readonly repeated?: number
}

const mappedLogs = (context: PhaseContext, logPath: string): Promise<MappedFiles> =>
  mapFiles(logPath, {
    work: workOf(context), onProgress: progressLines(context),
    ...(context.workers === undefined ? {} : { workers: context.workers }), ...(context.signal === undefined ? {} : { signal: context.signal }),
  })

function handedStates(paths: readonly string[]): Mapped {
  const { states, repeated } = demandGood(() => givenStates(paths))
  return { states, files: new Map(), counts: noCounts(), pieces: states.length, reused: 0, repeated }
}

function demandGood<T>(use: () => T): T {
  try {
    return use()
  } catch (cause) {
    if (!(cause instanceof BadState)) throw cause
    throw new ServiceError('invalid_request', cause.message, { stage: 'mine', hint: 'map that part again with mine-map', cause })
  }
}

const workOf = ({ config }: PhaseContext): string => `${config.store}.mining`

/** The states have served: what they say is in the store. */
export const dropWork = (context: PhaseContext): void => rmSync(workOf(context), { recursive: true, force: true })

const PROGRESS_MS = 500

/** `mining 42 %, 120 of 285 MB, 410000 lines/s, 3 s to go`, twice a second at most. */
function progressLines({ progress, clock }: PhaseContext): (state: MappingProgress) => void {
  const since = clock().getTime()
  let told = since
  return ({ bytes, totalBytes, lines }) => {
    const now = clock().getTime()
    if (now - told < PROGRESS_MS) return
    told = now
    const seconds = (now - since) / 1000
    const left = bytes === 0 ? 0 : (seconds * (totalBytes - bytes)) / bytes
    const share = Math.floor((100 * bytes) / Math.max(1, totalBytes))
    progress(`mining ${share} %, ${megabytes(bytes)} of ${megabytes(totalBytes)} MB, ${Math.round(lines / seconds)} lines/s, ${Math.ceil(left)} s to go`)
  }
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)

const skippedText = (skipped: Readonly<Record<string, number>>): string => {
  const parts = Object.entries(skipped).toSorted().map(([reason, count]) => `${count} ${reason}`)
  return parts.length === 0 ? 'none skipped' : `skipped: ${parts.join(', ')}`
}

/** Every event is accounted for: looked at, too rare, looked at only as a cause or by thing, or beyond what the budget allows. */
export function searchedText(searched: Mined['searched']): string {
  const { eligible, pairs, tooRare, tooFrequent, capped, cappedPairs, cappedThings } = searched
  const left = [[capped, 'events'], [cappedPairs, 'pairs'], [cappedThings, 'things in common']] as const
  const over = left.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`).join(' and ')
  return `${eligible} events in ${pairs} pairs looked at, ${tooFrequent} too frequent to be effects by time alone; ${tooRare} too rare` +
    (over === '' ? '' : `; capped: ${over} left out because the log holds more than can be looked at`)
}
