/**
 * SHACL instances: a node of a class, or of a class below it. Each class that a rule asks for has a relation; each subclass
 * triple of the graph becomes a rule that hands the instances up, with the triple as a premise. One rule over all classes would
 * tie every rule that reads a class to every rule that gives one, and a negated class would be a negation inside a cycle.
 */
import type { DatalogRule } from '../datalog/index.ts'
import type { Quad } from '../rdf/index.ts'
import { RDFS, RDF_TYPE, tripleAtom } from '../rdf/index.ts'
import type { Term } from '../term.ts'
import { compareText, termKey } from '../term.ts'
import type { Weaving } from './bodies.ts'
import { SHACL_RELATION, atomItem, constant } from './bodies.ts'

export const instancesOf = (cls: Term): string => `${SHACL_RELATION}instance ${termKey(cls)}`

const NODE = { variable: 'this' }
const SUBCLASS = `${RDFS}subClassOf`

/** The relation of a class's instances, with the rule for the direct ones. */
export function instanceRelation(cls: Term, weave: Weaving): string {
  const predicate = instancesOf(cls)
  weave.classes.set(predicate, cls)
  const direct = directInstances(cls)
  weave.rules.set(direct.id, direct)
  return predicate
}

function directInstances(cls: Term): DatalogRule {
  const predicate = instancesOf(cls)
  return { id: predicate, head: { predicate, args: [NODE] }, body: [atomItem(tripleAtom(NODE, RDF_TYPE, constant(cls)))] }
}

/** The rules that hand instances up to the classes, for the subclass triples of a graph. */
export function subclassRules(classes: readonly Term[], subclasses: readonly Quad[]): DatalogRule[] {
  const below = Map.groupBy(subclasses, ({ object }) => termKey(object))
  const rules = new Map<string, DatalogRule>()
  const pending = [...classes]
  const done = new Set<string>()
  for (let cls = pending.pop(); cls !== undefined; cls = pending.pop()) {
    if (done.has(termKey(cls))) continue
    done.add(termKey(cls))
    for (const { subject, object } of below.get(termKey(cls)) ?? []) {
      if (subject.kind === 'literal' || termKey(subject) === termKey(object)) continue
      const direct = directInstances(subject)
      rules.set(direct.id, direct)
      const id = `${instancesOf(cls)} by ${termKey(subject)}`
      const body = [
        atomItem({ predicate: instancesOf(subject), args: [NODE] }),
        atomItem(tripleAtom(constant(subject), SUBCLASS, constant(object))),
      ]
      rules.set(id, { id, head: { predicate: instancesOf(cls), args: [NODE] }, body })
      pending.push(subject)
    }
  }
  return [...rules.values()].toSorted((x, y) => compareText(x.id, y.id))
}
