import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hasSecret, maskedUrl } from '../contracts/index.ts'
import { configReport, validateConfig } from './config-report.ts'
import { openProject } from './project.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wherefore-config-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))
const config = (body: unknown) => writeFileSync(join(folder, 'wherefore.json'), typeof body === 'string' ? body : JSON.stringify(body))
const validate = (env: Record<string, string> = {}) => validateConfig({ cwd: folder, env }).faults.map(({ path, line, message }) => `${path ?? '-'}${line === undefined ? '' : `@${line}`}: ${message}`)

describe('a masked address', () => {
  it.each([
    ['postgres://u:secret@h/d', 'postgres://u:***@h/d'],
    ['postgres://u:p@ss:w/rd@h:5432/d?x=1', 'postgres://u:***@h:5432/d?x=1'],
    ['postgres://h/d?user=u&password=secret&sslmode=require', 'postgres://h/d?user=u&password=***&sslmode=require'],
    ['mysql://:secret@h/d', 'mysql://:***@h/d'],
    ['postgres://u@h/d', 'postgres://u@h/d'],
    ['postgres://h:5432/d', 'postgres://h:5432/d'],
    ['env:DATABASE_URL', 'env:DATABASE_URL'],
  ])('of %s is %s', (url, masked) => {
    expect(maskedUrl(url)).toBe(masked)
    expect(hasSecret(url)).toBe(url !== masked)
  })

  it('never holds the password', () => {
    const password = fc.string({ minLength: 4, maxLength: 12, unit: fc.constantFrom(...'abcXYZ019!$-_.~:@/?#&=+%') }).map((text) => `<${text}>`)
    fc.assert(
      fc.property(password, (text) => {
        expect(maskedUrl(`postgres://user:${text}@host.example/db`)).not.toContain(text)
      }),
    )
  })
})

describe('the configuration', () => {
  it('says of each value where it comes from, flags over environment over file over default', () => {
    config({ sources: { a: { url: 'postgres://u:secret@h/d' } }, store: 'file.db', port: 1 })
    const { entries } = configReport({ cwd: folder, env: { SERVICE_STORE: 'env.db', SERVICE_MAX_TIER: 'Internal' }, overrides: { port: 2 } })
    const of = (key: string) => entries.find((entry) => entry.key === key)
    expect(of('port')).toEqual({ key: 'port', value: 2, from: 'flag' })
    expect(of('store')).toEqual({ key: 'store', value: join(folder, 'env.db'), from: 'environment' })
    expect(of('sources.a')).toMatchObject({ from: 'file', value: { url: 'postgres://u:***@h/d' } })
    expect(of('out')).toEqual({ key: 'out', value: join(folder, 'output'), from: 'default' })
    expect(of('SERVICE_MAX_TIER')).toEqual({ key: 'SERVICE_MAX_TIER', value: 'Internal', from: 'environment' })
    expect(JSON.stringify(entries)).not.toContain('secret')
    const flagged = configReport({ cwd: folder, env: { SERVICE_STORE: 'env.db' }, overrides: { store: 'flag.db' } }).entries
    expect(flagged.find(({ key }) => key === 'store')).toEqual({ key: 'store', value: join(folder, 'flag.db'), from: 'flag' })
    expect(openProject({ cwd: folder, env: { SERVICE_STORE: 'env.db' }, overrides: { store: 'flag.db' } }).config.store).toBe(join(folder, 'flag.db'))
  })

  it('a project without a file stands on its defaults', () => {
    expect(configReport({ cwd: folder, env: {} }).file).toBeNull()
    expect(validate()).toEqual([])
  })

  it.each<[string, unknown, string[]]>([
    ['text that is no JSON', '{\n  "port": 1,\n}', ['-@3: this is not valid JSON']],
    ['an unknown key', { prot: 1 }, [': Unrecognized key: "prot"']],
    ['two faults', { port: -1, rate_limit: -1 }, ['port: Too small: expected number to be >=0', 'rate_limit: Too small: expected number to be >=0']],
    ['a source with both places', { sources: { a: { path: 'x', url: 'env:X' } } }, ['sources.a: a source has a path or a url, and not both']],
    ['a source with none', { sources: { a: {} } }, ['sources.a: a source has a path or a url, and not both']],
    ['a strange address', { sources: { a: { url: 'ftp://x' } } }, ['sources.a.url: a postgres:// or mysql:// address, or env:NAME for one that stands in an environment variable']],
    ['an age in hours', { retention: '12h' }, ['retention: a number of days, such as 30d']],
    [
      'what it points to', { sources: { a: { path: 'gone.db', flavor: 'nope' }, b: { url: 'env:NOT_SET' } }, log_roots: ['gone'] },
      [
        'sources.a.path: there is no such file', expect.stringContaining('sources.a.flavor: no flavor of that name; known: ') as unknown as string,
        'sources.b.url: the variable NOT_SET is not set', 'flavors_dir: there is no such folder', 'log_roots.0: there is no such folder',
      ],
    ],
    ['an unknown provider', { providers: { default: 'oracle' } }, [expect.stringContaining('providers: ') as unknown as string]],
  ])('has every fault named with its place: %s', (_, body, expected) => {
    config(body)
    expect(validate()).toEqual(expected)
  })

  it('faults of the environment and of flavor files are named too', () => {
    config({})
    mkdirSync(join(folder, 'flavors'))
    writeFileSync(join(folder, 'flavors', 'a.json'), '{"name": "a", "label": "A"}')
    writeFileSync(join(folder, 'flavors', 'b.json'), '{"name": "a", "label": "B"}')
    writeFileSync(join(folder, 'flavors', 'c.json'), '{"name": "C"}')
    expect(validate({ SERVICE_MAX_TIER: 'Secret' })).toEqual([
      'flavors_dir/b.json: another file already holds the flavor a',
      expect.stringMatching(/^flavors_dir\/c.json: name: /),
      expect.stringMatching(/^flavors_dir\/c.json: label: /),
      'SERVICE_MAX_TIER: not a tier; one of Public, Internal, Confidential, Restricted',
    ])
    expect(() => openProject({ cwd: folder, env: {} })).toThrow(expect.objectContaining({ code: 'invalid_request' }))
    expect(validateConfig({ cwd: folder, env: { SERVICE_CONFIG: 'gone.json' } }).faults).toMatchObject([{ path: 'SERVICE_CONFIG' }])
  })

  it("a project's flavor wins over a bundled one of the same name, and its providers over the catalogue", () => {
    config({ providers: { catalogue: { ollama: { model: 'own-model', max_tier: 'Public', base_url: 'http://127.0.0.1:1/v1' } } } })
    mkdirSync(join(folder, 'flavors'))
    writeFileSync(join(folder, 'flavors', 'mine.json'), '{"name": "network-ops", "label": "Ours"}')
    const project = openProject({ cwd: folder, env: {} })
    expect(project.flavors.get('network-ops')?.label).toBe('Ours')
    expect(project.flavors.has('generic')).toBe(true)
    expect(project.providers.providers['ollama']).toMatchObject({ model: 'own-model', max_tier: 'Public', base_url_default: 'http://127.0.0.1:1/v1', label: 'Ollama' })
  })
})
