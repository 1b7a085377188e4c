import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateNetworkOps } from '../examples/network-ops/generate.ts'
import { Flavor, within } from '../src/contracts/index.ts'
import { type BodyItem, type DatalogRule, type Fact, evaluate, parseRules } from '../src/kernel/datalog/index.ts'
import { iri, literal } from '../src/kernel/term.ts'
import type { Ontology, OntologyClass } from '../src/ontology/index.ts'
import { buildOntology, cutOntology, datalogRelations, recordIri } from '../src/ontology/index.ts'
import { type Cell, type Source, openSource } from '../src/sources/index.ts'

const dir = mkdtempSync(join(tmpdir(), 'wherefore-network-ops-'))
const file = join(dir, 'network-ops.sqlite')
const flavor = Flavor.parse(JSON.parse(readFileSync('templates/flavors/network-ops.json', 'utf8')))
const truthSql = readFileSync('examples/network-ops/at-risk.sql', 'utf8')

let source: Source
let whole: Ontology
let internal: Ontology

beforeAll(async () => {
  generateNetworkOps(file)
  source = await openSource(file)
  whole = buildOntology(await source.introspect(), { baseIri: 'https://example.org/o#', recordBase: 'https://example.org/r/' })
  internal = cutOntology(whole, 'Internal')
})
afterAll(async () => {
  await source.close()
  rmSync(dir, { recursive: true })
})

const sha = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')
const atRisk = (): { customer: string; resource: string; hops: number }[] => {
  const db = new DatabaseSync(file, { readOnly: true })
  const rows = db.prepare(truthSql).all() as { customer: string; resource: string; hops: number }[]
  db.close()
  return rows
}

const rulesOf = (ontology: Ontology): DatalogRule[] =>
  flavor.rules.flatMap(({ id, body }) => {
    const parsed = parseRules(body, { relations: datalogRelations(ontology), id })
    if (!parsed.ok) throw new Error(`${id}: ${JSON.stringify(parsed.faults)}`)
    return parsed.rules
  })

