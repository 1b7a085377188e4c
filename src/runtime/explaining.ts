/** Explain and why-not as the service answers them: the proof, and what its reader should know besides. */
import { type Explained, ServiceError, type TripleText, type WhyNot } from '../contracts/index.ts'
import { type Materialisation, type Prefixes, explainTriple, labelsIn, strangersIn, whyNotTriple } from '../materialise/index.ts'

export interface Asked {
  readonly graph: Materialisation
  readonly triple: TripleText
  readonly prefixes: Prefixes
  /** what is to be said of the graph as a whole */
  readonly notes: readonly string[]
}

/** Things of the sources are shown by their label too: their IRIs say little. */
export function explained({ graph, triple, prefixes, notes }: Asked, depth: number): Explained {
  const tree = proofOf({ graph, triple, prefixes, notes }, depth)
  const { record } = prefixes
  const labels = record === undefined ? {} : labelsIn(graph, tree, record)
  return {
    ...tree,
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
    ...(notes.length === 0 ? {} : { notes }),
  }
}

export function whyNotFound({ graph, triple, prefixes, notes }: Asked): WhyNot {
  const found = whyNotTriple(graph, triple, graph.ceiling, prefixes)
  const unknown = found.holds ? [] : strangersIn(graph, triple, prefixes)
  return { ...found, ...(unknown.length === 0 ? {} : { unknown }), notes: [...found.notes, ...notes] }
}

function proofOf({ graph, triple, prefixes, notes }: Asked, depth: number) {
  try {
    return explainTriple(graph, triple, depth, graph.ceiling, prefixes)
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'not_found')) throw error
    const unknown = strangersIn(graph, triple, prefixes)
    const hint = [error.about.hint, ...notes].filter((part) => part !== undefined).join('; ')
    if (unknown.length === 0) throw new ServiceError('not_found', error.message, { ...error.about, hint })
    const verb = unknown.length === 1 ? 'occurs' : 'occur'
    throw new ServiceError('not_found', `${unknown.join(' and ')} ${verb} nowhere in the graph`, {
      hint: ['look at how it is written: materialised finds triples by any part of them', ...notes].join('; '),
    })
  }
}
