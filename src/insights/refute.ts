/** What would show that the chain is wrong: what should be in the logs and is not, what should not be, and what to look up. */
import type { Blame } from './blame.ts'
import type { EdgeModel } from './edge-book.ts'
import type { Event, View } from './events.ts'
import { eventsBetween, lagOf, lineBefore, sharedNames } from './events.ts'
import { usualLags } from './lags.ts'
import type { RankedRoot } from './rank.ts'
import { clockTime, onWhat, seconds } from './wording.ts'

const DAY_MS = 86_400_000
/** Lines of each kind: a reader wants the few that matter. */
const MOST = 6
/** An effect that follows at least so often is expected. */
const EXPECTED = 0.5

export function refutationOf({ book }: Blame, event: Event, { event: root, path }: RankedRoot): string[] {
  const steps = path.flatMap((hop, n) => {
    const usual = usualLags(hop.lags) ?? [0, hop.lags.windowMs]
    const shared = sharedNames(hop.cause, hop.effect)
    const where = onWhat(hop.effect, shared)
    const by = hop.effect.service === null ? 'the logs hold' : `${hop.effect.service} logs`
    const from = lineBefore(hop.cause, hop.effect).ms
    const between = `between ${clockTime(from + usual[0])} and ${clockTime(from + usual[1])}`
    const lag = lagOf(hop)
    const model = book.between(hop.cause, hop.effect)
    const fits = lag >= usual[0] && lag <= usual[1]
    return [
      hop.supposed === null
        ? `refuted if ${by} no ${hop.effect.className}${where} ${between}: step ${n + 1} rests on ${lineText(hop.effect)}`
        : `step ${n + 1} is only supposed: it falls if the missing line turns up elsewhere or the clocks of ${hop.cause.service ?? 'the cause'} and ${hop.effect.service ?? 'the effect'} agree`,
      ...(fits ? [] : [`against it: the lag of step ${n + 1} is ${seconds(lag)}, where ${seconds(usual[0])} to ${seconds(usual[1])} are usual`]),
      ...(model === undefined ? [] : counterexamples(book.view, model, event)),
    ]
  })
  const missing = book.outOf(root.className).flatMap((model) => expectedAndMissing(book.view, model, root))
  return [...steps.slice(0, 3 * MOST), ...missing.slice(0, MOST)]
}

const lineText = ({ line, time }: Event): string => (line === null ? `the event at ${time}` : `${line.file}:${line.offset}`)

/** The same kind of cause without this effect, in the day before. */
function counterexamples(view: View, { figures, lags }: EdgeModel, event: Event): string[] {
  const causes = eventsBetween(view, figures.cause, event.ms - DAY_MS, event.ms)
  const followed = causes.filter((cause) => (view.effects.get(cause) ?? []).some(({ effect }) => effect.className === figures.effect))
  const without = causes.length - followed.length
  if (causes.length < 2) return []
  const within = `${figures.effect} within ${seconds(lags.windowMs)}`
  if (without === 0) return [`for it: each of the ${causes.length} ${figures.cause} of the last day was followed by ${within}`]
  return [`against it: ${without} of the ${causes.length} ${figures.cause} of the last day had no ${within}`]
}

/** What such a root brings about as a rule, and what is not there. */
function expectedAndMissing(view: View, { figures, strength, lags }: EdgeModel, root: Event): string[] {
  if (strength < EXPECTED || (view.effects.get(root) ?? []).some(({ effect }) => effect.className === figures.effect)) return []
  const usual = usualLags(lags)
  if (usual === null) return []
  const window = `${clockTime(root.ms + usual[0])} and ${clockTime(root.ms + usual[1])}`
  return [`against it: ${figures.cause} brings ${figures.effect} about in ${Math.round(100 * strength)} % of cases, and none is logged between ${window}`]
}
