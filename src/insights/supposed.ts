/**
 * Steps that the graph does not prove and that may have been: a line in between is missing, two clocks disagree, or the effect came
 * later than its rule looks. They compete with proven steps at a discount, are marked wherever they show, and carry no proof.
 */
import type { EdgeBook, EdgeModel } from './edge-book.ts'
import type { Event } from './events.ts'
import { eventsBetween, lagOf, sharedNames } from './events.ts'
import type { Lags } from './lags.ts'
import { lagFit, lagsInARow } from './lags.ts'

export interface SupposedHop {
  readonly cause: Event
  readonly lags: Lags
  /** per millisecond, as that of a proven step */
  readonly weight: number
  readonly confidence: number
  readonly why: string
}

/** Services whose clocks are set by the network rarely differ by more. */
const SKEW_MS = 250
/** How much less likely each of the three is than that nothing went wrong. */
const DISCOUNT = { gap: 0.1, clock: 0.25, late: 0.5 } as const
/** A supposed step must at least fit in time. */
const LEAST_FIT = 0.01

export function supposedHops(book: EdgeBook, effect: Event): SupposedHop[] {
  return book.into(effect.className).flatMap((model) => [
    ...lateHops(book, model, effect),
    ...clockHops(book, model, effect),
    ...book.into(model.figures.cause).flatMap((first) => gapHops(book, first, model, effect)),
  ])
}

const joins = (joined: boolean, cause: Event, effect: Event): boolean => !joined || sharedNames(cause, effect).length > 0

function lateHops(book: EdgeBook, model: EdgeModel, effect: Event): SupposedHop[] {
  const { figures, lags } = model
  return eventsBetween(book.view, figures.cause, effect.ms - 2 * lags.windowMs, effect.ms - lags.windowMs - 1)
    .filter((cause) => joins(figures.joined, cause, effect) && lagFit(lags, lagOf({ cause, effect })) >= LEAST_FIT)
    .map((cause) => ({
      cause,
      lags,
      weight: book.weightOf(model, cause, effect) * DISCOUNT.late,
      confidence: figures.confidence ?? 1,
      why: `it came later than the ${figures.windowSeconds} s that the rule looks`,
    }))
}

function clockHops(book: EdgeBook, model: EdgeModel, effect: Event): SupposedHop[] {
  const { figures, lags } = model
  return eventsBetween(book.view, figures.cause, effect.ms, effect.ms + SKEW_MS)
    .filter((cause) => cause !== effect && joins(figures.joined, cause, effect))
    .map((cause) => ({
      cause,
      lags,
      // had the clocks agreed, the lag would have been this at most
      weight: book.weightOf(model, cause, effect, SKEW_MS - (cause.ms - effect.ms)) * DISCOUNT.clock,
      confidence: figures.confidence ?? 1,
      why: `it is logged ${cause.ms - effect.ms} ms before its cause, as clocks that disagree would have it`,
    }))
}

function gapHops(book: EdgeBook, first: EdgeModel, second: EdgeModel, effect: Event): SupposedHop[] {
  const between = second.figures.cause
  if (first.figures.cause === effect.className || between === effect.className) return []
  const lags = lagsInARow(first.lags, second.lags)
  const joined = first.figures.joined && second.figures.joined
  const rates = { lags, strength: first.strength * second.strength, sharing: first.sharing * second.sharing }
  return eventsBetween(book.view, first.figures.cause, effect.ms - lags.windowMs, effect.ms - 1)
    .filter((cause) => joins(joined, cause, effect) && lagFit(lags, lagOf({ cause, effect })) >= LEAST_FIT)
    .filter((cause) => !hasBetween(book, cause, between, effect))
    .map((cause) => ({
      cause,
      lags,
      weight: book.weightOf(rates, cause, effect) * DISCOUNT.gap,
      confidence: (first.figures.confidence ?? 1) * (second.figures.confidence ?? 1),
      why: `no ${between} is logged in between, where there is one as a rule`,
    }))
}

/** The line that would be missing is there: then nothing is missing, and the proven steps tell. */
const hasBetween = ({ view }: EdgeBook, cause: Event, between: string, effect: Event): boolean =>
  (view.effects.get(cause) ?? []).some(({ effect: one }) => one.className === between && one.ms < effect.ms)
