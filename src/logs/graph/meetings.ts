/** Which events stand together in how many units (windows of time, or things), within bounds of work and of memory. */

export interface Meeting {
  /** indices of templates, the smaller first */
  readonly a: number
  readonly b: number
  readonly together: number
  /** of all units that hold either, roughly: 1 where they always meet */
  readonly closeness: number
}

export interface MeetingOptions {
  /** units that two must share */
  readonly least: number
  /** pairs that are given back; above it those that meet least of their time are left out */
  readonly most: number
  /** pairs that may be counted in all units; above it the units that hold most are left out */
  readonly budget?: number
  readonly except?: (a: number, b: number) => boolean
}

export interface Meetings {
  readonly found: readonly Meeting[]
  /** pairs and units that were left out */
  readonly left: number
  readonly leftUnits: number
}

/** `units` by template, templates ascending and below `size`. */
export function meetings(
  units: readonly (readonly [template: number, units: readonly number[]])[], size: number,
  { least, most, budget = Infinity, except = () => false }: MeetingOptions,
): Meetings {
  const inside = new Map<number, number[]>()
  for (const [template, own] of units) {
    for (const unit of own) {
      const there = inside.get(unit)
      if (there === undefined) inside.set(unit, [template])
      else there.push(template)
    }
  }
  const leftUnits = dropFullest(inside, budget)
  const sizes = new Uint32Array(size)
  for (const [template, own] of units) sizes[template] = own.length
  // one row of the table of pairs at a time: the whole table may be larger than any map
  const row = new Uint32Array(size)
  let found: Meeting[] = []
  let left = 0
  for (const [a, own] of units) {
    const met: number[] = []
    for (const unit of own) {
      for (const b of inside.get(unit) ?? []) {
        if (b <= a) continue
        if (row[b] === 0) met.push(b)
        row[b] = (row[b] ?? 0) + 1
      }
    }
    for (const b of met) {
      const together = row[b] ?? 0
      row[b] = 0
      if (together < least || except(a, b)) continue
      found.push({ a, b, together, closeness: together / Math.sqrt((sizes[a] ?? 1) * (sizes[b] ?? 1)) })
    }
    if (found.length <= 2 * most) continue
    left += found.length - most
    found = closest(found, most)
  }
  return { found: closest(found, most), left: left + Math.max(0, found.length - most), leftUnits }
}

const closest = (found: Meeting[], most: number): Meeting[] =>
  found.length <= most ? found : found.toSorted((x, y) => y.closeness - x.closeness || x.a - y.a || x.b - y.b).slice(0, most)

/** Takes the units that hold most templates away until the pairs of all fit the budget; gives their number. */
function dropFullest(inside: Map<number, number[]>, budget: number): number {
  const pairsOf = (templates: readonly number[]): number => (templates.length * (templates.length - 1)) / 2
  let pairs = 0
  for (const templates of inside.values()) pairs += pairsOf(templates)
  if (pairs <= budget) return 0
  const fullest = [...inside].toSorted(([x, inX], [y, inY]) => inY.length - inX.length || x - y)
  let dropped = 0
  for (const [unit, templates] of fullest) {
    if (pairs <= budget) break
    pairs -= pairsOf(templates)
    inside.delete(unit)
    dropped += 1
  }
  return dropped
}
