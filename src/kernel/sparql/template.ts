/** The template of a CONSTRUCT: the heads of rules for the triples whose variables a solution binds. */
import type { Argument, Atom, BodyItem } from '../datalog/index.ts'
import { TRIPLE, guard, meaningOf, tripleHead } from '../rdf/index.ts'
import { literal } from '../term.ts'
import { isFunction } from '../values/index.ts'
import type { Alternative } from './alternative.ts'
import { call, test } from './alternative.ts'
import type { Compiling } from './compiling.ts'
import type { Construct, GraphNode, Triple } from './syntax.ts'
import { iriOf, termOfTree } from './terms.ts'
import { flatten } from './triples.ts'

/** A triple of the template; a blank node stands under its label. */
export interface TemplateTriple {
  readonly subject: Part
  readonly property: Part
  readonly object: Part
}
export type Part = Argument | { readonly blank: string }

export function readTemplate({ template }: Construct, compiling: Compiling): TemplateTriple[] {
  if (template.triples.length === 0) compiling.refuse(template, 'the template holds no triple')
  const part = (node: GraphNode | Triple['predicate']): Part | undefined => {
    if (node.type === 'tripleCollection')
      return node.identifier.subType === 'blankNode' ? { blank: node.identifier.label } : undefined
    if (node.type === 'path') return undefined
    if (node.subType === 'blankNode') return { blank: node.label }
    if (node.subType === 'variable') return { variable: node.value }
    const term = node.subType === 'namedNode' ? iriOf(node, compiling) : termOfTree(node, compiling)
    if (term === undefined) return undefined
    return { term: typeof term === 'string' ? { kind: 'iri', value: term } : term }
  }
  const triples = flatten(template.triples, compiling)
  const labels = new Map<string, string>()
  const labelled = (one: Part): Part => {
    if (!('blank' in one)) return one
    // the parser numbers blank nodes by how many queries it has read before
    const label = labels.get(one.blank) ?? String(labels.size + 1)
    labels.set(one.blank, label)
    return { blank: label }
  }
  return triples.flatMap((triple) => {
    const [subject, property, object] = [part(triple.subject), part(triple.predicate), part(triple.object)]
    if (subject === undefined || property === undefined || object === undefined) {
      compiling.refuse(triple, 'this triple in the template is not supported', 'reified triples in the template')
      return []
    }
    if ('term' in subject && subject.term.kind === 'literal') compiling.refuse(triple, 'a literal cannot be a subject')
    return [{ subject: labelled(subject), property, object: labelled(object) }]
  })
}

/** The triples whose variables the solutions bind; SPARQL leaves out the others. */
export function headsOf(
  triples: readonly TemplateTriple[],
  alternative: Alternative,
  n: number,
  compiling: Compiling,
): { head: Atom; body: readonly BodyItem[] }[] {
  const isBound = (part: Part) => !('variable' in part) || alternative.bound.has(part.variable)
  return triples.flatMap(({ subject, property, object }) => {
    if (![subject, property, object].every(isBound) || 'blank' in property) return []
    const blanks = new Map<string, BodyItem>()
    const argument = (part: Part): Argument => {
      if (!('blank' in part)) return part
      const variable = `_:new ${part.blank}`
      blanks.set(variable, freshNode(variable, [compiling.id, String(n + 1), part.blank], alternative, compiling))
      return { variable }
    }
    const head = tripleHead(argument(subject), 'term' in property ? property.term.value : property, argument(object))
    return [{ head, body: [...alternative.body, ...blanks.values(), ...guards(subject, property, alternative.body)] }]
  })
}

/** A blank node of the template: another one for each solution, the same one for the same solution whenever the rule runs. */
function freshNode(into: string, about: readonly string[], { bound }: Alternative, compiling: Compiling): BodyItem {
  const args = [...about.map((text) => ({ term: literal(text) })), ...[...bound].map((variable) => ({ variable }))]
  if (!isFunction('skolem', args.length)) {
    compiling.refuse({}, 'a blank node in the template is not supported', 'blank nodes in the template')
  }
  return { kind: 'assign', into, expr: call('skolem', ...args) }
}

/** SPARQL leaves out a triple whose subject turns out to be a literal, or whose property turns out to be no IRI. */
function guards(subject: Part, property: Part, body: readonly BodyItem[]): BodyItem[] {
  const stands = (variable: string, column: number, isPlace: (atom: Atom) => boolean) =>
    body.some((item) => item.kind === 'atom' && isPlace(item.atom) && isVariable(item.atom.args[column], variable))
  const items: BodyItem[] = []
  if ('variable' in subject && !stands(subject.variable, 0, isTriple)) items.push(guard(subject))
  if ('variable' in property && !stands(property.variable, 1, ({ predicate }) => predicate === TRIPLE))
    items.push(test(call('isiri', property)))
  return items
}

const isVariable = (arg: Argument | null | undefined, variable: string): boolean =>
  arg !== null && arg !== undefined && 'variable' in arg && arg.variable === variable

/** An atom over triples, or over a path of one property: its first argument is a subject. */
const isTriple = ({ predicate }: Atom): boolean => {
  const { kind } = meaningOf(predicate)
  return kind === 'property' || kind === 'triple' || (kind === 'path' && /^path\+ [^<(^!]*$/.test(predicate))
}
