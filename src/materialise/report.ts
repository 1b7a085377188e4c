/** materialisation_report.md: what was derived by which rule, how much the graph grew, what is more sensitive than it looks. */
import type { Tier } from '../contracts/index.ts'
import { ENGINES, TIERS, tierRank } from '../contracts/index.ts'
import { RDF_TYPE, quadKey } from '../kernel/rdf/index.ts'
import { type Term, compareText, termKey } from '../kernel/term.ts'
import { idleRules } from './idle-rules.ts'
import type { Inconsistency, Materialisation } from './materialisation.ts'
import { premisesOf } from './premises.ts'
import { type Labels, labelledTiers } from './tiers.ts'
import { words } from './words.ts'

/** Derived triples per asserted triple above which a reader should ask whether the rules are what he meant. */
const BLOW_UP_WARNING = 5

/** Shown with their premises; the rest are counted. */
const MOST_INCONSISTENCIES = 100

export function blowUp({ asserted, derived }: Materialisation): number {
  return asserted.length === 0 ? 0 : (asserted.length + derived.length) / asserted.length
}

/** The same in a few lines, for a terminal. */
export function materialisationLines(m: Materialisation): string[] {
  return [
    `${m.asserted.length} asserted triples, ${m.derived.length} derived, ${checked(m)}`,
    ...m.counts.map(({ engine, rule, triples }) => `  ${engine} ${rule}: ${triples}`),
    ...m.delegated.map(({ rule, solutions }) => `  partial premises ${rule}: ${solutions} solutions of the SPARQL store`),
    ...m.refused.map(({ rule, reason }) => `  refused ${rule}: ${reason}`),
    ...(m.inconsistencies.length === 0 ? [] : [`  inconsistencies: ${m.inconsistencies.length}, see the report`]),
    ...m.notices.map((notice) => `  note: ${notice}`),
  ]
}

export function materialisationReport(m: Materialisation): string {
  const ratio = blowUp(m)
  const sections = [
    '# Materialisation report',
    `Ceiling: ${m.ceiling}. Nothing above it took part.`,
    '## Triples',
    table(
      ['', 'triples'],
      [
        ['asserted', String(m.asserted.length)],
        ['derived', String(m.derived.length)],
        ['in all', String(m.asserted.length + m.derived.length)],
      ],
    ),
    `Blow-up ratio (all triples per asserted triple): ${ratio.toFixed(2)}.` +
      (ratio > BLOW_UP_WARNING
        ? `\n\n**Warning**: the ratio is above ${BLOW_UP_WARNING}. Look at the rules with the most triples below.`
        : ''),
    `Proofs: ${checked(m)}.`,
    '## By engine and rule',
    m.counts.length === 0
      ? 'Nothing was derived.'
      : [
          table(['engine', 'triples'], enginesOf(m)),
          ...shared(m),
          table(
            ['engine', 'rule', 'triples'],
            m.counts.map(({ engine, rule, triples }) => [engine, rule, String(triples)]),
          ),
        ].join('\n\n'),
    '## Sensitivity audit',
    audit(m),
    '## Rules that derived nothing new',
    'A triple that several rules of one engine derive is counted for the first of them: a rule here may have come second.',
    list(idleRules(m).map(({ engine, rule, why }) => `${rule} (${engine})${why === '' ? '' : `: ${why}`}`)),
    '## Rules that were refused',
    list(m.refused.map(({ engine, rule, reason }) => `${rule} (${engine}): ${reason}`)),
    '## Rules with partial premises',
    'They ran through the SPARQL store, because the compiler does not read them. What they derive may rest on more than is shown.',
    list(m.delegated.map(({ engine, rule, reason, solutions }) => `${rule} (${engine}), ${solutions} solutions: ${reason}`)),
    '## Inconsistencies',
    m.inconsistencies.length === 0 ? 'None.' : m.inconsistencies.slice(0, MOST_INCONSISTENCIES).map((one) => proven(m, one)).join('\n'),
    ...(m.inconsistencies.length > MOST_INCONSISTENCIES
      ? [`and ${m.inconsistencies.length - MOST_INCONSISTENCIES} more.`]
      : []),
    ...(m.notices.length === 0 ? [] : ['## Notices', list(m.notices)]),
  ]
  return `${sections.join('\n\n')}\n`
}

