/**
 * Which words of the question are values in the database. Probed at question time by bound equality, over text columns of
 * the cut ontology only: a value above the ceiling cannot be found, so it cannot be told from one that does not exist.
 */
import { expressionBuilder, sql } from 'kysely'
import type { Ontology } from '../../ontology/index.ts'
import type { Source } from '../../sources/index.ts'
import { XSD } from '../../kernel/term.ts'
import { asText } from '../compiler/fit.ts'
import { type AnyTables, compileSpanned, queryBuilder } from '../compiler/spans.ts'
import type { LexiconEntry } from './lexicon.ts'
import { type Token, textOf } from './tokens.ts'
import { isGlue } from './words.ts'

const MAX_SPAN_WORDS = 5
const MAX_VALUES_PER_COLUMN = 50

/** A stretch of the question and the spellings under which it may stand in a column. */
export interface Spelling {
  readonly start: number
  readonly end: number
  readonly spellings: readonly string[]
}

export function candidateSpellings(question: string, tokens: readonly Token[]): Spelling[] {
  const out: Spelling[] = []
  for (let start = 0; start < tokens.length; start += 1) {
    for (let end = start + 1; end <= Math.min(tokens.length, start + MAX_SPAN_WORDS); end += 1) {
      const span = tokens.slice(start, end)
      if (span.every((token) => !token.quoted && isGlue(token.lower))) continue
      const text = textOf(question, tokens, start, end).toLowerCase()
      const words = span.map((token) => token.lower)
      const lemma = [...words.slice(0, -1), span.at(-1)?.lemma ?? '']
      const spellings = new Set([text, words.join(' '), words.join('_'), words.join('-'), lemma.join(' '), lemma.join('_')])
      out.push({ start, end, spellings: [...spellings] })
    }
  }
  return out
}

export interface FoundValue {
  readonly start: number
  readonly end: number
  readonly entry: LexiconEntry
}

export async function findValues(
  ontology: Ontology,
  source: Source,
  spans: readonly Spelling[],
  limits: { timeoutMs: number; signal?: AbortSignal },
): Promise<FoundValue[]> {
  const wanted = [...new Set(spans.flatMap((span) => span.spellings))]
  if (wanted.length === 0) return []
  const columns = ontology.classes.flatMap((cls) =>
    cls.properties.filter((property) => property.kind === 'data' && property.range === `${XSD}string`).map((property) => ({ cls, property })),
  )
  const found = await Promise.all(
    columns.map(async ({ cls, property }) => {
      const query = probe(ontology, cls.table, property.columns[0] ?? '', wanted)
      const { rows } = await source.select(query, { maxRows: MAX_VALUES_PER_COLUMN, ...limits })
      return rows.flatMap(([cell]) => {
        if (typeof cell !== 'string') return []
        const lower = cell.toLowerCase()
        return spans
          .filter((span) => span.spellings.includes(lower))
          .map(({ start, end }) => ({
            start,
            end,
            entry: { words: [lower], meaning: { kind: 'value' as const, cls, property, value: cell } },
          }))
      })
    }),
  )
  return found.flat()
}

function probe(ontology: Ontology, table: string, column: string, wanted: readonly string[]) {
  const eb = expressionBuilder<AnyTables, string>()
  const text = asText(ontology.dialect, sql.id('t0', column))
  const query = queryBuilder(ontology.dialect)
    .selectFrom(sql<Record<string, unknown>>`${sql.id(table)}`.as('t0'))
    .select(text.as('value'))
    .distinct()
    .where(eb(eb.fn('lower', [text]), 'in', wanted))
    .orderBy(text)
  return compileSpanned(ontology.dialect, query.toOperationNode())
}
