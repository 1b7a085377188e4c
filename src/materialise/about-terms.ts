/** What the graph says of single terms: whether they occur in it at all, and how they are called. */
import type { Explanation, PremiseNode, TripleText } from '../contracts/index.ts'
import { tierAt, within } from '../contracts/index.ts'
import { RDFS } from '../kernel/rdf/index.ts'
import { compareText, iri, termKey } from '../kernel/term.ts'
import type { Materialisation } from './materialisation.ts'
import type { Prefixes } from './terms.ts'
import { projectPrefixes, readingsOf } from './terms.ts'

/** Of a triple's subject and object those that are part of no triple that the graph's ceiling allows, as they were written. */
export function strangersIn(m: Materialisation, triple: TripleText, prefixes: Prefixes = projectPrefixes(m.baseIri)): string[] {
  const asked = (['subject', 'object'] as const).map((place) => {
    const readings = readingsOf(triple[place], place, prefixes)
    return { text: triple[place], keys: new Set(readings.map(termKey)), isKnown: false }
  })
  for (const quads of [m.asserted, m.derived]) {
    for (const { quad, tier } of quads) {
      if (!within(tier, m.ceiling)) continue
      for (const term of [quad.subject, quad.predicate, quad.object]) {
        const key = termKey(term)
        for (const one of asked) {
          // a value may be given by its text alone, whatever its datatype
          if (!one.isKnown) one.isKnown = one.keys.has(key) || (term.kind === 'literal' && term.value === one.text)
        }
      }
    }
    if (asked.every(({ isKnown }) => isKnown)) return []
  }
  return [...new Set(asked.filter(({ isKnown }) => !isKnown).map(({ text }) => text))]
}

/** rdfs:label of the things of a tree whose IRI starts so; of several labels the first in code-unit order. */
export function labelsIn(m: Materialisation, tree: Explanation, namespace: string): Record<string, string> {
  const named = [...new Set(termsOf(tree))].filter((text) => text.startsWith(namespace)).toSorted(compareText)
  return Object.fromEntries(
    named.flatMap((text) => {
      const facts = m.model.find(`${RDFS}label`, [iri(text)]).filter(({ tier }) => within(tierAt(tier), m.ceiling))
      const values = facts.flatMap(({ args: [, label] }) => (label?.kind === 'literal' ? [label.value] : []))
      const [first] = values.filter((value) => value !== '').toSorted(compareText)
      return first === undefined ? [] : [[text, first]]
    }),
  )
}

function termsOf({ triple, derivations }: Explanation): string[] {
  const premises: PremiseNode[] = derivations.flatMap((way) => way.premises)
  return [triple.subject, triple.object, ...premises.flatMap((premise) => (premise.kind === 'triple' ? termsOf(premise) : []))]
}
