import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateClinicalTrial } from '../examples/clinical-trial/generate.ts'
import { CASES } from '../examples/clinical-trial/planted.ts'
import { Flavor, type SearchAnswer, type SearchOptions, within } from '../src/contracts/index.ts'
import { type DatalogRule, type Fact, evaluate, parseRules } from '../src/kernel/datalog/index.ts'
import { iri, literal } from '../src/kernel/term.ts'
import {
  type Ontology, type OntologyClass, buildOntology, cutOntology, datalogRelations, readSourceMetadata, recordIri,
  sourceMetadataQuery,
} from '../src/ontology/index.ts'
import { type Service, createService, openProject, parseRequest } from '../src/runtime/index.ts'
import { type Cell, type Source, openSource } from '../src/sources/index.ts'
import { caller } from './support.ts'

const QUESTION = 'Which enrolled subjects are now ineligible after their latest lab results, and why?'
const TRUTH = readFileSync(new URL('../examples/clinical-trial/ineligible.sql', import.meta.url), 'utf8')
const FLAVOR = new URL('../templates/flavors/clinical-trial.json', import.meta.url)
const flavor = Flavor.parse(JSON.parse(readFileSync(FLAVOR, 'utf8')))

interface World {
  readonly folder: string
  readonly file: string
  readonly service: Service
  query(sql: string): Record<string, unknown>[]
  change(sql: string): void
  ask(question: string, options?: SearchOptions, grant?: 'Restricted' | 'Confidential' | 'Internal'): Promise<SearchAnswer>
  close(): Promise<void>
}

function newWorld(seed?: number): World {
  const folder = mkdtempSync(join(tmpdir(), 'wherefore-clinical-'))
  const file = join(folder, 'clinical-trial.sqlite')
  generateClinicalTrial(file, seed)
  const base = openProject({ cwd: folder, env: { SERVICE_SEARCH: '1' } })
  const sources = { 'clinical-trial': { path: file, flavor: 'clinical-trial', max_tier: 'Restricted' as const } }
  const config = { ...base.config, sources, out: join(folder, 'output'), store: join(folder, 'store.db') }
  const service = createService({ ...base, config }, { onBug: (error) => console.error(error) })
  const withDatabase = <T>(work: (db: DatabaseSync) => T): T => {
    const db = new DatabaseSync(file)
    try {
      return work(db)
    } finally {
      db.close()
    }
  }
  return {
    folder, file, service,
    query: (sql) => withDatabase((db) => db.prepare(sql).all() as Record<string, unknown>[]),
    change: (sql) => withDatabase((db) => db.exec(sql)),
    ask: async (question, options = {}, grant = 'Restricted') => {
      const request = parseRequest({ flavor: 'clinical-trial', max_tier: 'Confidential', ...options, question })
      let answer: SearchAnswer | undefined
      for await (const event of service.search(request, caller(grant), { requestId: 'test' })) {
        if (event.event === 'answer') answer = event.data
        if (event.event === 'error') throw new Error(JSON.stringify(event.data))
      }
      if (answer === undefined) throw new Error('no answer')
      return answer
    },
    close: async () => {
      await service.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

let world: World
let source: Source
let whole: Ontology
beforeAll(async () => {
  world = newWorld()
  source = await openSource(world.file)
  const catalogue = await source.introspect()
  const said = sourceMetadataQuery(catalogue) ?? { sql: '', params: [] }
  const { columns, rows } = await source.select(said, { maxRows: 100, timeoutMs: 5000 })
  const metadata = readSourceMetadata(rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]]))))
  expect(metadata.faults).toEqual([])
  const [baseIri, recordBase] = ['https://example.org/o#', 'https://example.org/r/']
  whole = buildOntology(catalogue, { baseIri, recordBase, metadata: metadata.rows })
})
afterAll(async () => {
  await source.close()
  await world.close()
})

const truth = (at: World = world) => at.query(TRUTH).map(({ subject, study, analyte }) => `${subject} / ${study} / ${analyte}`)
const subjectsIn = (answer: SearchAnswer) =>
  [...new Set(answer.claims.flatMap(({ text }) => /^(S-\d+) is ineligible/.exec(text)?.[1] ?? []))]

