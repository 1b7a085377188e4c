/**
 * How a template of today relates to one of the catalogue: its words laid beside the other's, where a slot of the catalogue may
 * stand for a value that today looks constant (a log in which a value never changes shows it as a word).
 */

export interface Alignment {
  /** twice the constants that both have, through all constants; values under a slot are none. 1 where all is covered */
  readonly similarity: number
  /** everything of today's template is a constant of the catalogue's or stands under one of its slots */
  readonly covered: boolean
  /** constants of the catalogue in whose place there is a slot today */
  readonly freed: readonly string[]
  /** constants of the catalogue that are missing today, and those that came instead */
  readonly lost: readonly string[]
  readonly added: readonly string[]
}

export interface Token {
  readonly text: string
  readonly slot: boolean
}

/** Plain words that one slot may stand for; anything with a figure in it reads like a value and goes in freely. */
const WORDS_PER_SLOT = 2

/** Words and slots; punctuation falls away, slots side by side are one. */
export function tokensOf(template: string): Token[] {
  const tokens: Token[] = []
  for (const [text] of template.matchAll(/(?:<\*>|[^\s:=,;()[\]{}"'|])+/g)) {
    const slot = text.includes('<*>')
    if (!slot && !/[\p{L}\p{N}]/u.test(text)) continue
    if (!slot || tokens.at(-1)?.slot !== true) tokens.push({ text: slot ? '<*>' : text, slot })
  }
  return tokens
}

const isValue = ({ text, slot }: Token): boolean => slot || /\d/.test(text)
const isConstant = (token: Token): boolean => !token.slot

type Step = 'match' | 'absorb' | 'skip-known' | 'skip-today'

/** `known` from the catalogue, `today` from the lines that came in. */
export function align(known: readonly Token[], today: readonly Token[]): Alignment {
  const steps = walk(known, today)
  let [i, j, matched, values, words] = [0, 0, 0, 0, 0]
  const gap = { known: [] as string[], today: [] as string[], slot: false }
  const [freed, lost, added]: string[][] = [[], [], []]
  const closeGap = (): void => {
    if (gap.slot) freed!.push(...gap.known)
    else lost!.push(...gap.known)
    added!.push(...gap.today)
    Object.assign(gap, { known: [], today: [], slot: false })
  }
  for (const step of steps) {
    if (step === 'match') {
      closeGap()
      matched += 1
      i += 1
      j += 1
    } else if (step === 'absorb') {
      if (!isValue(today[j]!)) words += 1
      else if (isConstant(today[j]!)) values += 1
      j += 1
    } else if (step === 'skip-known') {
      if (isConstant(known[i]!)) gap.known.push(known[i]!.text)
      i += 1
    } else {
      if (today[j]!.slot) gap.slot = true
      else gap.today.push(today[j]!.text)
      j += 1
    }
  }
  closeGap()
  const isFree = freed!.length + lost!.length + added!.length === 0
  // more words under slots than agree say nothing: a template that is nearly all slots would know everything
  const agrees = matched > 0 ? matched >= words : known.length === today.length
  const covered = isFree && agrees && today.every((token, t) => !token.slot || isKnownSlot(steps, t))
  const all = known.filter(isConstant).length + today.filter(isConstant).length - values
  return { similarity: covered ? 1 : all === 0 ? 0 : (2 * matched) / all, covered, freed: freed!, lost: lost!, added: added! }
}

/** A slot of today that stands under none of the catalogue's is new, even where no word had to go for it. */
function isKnownSlot(steps: readonly Step[], today: number): boolean {
  let j = 0
  for (const step of steps) {
    if (step === 'skip-known') continue
    if (j === today) return step === 'absorb'
    j += 1
  }
  return false
}

/** The way through both with most equal constants, then most of today under slots. */
function walk(known: readonly Token[], today: readonly Token[]): Step[] {
  const [m, n] = [known.length, today.length]
  const width = n + 1
  const best = new Float64Array((m + 1) * width)
  const steps = Array.from({ length: (m + 1) * width }, (): Step | null => null)
  for (let i = m; i >= 0; i -= 1) {
    for (let j = n; j >= 0; j -= 1) {
      if (i === m && j === n) continue
      let [top, step]: [number, Step] = [-1, 'skip-today']
      const offer = (value: number, by: Step): void => {
        if (value > top) [top, step] = [value, by]
      }
      if (i < m && j < n && !known[i]!.slot && !today[j]!.slot && known[i]!.text === today[j]!.text) offer(1000 + best[(i + 1) * width + j + 1]!, 'match')
      if (i < m && j < n && known[i]!.slot && mayAbsorb(today, i, j, steps, width)) offer(1 + best[i * width + j + 1]!, 'absorb')
      if (i < m) offer(best[(i + 1) * width + j]!, 'skip-known')
      if (j < n) offer(best[i * width + j + 1]!, 'skip-today')
      best[i * width + j] = top
      steps[i * width + j] = step
    }
  }
  const way: Step[] = []
  for (let [i, j] = [0, 0]; i < m || j < n; ) {
    const step = steps[i * width + j]!
    way.push(step)
    if (step !== 'absorb' && step !== 'skip-today') i += 1
    if (step !== 'skip-known') j += 1
  }
  return way
}

/** Plain words already taken by this slot further on are counted along the way that was found best. */
function mayAbsorb(today: readonly Token[], i: number, j: number, steps: readonly (Step | null)[], width: number): boolean {
  if (isValue(today[j]!)) return true
  let words = 1
  for (let t = j + 1; steps[i * width + t] === 'absorb'; t += 1) if (!isValue(today[t]!)) words += 1
  return words <= WORDS_PER_SLOT
}
