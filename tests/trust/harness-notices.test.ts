import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Ontology, OntologyClass } from '../../src/ontology/index.ts'
import { className, propertyOf } from './twin-asks.ts'
import { compareTwins } from './twin-compare.ts'
import { draftOf, hiddenAt } from './twin-draft.ts'

/** The harness against itself: with the cut broken on purpose, in memory, it must find what slips through. */
type Slip = (whole: Ontology, cut: Ontology) => Ontology
const broken = vi.hoisted(() => ({ by: null as Slip | null }))

vi.mock(import('../../src/ontology/cut.ts'), async (original) => {
  const { cutOntology } = await original()
  return {
    cutOntology: (ontology, ceiling) => {
      const cut = cutOntology(ontology, ceiling)
      return broken.by === null ? cut : broken.by(ontology, cut)
    },
  }
})
afterEach(() => {
  broken.by = null
})

const SEED = 1
const CEILING = 'Internal'
const draft = draftOf(SEED)
const [table, column] = hiddenAt(draft, CEILING).columns.find(([, { kind }]) => kind === 'integer')!
const CHANNELS = ['hidden terms in every clause', 'filter oracle']

async function noticed(channels: readonly string[] = CHANNELS): Promise<string[]> {
  const { differences } = await compareTwins({ seed: SEED, ceiling: CEILING, size: 18, channels })
  return differences.map(({ channel }) => channel)
}

/** The cut with one class as it was before, as far as `keep` says. */
const restored = (whole: Ontology, cut: Ontology, name: string, keep: (cls: OntologyClass) => OntologyClass): Ontology => {
  const cls = whole.classes.find((each) => each.name === name)
  if (cls === undefined) throw new Error(`no class ${name}`)
  const others = cut.classes.filter((each) => each.name !== name)
  return { ...cut, classes: [...others, keep(cls)].toSorted((x, y) => (x.name < y.name ? -1 : 1)) }
}

describe('TRUST-2 the harness notices', { timeout: 120_000 }, () => {
  it('nothing while nothing slips through', async () => {
    expect(await noticed()).toEqual([])
  })

  it('an ontology that was not cut', async () => {
    broken.by = (whole) => whole
    expect(await noticed(['hidden terms in every clause'])).toEqual(['hidden terms in every clause'])
  })

  it('a column that slips through', async () => {
    const visible = new Set([propertyOf(column)])
    broken.by = (whole, cut) =>
      restored(whole, cut, className(table.name), (cls) => {
        const open = cut.classes.find(({ name }) => name === cls.name)?.properties.map(({ name }) => name) ?? []
        return { ...cls, properties: cls.properties.filter(({ name }) => open.includes(name) || visible.has(name)) }
      })
    expect(await noticed()).toEqual(CHANNELS)
  })

  it('a number of rows that slips through', async () => {
    const hidden = hiddenAt(draft, CEILING).tables[0]!
    const first = className(draft.tables[0]!.name)
    broken.by = (whole, cut) => {
      const instances = whole.classes.find(({ name }) => name === className(hidden.name))?.instances ?? 0
      return { ...cut, classes: cut.classes.map((cls) => (cls.name === first ? { ...cls, instances } : cls)) }
    }
    expect(await noticed(['vocabulary'])).toEqual(['vocabulary'])
  })
})
