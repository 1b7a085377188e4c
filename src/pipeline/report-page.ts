/** reports/summary.html: one page that needs nothing but itself. The same figures give the same bytes. */
import { PROPOSAL_STATES, TIERS, type Tier } from '../contracts/index.ts'
import { escaped, grouped, htmlTable } from './html.ts'
import type { Figures, FileFigure, Validation } from './report-figures.ts'

export interface PageAbout {
  readonly ceiling: Tier
  readonly baseIri: string
}

export function summaryPage(figures: Figures, { ceiling, baseIri }: PageAbout): string {
  const sections = [
    section('Ontology', ontologyPart(figures)),
    section('Shapes and violations', shapesPart(figures)),
    section('Triples', triplesPart(figures)),
    section('Rules', rulesPart(figures)),
    section('Candidates', candidatesPart(figures)),
    section('Files', filesPart(figures)),
  ]
  return `<!doctype html>
<!-- ceiling: ${ceiling} -->
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Summary (${ceiling})</title>
<style>
${STYLE}</style>
</head>
<body>
<header>
<h1>Summary</h1>
<p><span class="tier ${ceiling}">${ceiling}</span> is the ceiling of this page: nothing above it was read or counted.</p>
<p class="quiet">${escaped(baseIri)}</p>
</header>
<main>
${tiles(figures)}
${sections.join('\n')}
</main>
</body>
</html>
`
}

const section = (title: string, body: string): string => `<section>\n<h2>${escaped(title)}</h2>\n${body}\n</section>`
const quiet = (text: string): string => `<p class="quiet">${escaped(text)}</p>`
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

function tiles(figures: Figures): string {
  const { tiers, tables, validation, candidates, files } = figures
  const classes = sum(tiers.map((tier) => tier.classes))
  const properties = sum(tiers.map((tier) => tier.dataProperties + tier.objectProperties))
  const all = files.find(({ path }) => path === 'ontology/materialised.ttl')?.triples
  const pending = sum(Object.values(candidates).map((states) => states['PENDING'] ?? 0))
  const shown: [label: string, value: number | null][] = [
    ['tables', tables], ['classes', tiers.length === 0 ? null : classes], ['properties', tiers.length === 0 ? null : properties],
    ['violations', validation?.violations ?? null], ['triples, materialised', all ?? null], ['candidates to review', pending],
  ]
  const number = (value: number | null): string => (value === null ? '\u2013' : grouped(value))
  const cells = shown.map(([label, value]) => `<div><dt>${escaped(label)}</dt><dd>${number(value)}</dd></div>`)
  return `<dl class="tiles">\n${cells.join('\n')}\n</dl>`
}

function ontologyPart({ tiers, axioms, profile }: Figures): string {
  if (tiers.length === 0) return quiet('There is no ontology yet: run phase 2.')
  const properties = (tier: Figures['tiers'][number]): number => tier.dataProperties + tier.objectProperties
  const total = sum(tiers.map(properties))
  const rows = tiers.map((tier) => [tier.tier, tier.classes, tier.dataProperties, tier.objectProperties])
  return [
    bar(tiers.map((tier) => ({ name: tier.tier, count: properties(tier) })), total, 'Properties per tier'),
    htmlTable(['tier', 'classes', 'data properties', 'object properties'], rows),
    profile === null ? '' : `<p>Recommended profile: <strong>${escaped(profile)}</strong></p>`,
    '<h3>Axioms</h3>',
    axioms.length === 0 ? quiet('None.') : htmlTable(['axiom', 'count'], axioms.map(({ name, count }) => [name, count])),
  ].filter((part) => part !== '').join('\n')
}

/** Parts of a whole in one line. The numbers stand in the table below it, so that colour is never the only sign. */
function bar(parts: readonly { name: string; count: number }[], total: number, label: string): string {
  if (total === 0) return ''
  const widths = parts.filter(({ count }) => count > 0).map(({ name, count }) => {
    const width = ((100 * count) / total).toFixed(2)
    return `<span class="${name}" style="width:${width}%" title="${escaped(`${name}: ${count}`)}"></span>`
  })
  const legend = parts.map(({ name, count }) => `<li><i class="${name}"></i>${escaped(name)} ${grouped(count)}</li>`)
  const words = parts.map(({ name, count }) => `${name} ${count}`).join(', ')
  const drawn = `<div class="bar" role="img" aria-label="${escaped(`${label}: ${words}`)}">${widths.join('')}</div>`
  return `${drawn}\n<ul class="legend">${legend.join('')}</ul>`
}

function shapesPart({ shapes, validation }: Figures): string {
  if (shapes === null && validation === null) return quiet('There are no shapes yet: run phase shacl.')
  const { nodes, properties } = shapes ?? { nodes: 0, properties: 0 }
  const verdict = validation === null ? quiet('The data was not validated.') : verdictOf(validation)
  return `${verdict}\n${htmlTable(['shapes', 'count'], [['node shapes', nodes], ['property shapes', properties]])}`
}

