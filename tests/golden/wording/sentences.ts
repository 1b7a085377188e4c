/** Makes the golden sentences: from rows as if a query had found them, and from proofs over a handful of facts. */
import { Plan, type Claim, type Citation } from '../../../src/contracts/index.ts'
import { type Fact, evaluate, parseRules, proofOf } from '../../../src/kernel/datalog/index.ts'
import { type Term, iri, literal } from '../../../src/kernel/term.ts'
import { type OntologyClass, datalogRelations, parseRecordIri, recordIri } from '../../../src/ontology/index.ts'
import { CitationList } from '../../../src/search/citations.ts'
import { isFolded } from '../../../src/search/compiler/shape.ts'
import type { SearchContext } from '../../../src/search/context.ts'
import type { ClaimDraft } from '../../../src/search/draft.ts'
import type { Executed } from '../../../src/search/execute.ts'
import { type LoadedRecord, recordLabel } from '../../../src/search/records.ts'
import { derivedClaims } from '../../../src/search/wording/derived-claims.ts'
import { describePlan } from '../../../src/search/wording/describe-plan.ts'
import { followUps } from '../../../src/search/wording/follow-ups.ts'
import { rowClaims } from '../../../src/search/wording/row-claims.ts'
import { sayLiteral } from '../../../src/search/wording/values.ts'
import { absenceClaims } from '../../../src/search/wording/why-not.ts'
import { writeClaim } from '../../../src/search/wording/write-claim.ts'
import { WORDING_CASES, type WordingCase } from './cases.ts'
import { flavor, network } from './network.ts'

const K = 3

/** What the query of a case would have left behind. */
export function executedOf({ plan: given, rows, truncated = false, ties, evidence }: Omit<WordingCase, 'group' | 'name'>): Executed {
  const plan = Plan.parse({ intent: 'list', ...given })
  const folded = isFolded(plan)
  const behind = evidence ?? rows.map((row) => row.filter((_, at) => !folded || plan.select[at]?.path !== undefined))
  const width = network.classes.find(({ name }) => name === plan.from)?.key.length ?? 1
  return {
    plan, rows, truncated, columns: plan.select.map((_, at) => `c${at}`),
    evidence: behind.map((values, at) => ({ key: Array.from({ length: width }, () => at + 1), values })),
    support: behind.length, evidenceTruncated: false, given: new Map(), givenKeys: new Map(), givenTruncated: false, queries: [],
    compiled: { main: { sql: 'select 1', params: [], columns: new Map(), filters: [] } },
    ...(ties === undefined ? {} : { ties }),
  } as unknown as Executed
}

/** Every record exists, and is called by its key. */
const anyRecord = {
  get: (id: string): LoadedRecord | undefined => {
    const parsed = parseRecordIri(network, id)
    if (parsed === null) return undefined
    return { iri: id, cls: parsed.cls, query: 0, cells: new Map(parsed.cls.key.map((column, at) => [column, parsed.key[at] ?? null])) }
  },
}

export function written(drafts: readonly ClaimDraft[]): { claims: Claim[]; citations: Citation[] } {
  const cited = new CitationList(anyRecord)
  const claims = drafts.map((draft, at) => writeClaim(draft, `c${at + 1}`, cited, K, () => null))
  return { claims, citations: cited.list() }
}

export const context = { ontology: network, flavor, ceiling: 'Internal' } as unknown as SearchContext

/** One file per group: the name of each case, its plan in words, and the sentence. */
export function wordingFiles(): Record<string, string> {
  const groups = new Map<string, string[]>()
  for (const given of WORDING_CASES) {
    const executed = executedOf(given)
    const said = written(rowClaims(context, executed)).claims.map(({ text }) => text)
    const asked = followUps(network, executed.plan).map((question) => `next: ${question}`)
    const lines = [`## ${given.name}`, `plan: ${describePlan(network, executed.plan)}`, ...said, ...asked, '']
    groups.set(given.group, [...(groups.get(given.group) ?? [`# ${given.group}`, '']), ...lines])
  }
  groups.set('reasons', ['# reasons', '', ...reasons()])
  return Object.fromEntries([...groups].map(([group, lines]) => [`${group}.md`, lines.join('\n')]))
}

