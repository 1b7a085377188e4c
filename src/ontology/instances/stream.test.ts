import { Parser } from 'n3'
import { parse as parseWithOxigraph } from 'oxigraph'
import { expect, it } from 'vitest'
import type { Tier } from '../../contracts/index.ts'
import type { Source } from '../../sources/index.ts'
import { buildOntology } from '../build.ts'
import { cutOntology } from '../cut.ts'
import type { Ontology } from '../ontology.ts'
import type { InstanceProgress, StreamOptions } from './stream.ts'
import { streamInstances } from './stream.ts'
import { withDatabase } from './scratch-source.test-support.ts'

const BASE = { baseIri: 'https://example.org/o#', recordBase: 'https://example.org/r/' }

const SHOP = `
  create table customer (id integer primary key, name text not null, email text unique, active boolean, joined datetime);
  create table "order line" (order_no int, pos int, customer_id int references customer(id), price decimal(10,2), photo blob,
    primary key (order_no, pos));
  create table remark (body text, about_order int, about_pos int,
    foreign key (about_order, about_pos) references "order line"(order_no, pos));
  create table login (at text, who text references customer(email));
  insert into customer values (1, 'Acme', 'a@acme.example', 1, '2026-03-01 08:00:00'), (2, 'B "quoted"\n', null, 0, null);
  insert into "order line" values (7, 1, 1, 19.90, x'0aff'), (7, 2, null, 3, null), (8, 1, 99, null, null);
  insert into remark values ('late', 7, 1), ('late', 7, 1), ('half', 7, null);
  insert into login values ('2026-03-02', 'a@acme.example'), ('2026-03-03', 'nobody@acme.example')`

const ontologyOf = async (source: Source, change: (ontology: Ontology) => Ontology = (same) => same): Promise<Ontology> =>
  change(buildOntology(await source.introspect(), BASE))

async function textOf(source: Source, ontology: Ontology, options: StreamOptions = {}): Promise<string> {
  return (await Array.fromAsync(streamInstances(source, ontology, options))).join('')
}

it('writes every record with its class, label, typed values and references', async () => {
  const progress: InstanceProgress[] = []
  const text = await withDatabase(SHOP, async (source) =>
    textOf(source, await ontologyOf(source), { header: ['ceiling: Restricted'], onProgress: (each) => progress.push(each) }),
  )
  expect(text.startsWith('# ceiling: Restricted\n\n@prefix : <https://example.org/o#> .\n@prefix rdfs:')).toBe(true)
  expect(text).toContain(
    [
      '<https://example.org/r/Customer/1> a :Customer ;',
      '  rdfs:label "Acme" ;',
      '  :Customer.active true ;',
      '  :Customer.email "a@acme.example" ;',
      '  :Customer.id 1 ;',
      '  :Customer.joined "2026-03-01T08:00:00"^^xsd:dateTime ;',
      '  :Customer.name "Acme" .',
    ].join('\n'),
  )
  // a composite key, a fraction without its needless zero, bytes, and a reference to a record by its key
  expect(text).toMatch(/<https:\/\/example\.org\/r\/OrderLine\/7;1> a :OrderLine ;\n(?: {2}.*\n)*? {2}:OrderLine\.customer <https:\/\/example\.org\/r\/Customer\/1> ;/)
  expect(text).toContain(':OrderLine.price "19.9"^^xsd:decimal')
  expect(text).toContain(':OrderLine.photo "0AFF"^^xsd:hexBinary')
  // a reference to a unique column that is not the key is looked up; one that leads nowhere is counted
  expect(text).toMatch(/:Login\.who <https:\/\/example\.org\/r\/Customer\/1>/)
  expect(progress.at(-1)).toMatchObject({ records: 10, unresolved: 1 })
  expect(parsed(text).length).toBe(progress.at(-1)?.triples)
})

it('equal rows without a key are nodes of their own, named after what they hold', async () => {
  await withDatabase(SHOP, async (source) => {
    const text = await textOf(source, await ontologyOf(source))
    const nodes = [...text.matchAll(/^_:(r[0-9a-f]{32})(-1)? a :Remark/gm)].map(([, hash, ordinal = '']) => ({ hash, ordinal }))
    expect(nodes.length).toBe(3)
    const twins = nodes.filter(({ hash }) => nodes.filter((each) => each.hash === hash).length === 2)
    expect(twins.map(({ ordinal }) => ordinal)).toEqual(['', '-1'])
    // half of a composite reference is none
    expect([...text.matchAll(/:Remark\.[a-z_]+ <https:\/\/example\.org\/r\/OrderLine\/([^>]*)>/g)].map(([, key]) => key)).toEqual(['7;1', '7;1'])
  })
})

it('the page size changes nothing in the text, nor does a second reading', async () => {
  await withDatabase(SHOP, async (source) => {
    const ontology = await ontologyOf(source)
    const whole = await textOf(source, ontology)
    for (const pageRows of [1, 2, 1000]) expect(await textOf(source, ontology, { pageRows })).toBe(whole)
  })
})

