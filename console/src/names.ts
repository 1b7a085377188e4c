/** Short names for long ones: the label of a record where the answer gives one, else the end of its IRI. */
import type { SearchAnswer, StageEvent } from './wire.ts'

export const shortName = (iri: string): string => {
  const bare = iri.replace(/[/#]+$/, '')
  const cut = Math.max(bare.lastIndexOf('#'), bare.lastIndexOf('/'))
  return /^[a-z][a-z0-9+.-]*:/i.test(iri) ? decode(bare.slice(cut + 1)) : iri
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function labels({ citations, subgraph }: Pick<SearchAnswer, 'citations' | 'subgraph'>): (iri: string) => string {
  const known = new Map<string, string>()
  for (const { iri, label } of subgraph.view.nodes) known.set(iri, label)
  for (const { iri, label } of citations) known.set(iri, label)
  return (iri) => known.get(iri) ?? shortName(iri)
}

export function milliseconds(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(2)} s`
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`
}

export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

/** A sentence cut at its markers: texts and the numbers of the records that stand between them. */
export const cutMarkers = (text: string): (string | number)[] =>
  text
    .split(/\s*\[(\d+)\]/)
    .map((part, index) => (index % 2 === 1 ? Number(part) : part))
    .filter((part) => part !== '')

/** A stage in a few words, from the details it came with. */
export function stageSummary({ stage, status, ...detail }: StageEvent): string {
  if (status === 'skipped') return 'not needed'
  const count = (name: string): number => {
    const value = detail[name]
    return Array.isArray(value) ? value.length : typeof value === 'number' ? value : 0
  }
  const words = (name: string): string => {
    const value = detail[name]
    return Array.isArray(value) ? value.map(String).join(', ') : typeof value === 'string' ? value : ''
  }
  switch (stage) {
    case 'plan':
      return [words('intent'), words('classes')].filter((text) => text !== '').join(' · ')
    case 'execute':
      return plural(count('rows'), 'row')
    case 'relations':
      return `${plural(count('neighbour_rows'), 'neighbour')}, ${plural(count('hops'), 'hop')}`
    case 'reason':
      return `${plural(count('derived'), 'fact')}, ${plural(count('rules_fired'), 'rule')}`
    case 'synthesize':
      return `${plural(count('claims'), 'claim')}${count('dropped') === 0 ? '' : `, ${count('dropped')} dropped`}`
  }
}
