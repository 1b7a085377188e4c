/**
 * All records of an ontology as Turtle, written while they are read: class by class, in key order, in memory that does not grow
 * with the data. Only columns that the given ontology names are selected, so a cut ontology gives a cut file.
 */
import { ServiceError } from '../../contracts/index.ts'
import { RDFS, XSD } from '../../kernel/rdf/index.ts'
import type { Source, ValueType } from '../../sources/index.ts'
import type { Ontology, OntologyClass } from '../ontology.ts'
import { blockOf, prologue } from './blocks.ts'
import type { ReadOptions, ReadTable } from './read.ts'
import { readPages } from './read.ts'
import { readColumns, recordMapper } from './record.ts'
import { referenceResolver } from './references.ts'

export interface InstanceProgress {
  /** the class being written */
  readonly cls: string
  readonly records: number
  readonly triples: number
  /** references whose record could not be named: none, or more than one, has the value, or the column is out of reach */
  readonly unresolved: number
}

export interface StreamOptions extends ReadOptions {
  /** lines of comment at the top, such as the ceiling under which the file is made */
  readonly header?: readonly string[]
  /** after every page, with the totals of the whole stream */
  readonly onProgress?: (progress: InstanceProgress) => void
}

/** The ontology is cut to the ceiling already. The chunks are whole blocks; the page size changes where they end, and nothing else. */
export async function* streamInstances(source: Source, ontology: Ontology, options: StreamOptions = {}): AsyncGenerator<string> {
  const { header = [], signal, onProgress = () => {} } = options
  const prefixes = { '': ontology.baseIri, rdfs: RDFS, xsd: XSD }
  const totals = { records: 0, triples: 0, unresolved: 0 }
  yield prologue(prefixes, header)
  for (const cls of ontology.classes) {
    const map = recordMapper(ontology, cls)
    const resolver = referenceResolver(source, ontology, cls, options)
    for await (const page of readPages(source, tableOf(ontology, cls), options)) {
      if (signal?.aborted === true) throw new ServiceError('cancelled', 'the reading of instances was stopped')
      const { resolve, unresolved } = await resolver(page)
      totals.unresolved += unresolved
      totals.records += page.length
      // one record at a time: a page of triples is many times as big as its rows or its text
      const blocks = page.map(({ cells, ordinal }) => {
        const quads = map(cells, { ordinal, resolve })
        totals.triples += quads.length
        return blockOf(quads, prefixes)
      })
      yield blocks.join('')
      onProgress({ cls: cls.name, ...totals })
    }
  }
}

export function tableOf(ontology: Ontology, cls: OntologyClass, read: readonly string[] = readColumns(cls)): ReadTable {
  const columns = read.map((name) => ({ name, type: typeOf(ontology, cls, name, new Set()) }))
  return { name: cls.table, key: cls.key, columns }
}

const TYPES: Readonly<Record<string, ValueType>> = {
  integer: 'integer',
  decimal: 'decimal',
  boolean: 'boolean',
  string: 'text',
  date: 'date',
  dateTime: 'datetime',
  hexBinary: 'blob',
}

/** A column that is only a reference has the type of what it leads to. */
function typeOf(ontology: Ontology, cls: OntologyClass, column: string, seen: Set<string>): ValueType | null {
  const own = cls.properties.find(({ kind, columns }) => kind === 'data' && columns[0] === column)
  if (own !== undefined) return TYPES[own.range.slice(XSD.length)] ?? null
  const place = JSON.stringify([cls.name, column])
  if (seen.has(place)) return null
  seen.add(place)
  const reference = cls.properties.find(({ kind, columns }) => kind === 'object' && columns.includes(column))
  const target = ontology.classes.find(({ name }) => name === reference?.range)
  const refColumn = reference?.refColumns[reference.columns.indexOf(column)]
  return target === undefined || refColumn === undefined ? null : typeOf(ontology, target, refColumn, seen)
}
