/** The starter libraries over sample data: every rule fires where it should, and on none of the near misses beside it. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { type Materialisation, materialise } from '../src/materialise/index.ts'
import { parseTurtle, RDF_TYPE } from '../src/kernel/rdf/index.ts'
import { iri } from '../src/kernel/term.ts'
import { LIBRARY_BASE, loadLibrary, validateRule, vocabularyOfGraph, withBase, writeSlotFill } from '../src/rules/index.ts'

const RECORD = 'https://enterprise.example/record/'
const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

/** What each rule derives from the sample, and nothing more. An OWL rule is known by the property or class it gives. */
const EXPECTED: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  telecom: {
    'tel-alarm-escalation': ['r:alarm-1 :Alarm.escalated true'],
    'tel-degraded-sample': ['r:sample-1 a :DegradedSample'],
    'tel-dependency :depends_on': ['r:portal :depends_on r:voice', 'r:shop :depends_on r:portal', 'r:shop :depends_on r:voice'],
    'tel-service-impact': ['r:portal :impacted_by r:alarm-1', 'r:shop :impacted_by r:alarm-1', 'r:voice :impacted_by r:alarm-1'],
    'tel-redundancy-lost': ['r:group-a a :RedundancyLost'],
    'tel-single-point-of-failure': ['r:voice :single_point_of_failure r:router-1'],
    'tel-planned-alarm': ['r:alarm-2 :explained_by r:work-1'],
    'tel-sla-response-missed': ['r:subscription-1 :response_missed_by r:ticket-1'],
    'tel-flapping-link': ['r:link-1 a :FlappingLink'],
  },
  healthcare: {
    'hc-out-of-range': [
      'r:lab-2 :out_of_range r:range', 'r:lab-3 :out_of_range r:range', 'r:lab-4 :out_of_range r:range',
      'r:lab-6 :out_of_range r:range',
    ],
    'hc-critical-potassium': ['r:lab-3 :LabResult.critical true'],
    'hc-missed-visit': ['r:plan-3 a :MissedVisit'],
    'hc-late-visit': ['r:visit-2 a :LateVisit'],
    'hc-eligibility-recheck': ['r:enrolment-1 :recheck_eligibility r:criterion-1'],
    'hc-serious-event :SeriousAdverseEvent': ['r:event-1 a :SeriousAdverseEvent', 'r:event-3 a :SeriousAdverseEvent'],
    'hc-serious-event :ReportableEvent': ['r:event-1 a :ReportableEvent', 'r:event-3 a :ReportableEvent'],
    'hc-adverse-event-escalation': ['r:event-1 :AdverseEvent.escalated true'],
    'hc-unreported-event': ['r:event-3 a :UnreportedEvent'],
    'hc-drug-interaction': ['r:dose-1 :interacts_with r:dose-2'],
    'hc-event-after-start': ['r:event-1 :suspected_drug r:dose-1'],
  },
  finance: {
    'fin-large-transaction': ['r:wire-1 :Transaction.reportable true'],
    'fin-missing-check': ['r:customer-1 a :UncheckedCustomer'],
    'fin-structuring': ['r:account-1 :structured_deposits_on 2026-02-02'],
    'fin-dormant-account': ['r:wire-3 :reactivates r:account-3'],
    'fin-group :belongs_to': [
      'r:party-2 :belongs_to r:party-1', 'r:party-3 :belongs_to r:party-1', 'r:party-3 :belongs_to r:party-2',
    ],
    'fin-group-exposure': ['r:party-2 :over_limit_by 200.5'],
    'fin-sanctioned-group': ['r:wire-1 :touches_sanctioned r:party-1', 'r:wire-2 :touches_sanctioned r:party-1'],
    'fin-segregation-of-duties': ['r:payment-1 a :SelfApproved'],
    'fin-round-trip': ['r:transfer-1 :returned_by r:transfer-2'],
  },
}

const short = (value: string): string =>
  value === RDF_TYPE ? 'a' : value.replace(LIBRARY_BASE, ':').replace(RECORD, 'r:')

const derivedBy = ({ derived }: Materialisation, key: string): string[] => {
  const [rule, term] = key.split(' ')
  return derived
    .filter(({ origins }) => origins.some((origin) => (term === undefined ? origin.rule === rule : origin.engine === 'owl')))
    .map(({ quad: { subject, predicate, object } }) => [subject, predicate, object].map(({ value }) => short(value)).join(' '))
    // an axiom that follows from others is no finding about a record
    .filter((text) => term === undefined || (text.startsWith('r:') && text.split(' ').slice(1).includes(term)))
    .toSorted()
}

