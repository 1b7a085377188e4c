import { expect, it } from 'vitest'
import { Rule } from '../contracts/index.ts'
import { parseTurtle } from '../kernel/rdf/index.ts'
import { compileCausalRule } from './causal.ts'
import { windowSecondsOf } from './causal-window.ts'
import { exportRules, staleRuleFiles } from './export.ts'

const rule = (id: string, kind: string, body: string, more: object = {}) => Rule.parse({ id, kind, body, ...more })
const causal = compileCausalRule({
  id: 'causal-a-b', pid: 'p', causeClass: 'A', effectClass: 'B', windowSeconds: 30, sharedEntity: null, baseIri: 'https://x#',
})

it('each CONSTRUCT is a file, all Turtle rules share one, in the order of their ids', () => {
  const session = {
    rules: [
      rule('zeta', 'sparql', 'CONSTRUCT { ?a <x:b> ?c } WHERE { ?a <x:d> ?c }'),
      rule('axiom', 'owl', '@prefix : <https://x#> . :A rdfs:subClassOf :B .'),
      rule('off', 'sparql', 'CONSTRUCT {}', { enabled: false }),
      rule('log', 'datalog', 'p(?x) :- q(?x).'),
    ],
    causal_rules: [causal],
  }
  const files = exportRules(session)
  expect(files.map(({ path }) => path)).toEqual([
    'shapes/rules.ttl', 'sparql_rules/causal-a-b.rq', 'sparql_rules/zeta.rq', 'datalog_rules/log.dl',
  ])
  expect(files[3]?.text).toBe('% rule: log\n% ceiling: Restricted\np(?x) :- q(?x).\n')
  expect(files[0]?.text).toBe(`# SHACL and OWL rules
# ceiling: Restricted
# rule: axiom (owl)

@prefix : <https://x#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

:A rdfs:subClassOf :B .
`)
  const text = files[1]?.text ?? ''
  expect(text.split('\n').slice(0, 4)).toEqual(['# window_seconds: 30', '# rule: causal-a-b', '# ceiling: Restricted',
    'PREFIX : <https://x#>'])
  expect(windowSecondsOf(text)).toBe(30)
  expect(exportRules({ ...session, rules: session.rules.toReversed() })).toEqual(files)
})

it('blank nodes of two rules stay two nodes', () => {
  const body = '@prefix : <https://x#> . :S sh:rule [ :p :q ] .'
  const [shapes] = exportRules({ rules: [rule('one', 'shacl', body), rule('two', 'shacl', body)], causal_rules: [] })
  const parsed = parseTurtle(shapes?.text ?? '')
  const blanks = parsed.ok ? parsed.quads.filter(({ object }) => object.kind === 'bnode').map(({ object }) => object.value) : []
  expect(new Set(blanks).size).toBe(2)
})

it('a rule that is not Turtle is left out, and its name too', () => {
  const good = rule('good', 'owl', '@prefix : <https://x#> . :A rdfs:subClassOf :B .')
  const broken = [rule('bad', 'owl', ':A'), rule('worse', 'shacl', '@prefix : <https://y#> . :A :b [ :p')]
  expect(exportRules({ rules: [...broken, good], causal_rules: [] })).toEqual(exportRules({ rules: [good], causal_rules: [] }))
})

it('a name that stands twice is refused', () => {
  expect(() => exportRules({ rules: [], causal_rules: [causal] },
    [causal])).toThrow(expect.objectContaining({ code: 'conflict' }))
})

it('files of rules that are gone are told, and no others', () => {
  const kept = rule('kept', 'sparql', 'CONSTRUCT { ?a <x:b> ?c } WHERE { ?a <x:d> ?c }')
  const files = exportRules({ rules: [kept], causal_rules: [] })
  const present = ['shapes/rules.ttl', 'sparql_rules/kept.rq', 'sparql_rules/gone.rq', 'datalog_rules/gone.dl',
    'sparql_rules/../x.rq', 'sparql_rules/notes.txt', 'ontology/gone.rq']
  expect(staleRuleFiles(present, files)).toEqual(['sparql_rules/gone.rq', 'datalog_rules/gone.dl'])
})
