import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PREVIOUS, readOutput, removeOutput, writeOutputs } from './files.ts'
import { ceilingOf, mediaTypeOf, outputPaths, tripleCountOf } from './outputs.ts'

let out = ''
beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), 'wherefore-out-'))
})
afterEach(() => rmSync(out, { recursive: true }))

describe('the ceiling of a file', () => {
  it.each([
    ['a.ttl', '# title\n# ceiling: Internal\n\n@prefix : <x> .\n', 'Internal'],
    ['a.ttl', '# ceiling: Public\n', 'Public'],
    ['a.rq', '# window_seconds: 30\n# rule: x\n# ceiling: Restricted\nCONSTRUCT {} WHERE {}\n# ceiling: Public\n', 'Restricted'],
    ['a.rq', '# window_seconds: 30\nCONSTRUCT {}\n# ceiling: Public\n', 'Restricted'],
    ['a.csv', 'class,property\nceiling: Public,x\n', 'Restricted'],
    ['a.csv', '# ceiling: Confidential\nclass,property\n', 'Confidential'],
    ['a.md', '# Report\n\nCeiling: Internal. Nothing above it took part.\n', 'Internal'],
    ['a.md', `# Report\n${'\n'.repeat(20)}Ceiling: Public.\n`, 'Restricted'],
    ['a.html', '<!doctype html>\n<!-- ceiling: Internal -->\n', 'Internal'],
    ['a.html', '<p>ceiling: Public</p>', 'Restricted'],
    ['a.json', '{\n  "ceiling": "Internal",\n  "x": 1\n}\n', 'Internal'],
    ['a.json', '{ "x": 1, "ceiling": "Public" }', 'Restricted'],
    ['a.json', 'ceiling: Public', 'Restricted'],
    ['a.ttl', '# ceiling: public\n', 'Restricted'],
    ['a.ttl', '# ceiling: TopSecret\n', 'Restricted'],
    ['a.ttl', '', 'Restricted'],
  ])('of %s with %j is %s', (name, text, ceiling) => {
    expect(ceilingOf(name, text)).toBe(ceiling)
  })
})

it('lists only files of the closed list, and passes links over', () => {
  for (const folder of ['ontology', 'sparql_rules', 'secret', '.previous/ontology']) mkdirSync(join(out, folder), { recursive: true })
  for (const path of ['ontology/enterprise.ttl', 'ontology/other.ttl', 'ontology/.lock', 'sparql_rules/a-1.rq', 'sparql_rules/A.rq', 'secret/enterprise.ttl', '.previous/ontology/enterprise.ttl', '.lock']) {
    writeFileSync(join(out, path), '')
  }
  symlinkSync('/etc/hostname', join(out, 'ontology', 'materialised.ttl'))
  symlinkSync(join(out, 'secret'), join(out, 'mapping'))
  expect(outputPaths(out)).toEqual(['ontology/enterprise.ttl', 'sparql_rules/a-1.rq'])
  expect(outputPaths(join(out, 'nothing'))).toEqual([])
})

it('knows the kind of a file and the triples that its header counts', () => {
  expect(mediaTypeOf('a.ttl')).toBe('text/turtle; charset=utf-8')
  expect(tripleCountOf('# t\n# triples: 42\n')).toBe(42)
  expect(tripleCountOf('<a> <b> "# triples: 42" .')).toBeNull()
})

describe('the version before', () => {
  const text = (path: string) => readFileSync(join(out, path), 'utf8')
  const write = (body: string) => writeOutputs(out, [{ path: 'ontology/enterprise.ttl', text: body }])

  it('is the one that the last run replaced', () => {
    write('one')
    expect(readOutput(out, `${PREVIOUS}/ontology/enterprise.ttl`)).toBeNull()
    write('two')
    expect([text('ontology/enterprise.ttl'), text(`${PREVIOUS}/ontology/enterprise.ttl`)]).toEqual(['two', 'one'])
    write('three')
    expect([text('ontology/enterprise.ttl'), text(`${PREVIOUS}/ontology/enterprise.ttl`)]).toEqual(['three', 'two'])
    write('three')
    expect(text(`${PREVIOUS}/ontology/enterprise.ttl`)).toBe('three')
  })

  it('goes with a file that is taken back', () => {
    write('one')
    write('two')
    removeOutput(out, 'ontology/enterprise.ttl')
    expect(readOutput(out, 'ontology/enterprise.ttl')).toBeNull()
    expect(readOutput(out, `${PREVIOUS}/ontology/enterprise.ttl`)).toBeNull()
  })
})
