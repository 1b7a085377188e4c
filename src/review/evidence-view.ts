/** A candidate's evidence as a reviewer reads it: samples, histograms, the gate with its thresholds, and the lines themselves. */
import { z } from 'zod'
import { type EvidenceView, type Proposal, Tier, type Tier as TierName, UNLABELLED, maxTier as graver, within } from '../contracts/index.ts'
import type { Workspace } from '../store/index.ts'
import { cutProposal, severityTier } from './cut.ts'
import { visibleProposal } from './queue.ts'

/** Where to read the text of a line, when the caller may. */
export interface LinePlace {
  readonly path: string
  readonly offset: number
  /** its words must still be there: files are rotated and rewritten */
  readonly template: string
}

type Line = EvidenceView['lines'][number]

const Slot = z.object({
  name: z.string().default(''),
  type: z.string().default(''),
  subtype: z.string().default(''),
  distinctCount: z.int().default(0),
  sampleCount: z.int().default(0),
  topValues: z.array(z.tuple([z.string(), z.int()])).default([]),
  piiRisk: z.boolean().default(false),
  tier: Tier.catch(UNLABELLED).default(UNLABELLED),
})
const Place = z.object({ file: z.string(), offset: z.int(), ts: z.string().nullable().default(null) })
const Pair = z.object({ cause: Place, effect: Place, lag_ms: z.number() })
const Condition = z.object({
  condition: z.string(), value: z.number().nullable(), operator: z.string(), threshold: z.number(), passed: z.boolean(),
})
const Lags = z.object({
  followed: z.number(),
  expected: z.number(),
  from_ms: z.number().default(0),
  bits: z.number().default(0),
  surrogate_bits: z.number().default(0),
  histogram: z.array(z.object({ to_ms: z.number(), observed: z.number(), expected: z.number() })),
})
/** What has a place of its own in the view; the rest are figures. */
const PLACED = ['slots', 'lines', 'line_pairs', 'gate', 'lags', 'failed_conditions', 'stated_verdict', 'explained_by', 'top_values', 'samples']

/** Reads lines through `textAt`, which gives null for what can no longer be read. */
export async function evidenceView(
  workspace: Workspace,
  pid: string,
  { maxTier: ceiling, textAt }: { readonly maxTier: TierName; readonly textAt: (place: LinePlace) => Promise<string | null> },
): Promise<EvidenceView> {
  const proposal = cutProposal(workspace, visibleProposal(workspace, pid, ceiling), ceiling)
  const { evidence } = proposal
  const line = async (place: z.infer<typeof Place>, cluster: unknown): Promise<Line> => ({
    ...place, text: await textOf(workspace, proposal, place, cluster, ceiling, textAt),
  })
  const [clusters, failed] = [listOf(z.string(), evidence['clusters']), listOf(z.string(), evidence['failed_conditions'])]
  const lines = listOf(Place, evidence['lines'])
  const pairs = listOf(Pair, evidence['line_pairs'])
  const merged = workspace.proposals.mergedInto(pid).filter(({ tier, status }) => status === 'MERGED' && within(tier, ceiling))
  return {
    pid,
    proposal_type: proposal.proposal_type,
    samples: [...new Set([...proposal.evidence_sample.split('\n'), ...listOf(z.string(), evidence['samples'])])].filter((each) => each !== ''),
    slots: slotsOf(evidence),
    lag_histogram: lagsOf(evidence['lags']),
    gate: listOf(Condition, evidence['gate']),
    verdict: proposal.proposal_type,
    stated_verdict: textual(evidence['stated_verdict']),
    failed_conditions: failed,
    why_demoted: whyDemoted(proposal, failed),
    explained_by: textual(evidence['explained_by']),
    lines: await Promise.all(lines.map((place) => line(place, clusters.length === 1 ? clusters[0] : undefined))),
    line_pairs: await Promise.all(
      pairs.map(async ({ cause, effect, lag_ms }) => ({
        cause: await line(cause, evidence['cause_cluster']), effect: await line(effect, evidence['effect_cluster']), lag_ms,
      })),
    ),
    merged: merged.map((each) => ({ pid: each.pid, name: each.name })),
    figures: Object.fromEntries(Object.entries(evidence).filter(([key]) => !PLACED.includes(key))),
  }
}

/** Raw text takes the tier of the line and of every slot in it: the masked sample is for everybody else. */
async function textOf(
  { logs }: Workspace,
  { tier }: Proposal,
  { file, offset }: { file: string; offset: number },
  cluster: unknown,
  ceiling: TierName,
  textAt: (place: LinePlace) => Promise<string | null>,
): Promise<string | null> {
  const source = logs.lineSource({ file, offset, ...(typeof cluster === 'string' ? { clusterId: cluster } : {}) })
  if (source === null) return null
  const needed = graver(tier, severityTier(source.severity), ...source.slotTiers)
  return within(needed, ceiling) ? textAt({ path: source.path, offset, template: source.template }) : null
}

function slotsOf(evidence: Readonly<Record<string, unknown>>): EvidenceView['slots'] {
  const slots = listOf(Slot, evidence['slots']).map((slot) => ({
    name: slot.name, type: slot.type, subtype: slot.subtype, distinct_count: slot.distinctCount, sample_count: slot.sampleCount,
    pii_risk: slot.piiRisk, tier: slot.tier, histogram: slot.topValues.map(([value, count]) => ({ value, count })),
  }))
  // an entity is one slot over many templates
  const values = listOf(z.tuple([z.string(), z.int()]), evidence['top_values'])
  if (values.length === 0) return slots
  const count = (key: string) => (typeof evidence[key] === 'number' ? evidence[key] : 0)
  return [...slots, {
    name: textual(evidence['slot']) ?? '', type: '', subtype: '', distinct_count: count('values'), sample_count: count('occurrences'), pii_risk: false,
    tier: UNLABELLED, histogram: values.map(([value, n]) => ({ value, count: n })),
  }]
}

function lagsOf(value: unknown): EvidenceView['lag_histogram'] {
  const read = Lags.safeParse(value)
  if (!read.success) return null
  const { histogram, followed, expected, bits, surrogate_bits } = read.data
  const bins = histogram.map((bin, i) => ({ from_ms: i === 0 ? 0 : histogram[i - 1]!.to_ms, ...bin }))
  return { bins, followed, expected, bits, surrogate_bits }
}

function whyDemoted({ proposal_type: kind, edits, evidence }: Proposal, failed: readonly string[]): string | null {
  if (kind !== 'LOG_RELATIONSHIP') return null
  if (edits['proposal_type'] === 'LOG_RELATIONSHIP') return 'a reviewer took the causal claim away'
  if (failed.length === 0) return null
  const by = textual(evidence['explained_by'])
  return `failed: ${failed.join(', ')}${by === null ? '' : `; explained by ${by}`}`
}

const textual = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** What fits of a list: an older program may have written other things beside. */
const listOf = <Shape extends z.ZodType>(shape: Shape, value: unknown): z.infer<Shape>[] =>
  (Array.isArray(value) ? value : []).flatMap((each) => {
    const read = shape.safeParse(each)
    return read.success ? [read.data] : []
  })
