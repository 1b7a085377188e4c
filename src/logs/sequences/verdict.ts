/**
 * From strangeness to a proposal. A sequence is proposed when it is rare among ordinary ones (p at most .01) and stays so after
 * counting how many were looked at (false discovery rate), or when it holds a template that next to no other sequence holds.
 */
import { MINING } from '../../contracts/index.ts'

/** A p at or below this is worth the anomaly confidence by itself. */
export const SURE = 0.01
/** The share of wrong ones among what is proposed. */
export const FALSE_DISCOVERY = 0.05

export interface Rarity {
  /** sequences that hold the rarest template of this one, itself included */
  readonly holders: number
  /** sequences whose rarest template is as rare, itself included */
  readonly asRare: number
  /** holders of the rarest template of those sequences that come next: how far the rare ones stand apart */
  readonly nextHolders: number
  readonly sequences: number
}

export interface Confidence {
  readonly calibrated: number
  readonly rarityFloor: number
  readonly confidence: number
  readonly proposed: boolean
}

export function confidenceOf(p: number, q: number, rarity: Rarity): Confidence {
  const calibrated = calibratedConfidence(p, q)
  const rarityFloor = floorOf(rarity)
  const confidence = Math.max(calibrated, rarityFloor)
  return { calibrated, rarityFloor, confidence, proposed: confidence >= MINING.anomaly_confidence }
}

/** At the bar for p = .01 and 1 for p = 0; below the bar as soon as p or q is above its level. */
function calibratedConfidence(p: number, q: number): number {
  const bar = MINING.anomaly_confidence
  if (p <= SURE && q <= FALSE_DISCOVERY) return bar + (1 - bar) * (1 - p / SURE)
  return bar * 0.999 * Math.min(1, SURE / p) * Math.min(1, FALSE_DISCOVERY / q)
}

/** Rare sequences that stand apart from all others may be this many, where they hold templates that hardly any other holds. */
const APART = { share: 0.05, factor: 5 } as const

/** How far above the bar rarity alone may lift a sequence: a new template is worth a look, it is no proof. */
const ABOVE_BAR = 0.05

/**
 * The rarer its rarest template, the higher. It reaches the bar only where such sequences are at most one in a hundred (or the
 * only one), or a few more that nothing leads over to: in a log where every other sequence brings something new, something new is
 * no news.
 */
function floorOf({ holders, asRare, nextHolders, sequences }: Rarity): number {
  const bar = MINING.anomaly_confidence
  if (sequences < 2 || holders === 0) return 0
  const rare = 1 - Math.log(Math.max(1, holders)) / Math.log(sequences)
  const few = Math.max(1, SURE * sequences)
  const isApart = holders <= few && asRare <= APART.share * sequences && nextHolders >= APART.factor * holders
  return asRare <= few || isApart ? bar + ABOVE_BAR * rare : bar * rare * (1 / asRare)
}