describe.each(Object.keys(EXPECTED))('the library %s', (name) => {
  const text = read(`../templates/rules/${name}.yaml`)
  const library = loadLibrary(text)
  const sample = parseTurtle(read(`fixtures/rules/${name}.ttl`))
  const quads = sample.ok ? sample.quads : []
  const expected = EXPECTED[name] ?? {}
  let materialised: Materialisation | undefined
  const run = () =>
    (materialised ??= materialise({
      asserted: quads.map((quad) => ({ quad, tier: 'Internal' })),
      rules: library.rules,
      baseIri: LIBRARY_BASE,
    }))

  it('has rules of several kinds, each with words for people and an expectation here', () => {
    expect(sample.ok).toBe(true)
    expect(library.name).toBe(name)
    expect(new Set(library.rules.map(({ kind }) => kind))).toEqual(new Set(['shacl', 'sparql', 'owl', 'datalog']))
    for (const { label, nl_summary, source, enabled } of library.rules) {
      expect([label !== '', nl_summary.endsWith('.'), source, enabled]).toEqual([true, true, 'library', true])
    }
    expect([...new Set(Object.keys(expected).map((key) => key.split(' ')[0]))]).toEqual(library.rules.map(({ id }) => id))
  })

  it('is valid against the vocabulary of its sample, without a warning', () => {
    const vocabulary = vocabularyOfGraph(quads, LIBRARY_BASE)
    for (const rule of library.rules) {
      const others = library.rules.filter(({ id }) => id !== rule.id)
      const { ok, errors, warnings } = validateRule(rule, { vocabulary, others })
      const told = warnings.filter(({ message }) => !message.includes('no triple says it'))
      expect([rule.id, ok, errors, told]).toEqual([rule.id, true, [], []])
    }
  })

  it('says with its slots what it says with its text', () => {
    const raw = parse(text) as { rules: { id: string; meta?: unknown; body: string }[] }
    const filled = raw.rules.filter(({ meta }) => meta !== undefined)
    expect(filled.length).toBeGreaterThan(0)
    for (const { id, meta, body } of filled) expect(body).toBe(writeSlotFill(meta, LIBRARY_BASE, id))
  })

  it('runs whole, and every derivation is accepted', () => {
    const { refused, delegated, rulesWithoutFirings, notices } = run()
    // that a predicate with three arguments is no triple is worth knowing and no fault
    const told = notices.filter((notice) => !notice.includes('no triple says it'))
    expect([refused, delegated, rulesWithoutFirings, told]).toEqual([[], [], [], []])
  })

  it.each(Object.entries(expected))('%s fires on its records and on no near miss', (key, triples) => {
    expect(derivedBy(run(), key)).toEqual(triples)
  })

  it('runs the same over another base', () => {
    const base = 'https://acme.example/o#'
    const moved = parseTurtle(read(`fixtures/rules/${name}.ttl`).replaceAll(LIBRARY_BASE, base))
    const asserted = moved.ok ? moved.quads.map((quad) => ({ quad, tier: 'Internal' as const })) : []
    const { derived, refused } = materialise({ asserted, rules: withBase(library, base).rules, baseIri: base })
    expect([derived.length, refused]).toEqual([run().derived.length, []])
  })
})

it('a rule that is valid without the standard prefixes runs without them', () => {
  const body = '@prefix : <https://enterprise.example/ontology#> .\n:Router rdfs:subClassOf :Resource .'
  const rule = { id: 'r', kind: 'owl', label: '', body, enabled: true, nl_summary: '', source: 'user' } as const
  expect(validateRule(rule).ok).toBe(true)
  const typed = (cls: string) => ({ subject: iri(`${RECORD}r1`), predicate: iri(RDF_TYPE), object: iri(LIBRARY_BASE + cls) })
  const asserted = [{ quad: typed('Router'), tier: 'Public' as const }]
  const { derived, refused } = materialise({ asserted, rules: [rule], baseIri: LIBRARY_BASE })
  expect([refused, derived.map(({ quad }) => quad)]).toEqual([[], [typed('Resource')]])
})

describe('the library rca', () => {
  const library = loadLibrary(read('../templates/rules/rca.yaml'))
  const sample = parseTurtle(read('fixtures/rules/rca.ttl'))
  const m = materialise({
    asserted: sample.ok ? sample.quads.map((quad) => ({ quad, tier: 'Internal' })) : [], rules: library.rules, baseIri: LIBRARY_BASE,
  })
  const has = (property: string) =>
    m.derived.flatMap(({ quad: { subject, predicate, object } }) =>
      predicate.value === LIBRARY_BASE + property ? [`${short(subject.value)} ${short(object.value)}`] : []).toSorted()

  it('runs whole, and every derivation is accepted', () => {
    // what two hops say the closure has said already
    expect([m.refused, m.delegated, m.rulesWithoutFirings.map(({ rule }) => rule)]).toEqual([[], [], ['rca-rootcause-twohop']])
  })

  it.each([
    ['rootCause', [
      'r:deregistered r:link-down', 'r:dropped r:link-down', 'r:dropped r:overload', 'r:heartbeat-lost r:link-down', 'r:peer-lost r:link-down',
    ]],
    ['multipleCandidateCauses', ['r:dropped true']],
    ['derivation', ['r:deregistered inferred', 'r:planned measured']],
    ['inCausalCycle', ['r:retry true', 'r:time-out true']],
    // a circle has no start: whatever goes back to it is told where it was entered
    ['cycleEntry', ['r:failed r:retry', 'r:retry r:retry', 'r:time-out r:retry']],
  ])('derives :%s', (property, expected) => {
    expect(has(property)).toEqual(expected)
  })

  it.each(['rca-rootcause-onehop', 'rca-rootcause-twohop'])('%s fires by itself', (id) => {
    const alone = materialise({
      asserted: sample.ok ? sample.quads.map((quad) => ({ quad, tier: 'Internal' })) : [], baseIri: LIBRARY_BASE,
      rules: library.rules.filter((rule) => rule.id === id),
    })
    const roots = alone.derived.filter(({ quad }) => quad.predicate.value === `${LIBRARY_BASE}rootCause`).map(({ quad }) => short(quad.subject.value))
    expect(roots).toContain('r:heartbeat-lost')
  })

  it('what precedes a cause precedes its effects, and a root cause is no cause by itself', () => {
    expect(has('precededBy')).toContain('r:dropped r:peer-lost')
    expect(has('hasCause')).toEqual([])
  })
})