/** How far the proofs were checked: what the SPARQL store answers is taken from it as it is. */
function checked({ counts, delegated }: Materialisation): string {
  const taken = counts.filter(({ engine, rule }) => delegated.some((one) => one.engine === engine && one.rule === rule))
  const parts = taken.map(({ rule, triples }) => `${triples} of ${rule}`)
  return `every derivation checked${parts.length === 0 ? '' : `, but for ${parts.join(' and ')}, which the SPARQL store answered`}`
}

const enginesOf = ({ counts }: Materialisation): string[][] =>
  ENGINES.flatMap((engine) => {
    const own = counts.filter((count) => count.engine === engine)
    return own.length === 0 ? [] : [[engine, String(own.reduce((sum, { triples }) => sum + triples, 0))]]
  })

/** Why the figures of the engines may come to more than there are triples. */
function shared({ derived }: Materialisation): string[] {
  const several = derived.filter(({ origins }) => origins.length > 1)
  if (several.length === 0) return []
  const [engines, under] = several.every(({ origins }) => origins.length === 2) ? ['two', 'both'] : ['several', 'each']
  const [triples, are] = several.length === 1 ? ['triple was', 'is'] : ['triples were', 'are']
  return [`${several.length} ${triples} derived by ${engines} engines and ${are} counted under ${under}.`]
}

/** A contradiction with the triples that it follows from below it. */
function proven(m: Materialisation, { rule, text, fact }: Inconsistency): string {
  const derivation = m.model.derivation(fact)
  const premises = derivation === undefined ? [] : premisesOf(m, derivation).premises
  const lines = premises.map((premise) => (premise.kind === 'triple' ? quadKey(premise.quad) : `${premise.kind}: ${premise.text}`))
  return [`- ${rule}: ${text}`, ...lines.map((each) => `  - ${each}`)].map((each) => each.replaceAll('\n', ' ')).join('\n')
}

interface AuditRow {
  readonly property: Term
  /** the class or property whose label it is */
  readonly labelled: Term | undefined
  readonly label: Tier
  readonly tier: Tier
  triples: number
}

/** A derived triple is as sensitive as its premises; where its label says less, a reader of the label would be wrong. */
function audit(m: Materialisation): string {
  const say = words(m.baseIri, () => [])
  const labels = labelledTiers(
    m.asserted.map(({ quad }) => quad),
    m.baseIri,
  )
  const tiers = TIERS.map((tier) => [tier, String(m.derived.filter((one) => one.tier === tier).length)])
  const above = new Map<string, AuditRow>()
  let classes: Classes | undefined
  for (const { quad, tier } of m.derived) {
    const label = labels.ofTriple(quad)
    if (label === undefined || tierRank(tier) <= tierRank(label)) continue
    classes ??= classesIn(m)
    const named = [quad.predicate, ...(classes.get(termKey(quad.subject)) ?? [])]
    if (quad.predicate.value === RDF_TYPE) named.push(quad.object)
    const labelled = bearerOf(label, named, labels)
    const key = `${quad.predicate.value} ${labelled === undefined ? '' : termKey(labelled)} ${label} ${tier}`
    const row = above.get(key) ?? { property: quad.predicate, labelled, label, tier, triples: 0 }
    row.triples += 1
    above.set(key, row)
  }
  const rows = [...above]
    .toSorted(([x], [y]) => compareText(x, y))
    .map(([, { property, labelled, label, tier, triples }]) => {
      return [say.term(property), label, labelled === undefined ? '' : say.term(labelled), tier, String(triples)]
    })
  const columns = ['property', 'label', 'label of', 'tier', 'triples']
  return [
    table(['tier of derived triples', 'triples'], tiers),
    rows.length === 0
      ? 'No derived triple is more sensitive than its property and class are labelled.'
      : `Derived triples above the label of their property and class:\n\n${table(columns, rows)}`,
  ].join('\n\n')
}

type Classes = ReadonlyMap<string, readonly Term[]>

/** The classes that sources state, by thing. */
const classesIn = ({ asserted }: Materialisation): Classes => {
  const types = asserted.flatMap(({ quad }) => (quad.predicate.value === RDF_TYPE ? [quad] : []))
  const byThing = Map.groupBy(types, ({ subject }) => termKey(subject))
  return new Map(byThing.entries().map(([key, quads]) => [key, quads.map(({ object }) => object)]))
}

/** Which of the classes and properties bears the label, the first of several. */
const bearerOf = (label: Tier, terms: readonly Term[], labels: Labels): Term | undefined =>
  terms.find((term) => labels.of(term) === label)

const line = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

const list = (items: readonly string[]): string =>
  items.length === 0 ? 'None.' : items.map((item) => `- ${item.replaceAll('\n', ' ')}`).join('\n')
