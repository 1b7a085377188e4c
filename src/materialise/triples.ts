/** The derived triples page by page, with filters. A cursor belongs to one graph and one set of filters, and serves no other. */
import { createHash } from 'node:crypto'
import type { MaterialisedPage, MaterialisedQuery, TripleText } from '../contracts/index.ts'
import { MATERIALISED_PAGE, ServiceError } from '../contracts/index.ts'
import { quadKey } from '../kernel/rdf/index.ts'
import type { Term } from '../kernel/term.ts'
import { termKey } from '../kernel/term.ts'
import type { Derived, Materialisation } from './materialisation.ts'
import type { Place, Prefixes } from './terms.ts'
import { projectPrefixes, readingsOf, tripleText } from './terms.ts'

/** `etag` is a hash of what the page shows. */
export function materialisedTriples(
  m: Materialisation,
  query: MaterialisedQuery,
  prefixes: Prefixes = projectPrefixes(m.baseIri),
): { readonly page: MaterialisedPage; readonly etag: string } {
  const { cursor, limit = MATERIALISED_PAGE.default, ...filters } = query
  if (!Number.isInteger(limit) || limit < 1 || limit > MATERIALISED_PAGE.max) {
    throw new ServiceError('invalid_request', `limit is a whole number from 1 to ${MATERIALISED_PAGE.max}`)
  }
  const mark = hash([contentOf(m), ...Object.entries(filters).toSorted().flat()]).slice(0, 24)
  const from = cursor === undefined ? 0 : placeIn(cursor, mark)
  const found = m.derived.filter(filterOf(filters, prefixes))
  if (from > 0 && from >= found.length) throw unknownCursor()
  const shown = found.slice(from, from + limit)
  const next = from + shown.length
  const page = {
    triples: shown.map(({ quad, tier, origins }) => ({
      triple: tripleText(quad),
      tier,
      derivations: origins.map(({ engine, rule }) => ({ engine, rule })),
    })),
    next_cursor: next < found.length ? Buffer.from(`${mark} ${next}`).toString('base64url') : null,
    total: found.length,
  }
  return { page, etag: hash([JSON.stringify(page)]).slice(0, 32) }
}

function filterOf(filters: Omit<MaterialisedQuery, 'cursor' | 'limit'>, prefixes: Prefixes): (one: Derived) => boolean {
  const { engine, rule, q } = filters
  const places = (['subject', 'predicate', 'object'] as const).flatMap((place) => {
    const text = filters[place]
    return text === undefined ? [] : [{ place, fits: matcher(text, place, prefixes) }]
  })
  const wanted = q?.toLowerCase()
  return ({ quad, origins }) =>
    origins.some((one) => (engine === undefined || one.engine === engine) && (rule === undefined || one.rule === rule)) &&
    places.every(({ place, fits }) => fits(quad[place])) &&
    (wanted === undefined || words(tripleText(quad)).includes(wanted))
}

function matcher(text: string, place: Place, prefixes: Prefixes): (term: Term) => boolean {
  const keys = new Set(readingsOf(text, place, prefixes).map(termKey))
  return (term) => keys.has(termKey(term)) || (place === 'object' && term.kind === 'literal' && term.value === text)
}

const words = ({ subject, predicate, object }: TripleText): string => `${subject} ${predicate} ${object}`.toLowerCase()

/** Where a cursor of this graph and these filters leads. */
function placeIn(cursor: string, mark: string): number {
  const [of, place = ''] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ')
  if (of !== mark || !/^[1-9]\d{0,14}$/.test(place)) throw unknownCursor()
  return Number(place)
}

const unknownCursor = (): ServiceError =>
  new ServiceError('invalid_request', 'this cursor belongs to another graph or to other filters', {
    hint: 'start again without a cursor: the graph may have changed since',
  })

const contents = new WeakMap<Materialisation, string>()

/** What the derived triples are, in one hash: computed when first needed, since a million of them take a moment. */
function contentOf(m: Materialisation): string {
  const known = contents.get(m)
  if (known !== undefined) return known
  const sum = createHash('sha256')
  for (const { quad, tier, origins } of m.derived) {
    sum.update(`${quadKey(quad)} ${tier}${origins.map(({ engine, rule }) => ` ${engine} ${rule}`).join('')}\n`)
  }
  const content = sum.digest('hex')
  contents.set(m, content)
  return content
}

/** Each part with its length, so that no two lists of parts read alike. */
const hash = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts.map(String))).digest('hex')
