/**
 * Writes the clinical trial database: the planted cases and, around them, subjects whose latest results meet every criterion.
 * `node examples/clinical-trial/generate.ts [file]`. The same seed gives the same rows.
 */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ANALYTES, CASES, STUDIES } from './planted.ts'
import type { Analyte } from './planted.ts'
import { SCHEMA, TIERS } from './schema.ts'
import { type Chance, type Insert, writeExample } from '../seeded.ts'

export const CLINICAL_TRIAL_FILE = join(dirname(fileURLToPath(import.meta.url)), 'clinical-trial.sqlite')

type Ids = ReadonlyMap<string, number>

const SUBJECTS = 128
const CLOSED = Date.parse('2026-03-02T08:30:00Z')
const DAY = 86_400_000

export const generateClinicalTrial = (file: string, seed = 7): void => writeExample(file, SCHEMA, seed, fill)

function fill(insert: Insert, chance: Chance): void {
  for (const [table_name, column_name, sensitivity_tier, description] of TIERS) {
    const target_type = column_name === null ? 'table' : 'column'
    insert('ontology_metadata', { target_type, table_name, column_name, description, sensitivity_tier, created_at: time(CLOSED) })
  }
  const sites = SITES.map(([name, city, country]) => insert('site', { name, city, country }))
  const studies = fillStudies(insert, chance, sites)
  fillConversions(insert)
  for (let n = 1; n <= SUBJECTS; n += 1) fillSubject(insert, chance, `S-${String(n).padStart(4, '0')}`, studies, sites)
}

function fillStudies(insert: Insert, chance: Chance, sites: readonly number[]): Ids {
  const ids = new Map<string, number>()
  for (const [name, { title, phase, criteria }] of Object.entries(STUDIES)) {
    const opened_on = day(CLOSED - (500 + chance.below(400)) * DAY)
    const study_id = insert('study', { name, title, phase, state: 'recruiting', opened_on })
    ids.set(name, study_id)
    for (const site_id of chance.some(sites, 5)) insert('study_site', { study_id, site_id })
    for (const [analyte, operator, threshold] of criteria) {
      insert('eligibility_criterion', { study_id, analyte, operator, threshold, unit: analyteOf(analyte).unit })
    }
  }
  return ids
}

function fillConversions(insert: Insert): void {
  for (const [analyte, { unit, from }] of Object.entries(ANALYTES)) {
    for (const [from_unit, factor] of Object.entries(from)) {
      insert('unit_conversion', { analyte, from_unit, to_unit: unit, factor })
    }
  }
}

function fillSubject(insert: Insert, chance: Chance, code: string, studies: Ids, sites: readonly number[]): void {
  const planted = CASES[code]
  const [first_name, last_name] = [chance.pick(FIRST_NAMES), chance.pick(LAST_NAMES)]
  const subject_id = insert('subject', {
    code, first_name, last_name,
    birth_date: day(CLOSED - (8000 + chance.below(20_000)) * DAY),
    email: `${first_name.toLowerCase()}.${last_name.toLowerCase()}${chance.below(90) + 10}@mail.example`,
    phone: `+49 ${150 + chance.below(30)} ${1_000_000 + chance.below(8_999_999)}`,
    site_id: chance.pick(sites),
  })
  const enrolments = planted?.enrolments ?? usualEnrolments(chance)
  const visits = enrolments.map(([study, status]) => fillEnrolment(insert, chance, subject_id, idOf(studies, study), status))
  const isEnrolled = enrolments.some(([, status]) => status === 'enrolled')
  const measured = new Set(planted?.samples.map(([, analyte]) => analyte))
  for (const [daysAgo, analyte, value, unit] of planted?.samples ?? []) {
    insert('lab_result', { subject_id, visit_id: null, analyte, value, unit, taken_at: time(CLOSED - daysAgo * DAY) })
  }
  for (const name of Object.keys(ANALYTES)) {
    if (!measured.has(name)) fillUsualResults(insert, chance, subject_id, name, visits[0] ?? [], isEnrolled)
  }
  for (const drug of chance.some(DRUGS, chance.below(4))) {
    const started = CLOSED - (30 + chance.below(900)) * DAY
    insert('medication', {
      subject_id, drug, dose_mg: chance.pick([2.5, 5, 10, 20, 40, 100, 500]), started_on: day(started),
      ended_on: chance.below(3) === 0 ? day(started + (10 + chance.below(20)) * DAY) : null,
    })
  }
}

