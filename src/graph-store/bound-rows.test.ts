import fc from 'fast-check'
import { Store, parse } from 'oxigraph'
import { describe, expect, it } from 'vitest'
import { rowsIn, withRowBound } from './bound-rows.ts'
import { limitOf } from './check-query.ts'
import { runSparql } from './query.ts'

const bound = (query: string) => withRowBound(query, 11, limitOf)

describe('a query is held to a number of rows', () => {
  it.each([
    ['at its end', 'SELECT * { ?s ?p ?o }', 'SELECT * { ?s ?p ?o }\nLIMIT 11 '],
    ['after a comment', 'SELECT * { ?s ?p ?o } # LIMIT 3', 'SELECT * { ?s ?p ?o } # LIMIT 3\nLIMIT 11 '],
    ['after an offset', 'SELECT * { ?s ?p ?o } OFFSET 2', 'SELECT * { ?s ?p ?o } OFFSET 2\nLIMIT 11 '],
    ['before its values', 'SELECT * { ?s ?p ?o } VALUES ?s { 1 } # values', 'SELECT * { ?s ?p ?o } \nLIMIT 11 VALUES ?s { 1 } # values'],
    ['not where it asks for less', 'SELECT * { ?s ?p ?o } LIMIT 11', 'SELECT * { ?s ?p ?o } LIMIT 11'],
    ['where it asks for more', 'SELECT * { ?s ?p "limit 9" } limit 12 OFFSET 1', 'SELECT * { ?s ?p "limit 9" } LIMIT 11 OFFSET 1'],
    ['and not its sub-queries', 'SELECT * { { SELECT ?s { ?s ?p ?o } LIMIT 99 } }', 'SELECT * { { SELECT ?s { ?s ?p ?o } LIMIT 99 } }\nLIMIT 11 '],
    ['unless its LIMIT hides', 'SELECT * { ?s ?p ?o } LIMIT #\n 99', null],
    ['with a word that looks like values', 'SELECT ?values { ?values ?p ?o }', 'SELECT ?values { ?values ?p ?o }\nLIMIT 11 '],
  ])('%s', (_, query, expected) => {
    expect(bound(query)).toBe(expected)
  })
})

describe('rows are counted', () => {
  const graph = (values: readonly string[]) => values.map((value, at) => `<urn:s${at}> <urn:p> ${JSON.stringify(value)} .`).join('\n')
  const query = 'SELECT ?o { ?s ?p ?o }'

  it('in every format, whatever the values hold', () => {
    const text = fc.string({ unit: fc.constantFrom('"', '\n', '\r', ',', '<result>', 'a', '\t', "'", '\\', ' ') })
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), (values) => {
        const store = new Store(parse(graph(values), { format: 'text/turtle' }))
        for (const format of ['json', 'csv', 'tsv', 'xml'] as const) {
          expect(rowsIn(String(store.query(query, { results_format: format })), format)).toBe(values.length)
          expect(rowsIn(String(store.query('ASK {}', { results_format: format })), format)).toBe(0)
        }
      }),
    )
  })

  it('a result of more rows than allowed is refused, never cut', async () => {
    const turtle = graph(['a', 'b', 'c'])
    const run = (maxRows: number, asked = query) => runSparql(turtle, asked, { timeoutMs: 20_000, maxRows }, 'csv')
    expect(await run(3)).toBe(await runSparql(turtle, query, { timeoutMs: 20_000 }, 'csv'))
    await expect(run(2)).rejects.toMatchObject({ code: 'unsupported_query', about: { hint: expect.stringContaining('LIMIT') } })
    expect((await run(2, `${query} LIMIT 2`)).split('\n')).toHaveLength(4)
    expect(await run(1, 'ASK { ?s ?p ?o }')).toBe('true')
    await expect(run(2, `${query} LIMIT #\n99`)).rejects.toMatchObject({ code: 'unsupported_query' })
  })

  it('an endless result ends soon, and a caller who leaves ends it', async () => {
    const turtle = graph(Array.from({ length: 300 }, (_, at) => `v${at}`))
    const endless = 'SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }'
    await expect(runSparql(turtle, endless, { timeoutMs: 20_000, maxRows: 1000 })).rejects.toMatchObject({ code: 'unsupported_query' })
    const counting = `SELECT (COUNT(*) AS ?n) ${endless.slice(8)}`
    await expect(runSparql(turtle, counting, { timeoutMs: 50 })).rejects.toMatchObject({ code: 'deadline_exceeded' })
    const gone = new AbortController()
    const counted = runSparql(turtle, counting, { timeoutMs: 20_000, signal: gone.signal })
    gone.abort()
    await expect(counted).rejects.toMatchObject({ code: 'cancelled' })
  })
})