describe('the database', () => {
  it('has a dozen tables and a few thousand rows, and every reference leads somewhere', () => {
    expect(whole.classes.length).toBeGreaterThanOrEqual(12)
    expect(whole.classes.reduce((sum, { instances }) => sum + instances, 0)).toBeGreaterThan(2000)
    const db = new DatabaseSync(file, { readOnly: true })
    expect(db.prepare('PRAGMA foreign_key_check').all()).toEqual([])
    db.close()
  })

  it('is the same bytes for the same seed, and other rows for another', () => {
    generateNetworkOps(join(dir, 'again.sqlite'))
    generateNetworkOps(join(dir, 'other.sqlite'), 8)
    expect(sha(join(dir, 'again.sqlite'))).toBe(sha(file))
    expect(sha(join(dir, 'other.sqlite'))).not.toBe(sha(file))
    expect(readdirSync(dir).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  it('holds the planted truth: three lengths of chain from crt-07, and none of the decoys', () => {
    const fromRouter = atRisk().filter(({ resource }) => resource === 'crt-07')
    expect(fromRouter.map(({ customer, hops }) => [customer, hops])).toEqual([
      ['Acme Retail', 1],
      ['Harbor Bank', 1],
      ['Larkspur Mobile', 1],
      ['Meridian Health', 1],
      ['Nimbus Hosting', 1],
      ['Orchid Insurance', 2],
      ['Granite Payments', 3],
      ['Vesper Analytics', 3],
    ])
    const fromOthers = atRisk().filter(({ resource }) => resource !== 'crt-07')
    expect(fromOthers.map(({ customer, resource }) => [customer, resource])).toEqual([
      ['Nimbus Hosting', 'crt-09'],
      ['Delta Logistics', 'ert-21'],
    ])
  })

  it.each([3, 8, 99])('holds it for seed %i as well', (seed) => {
    const other = join(dir, `seed-${seed}.sqlite`)
    generateNetworkOps(other, seed)
    const db = new DatabaseSync(other, { readOnly: true })
    expect(db.prepare(truthSql).all()).toHaveLength(10)
    db.close()
  })
})

describe('its ontology', () => {
  it('is called by the words of the trade', () => {
    expect(whole.classes.map(({ name, labelProperty }) => [name, labelProperty])).toEqual([
      ['Alarm', 'title'],
      ['Customer', 'name'],
      ['KpiSample', null],
      ['Link', 'name'],
      ['MaintenanceWindow', 'title'],
      ['RedundancyGroup', 'name'],
      ['Resource', 'name'],
      ['Service', 'name'],
      ['ServiceDependency', null],
      ['ServiceResource', null],
      ['Site', 'name'],
      ['Sla', 'name'],
      ['Subscription', null],
      ['Ticket', 'title'],
    ])
  })

  it('puts contacts and contract money out of reach of an ordinary question, and nothing else', () => {
    const above = whole.classes.flatMap((cls) =>
      cls.properties.filter(({ tier }) => !within(tier, 'Internal')).map(({ name, tier }) => [`${cls.name}.${name}`, tier]),
    )
    expect(above).toEqual([
      ['Customer.contact_name', 'Confidential'],
      ['Customer.contact_email', 'Restricted'],
      ['Customer.contact_phone', 'Restricted'],
      ['Customer.contract_value', 'Confidential'],
      ['Sla.penalty_per_hour', 'Confidential'],
    ])
  })
})

describe('its flavor', () => {
  it('has rules that name only what an ordinary question may see', () => {
    expect(rulesOf(internal).map(({ id }) => id)).toEqual(flavor.rules.map(({ id }) => id))
  })

  it('says every rule in words whose placeholders the rule binds', () => {
    for (const [i, rule] of rulesOf(internal).entries()) {
      const bound = new Set(rule.body.flatMap(variablesOf))
      const inHead = new Set(rule.head.args.flatMap((arg) => (arg !== null && 'variable' in arg ? [arg.variable] : [])))
      // a rule without a sentence of its own speaks through its premises
      const { sentence = '{r}', negative_sentence = '', phrases } = flavor.rules[i] ?? { phrases: [] }
      expect(placeholders(sentence).length).toBeGreaterThan(0)
      expect(placeholders(sentence).filter((name) => !bound.has(name))).toEqual([])
      // of an absent fact nothing but its arguments is known
      expect(new Set(placeholders(negative_sentence))).toEqual(inHead)
      expect(phrases.length).toBeGreaterThan(0)
    }
  })

  it('derives exactly what the hand-written SQL finds', async () => {
    const rules = rulesOf(internal)
    const model = evaluate({ relations: datalogRelations(internal), rules }, await factsOf(internal))
    expect(model.stopped).toBeNull()
    const names = await recordNames(['Customer', 'Resource'])
    const derived = model.find('at_risk').map(({ args }) => args.map((arg) => names.get(arg?.value ?? '')).join(' / '))
    const expected = atRisk().map(({ customer, resource }) => `${customer} / ${resource}`)
    expect(derived.toSorted()).toEqual(expected.toSorted())
  })

  it('has a sibling for any other database, which has no rules', () => {
    expect(Flavor.parse(JSON.parse(readFileSync('templates/flavors/generic.json', 'utf8'))).rules).toEqual([])
  })
})

const placeholders = (sentence: string): string[] => [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')

function variablesOf(item: BodyItem): string[] {
  if (item.kind === 'aggregate') return [item.into]
  if (item.kind !== 'atom') return []
  return item.atom.args.flatMap((arg) => (arg !== null && 'variable' in arg ? [arg.variable] : []))
}

/** Every row of every class as a fact, read the plain way. */
async function factsOf(ontology: Ontology): Promise<Fact[]> {
  const facts = await Promise.all(
    ontology.classes.map(async (cls) =>
      (await rowsOf(cls)).map((row): Fact => {
        const args = cls.properties.map(({ kind, columns, range, refColumns }) => {
          const cells = columns.map((column) => row.get(column) ?? null)
          const target = ontology.classes.find(({ name }) => name === range)
          if (cells.includes(null)) return null
          if (kind === 'data' || target === undefined) return literal(String(cells[0]), range)
          return iri(recordIri(ontology, target, target.key.map((part) => String(cells[refColumns.indexOf(part)]))))
        })
        return { predicate: cls.name, args: [iri(nameOf(ontology, cls, row)), ...args] }
      }),
    ),
  )
  return facts.flat()
}

async function recordNames(classes: readonly string[]): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const cls of internal.classes.filter(({ name }) => classes.includes(name))) {
    for (const row of await rowsOf(cls)) names.set(nameOf(internal, cls, row), String(row.get('name')))
  }
  return names
}

const nameOf = (ontology: Ontology, cls: OntologyClass, row: ReadonlyMap<string, Cell>): string =>
  recordIri(ontology, cls, cls.key.map((column) => String(row.get(column))))

async function rowsOf(cls: OntologyClass): Promise<Map<string, Cell>[]> {
  const columns = [...new Set([...cls.key, ...cls.properties.flatMap((property) => property.columns)])]
  const sql = `select ${columns.map((column) => `"${column}"`).join(', ')} from "${cls.table}"`
  const { rows } = await source.select({ sql, params: [] }, { maxRows: 10_000, timeoutMs: 5000 })
  return rows.map((row) => new Map(columns.map((column, at) => [column, row[at] ?? null])))
}