type Status = 'enrolled' | 'withdrawn' | 'completed'

function usualEnrolments(chance: Chance): (readonly [study: string, status: Status])[] {
  const [first = '', second = ''] = chance.some(Object.keys(STUDIES), 2)
  const now = chance.pick<Status>(['enrolled', 'enrolled', 'enrolled', 'enrolled', 'enrolled', 'withdrawn', 'completed'])
  return chance.below(5) === 0 ? [[first, now], [second, 'completed']] : [[first, now]]
}

interface Visit {
  readonly id: number
  readonly at: number
}

function fillEnrolment(insert: Insert, chance: Chance, subject_id: number, study_id: number, status: Status): Visit[] {
  const started = CLOSED - (120 + chance.below(80)) * DAY
  const enrolment_id = insert('enrolment', {
    subject_id, study_id, status, started_on: day(started), ended_on: status === 'enrolled' ? null : day(started + 110 * DAY),
  })
  return VISITS.map(([label, after]): Visit => {
    const at = started + (after + chance.below(4)) * DAY + chance.below(8 * 60) * 60_000
    return { at, id: insert('visit', { enrolment_id, label, visited_on: day(at) }) }
  })
}

/** One result per visit at most. Where the subject is enrolled, an odd one never is the last. */
function fillUsualResults(
  insert: Insert,
  chance: Chance,
  subject_id: number,
  name: string,
  visits: readonly Visit[],
  isEnrolled: boolean,
): void {
  const analyte = analyteOf(name)
  const taken = visits.filter(() => chance.below(10) < 8)
  for (const [at, visit] of taken.entries()) {
    const mayBeOdd = !isEnrolled || at < taken.length - 1
    const [low, high] = analyte.usual
    const value = mayBeOdd && chance.below(12) === 0 ? analyte.odd : low + ((high - low) * chance.below(1000)) / 1000
    const [unit, factor] = chance.pick([[analyte.unit, 1] as const, [analyte.unit, 1] as const, ...Object.entries(analyte.from)])
    insert('lab_result', {
      subject_id, visit_id: visit.id, analyte: name, unit, taken_at: time(visit.at),
      value: rounded(value / factor, unit === analyte.unit ? analyte.digits : factor > 5 ? 2 : 1),
    })
  }
}

function analyteOf(name: string): Analyte {
  const analyte = ANALYTES[name]
  if (analyte === undefined) throw new Error(`no analyte is called ${name}`)
  return analyte
}

function idOf(ids: Ids, name: string): number {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`nothing is called ${name}`)
  return id
}

const SITES = [
  ['Alster Clinic', 'Hamburg', 'DE'], ['Vistula Hospital', 'Gdansk', 'PL'], ['Maas Medical Centre', 'Rotterdam', 'NL'],
  ['Lakeside Research Unit', 'Uppsala', 'SE'], ['Loire Trial Centre', 'Nantes', 'FR'], ['Moldau Institute', 'Brno', 'CZ'],
  ['Fjord University Hospital', 'Aarhus', 'DK'],
] as const
const VISITS = [['screening', 0], ['week 4', 28], ['week 8', 56], ['week 12', 84]] as const
const DRUGS = [
  'metformin', 'lisinopril', 'amlodipine', 'atorvastatin', 'levothyroxine', 'omeprazole', 'furosemide', 'bisoprolol', 'ibuprofen',
  'prednisolone',
] as const
const FIRST_NAMES = [
  'Agnieszka', 'Bertram', 'Clementine', 'Diederik', 'Eleonora', 'Florian', 'Gwendolyn', 'Henrike', 'Ignatius', 'Josefine',
  'Konstantin', 'Liselotte', 'Margarethe', 'Nikolaus', 'Ottilie', 'Philippa',
] as const
const LAST_NAMES = [
  'Abendroth', 'Bleichroeder', 'Czarnecki', 'Dankworth', 'Eisenhardt', 'Fogelstrom', 'Grabowska', 'Heidenreich', 'Iwanowska',
  'Jorgensen', 'Kowalczyk', 'Lindqvist', 'Mortensen', 'Nieuwenhuis', 'Oldenburg', 'Pietersen',
] as const

const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
const time = (ms: number): string => new Date(ms).toISOString().replace('.000', '')
const rounded = (value: number, digits: number): number => Number(value.toFixed(digits))

if (import.meta.main) {
  const file = process.argv[2] ?? CLINICAL_TRIAL_FILE
  generateClinicalTrial(file)
  console.log(`wrote ${file}`)
}
