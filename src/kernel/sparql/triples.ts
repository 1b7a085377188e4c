/** Triple patterns as alternatives: a pattern is an atom, a property path what `path.ts` makes of it. */
import { tripleAtom } from '../rdf/index.ts'
import type { Alternative } from './alternative.ts'
import { UNIT, joined, ofAtoms } from './alternative.ts'
import type { Compiling } from './compiling.ts'
import { readPath } from './path.ts'
import type { Bgp, Collection, Triple } from './syntax.ts'
import type { Reading } from './terms.ts'
import { argumentOf, iriOf } from './terms.ts'

export function readTriples(bgp: Bgp, compiling: Compiling): readonly Alternative[] {
  const triples = flatten(bgp.triples, compiling)
  // a path is read when the terms at its ends are known, as far as plain triples tell them
  const plain = triples.filter(({ predicate }) => predicate.type !== 'path')
  const known = new Set(plain.flatMap(({ subject, object }) => [subject, object].flatMap((end) => variableAt(end, compiling))))
  let alternatives: readonly Alternative[] = [UNIT]
  for (const triple of triples) {
    const right = readTriple(triple, compiling, known)
    const both = alternatives.flatMap((one) => right.map((other) => joined(one, other, compiling.fresh)))
    alternatives = compiling.limited(both, triple)
  }
  return alternatives
}

/** The variable at an end of a triple. */
function variableAt(end: Triple['object'], compiling: Compiling): string[] {
  const arg = argumentOf(end, compiling)
  return arg !== undefined && 'variable' in arg ? [arg.variable] : []
}

function readTriple(
  { subject, predicate, object }: Triple,
  compiling: Compiling,
  known: ReadonlySet<string>,
): readonly Alternative[] {
  const [from, to] = [argumentOf(subject, compiling), argumentOf(object, compiling)]
  if (from === undefined || to === undefined) return []
  if (predicate.type === 'path') return readPath(from, predicate, to, compiling, known)
  if (predicate.subType === 'variable') return [ofAtoms([tripleAtom(from, { variable: predicate.value }, to)])]
  const property = iriOf(predicate, compiling)
  return property === undefined ? [] : [ofAtoms([tripleAtom(from, property, to)])]
}

/** The triples of a pattern, those of its lists and of its blank nodes with properties included. */
export function flatten(nodes: Bgp['triples'], reading: Reading): Triple[] {
  const triples: Triple[] = []
  const pending: (Triple | Collection)[] = nodes.toReversed()
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === 'triple') {
      if (node.annotations !== undefined && node.annotations.length > 0)
        reading.refuse(node, 'an annotation on a triple is not supported', 'annotations')
      triples.push(node)
      for (const end of [node.object, node.subject]) if (end.type === 'tripleCollection') pending.push(...insides(end, reading))
    } else pending.push(...insides(node, reading))
  }
  return triples
}

function insides(node: Collection, reading: Reading): (Triple | Collection)[] {
  if (node.subType === 'list' || node.subType === 'blankNodeProperties') return node.triples.toReversed()
  reading.refuse(node, 'a reified triple is not supported', 'reified triples')
  return []
}
