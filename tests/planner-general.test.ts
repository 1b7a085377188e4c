/**
 * The planner knows English and nothing of any database: neither its rules nor its word lists nor its tests name a database, a
 * question or an identifier of the question sets that it is measured on. The sets are not part of this repository: SHARED_DATA
 * says where they lie.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { singular, splitIdentifier } from '../src/kernel/text/index.ts'
import { lemmaOf } from '../src/search/language/lemma.ts'
import { WORD_CLASSES, isLemma } from '../src/search/language/wordnet.ts'
import { FUNCTION_WORDS } from '../src/search/planner/words.ts'

const data = join(process.env['SHARED_DATA'] ?? '../shared/data', 'questions')
const ROOMS = ['src/search/planner', 'src/search/language']
/** Fewer words than this are a phrase that any two people may use. */
const WHOLE = 4
/** Letters that stand for anything. */
const LETTERS = 2
/** Words of programs and short forms of English that the packed WordNet does not list; no one database's names. */
const USUAL: ReadonlySet<string> = new Set(['url', 'bytes', 'milliseconds', 'dob', 'lng'])

const sources = ROOMS.flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts') || name === 'weights.json').map((name) => join(room, name)),
).toSorted()
const files = databasesUnder(data)

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

describe.skipIf(files.length === 0)('the planner is general (skipped where SHARED_DATA has no question sets)', () => {
  it('names no database', () => {
    // a database that is called by one plain word is not named by that word
    const isPlain = (name: string) => isOrdinary(name) && !name.includes('_')
    const names = new Set(files.map((file) => basename(file, '.sqlite').toLowerCase()).filter((name) => !isPlain(name)))
    expect(foundIn((word) => names.has(word))).toEqual([])
  })

  it('holds no whole question', () => {
    const questions = Map.groupBy(questionsUnder(data), (words) => words.slice(0, WHOLE).join(' '))
    const found = sources.flatMap((file) => {
      const words = wordsIn(readFileSync(file, 'utf8'))
      return words.flatMap((_, at) =>
        (questions.get(words.slice(at, at + WHOLE).join(' ')) ?? [])
          .filter((question) => question.every((word, i) => words[at + i] === word))
          .map((question) => `${file}: ${question.join(' ')}`),
      )
    })
    expect([...new Set(found)]).toEqual([])
  })

  it('names no table or column, unless it is made of ordinary words', () => {
    const names = new Set(files.flatMap(identifiersOf))
    expect(foundIn((word) => word.length > LETTERS && names.has(word) && !USUAL.has(word) && !isOrdinary(word))).toEqual([])
  })
})

/** Where a file holds such a word: `file: word`. */
const foundIn = (isSuch: (word: string) => boolean): string[] =>
  sources.flatMap((file) => {
    const words = new Set(readFileSync(file, 'utf8').toLowerCase().match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? [])
    return [...words].filter(isSuch).map((word) => `${file}: ${word}`)
  })

/** Every part is a word of English, in any form. */
const isOrdinary = (identifier: string): boolean => splitIdentifier(identifier).every((part) => isEnglish(part.toLowerCase()))

const isEnglish = (word: string): boolean =>
  FUNCTION_WORDS.has(word) ||
  WORD_CLASSES.some((kind) => [word, singular(word), lemmaOf(word, kind)].some((form) => isLemma(form, kind)))

function databasesUnder(folder: string): string[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.sqlite'))
  return names.map((name) => join(folder, name)).toSorted()
}

function questionsUnder(folder: string): string[][] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('questions.jsonl'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n').map((line): unknown => JSON.parse(line)))
    .flatMap((entry) => Object.entries(entry as Record<string, unknown>).filter(([key]) => key.endsWith('question')))
    .flatMap(([, text]) => (typeof text === 'string' ? [wordsIn(text)] : []))
    .filter((words) => words.length >= WHOLE)
}

function identifiersOf(file: string): string[] {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const rows = database
      .prepare(`select m.name as tab, c.name as col from sqlite_master m, pragma_table_info(m.name) c where m.type <> 'index'`)
      .all()
    return rows.flatMap(({ tab, col }) => [String(tab), String(col)]).map((name) => name.toLowerCase())
  } finally {
    database.close()
  }
}
