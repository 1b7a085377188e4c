/**
 * The hostile inputs of the shared data, and a small database to throw them at: people whose secrets are marked, so that any
 * byte of them is found wherever it comes out. The data is not part of this repository: SHARED_DATA says where it lies.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'

const Case = z.object({
  id: z.string(), surface: z.string(), dialect: z.string(), input: z.string(), expect: z.string(), note: z.string(),
})
export type Case = z.infer<typeof Case>

const file = join(process.env['SHARED_DATA'] ?? '../shared/data', 'adversarial', 'cases.jsonl')

/** All of them, or none where the data is not at hand. */
export const CASES: readonly Case[] = existsSync(file)
  ? readFileSync(file, 'utf8').split('\n').filter((line) => line !== '').map((line) => Case.parse(JSON.parse(line)))
  : []

/** Stands in every value above Public, and nowhere else. */
export const CANARY = 'zq7canary'
const SALARY = 777_000_000 // a number has no room for a word; this one occurs nowhere else

export const leaks = (text: string): boolean => text.includes(CANARY) || /7770\d{5}/.test(text)

const METADATA = `CREATE TABLE ontology_metadata (
  target_type TEXT NOT NULL, table_name TEXT NOT NULL, column_name TEXT, semantic_type TEXT, label TEXT, description TEXT,
  synonyms TEXT, sensitivity_tier TEXT, is_event_class INTEGER, has_key_columns TEXT, is_transitive INTEGER, is_symmetric INTEGER,
  is_functional INTEGER, is_inverse_functional INTEGER, inverse_of TEXT, disjoint_group TEXT, created_at TEXT NOT NULL)`

/** `secrets: false` leaves the hidden table and the view out: what a catalogue does not list is not there at all. */
export function makePeople(path: string, { people = 60, secrets = true } = {}): void {
  const db = new DatabaseSync(path)
  db.exec(`${METADATA};
    CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, ssn TEXT NOT NULL, salary INTEGER NOT NULL);
    CREATE TABLE salary (id INTEGER PRIMARY KEY, pid INTEGER NOT NULL REFERENCES person (id), amount INTEGER NOT NULL);`)
  if (secrets) {
    db.exec(`CREATE TABLE secret_table (id INTEGER PRIMARY KEY, payload TEXT NOT NULL);
      CREATE VIEW public_view_over_person AS SELECT id, ssn AS alias FROM person;
      INSERT INTO secret_table VALUES (1, '${CANARY} payload')`)
  }
  const person = db.prepare('INSERT INTO person VALUES (?, ?, ?, ?)')
  const salary = db.prepare('INSERT INTO salary VALUES (?, ?, ?)')
  db.exec('BEGIN')
  for (let id = 1; id <= people; id += 1) {
    person.run(id, `Person ${String(id).padStart(3, '0')}`, `${CANARY}-${id % 7}-${id}`, SALARY + id)
    salary.run(id, id, SALARY + id)
  }
  const columns = 'target_type, table_name, column_name, sensitivity_tier, created_at'
  const tier = db.prepare(`INSERT INTO ontology_metadata (${columns}) VALUES (?, ?, ?, ?, '2026-01-01')`)
  for (const column of ['id', 'name']) tier.run('column', 'person', column, 'Public')
  for (const column of ['ssn', 'salary']) tier.run('column', 'person', column, 'Restricted')
  tier.run('table', 'salary', null, 'Restricted')
  if (secrets) {
    tier.run('table', 'secret_table', null, 'Restricted')
    tier.run('table', 'public_view_over_person', null, 'Restricted')
  }
  db.exec('COMMIT')
  db.close()
}

export const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

/** What lies in a folder and below it, by name. */
export const listing = (folder: string): string[] => readdirSync(folder, { recursive: true }).map(String).toSorted()

/** How many of how many had the expected outcome, by kind of attempt. */
export class Scores {
  private readonly counts = new Map<string, { good: number; all: number }>()
  private readonly bad: string[] = []

  /** `fault` is null when the outcome was the expected one. */
  add(kind: string, id: string, fault: string | null): void {
    const count = this.counts.get(kind) ?? { good: 0, all: 0 }
    this.counts.set(kind, { good: count.good + (fault === null ? 1 : 0), all: count.all + 1 })
    if (fault !== null) this.bad.push(`${kind} ${id}: ${fault}`)
  }

  faults(): readonly string[] {
    return this.bad
  }

  text(): string {
    return [...this.counts].map(([kind, { good, all }]) => `  ${kind.padEnd(34)} ${good} of ${all}`).join('\n')
  }
}
