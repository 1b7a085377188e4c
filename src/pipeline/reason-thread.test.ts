import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ServiceError } from '../contracts/index.ts'
import { MATERIALISED_PATHS } from '../materialise/index.ts'
import { dropDrafts, placeDrafts, writeDrafts } from './files.ts'
import { inWorker, isTooLarge } from './reason-thread.ts'

let out = ''
const graph = () => join(out, 'ontology/materialised.ttl')
const drafts = () => readdirSync(join(out, 'ontology')).filter((name) => name.endsWith('.tmp'))
const options = { baseIri: 'http://e/', rules: [] }
const task = () => ({ out, options, rdf12: false })

beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), 'wherefore-'))
  mkdirSync(join(out, 'ontology'))
  writeFileSync(join(out, 'ontology/enterprise.ttl'), '<http://e/A> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://e/B> .')
  writeFileSync(join(out, 'ontology/instances.ttl'), '<http://e/x> a <http://e/A> .')
})
afterEach(() => rmSync(out, { recursive: true }))

describe('the thread of phase reason', () => {
  it('leaves drafts, which take the place of the old files together', async () => {
    writeFileSync(graph(), 'old')
    const { files, counts } = await inWorker(task(), undefined)
    expect([files, counts['derived']]).toEqual([MATERIALISED_PATHS, 1])
    expect(readFileSync(graph(), 'utf8')).toBe('old')
    placeDrafts(out, files)
    expect(readFileSync(graph(), 'utf8')).toContain(':x a :A, :B .')
    expect(readFileSync(join(out, '.previous/ontology/materialised.ttl'), 'utf8')).toBe('old')
    expect(drafts()).toEqual([])
  })

  it('says what to do when the graph does not fit into memory', async () => {
    const failure = await inWorker(task(), undefined, { maxOldGenerationSizeMb: 8 }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ServiceError)
    expect(failure).toMatchObject({ code: 'conflict', about: { hint: expect.stringContaining('--max-tier') } })
    expect(existsSync(graph())).toBe(false)
  })

  it('hands on what is wrong with the input', async () => {
    writeFileSync(join(out, 'ontology/instances.ttl'), '<http://e/x> a')
    await expect(inWorker(task(), undefined)).rejects.toMatchObject({ code: 'conflict', message: 'instances.ttl cannot be read' })
  })

  it('ends when it is called off', async () => {
    const controller = new AbortController()
    const run = inWorker(task(), controller.signal)
    controller.abort()
    await expect(run).rejects.toMatchObject({ code: 'cancelled' })
  })
})

it('drops drafts without a trace, and misses none that was never written', () => {
  writeDrafts(out, [{ path: 'ontology/materialised.ttl', chunks: () => ['new', 'er'] }])
  expect(drafts().length).toBe(1)
  dropDrafts(out, MATERIALISED_PATHS)
  expect([drafts(), existsSync(graph())]).toEqual([[], false])
})

it('a file that cannot be made whole leaves the old one and no draft', () => {
  writeFileSync(graph(), 'old')
  const broken = function* () {
    yield 'half'
    throw new Error('the rest is not to be had')
  }
  expect(() => writeDrafts(out, [{ path: 'ontology/materialised.ttl', chunks: broken }])).toThrow('the rest')
  expect([drafts(), readFileSync(graph(), 'utf8')]).toEqual([[], 'old'])
})

it.each([
  ['a full heap', Object.assign(new Error('x'), { code: 'ERR_WORKER_OUT_OF_MEMORY' }), true],
  ['a buffer that cannot be had', new RangeError('Array buffer allocation failed'), true],
  ['a text beyond the longest', new RangeError('Invalid string length'), true],
  ['a map beyond the largest', new RangeError('Map maximum size exceeded'), true],
  ['a call without end, which is a bug', new RangeError('Maximum call stack size exceeded'), false],
  ['any other bug', new TypeError('x is not a function'), false],
  ['no error at all', 'allocation failed', false],
])('tells %s from other failures', (_, error, isSo) => {
  expect(isTooLarge(error)).toBe(isSo)
})
