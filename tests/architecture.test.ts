import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'

/** The only place the layering is written down. ARCHITECTURE.md prints this table; this test enforces it. */
const STORIES = ['ontology', 'rules', 'logs', 'review', 'materialise', 'search', 'insights']
const MAY_IMPORT: Record<string, readonly string[]> = {
  'kernel/values': ['kernel'],
  'kernel/datalog': ['kernel', 'kernel/values'],
  'kernel/rdf': ['kernel', 'kernel/values', 'kernel/datalog'],
  'kernel/sparql': ['kernel', 'kernel/values', 'kernel/datalog', 'kernel/rdf'],
  'kernel/owl': ['kernel', 'kernel/values', 'kernel/datalog', 'kernel/rdf'],
  'kernel/shacl': ['kernel', 'kernel/values', 'kernel/datalog', 'kernel/rdf', 'kernel/sparql'],
  'kernel/stats': ['kernel'],
  'kernel/text': ['kernel'],
  kernel: [],
  contracts: ['kernel'],
  sources: ['contracts', 'kernel'],
  store: ['contracts', 'kernel'],
  providers: ['contracts'],
  'graph-store': ['contracts', 'kernel'],
  ontology: ['contracts', 'kernel', 'sources'],
  rules: ['contracts', 'kernel', 'ontology'],
  logs: ['contracts', 'kernel'],
  review: ['contracts', 'kernel', 'store', 'rules'],
  materialise: ['contracts', 'kernel', 'graph-store', 'ontology', 'rules'],
  search: ['contracts', 'kernel', 'graph-store', 'ontology', 'sources', 'providers'],
  insights: ['contracts', 'kernel', 'ontology', 'rules', 'materialise', 'providers'],
  pipeline: ['contracts', 'kernel', 'sources', 'store', ...STORIES],
  evaluation: ['contracts', 'kernel', 'ontology', 'sources', 'search', 'logs', 'providers'],
  runtime: ['contracts', 'kernel', 'graph-store', 'sources', 'store', 'providers', ...STORIES, 'pipeline', 'evaluation'],
  surfaces: ['contracts', 'runtime'],
}
const ROOMS = Object.keys(MAY_IMPORT).toSorted((a, b) => b.length - a.length)
const roomOf = (file: string) => ROOMS.find((room) => file.startsWith(`${room}/`)) ?? '(unlisted)'
const mayImport = (from: string, to: string) =>
  (MAY_IMPORT[from] ?? []).some((room) => to === room || (room === 'kernel' && !from.startsWith('kernel') && to.startsWith('kernel')))

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !file.includes('.test'))
const imports = sources.flatMap((file) =>
  [...readFileSync(join('src', file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, to]) => ({
    file,
    to: normalize(join(dirname(file), to!)).replaceAll('\\', '/'),
  })),
)

it('ARCH-1 every file lies in a room of the table', () => {
  expect(sources.filter((file) => roomOf(file) === '(unlisted)')).toEqual([])
})

it('ARCH-2 no room looks upward', () => {
  const offences = imports
    .filter(({ file, to }) => roomOf(to) !== roomOf(file) && !mayImport(roomOf(file), roomOf(to)))
    .map(({ file, to }) => `${file} -> ${to}`)
  expect(offences).toEqual([])
})

it('ARCH-3 outsiders come in by the door', () => {
  const offences = imports
    .filter(({ file, to }) => roomOf(to) !== roomOf(file) && roomOf(to) !== 'kernel' && !to.endsWith('/index.ts'))
    .map(({ file, to }) => `${file} -> ${to}`)
  expect(offences).toEqual([])
})

it('ARCH-4 no file grows past a few hundred lines', () => {
  const long = sources.filter((file) => readFileSync(join('src', file), 'utf8').split('\n').length > 400)
  expect(long).toEqual([])
})

it('ARCH-5 only sources opens a customer database, and only store and its own files open SQLite', () => {
  const openers = sources.filter((file) => /from 'node:sqlite'/.test(readFileSync(join('src', file), 'utf8')))
  expect(openers.filter((file) => !['sources', 'store'].includes(roomOf(file)))).toEqual([])
})

it('ARCH-6 the proof checker shares terms and types with the engine, and no code', () => {
  const files = sources.filter((file) => file.startsWith('kernel/datalog/checker/'))
  const shared = files.flatMap((file) =>
    [...readFileSync(join('src', file), 'utf8').matchAll(/^import (?!type )[^\n]*'(\.\.\/[^']+)'/gm)].map(([, to]) => `${file} -> ${to}`),
  )
  expect(files.length).toBeGreaterThan(10)
  expect(shared.filter((line) => !line.endsWith('../../term.ts'))).toEqual([])
})