const cls = (name: string): OntologyClass => network.classes.find((each) => each.name === name)!
const at = (name: string, ...key: (string | number)[]): Term => iri(recordIri(network, cls(name), key.map(String)))

/** Facts of a class by the names of its properties. */
function fact(name: string, key: (string | number)[], values: Record<string, Term>): Fact {
  const record = at(name, ...key)
  return { predicate: name, args: [record, ...cls(name).properties.map((property) => values[property.name] ?? null)], tier: 1, source: record.value }
}

const named = (name: string, key: number, text: string, values: Record<string, Term> = {}): Fact => fact(name, [key], { name: literal(text), ...values })
const alarm = (key: number, resource: number): Fact =>
  fact('Alarm', [key], { resource: at('Resource', resource), state: literal('open'), severity: literal('critical') })
const runsOn = (service: number, resource: number): Fact =>
  fact('ServiceResource', [service, resource], { service: at('Service', service), resource: at('Resource', resource) })
const subscribes = (key: number, customer: number, service: number): Fact =>
  fact('Subscription', [key], { customer: at('Customer', customer), service: at('Service', service), status: literal('active') })

const FACTS: readonly Fact[] = [
  named('Customer', 1, 'Acme Retail'), named('Customer', 2, 'Harbor Bank'), named('Customer', 3, 'Borealis'), named('Customer', 4, 'Quill Press'),
  named('Resource', 7, 'crt-07', { status: literal('degraded') }), named('Resource', 8, 'crt-08', { status: literal('active') }),
  named('Service', 1, 'web-vpn-12'), named('Service', 2, 'Internet [2]'),
  alarm(1, 7), alarm(2, 7), runsOn(1, 7), runsOn(2, 7), runsOn(2, 8), subscribes(1, 1, 1), subscribes(2, 2, 1), subscribes(3, 3, 2),
]

/** Why and why not, over the facts above. */
function reasons(): string[] {
  const relations = datalogRelations(network)
  const rules = flavor.rules.flatMap(({ id, body }) => {
    const parsed = parseRules(body, { relations, id })
    if (!parsed.ok) throw new Error(`${id}: ${JSON.stringify(parsed.faults)}`)
    return parsed.rules
  })
  const program = { relations, rules }
  const model = evaluate(program, FACTS)
  const label = (term: Term): string => {
    const known = FACTS.find(({ source }) => source === term.value)
    const property = known === undefined ? -1 : cls(known.predicate).properties.findIndex(({ name }) => name === 'name')
    const name = known?.args[property + 1]
    if (name !== null && name !== undefined && property !== -1) return sayLiteral(name)
    const record = anyRecord.get(term.value)
    return record === undefined ? sayLiteral(term) : recordLabel(record)
  }
  const voice = { flavor, rules, label }
  const why = (given: Record<number, Term>, ask = 0) => {
    const fixed = Object.entries(given).map(([argument, term]) => ({
      argument: Number(argument), class: parseRecordIri(network, term.value)?.cls.name ?? '', where: [{ path: ['id'], op: '=' as const, value: 1 }],
    }))
    const executed = executedOf({
      plan: { intent: 'why', from: 'Customer', select: [{ path: ['name'] }], why: { predicate: 'at_risk', ask, given: fixed, negated: false, complement: false } },
      rows: [],
    })
    const records = new Map(Object.entries(given).map(([argument, term]) => [Number(argument), [term.value]]))
    const answers = model.find('at_risk').filter(({ args }) => Object.entries(given).every(([i, term]) => args[Number(i)]?.value === term.value))
    const proofs = answers.map(({ id }) => proofOf(model, id))
    const drafts =
      proofs.length > 0
        ? derivedClaims(executed.plan, proofs, network, voice)
        : absenceClaims(context, { ...executed, given: records }, { program, base: FACTS, model, answers }, voice)
    return [...written(drafts).claims.map(({ text }) => text), '']
  }
  return [
    '## who is at risk from crt-07', ...why({ 1: at('Resource', 7) }),
    '## why is Acme Retail at risk', ...why({ 0: at('Customer', 1) }),
    '## why is Borealis not at risk: a redundant path stands in the way', ...why({ 0: at('Customer', 3) }),
    '## why is Quill Press not at risk: it has no subscription', ...why({ 0: at('Customer', 4) }),
    '## who is at risk from crt-08: nobody', ...why({ 1: at('Resource', 8) }),
  ]
}
