/** Records by what people and logs call them: the values of their keys, compared after normalisation. */
import { LIMITS, type Tier, maxTier, tierRank } from '../../contracts/index.ts'
import { compareText } from '../../kernel/term.ts'
import type { Catalogue, Source } from '../../sources/index.ts'
import type { Ontology, OntologyClass, OntologyProperty } from '../ontology.ts'
import { keyTier } from '../settle-tiers.ts'
import type { Cells, ReadOptions } from './read.ts'
import { readPages } from './read.ts'
import { recordNode } from './record.ts'
import { tableOf } from './stream.ts'

export interface KeyMatch {
  readonly cls: OntologyClass
  /** the property whose value is the name */
  readonly property: OntologyProperty
  readonly record: string
  /** what one must be allowed to see to know of the match */
  readonly tier: Tier
}

export interface FoundRecords {
  /** by the normalised name */
  readonly matches: ReadonlyMap<string, readonly KeyMatch[]>
  /** names of classes with more records than are read for this */
  readonly unread: readonly string[]
}

export interface FindOptions extends ReadOptions {
  readonly maxRecords?: number
}

const PAGE_ROWS = 10_000

/**
 * Every record with a key among `wanted` (normalised). Names are compared here and not in SQL, since no two engines agree on
 * letters; so whole key columns are read, page by page, and only what was asked for is kept. The ontology is cut already.
 */
export async function findByKey(
  source: Source, ontology: Ontology, catalogue: Catalogue, wanted: ReadonlySet<string>, options: FindOptions = {},
): Promise<FoundRecords> {
  const { maxRecords = LIMITS.log_link_rows } = options
  const matches = new Map<string, KeyMatch[]>()
  const unread: string[] = []
  const hasNumbers = [...wanted].some(isNumber)
  for (const cls of wanted.size === 0 ? [] : ontology.classes) {
    const naming = namingProperties(cls, catalogue).filter(({ range }) => hasNumbers || !/#(?:integer|decimal)$/.test(range))
    if (naming.length === 0) continue
    if (cls.instances > maxRecords) {
      unread.push(cls.name)
      continue
    }
    const columns = [...new Set([...cls.key, ...naming.flatMap((property) => property.columns)])].toSorted(compareText)
    for await (const page of readPages(source, tableOf(ontology, cls, columns), { pageRows: PAGE_ROWS, ...options })) {
      for (const { cells } of page) note(cells, cls, naming)
    }
  }
  return { matches, unread }

  function note(cells: Cells, cls: OntologyClass, naming: readonly OntologyProperty[]): void {
    for (const property of naming) {
      const cell = cells.get(property.columns[0] ?? '') ?? null
      if (cell === null || cell instanceof Uint8Array || typeof cell === 'boolean') continue
      const name = normalisedKey(String(cell))
      if (!wanted.has(name)) continue
      const node = recordNode(ontology, cls, cells)
      const known = matches.get(name) ?? []
      matches.set(name, known)
      // a record that two of its columns name alike is found once, by the column that is seen by more people
      if (node.kind !== 'iri') continue
      const tier = maxTier(cls.tier, keyTier(cls), property.tier)
      if (!known.some(({ record }) => record === node.value)) known.push({ cls, property, record: node.value, tier })
    }
  }
}

/** `"CRT-07 "` and `crt-07` are one name. */
export function normalisedKey(text: string): string {
  const bare = text.normalize('NFC').trim()
  const quoted = /^(["'`])(.*)\1$/su.exec(bare)
  return (quoted?.[2] ?? bare).trim().toUpperCase().toLowerCase()
}

const isNumber = (text: string): boolean => /^-?\d+(?:\.\d+)?$/.test(text)

/** Single columns that tell records apart: keys that the schema or a person declares, and what records are called by. */
function namingProperties(cls: OntologyClass, catalogue: Catalogue): OntologyProperty[] {
  const table = catalogue.tables.find(({ name }) => name === cls.table)
  const keys = [cls.key, ...(table?.uniques ?? [])].flatMap((columns) => (columns.length === 1 ? columns : []))
  const names = [...(cls.hasKey?.length === 1 ? cls.hasKey : []), ...(cls.labelProperty === null ? [] : [cls.labelProperty])]
  const order = ({ tier, name }: OntologyProperty): string => `${tierRank(tier)} ${name}`
  return cls.properties
    .filter(({ kind, columns, name }) => kind === 'data' && (keys.includes(columns[0] ?? '') || names.includes(name)))
    .toSorted((x, y) => compareText(order(x), order(y)))
}
