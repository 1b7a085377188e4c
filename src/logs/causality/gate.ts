/**
 * The causality gate, as stated: PMI >= 2.0 and temporal lead ratio >= 0.7 and (Granger p < 0.05 or transfer-entropy z > 2).
 * What passes must then stand up to the tests that are added: see `judge.ts`.
 */
import { MINING } from '../../contracts/index.ts'

export interface Condition {
  readonly condition: 'pmi' | 'temporal_lead_ratio' | 'granger_p' | 'transfer_entropy_z' | 'false_discovery_q' | 'direction'
  /** null: there was too little to compute it */
  readonly value: number | null
  readonly operator: '>=' | '<' | '>' | '<='
  readonly threshold: number
  readonly passed: boolean
}

export type Kind = 'LOG_CAUSAL_EDGE' | 'LOG_RELATIONSHIP'

export interface GateFigures {
  readonly pmi: number
  readonly leadRatio: number
  readonly grangerP: number | null
  readonly teZ: number | null
}

export interface Gate {
  readonly verdict: Kind
  readonly failed: readonly string[]
  readonly conditions: readonly Condition[]
}

/** The gate over its four figures. A test that could not be run has not passed. */
export function gate({ pmi, leadRatio, grangerP, teZ }: GateFigures): Gate {
  const { gate_pmi, gate_temporal_lead_ratio, gate_granger_p, gate_transfer_entropy_z } = MINING
  const byPmi = condition('pmi', pmi, '>=', gate_pmi)
  const byLead = condition('temporal_lead_ratio', leadRatio, '>=', gate_temporal_lead_ratio)
  const byGranger = condition('granger_p', grangerP, '<', gate_granger_p)
  const byTe = condition('transfer_entropy_z', teZ, '>', gate_transfer_entropy_z)
  const failed: string[] = [byPmi, byLead].filter((each) => !each.passed).map((each) => each.condition)
  if (!byGranger.passed && !byTe.passed) failed.push('granger_p or transfer_entropy_z')
  const verdict = failed.length === 0 ? 'LOG_CAUSAL_EDGE' : 'LOG_RELATIONSHIP'
  return { verdict, failed, conditions: [byPmi, byLead, byGranger, byTe] }
}

const HOLDS: Record<Condition['operator'], (value: number, threshold: number) => boolean> = {
  '>=': (value, threshold) => value >= threshold,
  '>': (value, threshold) => value > threshold,
  '<': (value, threshold) => value < threshold,
  '<=': (value, threshold) => value <= threshold,
}

export const condition = (
  name: Condition['condition'], value: number | null, operator: Condition['operator'], threshold: number,
): Condition => ({ condition: name, value, operator, threshold, passed: value !== null && HOLDS[operator](value, threshold) })
