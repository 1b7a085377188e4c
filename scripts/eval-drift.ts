/**
 * Drift on labelled logs: the first half of each set is the approved catalogue, the second half is today's log.
 * `node scripts/eval-drift.ts <folder of sets>`; a set is `<name>/<name>_2k.log_structured*.csv` with the columns Content and
 * EventId. Prints how many templates are called new and proposed, and how many of these the labels call new as well.
 */
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type LogRecord, findDrift, mine } from '../src/logs/index.ts'

const [folder = '../shared/data/logs/loghub_2k'] = process.argv.slice(2)
console.log('set            catalogue  today   truly new   called new / right   proposed / right   truly new, called variants')
for (const set of readdirSync(folder).filter((name) => statSync(join(folder, name)).isDirectory()).toSorted()) {
  const [file] = readdirSync(join(folder, set)).filter((name) => /_structured\w*\.csv$/.test(name)).toSorted().toReversed()
  if (file !== undefined) console.log(rowOf(set, recordsOf(readFileSync(join(folder, set, file), 'utf8'))))
}

interface Labelled extends LogRecord {
  readonly label: string
}

function rowOf(set: string, records: readonly Labelled[]): string {
  const middle = records.length >> 1
  const [first, second] = [records.slice(0, middle), records.slice(middle)]
  const [catalogue, today] = [mine(first), mine(second)]
  const report = findDrift(catalogue.templates, catalogue.events, today)
  const known = new Set(first.map(({ label }) => label))
  const labelAt = new Map(second.map(({ offset, label }) => [offset, label]))
  const labels = Map.groupBy(today.events, ({ clusterId }) => clusterId)
  const isNew = ({ cluster_id: id }: { readonly cluster_id: string }): boolean => {
    const own = labels.get(id) ?? []
    return own.filter(({ offset }) => !known.has(labelAt.get(offset) ?? '')).length * 2 > own.length
  }
  const proposed = report.new.filter((each) => each.proposed)
  const truth = new Set(second.map(({ label }) => label).filter((label) => !known.has(label)))
  const pair = (all: readonly { readonly cluster_id: string }[]): string => `${all.length} / ${all.filter(isNew).length}`
  return set.padEnd(15) + String(report.catalogue).padStart(9) + String(report.templates).padStart(7) + String(truth.size).padStart(12) +
    pair(report.new).padStart(21) + pair(proposed).padStart(19) + String(report.variant.filter(isNew).length).padStart(30)
}

function recordsOf(text: string): Labelled[] {
  const [head = [], ...rows] = cellsOf(text)
  const [content, event] = [head.indexOf('Content'), head.indexOf('EventId')]
  return rows.filter((row) => row.length === head.length).map((row, i) => ({
    file: 'set', offset: i, tsMs: i * 1000, severity: 'INFO', service: '', trace: '', message: row[content] ?? '', label: row[event] ?? '',
  }))
}

/** Comma-separated, with quotes doubled inside quotes. */
function cellsOf(text: string): string[][] {
  const cell = /(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g
  return text.split(/\r?\n/).map((line) => [...line.matchAll(cell)].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? ''))
}
