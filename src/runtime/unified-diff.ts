/**
 * What changed between two texts, as a unified diff. Lines that occur once on both sides are matched first and in order
 * (patience diff), which keeps the blocks of sorted Turtle together; what lies between them is compared line by line.
 */
export interface DiffNames {
  readonly before: string
  readonly after: string
}

interface Change {
  readonly kind: ' ' | '-' | '+'
  readonly line: string
}

const CONTEXT = 3
/** A gap larger than this is shown as removed and added whole: still a right diff, only not the shortest. */
const MAX_CELLS = 1_000_000

/** Empty when the texts are the same. */
export function unifiedDiff(before: string, after: string, names: DiffNames): string {
  if (before === after) return ''
  const changes = compare(linesOf(before), linesOf(after))
  return [`--- ${names.before}`, `+++ ${names.after}`, ...hunks(changes)].map((line) => `${line}\n`).join('')
}

/** A last line without its line break differs from one with it, as diff and patch hold. */
function linesOf(text: string): string[] {
  if (text === '') return []
  const lines = text.split('\n')
  const last = lines.pop() ?? ''
  return last === '' ? lines : [...lines, `${last}\n\\ No newline at end of file`]
}

function compare(before: readonly string[], after: readonly string[]): Change[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1
  const most = Math.min(before.length, after.length) - start
  let end = 0
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1
  const left = before.slice(start, before.length - end)
  const right = after.slice(start, after.length - end)
  return [...same(before.slice(0, start)), ...between(left, right), ...same(end === 0 ? [] : before.slice(-end))]
}

function between(left: readonly string[], right: readonly string[]): Change[] {
  if (left.length === 0 || right.length === 0) return [...removed(left), ...added(right)]
  const anchors = uniqueMatches(left, right)
  if (anchors.length === 0 && left.length * right.length > MAX_CELLS) return [...removed(left), ...added(right)]
  if (anchors.length === 0) return byTable(left, right)
  const changes: Change[] = []
  let [i, j] = [0, 0]
  for (const [x, y] of [...anchors, [left.length, right.length] as const]) {
    for (const change of compare(left.slice(i, x), right.slice(j, y))) changes.push(change)
    if (x < left.length) changes.push(...same(left.slice(x, x + 1)))
    ;[i, j] = [x + 1, y + 1]
  }
  return changes
}

/** Pairs of lines that occur once on each side, the longest run of them that is in order on both. */
function uniqueMatches(left: readonly string[], right: readonly string[]): (readonly [number, number])[] {
  const places = new Map<string, { x: number; y: number; left: number; right: number }>()
  left.forEach((line, x) => {
    const place = places.get(line) ?? { x, y: -1, left: 0, right: 0 }
    places.set(line, { ...place, left: place.left + 1 })
  })
  right.forEach((line, y) => {
    const place = places.get(line)
    if (place !== undefined) places.set(line, { ...place, y, right: place.right + 1 })
  })
  const pairs = [...places.values()].filter((place) => place.left === 1 && place.right === 1).toSorted((p, q) => p.x - q.x)
  return longestRise(pairs.map(({ x, y }) => [x, y] as const))
}

/** Longest increasing subsequence by the second number (patience sorting). */
function longestRise(pairs: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const tops: number[] = []
  const back: number[] = []
  pairs.forEach(([, y], at) => {
    let [low, high] = [0, tops.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((pairs[tops[middle] ?? 0]?.[1] ?? 0) < y) low = middle + 1
      else high = middle
    }
    back[at] = low === 0 ? -1 : (tops[low - 1] ?? -1)
    tops[low] = at
  })
  const run: (readonly [number, number])[] = []
  for (let at = tops.at(-1) ?? -1; at >= 0; at = back[at] ?? -1) {
    const pair = pairs[at]
    if (pair !== undefined) run.push(pair)
  }
  return run.toReversed()
}

/** Longest common subsequence by the full table; only for small gaps. */
function byTable(left: readonly string[], right: readonly string[]): Change[] {
  const width = right.length + 1
  const table = new Uint32Array((left.length + 1) * width)
  const at = (i: number, j: number): number => table[i * width + j] ?? 0
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      table[i * width + j] = left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const changes: Change[] = []
  let [i, j] = [0, 0]
  while (i < left.length && j < right.length) {
    if (left[i] === right[j]) {
      changes.push({ kind: ' ', line: left[i] ?? '' })
      ;[i, j] = [i + 1, j + 1]
    } else if (at(i + 1, j) >= at(i, j + 1)) changes.push({ kind: '-', line: left[i++] ?? '' })
    else changes.push({ kind: '+', line: right[j++] ?? '' })
  }
  return [...changes, ...removed(left.slice(i)), ...added(right.slice(j))]
}

/** Changes with a few lines around them; stretches that touch become one hunk. */
function hunks(changes: readonly Change[]): string[] {
  const out: string[] = []
  let [at, before, after] = [0, 1, 1]
  while (at < changes.length) {
    let first = at
    while (first < changes.length && changes[first]?.kind === ' ') first += 1
    if (first === changes.length) break
    const from = Math.max(at, first - CONTEXT)
    ;[before, after] = [before + (from - at), after + (from - at)]
    let to = first
    for (let i = first; i < changes.length && i <= to + 2 * CONTEXT; i += 1) if (changes[i]?.kind !== ' ') to = i
    const end = Math.min(changes.length, to + CONTEXT + 1)
    const part = changes.slice(from, end)
    const [left, right] = [part.filter(({ kind }) => kind !== '+').length, part.filter(({ kind }) => kind !== '-').length]
    out.push(`@@ -${range(before, left)} +${range(after, right)} @@`)
    // one by one: as arguments of one call a large hunk would overflow the stack
    for (const { kind, line } of part) out.push(kind + line)
    ;[at, before, after] = [end, before + left, after + right]
  }
  return out
}

const range = (start: number, length: number): string =>
  length === 1 ? String(start) : `${length === 0 ? start - 1 : start},${length}`
const same = (lines: readonly string[]): Change[] => lines.map((line) => ({ kind: ' ', line }))
const removed = (lines: readonly string[]): Change[] => lines.map((line) => ({ kind: '-', line }))
const added = (lines: readonly string[]): Change[] => lines.map((line) => ({ kind: '+', line }))
