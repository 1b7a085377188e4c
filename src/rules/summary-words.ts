/** Names of an ontology as English words: `:Alarm.raised_at` is "raised at", `:KpiSample` is "kpi sample". */
import { type Term, XSD } from '../kernel/term.ts'
import { splitIdentifier } from '../kernel/text/index.ts'

/** The last part of an IRI; of `Alarm.state` only the column. */
function localName(iri: string): string {
  const name = iri.slice(Math.max(iri.lastIndexOf('#'), iri.lastIndexOf('/')) + 1)
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

export const classWords = (iri: string): string => splitIdentifier(localName(iri)).join(' ').toLowerCase() || iri
export const propertyWords = (iri: string): string => {
  const name = localName(iri)
  return splitIdentifier(name.slice(name.lastIndexOf('.') + 1)).join(' ').toLowerCase() || iri
}

/** The same as a noun: what `hasCause` leads to is a cause. */
export const propertyNoun = (iri: string): string => propertyWords(iri).replace(/^(?:has|is) (?=.)/, '')

export const withArticle = (words: string): string => `${/^(?:[aeio]|u(?!ni|s|r[ait])|nf |sla\b)/i.test(words) ? 'an' : 'a'} ${words}`

export const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

export function listed(parts: readonly string[], last = 'and'): string {
  if (parts.length < 2) return parts.join('')
  const comma = parts.length > 2 || parts.some((part) => part.includes(',') || part.length > 40) ? ',' : ''
  return `${parts.slice(0, -1).join(', ')}${comma} ${last} ${parts.at(-1) ?? ''}`
}

/** A value as people read it; a thing by its name. */
export function valueWords(term: Term): string {
  if (term.kind === 'iri') return classWords(term.value)
  if (term.kind === 'bnode') return 'something'
  const isPlain = term.datatype !== `${XSD}string` || /^[\p{L}\p{N}_.-]{1,30}$/u.test(term.value)
  return isPlain ? term.value : JSON.stringify(term.value)
}

const PREPOSITIONS = new Set(['by', 'from', 'on', 'with', 'to', 'for', 'in', 'at', 'of', 'within', 'under'])

/** "depends on", "is impacted by", "has cause", "has the single point of failure". */
export function verbPhrase(words: string): string {
  const parts = words.split(' ')
  const [first = '', ...more] = parts
  if (first === 'has' && more.length > 0) return `has the ${more.join(' ')}`
  if (['is', 'was', 'are'].includes(first) && more.length > 0) return words
  if (/(?:[^s]s)$/.test(first) && (more.length > 0 || !/(?:us|is)$/.test(first))) return words
  if (PREPOSITIONS.has(parts.at(-1) ?? '')) return `is ${words}`
  return `has the ${words}`
}