it('a junction links the two records it connects, and an event is one of its kind', async () => {
  const script = `
    create table actor (id integer primary key); create table film (id integer primary key, kind text);
    create table cast_list (actor_id int references actor(id), film_id int references film(id), primary key (actor_id, film_id));
    insert into actor values (1), (2); insert into film values (5, 'short'), (6, 'long'); insert into cast_list values (1, 5), (2, 5)`
  await withDatabase(script, async (source) => {
    const ontology = await ontologyOf(source, (whole) => ({
      ...whole,
      relationships: [
        {
          name: 'films', iri: `${BASE.baseIri}Actor.films`, label: 'films', description: '', from: 'Actor', to: 'Film', junction: 'CastList',
          fromProperty: 'actor', toProperty: 'film', functional: false, tier: 'Public',
        },
      ],
      eventSubclasses: [
        { name: 'ShortFilm', iri: `${BASE.baseIri}ShortFilm`, label: 'Short film', parent: 'Film', property: 'kind', value: 'short', tier: 'Public' },
      ],
    }))
    const text = await textOf(source, ontology)
    expect(text).toContain('<https://example.org/r/Actor/1> :Actor.films <https://example.org/r/Film/5> .\n')
    expect(text).toContain('<https://example.org/r/Actor/2> :Actor.films <https://example.org/r/Film/5> .\n')
    expect(text).toContain('<https://example.org/r/Film/5> a :Film, :ShortFilm ;')
    expect(text).toContain('<https://example.org/r/Film/6> a :Film ;')
  })
})

it('TRUST-1 two databases that differ only above the ceiling give the same text', async () => {
  const twin = `${SHOP}; update customer set email = 'twin-' || id, name = 'Twin ' || id`
  const at = async (script: string, ceiling: Tier): Promise<string> =>
    withDatabase(script, async (source) => {
      const ontology = await ontologyOf(source, (whole) => ({
        ...whole,
        classes: whole.classes.map((cls) => ({
          ...cls,
          properties: cls.properties.map((property) => ({
            ...property,
            // the e-mail is hidden although the column that refers to it is not
            tier: cls.name === 'Customer' && ['email', 'name'].includes(property.name) ? 'Restricted' : 'Public',
          })),
          tier: 'Public',
        })),
      }))
      return textOf(source, cutOntology(ontology, ceiling))
    })
  const [open, hidden] = [await at(SHOP, 'Restricted'), await at(SHOP, 'Internal')]
  // the values of `login.who` may be known; which customer has one of them as its e-mail may not
  expect(hidden).not.toContain('Login.who')
  expect(hidden).not.toContain('acme.example')
  expect(hidden).toContain('<https://example.org/r/Customer/1> a :Customer ;')
  expect(await at(twin, 'Internal')).toBe(hidden)
  expect(await at(twin, 'Restricted')).not.toBe(open)
})

it('only columns of the given ontology are selected', async () => {
  await withDatabase(SHOP, async (source) => {
    const asked: string[] = []
    const watched: Source = { ...source, select: (query, limits) => (asked.push(query.sql), source.select(query, limits)) }
    const ontology = await ontologyOf(source, (whole) => ({
      ...whole,
      classes: whole.classes.map((cls) => ({ ...cls, properties: cls.properties.filter(({ name }) => name !== 'email' && name !== 'who') })),
    }))
    await textOf(watched, ontology)
    expect(asked.length).toBeGreaterThan(3)
    expect(asked.filter((sql) => sql.includes('email') || sql.includes('who'))).toEqual([])
  })
})

it('stops when its caller leaves', async () => {
  await withDatabase(SHOP, async (source) => {
    const stop = new AbortController()
    const ontology = await ontologyOf(source)
    const reading = textOf(source, ontology, { signal: stop.signal, onProgress: () => stop.abort() })
    await expect(reading).rejects.toMatchObject({ code: 'cancelled' })
  })
})

it('odd names and values still make Turtle that two parsers read', async () => {
  const script = `
    create table "select ""x"" from" ("a b" text, "ключ" text primary key, "2nd" text, "é̂" real);
    insert into "select ""x"" from" values ('<>"\\' || char(0) || char(10), '../..;/#?', '日本', 9e999), ('', ' ', char(55357), -0.0),
      (x'00ff', '100%', 1e300, 5e-324)`
  const text = await withDatabase(script, async (source) => textOf(source, await ontologyOf(source)))
  expect(parsed(text).filter(({ predicate }) => predicate.value.endsWith('type')).length).toBe(3)
  expect(text).toContain('/..%2F..%3B%2F%23%3F>')
})

function parsed(text: string): { predicate: { value: string } }[] {
  const quads = new Parser({ format: 'text/turtle' }).parse(text)
  expect(parseWithOxigraph(text, { format: 'text/turtle' }).length).toBe(quads.length)
  return quads
}
