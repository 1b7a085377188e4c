import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWorkspace } from '../store/index.ts'
import { escaped, grouped, htmlTable } from './html.ts'
import { figuresOf } from './report-figures.ts'
import { summaryPage } from './report-page.ts'

const workspace = openWorkspace(':memory:')
afterAll(() => workspace.close())

let out = ''
beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), 'wherefore-report-'))
})
afterEach(() => rmSync(out, { recursive: true }))

const put = (path: string, text: string) => {
  mkdirSync(dirname(join(out, path)), { recursive: true })
  writeFileSync(join(out, path), text)
}
const PREFIXES = `@prefix : <https://e.example/#> . @prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n`
const ONTOLOGY = `# ceiling: Internal
${PREFIXES}:A a owl:Class ; :sensitivityTier "Internal" ; rdfs:subClassOf :B, [ a owl:Restriction ; owl:onProperty :A.x ] ; owl:hasKey (:A.x) .
:B a owl:Class ; :sensitivityTier "Public" .
:A.x a owl:DatatypeProperty ; :sensitivityTier "Internal" .
:A.b a owl:ObjectProperty, owl:FunctionalProperty ; :sensitivityTier "Public" ; owl:inverseOf :B.a .
:B.a a owl:ObjectProperty ; :sensitivityTier "Public" .
`
const REPORT = `# ceiling: Internal
${PREFIXES}[] a sh:ValidationReport ; sh:conforms false ; :checkCount 12 ; :check [ :violationCount 3 ], [ :violationCount 4 ] ; sh:result [], [] .
`

describe('the figures', () => {
  it('are those of the files', () => {
    put('ontology/enterprise.ttl', ONTOLOGY)
    put('shapes/enterprise-shapes.ttl', `# ceiling: Internal\n${PREFIXES}:AShape a sh:NodeShape ; sh:property [ sh:path :A.x ], [ sh:path :A.b ] .\n`)
    put('shapes/validation-report.ttl', REPORT)
    put('mapping/logical_physical_map.csv', '# ceiling: Internal\nclass,property,kind,table\nA,,class,a\nA,x,data,a\nB,,class,"b ,,class,"\n')
    put('ontology/profile_recommendation.md', '# Profile recommendation\n\nCeiling: Internal\n\n**OWL 2 DL**\n')
    put('ontology/materialised.ttl', '# ceiling: Internal\n# triples: 99\n')
    const figures = figuresOf(out, workspace, 'Internal')
    expect(figures).toMatchObject({
      tables: 2, profile: 'OWL 2 DL', shapes: { nodes: 1, properties: 2 },
      validation: { conforms: false, checks: 12, violations: 7, broken: 2 },
    })
    expect(figures.tiers.slice(0, 2)).toEqual([
      { tier: 'Public', classes: 1, dataProperties: 0, objectProperties: 2 },
      { tier: 'Internal', classes: 1, dataProperties: 1, objectProperties: 0 },
    ])
    expect(figures.axioms).toEqual([
      { name: 'owl:FunctionalProperty', count: 1 }, { name: 'owl:Restriction', count: 1 }, { name: 'owl:inverseOf', count: 1 },
      { name: 'owl:hasKey', count: 1 }, { name: 'rdfs:subClassOf (named)', count: 1 },
    ])
    expect(figures.files.find(({ path }) => path === 'ontology/materialised.ttl')?.triples).toBe(99)
  })

  it('leave out files above the ceiling, files that do not say theirs, and a summary made before', () => {
    put('ontology/enterprise.ttl', ONTOLOGY)
    put('ontology/materialised.ttl', '<a:a> <a:b> <a:c> .\n')
    put('reports/summary.html', '<!doctype html>\n<!-- ceiling: Public -->\n')
    expect(figuresOf(out, workspace, 'Public').files).toEqual([])
    expect(figuresOf(out, workspace, 'Internal').files.map(({ path }) => path)).toEqual(['ontology/enterprise.ttl'])
    expect(figuresOf(out, workspace, 'Restricted').files.map(({ path }) => path)).toEqual(['ontology/enterprise.ttl', 'ontology/materialised.ttl'])
  })

  it('stand even where there is nothing, or nothing that can be read', () => {
    expect(figuresOf(join(out, 'none'), workspace, 'Restricted')).toMatchObject({ tables: null, tiers: [], files: [], validation: null })
    put('ontology/enterprise.ttl', '# ceiling: Public\nthis is no Turtle')
    expect(figuresOf(out, workspace, 'Restricted')).toMatchObject({ tiers: [], files: [{ triples: null }] })
  })
})

describe('the page', () => {
  const about = { ceiling: 'Internal', baseIri: 'https://e.example/"><script>alert(1)</script>' } as const

  it('lets no text of the data become markup', () => {
    put('ontology/enterprise.ttl', ONTOLOGY)
    const figures = { ...figuresOf(out, workspace, 'Internal'), profile: '<b>', candidates: { '<img src=x>': { PENDING: 1 } } }
    const page = summaryPage(figures, about)
    expect(page).not.toMatch(/<script|<b>|<img/)
    expect(page).toContain('&lt;img src=x&gt;')
  })

  it('says what is missing and how to get it', () => {
    const page = summaryPage(figuresOf(out, workspace, 'Internal'), about)
    for (const hint of ['run phase 2', 'run phase shacl', 'No logs were mined', 'There is no graph yet']) expect(page).toContain(hint)
  })
})

it.each([[0, '0'], [999, '999'], [1000, '1\u2009000'], [1234567, '1\u2009234\u2009567']])('writes %i as %s', (count, text) => {
  expect(grouped(count)).toBe(text)
})

it('escapes every character that means something in HTML', () => {
  expect(escaped(`<a href="x" title='y'>&`)).toBe('&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;')
  expect(htmlTable(['<h>'], [[{ text: '<t>', href: '"' }]])).not.toMatch(/<h>|<t>|href="""/)
})
