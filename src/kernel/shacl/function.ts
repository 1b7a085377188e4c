/**
 * SPARQL functions of SHACL-AF: `sh:select` over the parameters. The query becomes the body of a rule in which a relation of
 * the argument lists binds the parameters, so that a result has the premises that the query really used.
 */
import type { Argument, Atom } from '../datalog/index.ts'
import { RDF_TYPE, SH } from '../rdf/index.ts'
import { compileConstruct } from '../sparql/index.ts'
import type { Term } from '../term.ts'
import { compareText, iri, literal } from '../term.ts'
import type { Weaving } from './bodies.ts'
import { addRules, atomItem, newRelation } from './bodies.ts'
import { prefixesAt, withPrefixes } from './prefixes.ts'
import { RESULT, asConstruct, hiddenSelects } from './query-text.ts'
import type { ShapesGraph } from './shapes-graph.ts'
import { booleanAt, shortIri, single } from './shapes-graph.ts'
import { localName } from './walk.ts'

export interface FunctionCall {
  /** the relation of the argument lists, which the caller fills */
  readonly operands: string
  /** the function's result for arguments */
  atom(args: readonly Argument[], result: Argument): Atom
}

/** The argument list of a function that takes none: relations have at least one argument. */
export const NO_OPERANDS: readonly Argument[] = [{ term: literal('none') }]

/** Undefined after a refusal. */
export function callFunction(graph: ShapesGraph, name: string, arity: number, weave: Weaving): FunctionCall | undefined {
  const node = iri(name)
  const said = shortIri(name)
  let refused = false
  const refuse = (message: string) => {
    refused = true
    weave.refuse(message)
  }
  const types = graph.values(node, RDF_TYPE).map(({ value }) => value)
  if (!types.includes(`${SH}SPARQLFunction`)) {
    refuse(`the function ${said} is not supported: of functions only a sh:SPARQLFunction of the shapes graph is`)
    return undefined
  }
  const parameters = parametersOf(graph, node, refuse)
  if (parameters.length !== arity) refuse(`the function ${said} takes ${parameters.length} arguments, ${arity} are given`)
  const text = single(graph, node, `${SH}select`, refuse)
  if (text?.kind !== 'literal') refuse(`the function ${said} has no sh:select: other functions are not supported`)
  for (const { message } of hiddenSelects(text?.value ?? '', parameters)) refuse(`the function ${said}: ${message}`)
  const query = asConstruct(text?.value ?? '')
  if (typeof query === 'string') refuse(`the function ${said}: ${query}`)
  if (refused || typeof query === 'string') return undefined

  const operands = newRelation(weave, 'operands', `arguments of ${said}`)
  const results = newRelation(weave, 'results', `results of ${said}`)
  const variables = parameters.map((variable) => ({ variable }))
  const given = [atomItem({ predicate: operands, args: variables.length === 0 ? NO_OPERANDS : variables })]
  const id = `${weave.id}~${results.split(' ').at(-1)}`
  const prefixed = withPrefixes(query.text, prefixesAt(graph, node, refuse))
  const compiled = compileConstruct(prefixed.text, { id, given })
  if (!compiled.ok) {
    for (const { message, line, column } of compiled.faults.map(prefixed.original)) {
      refuse(`the function ${said}, line ${line}, column ${column}: ${message}`)
    }
    return undefined
  }
  for (const rule of compiled.rules) {
    // the template only says which variable the result is; the relation also keeps the arguments
    if (rule.head.predicate === RESULT) addRules(weave, results, [...variables, { variable: query.result }], [rule.body])
    else weave.rules.set(rule.id, rule)
  }
  return { operands, atom: (args, result) => ({ predicate: results, args: [...args, result] }) }
}

/** The names of the parameters in the order of the arguments: by sh:order, else by name. */
function parametersOf(graph: ShapesGraph, node: Term, refuse: (message: string) => void): string[] {
  const parameters = graph.values(node, `${SH}parameter`).flatMap((parameter) => {
    const path = single(graph, parameter, `${SH}path`, refuse)
    if (path?.kind !== 'iri') {
      refuse(`a parameter of ${graph.name(node)} has no sh:path`)
      return []
    }
    if (booleanAt(graph, parameter, `${SH}optional`, refuse) ?? false)
      refuse(`the optional parameter ${shortIri(path.value)} of ${graph.name(node)} is not supported`)
    const order = single(graph, parameter, `${SH}order`, refuse)
    return [{ name: localName(path.value), order: order === undefined ? 0 : Number(order.value) }]
  })
  return parameters.toSorted((x, y) => x.order - y.order || compareText(x.name, y.name)).map(({ name }) => name)
}
