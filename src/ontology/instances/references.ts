/** References to a unique column that is not the key: the record behind each is looked up, a page of references at a time. */
import type { Term } from '../../kernel/term.ts'
import type { Cell, Source } from '../../sources/index.ts'
import type { Ontology, OntologyClass, OntologyProperty } from '../ontology.ts'
import { lookUp } from './lookup.ts'
import type { Cells, ReadOptions, ReadRow } from './read.ts'
import { leadsToKey, readColumns, recordNode } from './record.ts'

export interface Resolved {
  readonly resolve: (property: OntologyProperty, cells: Cells) => Term | null
  /** references on this page that lead to no record one could name */
  readonly unresolved: number
}

export function referenceResolver(
  source: Source,
  ontology: Ontology,
  cls: OntologyClass,
  options: ReadOptions,
): (page: readonly ReadRow[]) => Promise<Resolved> {
  const targets = new Map(ontology.classes.map((each) => [each.name, each]))
  const indirect = cls.properties.flatMap((property) => {
    const target = property.kind === 'object' ? targets.get(property.range) : undefined
    return target === undefined || leadsToKey(property, target) ? [] : [{ property, target }]
  })
  return async (page) => {
    const found = new Map<OntologyProperty, (tuple: readonly Cell[]) => Term | null>()
    let unresolved = 0
    for (const { property, target } of indirect) {
      const tuples = page.map(({ cells }) => tupleOf(property, cells)).filter((tuple) => !tuple.includes(null))
      const resolve = await targetsOf(source, ontology, property, target, tuples, options)
      unresolved += tuples.filter((tuple) => resolve(tuple) === null).length
      found.set(property, resolve)
    }
    return { resolve: (property, cells) => found.get(property)?.(tupleOf(property, cells)) ?? null, unresolved }
  }
}

async function targetsOf(
  source: Source,
  ontology: Ontology,
  property: OntologyProperty,
  target: OntologyClass,
  tuples: readonly (readonly Cell[])[],
  options: ReadOptions,
): Promise<(tuple: readonly Cell[]) => Term | null> {
  const visible = readColumns(target)
  // a column above the ceiling may not decide which records are linked
  if (!property.refColumns.every((column) => visible.includes(column))) return () => null
  const row = await lookUp(source, { table: target.table, by: property.refColumns, read: visible }, tuples, options)
  return (tuple) => {
    const cells = row(tuple)
    return cells === null ? null : recordNode(ontology, target, cells)
  }
}

const tupleOf = (property: OntologyProperty, cells: Cells): readonly Cell[] =>
  property.columns.map((column) => cells.get(column) ?? null)
