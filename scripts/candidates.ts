/**
 * The candidates of a whole question set: databases spread over two processes, the result kept under .cache so that weights can be
 * fitted again in seconds. The key is a hash of everything that readings depend on; the weights themselves are not part of it.
 */
import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compareText } from '../src/kernel/term.ts'
import type { DatabaseCandidates } from '../src/evaluation/candidates.ts'
import { type Field, type Question, databaseFile, readQuestions } from '../src/evaluation/question-set.ts'
import { root } from './steps.ts'

const CACHE = join(root, '.cache', 'questions')
const PROCESSES = 2
/** What a reading, its SQL and its verdict are made of. */
const ROOMS = ['search', 'ontology', 'sources'] as const
const OWN = ['candidates.ts', 'compare-rows.ts', 'question-set.ts', 'sql-text.ts'] as const

export interface CandidateSet {
  readonly folder: string
  readonly field: Field
  readonly limit?: number
}

/** By database, in the order of their names. */
export async function candidatesOfSet(set: CandidateSet, say: (line: string) => void): Promise<DatabaseCandidates[]> {
  const questions = readQuestions(set.folder, set.field, set.limit)
  const name = `${hash([set.folder, set.field, String(set.limit ?? '')]).slice(0, 8)}-`
  const file = join(CACHE, `${name}${hash([sourcesHash(), setHash(set.folder, questions)]).slice(0, 16)}.jsonl`)
  const kept = readKept(file)
  if (kept !== null) {
    say(`candidates taken from ${file.slice(root.length + 1)}`)
    return kept
  }
  const found = (await asked(set.folder, questions, say)).toSorted((a, b) => compareText(a.db, b.db))
  mkdirSync(CACHE, { recursive: true })
  for (const old of readdirSync(CACHE).filter((entry) => entry.startsWith(name))) rmSync(join(CACHE, old))
  writeFileSync(`${file}.new`, found.map((database) => `${JSON.stringify(database)}\n`).join(''))
  renameSync(`${file}.new`, file)
  return found
}

function readKept(file: string): DatabaseCandidates[] | null {
  try {
    return readFileSync(file, 'utf8').trim().split('\n').map((line) => JSON.parse(line) as DatabaseCandidates)
  } catch {
    return null
  }
}

/** The databases with most questions first, so that both processes end at about the same time. */
function asked(folder: string, questions: readonly Question[], say: (line: string) => void): Promise<DatabaseCandidates[]> {
  const waiting = [...Map.groupBy(questions, ({ db }) => db).values()].toSorted((a, b) => b.length - a.length)
  const total = waiting.length
  const found: DatabaseCandidates[] = []
  return new Promise((resolve, reject) => {
    const workers = Array.from({ length: Math.min(PROCESSES, total) }, () => fork(join(root, 'scripts', 'candidates-worker.ts')))
    const stop = () => workers.forEach((worker) => worker.kill())
    for (const worker of workers) {
      const next = () => {
        const group = waiting.shift()
        if (group !== undefined) worker.send({ folder, questions: group })
        else if (found.length === total) {
          stop()
          resolve(found)
        }
      }
      worker.on('message', (reply: { found?: DatabaseCandidates; error?: string }) => {
        if (reply.found === undefined) {
          stop()
          reject(new Error(reply.error ?? 'a process answered nothing'))
          return
        }
        found.push(reply.found)
        if (found.length % 20 === 0) say(`${found.length} of ${total} databases`)
        next()
      })
      worker.once('exit', (code) => {
        if (found.length < total) reject(new Error(`a process ended with ${code}`))
      })
      next()
    }
    if (total === 0) resolve([])
  })
}

const hash = (parts: readonly string[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex')

function sourcesHash(): string {
  const files = ROOMS.flatMap((room) => {
    const folder = join(root, 'src', room)
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
  })
  const isRead = (file: string) => statSync(file).isFile() && !file.includes('.test') && !file.endsWith('weights.json')
  const read = [...files, ...OWN.map((name) => join(root, 'src', 'evaluation', name))].filter(isRead)
  return hash(read.toSorted(compareText).map((file) => `${file.slice(root.length)} ${createHash('sha256').update(readFileSync(file)).digest('hex')}`))
}

function setHash(folder: string, questions: readonly Question[]): string {
  const databases = [...new Set(questions.map(({ db }) => db))].map((db) => {
    const { size, mtimeMs } = statSync(databaseFile(folder, db))
    return `${db} ${size} ${mtimeMs}`
  })
  return hash([...databases, JSON.stringify(questions)])
}
