/** Counting by name. */
import { compareText } from '../kernel/term.ts'

/** How often each name occurs, most frequent first, equal ones in code-unit order. */
export function tally<T>(items: readonly T[], name: (item: T) => string): [name: string, count: number][] {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(name(item), (counts.get(name(item)) ?? 0) + 1)
  return [...counts].toSorted(([x, m], [y, n]) => n - m || compareText(x, y))
}

/** Figures in evidence carry six significant digits: in the last ones hosts may differ. */
export const rounded = (value: number): number => Number(value.toPrecision(6))
