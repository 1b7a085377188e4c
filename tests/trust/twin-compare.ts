/** Two worlds asked the same: the first bytes in which they differ, channel by channel. */
import type { Tier } from '../../src/contracts/index.ts'
import { ALONE, CHANNELS, OF_OTHERS } from './twin-channels.ts'
import { type Draft, draftOf, withoutHidden } from './twin-draft.ts'
import { type Rows, rowsOf, twinOf } from './twin-rows.ts'
import { type Asker, Seen, type TwinWorld, askersAt, grantedOnly, twinWorld } from './twin-world.ts'

export interface Difference {
  readonly channel: string
  readonly seed: number
  readonly ceiling: Tier
  readonly ask: string
  readonly one: string
  readonly other: string
}

export interface Comparison {
  readonly cases: number
  readonly differences: readonly Difference[]
  readonly answered: number
  readonly bugs: readonly string[]
  /** milliseconds of each channel */
  readonly spent: ReadonlyMap<string, number>
}

export interface Compared {
  readonly seed: number
  readonly ceiling: Tier
  readonly size: number
  readonly channels?: readonly string[]
}

/** The twin differs in values above the ceiling. */
export function compareTwins(about: Compared): Promise<Comparison> {
  const draft = draftOf(about.seed)
  const rows = rowsOf(draft)
  const twin = twinOf(draft, rows, about.ceiling)
  return compare(about, draft, askersAt(about.ceiling), [draft, rows], [draft, twin])
}

/** The twin never had what the ceiling hides: to a caller whose grant that is, hidden and absent are the same. */
export function compareWithout(about: Compared): Promise<Comparison> {
  const draft = draftOf(about.seed)
  const rows = rowsOf(draft)
  const channels = (about.channels ?? Object.keys(CHANNELS)).filter((channel) => !OF_OTHERS.has(channel))
  return compare({ ...about, channels }, draft, grantedOnly(about.ceiling), [draft, rows], [withoutHidden(draft, about.ceiling), rows])
}

async function compare(about: Compared, draft: Draft, askers: readonly Asker[], one: [Draft, Rows], other: [Draft, Rows]): Promise<Comparison> {
  const { seed, ceiling, size, channels = Object.keys(CHANNELS) } = about
  const worlds = await Promise.all([twinWorld(...one), twinWorld(...other)])
  const differences: Difference[] = []
  const spent = new Map<string, number>()
  let answered = 0
  const bugs: string[] = []
  try {
    for (const channel of channels) {
      const since = performance.now()
      const ask = async (world: TwinWorld): Promise<string[]> => {
        const seen = new Seen(world)
        await CHANNELS[channel]?.({ seen, draft, ceiling, size, askers, rows: [one[1], other[1]] })
        answered += seen.answered
        bugs.push(...seen.bugs)
        return seen.parts
      }
      const [a, b] = ALONE.has(channel) ? [await ask(worlds[0]), await ask(worlds[1])] : await Promise.all([ask(worlds[0]), ask(worlds[1])])
      spent.set(channel, performance.now() - since)
      const at = a.findIndex((part, i) => part !== b[i])
      if (at === -1 && a.length === b.length) continue
      differences.push({ channel, seed, ceiling, ...firstBytes(a[at] ?? '(nothing)', b[at] ?? '(nothing)') })
    }
  } finally {
    await Promise.all(worlds.map((world) => world.close()))
  }
  return { cases: channels.length, differences, answered, bugs, spent }
}

function firstBytes(one: string, other: string): Pick<Difference, 'ask' | 'one' | 'other'> {
  const at = [...one].findIndex((sign, i) => sign !== [...other][i])
  const from = Math.max(0, at - 60)
  return { ask: one.split('\n', 1)[0] ?? '', one: one.slice(from, at + 80), other: other.slice(from, at + 80) }
}

export const shown = ({ channel, seed, ceiling, ask, one, other }: Difference): string =>
  `${channel}, ${ceiling}, seed ${seed}: ${ask.slice(0, 300)}\n  one   ${one}\n  other ${other}`