describe('the database', () => {
  it('has nine tables and more, a few thousand rows, 128 subjects, and every reference leads somewhere', () => {
    expect(whole.classes.length).toBeGreaterThanOrEqual(9)
    expect(whole.classes.reduce((sum, { instances }) => sum + instances, 0)).toBeGreaterThan(2000)
    expect(world.query('select count(*) n from subject')).toEqual([{ n: 128 }])
    expect(world.query('PRAGMA foreign_key_check')).toEqual([])
  })

  it('is the same bytes for the same seed, and other rows for another', () => {
    const sha = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')
    const [again, other] = ['again', 'other'].map((name) => join(world.folder, `${name}.sqlite`)) as [string, string]
    generateClinicalTrial(again)
    generateClinicalTrial(other, 8)
    expect(sha(again)).toBe(sha(world.file))
    expect(sha(other)).not.toBe(sha(world.file))
    expect(readdirSync(world.folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  it('holds four true cases, and every decoy stands beside them', () => {
    expect(truth()).toEqual([
      'S-0017 / AURORA-1 / glucose',
      'S-0042 / AURORA-1 / creatinine',
      'S-0068 / BOREAS-2 / potassium',
      'S-0101 / CIRRUS-3 / hemoglobin',
    ])
    expect(Object.keys(CASES)).toHaveLength(15)
    const codes = world.query('select code from subject').map(({ code }) => code)
    expect(codes).toEqual(expect.arrayContaining(Object.keys(CASES)))
  })

  it.each([3, 8, 99])('holds exactly these for seed %i as well', (seed) => {
    const other = join(world.folder, `seed-${seed}.sqlite`)
    generateClinicalTrial(other, seed)
    const db = new DatabaseSync(other, { readOnly: true })
    expect(db.prepare(TRUTH).all().map(({ subject }) => subject)).toEqual(['S-0017', 'S-0042', 'S-0068', 'S-0101'])
    db.close()
  })
})

describe('its ontology', () => {
  it('is called by the words of the trade, and the table about tables is no class', () => {
    expect(whole.classes.map(({ name, labelProperty }) => [name, labelProperty])).toEqual([
      ['EligibilityCriterion', null],
      ['Enrolment', null],
      ['LabResult', null],
      ['Medication', null],
      ['Site', 'name'],
      ['Study', 'name'],
      ['StudySite', null],
      ['Subject', 'code'],
      ['UnitConversion', null],
      ['Visit', 'label'],
    ])
  })

  it('has persons Restricted, findings and medications Confidential, and nothing else above Internal', () => {
    const above = whole.classes.flatMap((cls) =>
      cls.properties.filter(({ tier }) => !within(tier, 'Internal')).map(({ name, tier }) => `${cls.name}.${name} ${tier}`),
    )
    const personal = ['first_name', 'last_name', 'birth_date', 'email', 'phone'].map((name) => `Subject.${name} Restricted`)
    expect(above.filter((line) => !/^(LabResult|Medication)\./.test(line))).toEqual(personal)
    const findings = above.filter((line) => /^(LabResult|Medication)\./.test(line))
    expect(findings.filter((line) => !line.endsWith(' Confidential'))).toEqual([])
    expect(findings.length).toBeGreaterThan(8)
    expect(cutOntology(whole, 'Internal').classes.map(({ name }) => name)).not.toContain('LabResult')
    expect(cutOntology(whole, 'Internal').classes.map(({ name }) => name)).not.toContain('Medication')
  })
})

describe('its flavor', () => {
  const rulesOf = (ontology: Ontology): DatalogRule[] =>
    flavor.rules.flatMap(({ id, body }) => {
      const parsed = parseRules(body, { relations: datalogRelations(ontology), id })
      if (!parsed.ok) throw new Error(`${id}: ${JSON.stringify(parsed.faults)}`)
      return parsed.rules
    })

  it('says every rule in words whose placeholders the rule binds', () => {
    for (const [i, rule] of rulesOf(cutOntology(whole, 'Confidential')).entries()) {
      const bound = new Set(
        rule.body.flatMap((item) => {
          if (item.kind === 'assign' || item.kind === 'aggregate') return [item.into]
          return item.kind === 'atom' ? namesIn(item.atom.args) : []
        }),
      )
      const inHead = new Set(namesIn(rule.head.args))
      const { sentence = '', negative_sentence = '' } = flavor.rules[i] ?? {}
      expect(placeholders(sentence).filter((name) => !bound.has(name)), rule.id).toEqual([])
      expect(placeholders(negative_sentence).filter((name) => !inHead.has(name)), rule.id).toEqual([])
    }
  })

  it('derives exactly what the hand-written SQL finds, and tells apart what cannot be decided', async () => {
    const ontology = cutOntology(whole, 'Confidential')
    const model = evaluate({ relations: datalogRelations(ontology), rules: rulesOf(ontology) }, await factsOf(ontology))
    expect(model.stopped).toBeNull()
    const names = new Map<string, string>()
    for (const name of ['Subject', 'EligibilityCriterion', 'Study']) {
      const cls = ontology.classes.find((candidate) => candidate.name === name)
      for (const row of cls === undefined ? [] : await rowsOf(cls)) {
        names.set(nameOf(ontology, cls!, row), String(row.get('code') ?? row.get('analyte') ?? row.get('name')))
      }
    }
    const line = (args: Fact['args']) => args.map((arg) => names.get(arg?.value ?? '')).join(' / ')
    const said = (predicate: string) => model.find(predicate).map(({ args }) => line(args)).toSorted()
    expect(said('ineligible')).toEqual(world.query(TRUTH).map(({ subject, analyte }) => `${subject} / ${analyte}`))
    expect(said('undecided')).toEqual(['S-0055 / alanine aminotransferase', 'S-0090 / potassium', 'S-0118 / glucose'])
  })
})

describe('the question', () => {
  it('names exactly the subjects that the hand-written query finds, each with its numbers and units', async () => {
    const answer = await world.ask(QUESTION)
    expect(answer.status).toBe('ok')
    expect(answer.claims[0]?.text).toMatch(/^Four subjects are ineligible: S-0017, S-0042, S-0068 and S-0101/)
    expect(subjectsIn(answer)).toEqual(world.query(TRUTH).map(({ subject }) => subject))
    const plain = answer.answer.replaceAll(/ ?\[\d+\]/g, '')
    expect(plain).toContain('is ineligible for AURORA-1: the latest glucose of 12.4 mmol/L breaks the criterion < 10 mmol/L')
    expect(plain).toContain('creatinine of 167.96 umol/L breaks the criterion <= 132.6 umol/L; 1.9 mg/dL is 167.96 umol/L')
    expect(plain).toContain('is ineligible for BOREAS-2: the latest potassium of 3.5 mmol/L breaks the criterion > 3.5 mmol/L')
    expect(plain).toContain('S-0101 is ineligible for CIRRUS-3: the latest hemoglobin of 9')
    for (const claim of answer.claims) {
      expect(claim.verified).toBe(true)
      expect(claim.citations.length).toBeGreaterThan(0)
    }
    // the calculation is part of the proof that leaves
    expect(answer.inferred.flatMap(({ derived_from }) => derived_from)).toContain('167.96 = 1.9 * 88.4')
  })

  it('is blocked within Internal, and unknown to a caller who may see no more', async () => {
    const blocked = await world.ask(QUESTION, { max_tier: 'Internal' })
    expect(blocked).toMatchObject({ status: 'blocked', executed_query: '', claims: [], citations: [] })
    expect((await world.ask(QUESTION, { max_tier: 'Internal' }, 'Internal')).status).toBe('ungrounded')
    expect((await world.ask(QUESTION, {}, 'Internal')).status).toBe('ungrounded')
  })

  it('gives away no name, birth date or contact, at any stage', async () => {
    const people = world.query('select first_name, last_name, birth_date, email, phone from subject')
    const secrets = new Set(people.flatMap((row) => Object.values(row).map(String)))
    expect(secrets.size).toBeGreaterThan(300)
    const bytes = JSON.stringify(await world.ask(QUESTION, { materialize: true, k: 200 }))
    expect([...secrets].filter((secret) => bytes.includes(secret))).toEqual([])
  })

  it('never writes to the source', async () => {
    const hash = () => createHash('sha256').update(readFileSync(world.file)).digest('hex')
    const before = hash()
    await world.ask(QUESTION, { materialize: true })
    expect(hash()).toBe(before)
  })

  it.each([
    ['Is S-0009 ineligible?', /^S-0009 is not known to be ineligible, because .* is superseded/],
    ['Is S-0060 ineligible?', /^S-0060 .* because there is no enrolment with subject S-0060 and status enrolled/],
    ['Is S-0090 ineligible?', /^S-0090 is not known to be ineligible, because a result of the same moment says otherwise/],
    ['Is S-0055 ineligible?', /^S-0055 is not known to be ineligible/],
  ])('%s No, with the reason', async (question, text) => {
    const answer = await world.ask(question)
    expect(answer.status).toBe('empty')
    expect(answer.answer).toMatch(text)
  })

  it('says which subjects cannot be decided, and why', async () => {
    const answer = (await world.ask('Which subjects are undecided, and why?')).answer.replaceAll(/ ?\[\d+\]/g, '')
    expect(answer).toMatch(/^Three subjects are undecided: S-0055, S-0090 and S-0118\./)
    expect(answer).toContain('S-0055 is undecided for AURORA-1: its latest alanine aminotransferase is given as 3200 nkat/L')
  })
})

describe('changing the data changes the answer', () => {
  const result = (code: string, analyte: string, value: number, unit: string) =>
    `insert into lab_result (subject_id, analyte, value, unit, taken_at)
     select id, '${analyte}', ${value}, '${unit}', '2026-03-02T12:00:00Z' from subject where code = '${code}'`
  it.each([
    ['a better result', result('S-0017', 'glucose', 150, 'mg/dL'), ['S-0042', 'S-0068', 'S-0101']],
    ['a worse result', result('S-0009', 'glucose', 198, 'mg/dL'), ['S-0009', 'S-0017', 'S-0042', 'S-0068', 'S-0101']],
    ['a result in a unit nobody knows', result('S-0068', 'potassium', 1, 'grain'), ['S-0017', 'S-0042', 'S-0101']],
    [
      'a conversion that was missing',
      `insert into unit_conversion (analyte, from_unit, to_unit, factor)
       values ('alanine aminotransferase', 'nkat/L', 'U/L', 0.06)`,
      ['S-0017', 'S-0042', 'S-0055', 'S-0068', 'S-0101'],
    ],
    [
      'a withdrawal',
      `update enrolment set status = 'withdrawn' where subject_id = (select id from subject where code = 'S-0101')`,
      ['S-0017', 'S-0042', 'S-0068'],
    ],
    [
      'a threshold that includes its limit',
      `update eligibility_criterion set operator = '>=' where operator = '>'`,
      ['S-0017', 'S-0042', 'S-0101'],
    ],
  ])('%s', async (_, sql, expected) => {
    const own = newWorld()
    try {
      own.change(sql)
      expect([...new Set(own.query(TRUTH).map(({ subject }) => subject))]).toEqual(expected)
      expect(subjectsIn(await own.ask(QUESTION))).toEqual(expected)
    } finally {
      await own.close()
    }
  })
})

const namesIn = (args: DatalogRule['head']['args']): string[] =>
  args.flatMap((arg) => (arg !== null && 'variable' in arg ? [arg.variable] : []))

const placeholders = (sentence: string): string[] => [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')

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

const nameOf = (ontology: Ontology, cls: OntologyClass, row: ReadonlyMap<string, Cell>): string =>
  recordIri(ontology, cls, cls.key.map((column) => String(row.get(column))))

async function rowsOf(cls: OntologyClass): Promise<Map<string, Cell>[]> {
  const columns = [...new Set([...cls.key, ...cls.properties.flatMap((property) => property.columns)])]
  const sql = `select ${columns.map((column) => `"${column}"`).join(', ')} from "${cls.table}"`
  const { rows } = await source.select({ sql, params: [] }, { maxRows: 10_000, timeoutMs: 5000 })
  return rows.map((row) => new Map(columns.map((column, at) => [column, row[at] ?? null])))
}
