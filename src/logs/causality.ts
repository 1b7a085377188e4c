/**
 * The causality gate, as stated: PMI >= 2.0 and temporal lead ratio >= 0.7 and (Granger p < 0.05 or transfer-entropy z > 2).
 * A link that fails stays visible as a relationship, with the conditions it failed.
 */
import { MINING } from '../contracts/index.ts'
import { binCounts, granger, rng, transferEntropy } from '../kernel/stats/index.ts'
import { hash64 } from '../kernel/text/index.ts'
import type { EventLink } from './graph.ts'

export interface Condition {
  readonly condition: 'pmi' | 'temporal_lead_ratio' | 'granger_p' | 'transfer_entropy_z'
  /** null: there was too little to compute it */
  readonly value: number | null
  readonly operator: '>=' | '<' | '>'
  readonly threshold: number
  readonly passed: boolean
}

export interface Verdict {
  readonly verdict: 'LOG_CAUSAL_EDGE' | 'LOG_RELATIONSHIP'
  readonly failed: readonly string[]
  readonly conditions: readonly Condition[]
  readonly grangerP: number | null
  readonly teZ: number | null
}

export interface CausalityOptions {
  readonly startMs: number
  readonly endMs: number
  readonly windowMs: number
  readonly seed: number
}

/** Chosen before looking at any pair: three bins of a sixth of the window reach half a window back. */
const LAG_ORDER = 3
const BINS_PER_WINDOW = 6
/** A long log gets wider bins, so that one pair costs the same in any log. */
const MAX_BINS = 5000

export function judge(link: EventLink, options: CausalityOptions): Verdict {
  const { startMs, endMs, windowMs, seed } = options
  const binMs = Math.max(windowMs / BINS_PER_WINDOW, (endMs - startMs) / MAX_BINS, 1)
  const series = (side: 'a' | 'b'): number[] => binCounts(link.groups.flatMap((group) => group[side]), startMs, endMs, binMs)
  const grangerP = granger(series('a'), series('b'), LAG_ORDER)?.p ?? null
  // a seed of its own for each pair: adding an event elsewhere in the log changes no other pair's figure
  const random = rng(seed + parseInt(hash64(`${link.src} ${link.dst}`).slice(4), 16))
  const teZ = transferEntropy(link.groups, { startMs, endMs, windowMs, random })?.z ?? null
  return gate({ pmi: link.pmi, leadRatio: link.leadRatio, grangerP, teZ })
}

export interface GateFigures {
  readonly pmi: number
  readonly leadRatio: number
  readonly grangerP: number | null
  readonly teZ: number | null
}

/** The gate over its four figures. A test that could not be run has not passed. */
export function gate({ pmi, leadRatio, grangerP, teZ }: GateFigures): Verdict {
  const { gate_pmi, gate_temporal_lead_ratio, gate_granger_p, gate_transfer_entropy_z } = MINING
  const byPmi: Condition = { condition: 'pmi', value: pmi, operator: '>=', threshold: gate_pmi, passed: pmi >= gate_pmi }
  const byLead: Condition = {
    condition: 'temporal_lead_ratio', value: leadRatio, operator: '>=', threshold: gate_temporal_lead_ratio,
    passed: leadRatio >= gate_temporal_lead_ratio,
  }
  const byGranger: Condition = {
    condition: 'granger_p', value: grangerP, operator: '<', threshold: gate_granger_p,
    passed: grangerP !== null && grangerP < gate_granger_p,
  }
  const byTe: Condition = {
    condition: 'transfer_entropy_z', value: teZ, operator: '>', threshold: gate_transfer_entropy_z,
    passed: teZ !== null && teZ > gate_transfer_entropy_z,
  }
  const failed = [byPmi, byLead].flatMap((each) => (each.passed ? [] : [each.condition as string]))
  if (!byGranger.passed && !byTe.passed) failed.push('granger_p or transfer_entropy_z')
  const verdict = failed.length === 0 ? 'LOG_CAUSAL_EDGE' : 'LOG_RELATIONSHIP'
  return { verdict, failed, conditions: [byPmi, byLead, byGranger, byTe], grangerP, teZ }
}