function verdictOf({ conforms, checks, broken, violations }: Validation): string {
  const counts = `${grouped(checks)} checks, ${grouped(broken)} of them not met, ${grouped(violations)} violations`
  return `<p class="${conforms ? 'good' : 'bad'}">${conforms ? 'The data conforms' : 'The data does not conform'}: ${counts}.</p>`
}

const ORIGIN: Readonly<Record<string, string>> = {
  'ontology/enterprise.ttl': 'ontology',
  'ontology/instances.ttl': 'instances of records', 'ontology/log-events.ttl': 'instances of log events',
  'ontology/enterprise-inferred.ttl': 'derived by OWL', 'ontology/inferred-shacl.ttl': 'derived by SHACL rules',
  'ontology/inferred-sparql.ttl': 'derived by SPARQL rules', 'ontology/inferred-datalog.ttl': 'derived by Datalog rules',
  'ontology/materialised.ttl': 'all, asserted and derived',
}

function triplesPart({ files }: Figures): string {
  const rows = Object.entries(ORIGIN).flatMap(([path, what]) => {
    const file = files.find((each) => each.path === path)
    return file === undefined ? [] : [[what, file.triples ?? 'not counted (large file)']]
  })
  return rows.length === 0 ? quiet('There is no graph yet.') : htmlTable(['graph', 'triples'], rows)
}

function rulesPart({ rules, causalRules, approved }: Figures): string {
  const table = htmlTable(['rules of the session', 'enabled', 'in all'], [
    ...rules.map(({ kind, enabled, all }) => [kind, enabled, all]),
    ['causal, from approved edges', causalRules, causalRules],
  ])
  const { events, entities, relationships } = approved
  const counts = `${grouped(events)} events, ${grouped(entities)} entities, ${grouped(relationships)} relationships`
  return `${table}\n<p>Approved from logs: ${counts}.</p>`
}

function candidatesPart({ candidates }: Figures): string {
  const kinds = Object.entries(candidates)
  if (kinds.length === 0) return quiet('No logs were mined.')
  const rows = kinds.map(([kind, states]) => [kind, ...PROPOSAL_STATES.map((state) => states[state] ?? 0)])
  return htmlTable(['kind', ...PROPOSAL_STATES.map((state) => state.toLowerCase())], rows)
}

function filesPart({ files }: Figures): string {
  if (files.length === 0) return quiet('None within this ceiling.')
  const hrefOf = (path: string): string => `../${path.split('/').map(encodeURIComponent).join('/')}`
  const row = ({ path, ceiling, bytes }: FileFigure) => [{ text: path, href: hrefOf(path) }, ceiling, bytes]
  return htmlTable(['file', 'ceiling', 'bytes'], files.map(row))
}

const [PUBLIC, INTERNAL, CONFIDENTIAL, RESTRICTED] = TIERS

const STYLE = `:root {
  color-scheme: light dark;
  --ink: #1c2430; --soft: #5a6675; --line: #d9dee5; --paper: #ffffff; --ground: #f5f7f9;
  --link: #1d5fa8; --good: #1d7a46; --bad: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e6eaf0; --soft: #a3afbd; --line: #333d4a; --paper: #1b222c; --ground: #12171e;
    --link: #8ebcf2; --good: #6fd39b; --bad: #ff9a91;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
header, main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1.25rem 0; }
main { padding-bottom: 3rem; }
h1 { margin: 0 0 .25rem; font-size: 1.75rem; }
h2 { margin: 0 0 .75rem; font-size: 1.2rem; }
h3 { margin: 1.25rem 0 .5rem; font-size: 1rem; }
p { margin: .25rem 0; }
a { color: var(--link); }
.quiet { color: var(--soft); overflow-wrap: anywhere; }
.good { color: var(--good); font-weight: 600; }
.bad { color: var(--bad); font-weight: 600; }
section { margin-top: 1.25rem; padding: 1.25rem; background: var(--paper); border: 1px solid var(--line); border-radius: .5rem; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: .75rem; margin: 0; }
.tiles div { padding: .75rem 1rem; background: var(--paper); border: 1px solid var(--line); border-radius: .5rem; }
.tiles dt { color: var(--soft); font-size: .85rem; }
.tiles dd { margin: 0; font-size: 1.6rem; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; margin: .75rem 0; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); }
th, td { text-align: left; font-weight: 400; vertical-align: top; }
tbody th { min-width: 7rem; overflow-wrap: anywhere; }
thead th { color: var(--soft); font-size: .85rem; }
.n { text-align: right; font-variant-numeric: tabular-nums; }
.bar { display: flex; height: .9rem; border-radius: .45rem; overflow: hidden; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: .5rem 0 0; padding: 0; list-style: none; }
.legend { color: var(--soft); font-size: .9rem; }
.legend i { display: inline-block; width: .7rem; height: .7rem; margin-right: .4rem; border-radius: .2rem; }
.tier { display: inline-block; padding: 0 .5rem; border-radius: .25rem; color: #fff; font-weight: 600; }
.${PUBLIC} { background: #3f7d4f; }
.${INTERNAL} { background: #2f6db3; }
.${CONFIDENTIAL} { background: #9a5b00; }
.${RESTRICTED} { background: #b3261e; }
`
