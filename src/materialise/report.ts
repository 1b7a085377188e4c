/** materialisation_report.md: what was derived by which rule, how much the graph grew, what is more sensitive than it looks. */
import type { Tier } from '../contracts/index.ts'
import { TIERS, tierRank } from '../contracts/index.ts'
import { compareText } from '../kernel/term.ts'
import { quadKey } from '../kernel/rdf/index.ts'
import type { Inconsistency, Materialisation } from './materialisation.ts'
import { premisesOf } from './premises.ts'
import { labelledTiers } from './tiers.ts'

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
    `${m.asserted.length} asserted triples, ${m.derived.length} derived, every derivation checked`,
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
    '## By engine and rule',
    m.counts.length === 0
      ? 'Nothing was derived.'
      : table(
          ['engine', 'rule', 'triples'],
          m.counts.map(({ engine, rule, triples }) => [engine, rule, String(triples)]),
        ),
    '## Sensitivity audit',
    audit(m),
    '## Rules that derived nothing new',
    'A triple that several rules of one engine derive is counted for the first of them.',
    list(m.rulesWithoutFirings.map(({ engine, rule }) => `${rule} (${engine})`)),
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

/** A contradiction with the triples that it follows from below it. */
function proven(m: Materialisation, { rule, text, fact }: Inconsistency): string {
  const derivation = m.model.derivation(fact)
  const premises = derivation === undefined ? [] : premisesOf(m, derivation).premises
  const lines = premises.map((premise) => (premise.kind === 'triple' ? quadKey(premise.quad) : `${premise.kind}: ${premise.text}`))
  return [`- ${rule}: ${text}`, ...lines.map((each) => `  - ${each}`)].map((each) => each.replaceAll('\n', ' ')).join('\n')
}

/** A derived triple is as sensitive as its premises; where its label says less, a reader of the label would be wrong. */
function audit(m: Materialisation): string {
  const labels = labelledTiers(
    m.asserted.map(({ quad }) => quad),
    m.baseIri,
  )
  const tiers = TIERS.map((tier) => [tier, String(m.derived.filter((one) => one.tier === tier).length)])
  const above = new Map<string, { property: string; label: Tier; tier: Tier; triples: number }>()
  for (const { quad, tier } of m.derived) {
    const label = labels.ofTriple(quad)
    if (label === undefined || tierRank(tier) <= tierRank(label)) continue
    const key = `${quad.predicate.value} ${label} ${tier}`
    const row = above.get(key) ?? { property: quad.predicate.value, label, tier, triples: 0 }
    row.triples += 1
    above.set(key, row)
  }
  const rows = [...above]
    .toSorted(([x], [y]) => compareText(x, y))
    .map(([, row]) => [row.property, row.label, row.tier, String(row.triples)])
  const columns = ['property', 'label', 'tier', 'triples']
  return [
    table(['tier of derived triples', 'triples'], tiers),
    rows.length === 0
      ? 'No derived triple is more sensitive than its property and class are labelled.'
      : `Derived triples above the label of their property and class:\n\n${table(columns, rows)}`,
  ].join('\n\n')
}

const line = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

const list = (items: readonly string[]): string =>
  items.length === 0 ? 'None.' : items.map((item) => `- ${item.replaceAll('\n', ' ')}`).join('\n')
