/** How much a query says, counted before anything is made of it: what nobody could read is refused before it costs anything. */
import type { RuleFault } from '../datalog/index.ts'
import type { Placed, Query } from './syntax.ts'
import { offsetOf, placeAt } from './syntax.ts'

/** Patterns, triples, steps of paths and operations of one query together; the rules that people write have a few dozen. */
export const MAX_PARTS = 256

const PARTS = new Set<unknown>(['pattern', 'triple', 'path', 'query', 'expression'])

/** A fault where the query has more parts than that. */
export function sizeFault(text: string, query: Query): RuleFault | undefined {
  let parts = 0
  let at = 0
  for (const node of nodesWithin(query)) {
    at = offsetOf(node as Placed) ?? at
    if (!('type' in node && PARTS.has(node.type))) continue
    // the steps of a path may be plain names
    parts += node.type === 'path' && 'items' in node && Array.isArray(node.items) ? node.items.length : 1
    if (parts <= MAX_PARTS) continue
    const message = `the query has more than ${MAX_PARTS} patterns, triples and operations: make several rules of it`
    return { message, ...placeAt(text, at) }
  }
  return undefined
}

/** All nodes of a syntax tree, in the order of the text. */
export function* nodesWithin(root: object): Generator<object> {
  const pending: unknown[] = [root]
  while (pending.length > 0) {
    const node = pending.pop()
    if (typeof node !== 'object' || node === null) continue
    yield node
    pending.push(...Object.values(node).toReversed())
  }
}
