import fc from 'fast-check'
import { Parser } from 'n3'
import { Store } from 'oxigraph'
import { expect, it } from 'vitest'
import { type MetadataRow, TIERS, type Tier, tierRank, within } from '../contracts/index.ts'
import type { Table } from '../sources/index.ts'
import { cutOntology } from './cut.ts'
import { BASES, build, column, id, key, table } from './fixtures.test-support.ts'
import { mappingCsv } from './mapping.ts'
import type { Ontology } from './ontology.ts'
import { emptyRow } from './propose.ts'
import { keyTier } from './settle-tiers.ts'
import { ontologyTurtle } from './turtle.ts'
import { vocabularyOf } from './vocabulary.ts'

interface Schema {
  readonly tables: readonly Table[]
  readonly rows: readonly MetadataRow[]
}

const anyTier = fc.constantFrom<Tier | null>(null, ...TIERS)
const anyFlag = fc.constantFrom(null, true, false)
const anyReference = fc.record({
  to: fc.nat(4), tier: anyTier, symmetric: anyFlag, inverse: fc.constantFrom(null, 'back', 'T0.r0'),
})
const anyTable = fc.record({
  columns: fc.uniqueArray(fc.constantFrom('email', 'name', 'country', 'salary', 'state', 'event_type'), { minLength: 1 }),
  refs: fc.array(anyReference, { maxLength: 3 }),
  bare: fc.boolean(),
  keyed: fc.boolean(),
  event: anyFlag,
  tier: anyTier,
  group: fc.constantFrom(null, 'g'),
  own: fc.boolean(),
})

/** Up to five tables that refer to each other at will; a bare one has nothing but its references. */
const anySchema = fc.array(anyTable, { minLength: 1, maxLength: 5 }).map((drafts): Schema => {
  const made = drafts.map(({ columns, refs, bare, keyed, event, tier, group, own }, i) => {
    const sound = refs.filter(({ to }) => to < drafts.length)
    const links = sound.map((ref, n) => ({ ...ref, name: `r${n}_id` }))
    const values = bare && links.length > 0 ? [] : columns
    const samples = (name: string) => [`seen in ${name}`, `also in ${name}`]
    const all = [...values.map((name) => column(name, { samples: samples(name) })), ...links.map(({ name }) => column(name))]
    const first = all[0]?.name ?? 'name'
    const name = `t${i}`
    const primaryKey = bare ? links.map((link) => link.name) : keyed && links[0] !== undefined ? [links[0].name] : [first]
    const rows = [
      emptyRow(name, null, {
        is_event_class: event, disjoint_group: group, has_key_columns: own ? all.map((each) => each.name) : null,
      }),
      ...(values.length === 0 ? [] : [emptyRow(name, first, { sensitivity_tier: tier })]),
      ...links.map((link) =>
        emptyRow(name, link.name, { sensitivity_tier: link.tier, is_symmetric: link.symmetric, inverse_of: link.inverse }),
      ),
    ]
    return { table: table(name, all, { primaryKey, foreignKeys: links.map((link) => key([link.name], `t${link.to}`)) }), rows }
  })
  return { tables: made.map((each) => each.table), rows: made.flatMap((each) => each.rows) }
})

const iris = (ontology: Ontology): string[] => [
  ...ontology.classes.flatMap((cls) => [cls.iri, ...cls.properties.map(({ iri }) => iri)]),
  ...[...(ontology.relationships ?? []), ...(ontology.eventSubclasses ?? []), ...(ontology.inverses ?? [])].map(({ iri }) => iri),
]

it('cutting twice is cutting once at the lower ceiling, and what is left hangs together', () => {
  fc.assert(
    fc.property(anySchema, fc.constantFrom(...TIERS), fc.constantFrom(...TIERS), ({ tables, rows }, one, other) => {
      const whole = build(tables, rows)
      const low = tierRank(one) < tierRank(other) ? one : other
      const cut = cutOntology(whole, low)
      expect(cutOntology(cutOntology(whole, one), other)).toEqual(cut)
      const names = new Set(cut.classes.map(({ name }) => name))
      for (const cls of cut.classes) {
        expect(within(cls.tier, low) && within(keyTier(cls), low)).toBe(true)
        expect(cls.key.every((part) => cls.properties.some(({ columns }) => columns.includes(part)))).toBe(true)
        for (const property of cls.properties) {
          expect(within(property.tier, low)).toBe(true)
          if (property.kind === 'object') expect(names.has(property.range)).toBe(true)
        }
      }
    }),
    { numRuns: 50 },
  )
})

it('no text of the cut ontology speaks of a term that was cut away', () => {
  fc.assert(
    fc.property(anySchema, fc.constantFrom(...TIERS), ({ tables, rows }, ceiling) => {
      const whole = build(tables, rows)
      const cut = cutOntology(whole, ceiling)
      const left = new Set(iris(cut))
      const turtle = ontologyTurtle(cut)
      const quads = new Parser().parse(turtle)
      const spoken = quads.flatMap(({ subject, predicate, object }) => [subject.value, predicate.value, object.value])
      for (const gone of iris(whole).filter((iri) => !left.has(iri))) {
        expect(spoken).not.toContain(gone)
        expect(JSON.stringify(vocabularyOf(cut))).not.toContain(`"${gone}"`)
      }
      for (const { value, tier } of whole.eventSubclasses ?? []) {
        if (within(tier, ceiling) || cut.eventSubclasses?.some((kind) => kind.value === value)) continue
        expect(turtle + mappingCsv(cut)).not.toContain(value)
      }
    }),
    { numRuns: 50 },
  )
})

it('writes every axiom so that two parsers read the same, and no IRI means two things', () => {
  fc.assert(
    fc.property(anySchema, ({ tables, rows }) => {
      const whole = build(tables, rows)
      const turtle = ontologyTurtle(whole)
      expect(ontologyTurtle(build(tables.toReversed(), rows.toReversed()))).toBe(turtle)
      const store = new Store()
      store.load(turtle, { format: 'text/turtle' })
      expect(new Parser().parse(turtle)).toHaveLength(store.size)
      expect(new Set(iris(whole)).size).toBe(iris(whole).length)
      expect(iris(whole).every((iri) => iri.startsWith(BASES.baseIri))).toBe(true)
    }),
    { numRuns: 50 },
  )
})

it('a reference is as sensitive as the columns it refers to', () => {
  const ontology = build([
    table('account', [id, column('owner')], { foreignKeys: [key(['owner'], 'person', ['ssn'])] }),
    table('person', [id, column('ssn')], { uniques: [['ssn']] }),
  ])
  const names = (ceiling: 'Internal' | 'Restricted') => cutOntology(ontology, ceiling).classes.flatMap((cls) => cls.properties.map(({ name }) => `${cls.name}.${name}`))
  expect(names('Internal')).not.toContain('Account.owner')
  expect(names('Restricted')).toContain('Account.owner')
})
