/** The closed list of output files, and the ceiling that each names in its own header. */
import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { UNLABELLED, isTier } from '../contracts/index.ts'
import type { Tier } from '../contracts/index.ts'
import { compareText } from '../kernel/term.ts'

const FOLDERS = ['', 'ontology', 'mapping', 'shapes', 'sparql_rules', 'datalog_rules', 'reports'] as const

/** What a phase may leave below the output folder, by name; exported rules are called after their id. */
const NAMES = [
  'enterprise.ttl', 'instances.ttl', 'direct-mapping.ttl', 'log-events.ttl', 'profile_recommendation.md',
  'logical_physical_map.csv',
  'enterprise-shapes.ttl', 'validation-report.ttl', 'validation-report.md', 'rules.ttl',
  'enterprise-inferred.ttl', 'inferred-shacl.ttl', 'inferred-sparql.ttl', 'inferred-datalog.ttl',
  'materialised.ttl', 'materialised-lineage.ttl', 'materialisation_report.md', 'materialisation.json', 'summary.html',
  'log_mining_summary.json',
  'drift_templates.json',
]
const RULE = { sparql_rules: /^[a-z0-9-]{1,64}\.rq$/, datalog_rules: /^[a-z0-9-]{1,64}\.dl$/ } as const

const MEDIA: Readonly<Record<string, string>> = {
  ttl: 'text/turtle; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  rq: 'application/sparql-query; charset=utf-8',
  dl: 'text/plain; charset=utf-8',
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

const isOutputName = (folder: string, name: string): boolean =>
  folder === 'sparql_rules' || folder === 'datalog_rules' ? RULE[folder].test(name) : NAMES.includes(name)

/** What is there, in code-unit order. A link is not ours and is passed over. */
export function outputPaths(out: string): string[] {
  return FOLDERS.flatMap((folder) => {
    const place = join(out, folder)
    if (!existsSync(place) || !lstatSync(place).isDirectory()) return []
    const isFile = (name: string): boolean => lstatSync(join(place, name), { throwIfNoEntry: false })?.isFile() === true
    const names = readdirSync(place).filter((name) => isOutputName(folder, name) && isFile(name))
    return names.map((name) => posix.join(folder, name))
  }).toSorted(compareText)
}

export const mediaTypeOf = (name: string): string => MEDIA[name.split('.').at(-1) ?? ''] ?? 'text/plain; charset=utf-8'

/** As far into a file as its header can reach. */
export const HEADER_BYTES = 4096
const HEADER_LINES = 12

/**
 * Every file says near its top under which ceiling it was made: `# ceiling: Internal`, `Ceiling: Internal`, as a comment of
 * HTML, or as the first field of JSON. Only the lines before the content count, since the content may say anything. A file that does not say is most
 * sensitive.
 */
export function ceilingOf(name: string, start: string): Tier {
  if (name.endsWith('.json')) {
    const [, first] = /^\{\s*"ceiling":\s*"([A-Za-z]+)"/.exec(start) ?? []
    return isTier(first) ? first : UNLABELLED
  }
  const lines = start.split(/\r?\n/).slice(0, HEADER_LINES)
  const content = /\.(md|html)$/.test(name) ? -1 : lines.findIndex((line) => !line.startsWith('#') && line !== '')
  const header = content < 0 ? lines : lines.slice(0, content)
  for (const line of header) {
    const [, tier] = /^(?:# |<!-- )?ceiling: ([A-Za-z]+)\b/i.exec(line) ?? []
    if (isTier(tier)) return tier
  }
  return UNLABELLED
}

/** How many triples a Turtle file says it has, or null. */
export function tripleCountOf(start: string): number | null {
  const [, count] = /^# triples: (\d+)$/m.exec(start) ?? []
  return count === undefined ? null : Number(count)
}
