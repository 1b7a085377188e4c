/** A folder of one day: log.csv, trace.csv and metric.tar, packed or not, and normal.tar with a stretch free of faults if there is one. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ServiceError } from '../../contracts/index.ts'
import { type Day, LineBook, type RowFaults, SeriesBook, SpanBook, dayOf, tarFiles, unpacked } from '../../logs/index.ts'

export interface ReadDay {
  readonly day: Day
  readonly read: {
    readonly lines: number
    readonly spans: number
    readonly series: number
    readonly traces: number
    readonly reference_traces: number
    readonly templates: number
    /** rows that were passed over, by file and reason */
    readonly passed_over: Readonly<Record<string, RowFaults>>
  }
  readonly has: { readonly traces: boolean; readonly metrics: boolean }
  readonly flags: readonly string[]
}

const PACKINGS = ['', '.zst', '.gz']

export async function readDay(folder: string, progress: (line: string) => void): Promise<ReadDay> {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    throw new ServiceError('invalid_request', 'there is no such folder', { hint: 'name a folder with log.csv.zst, trace.csv.zst, metric.tar.zst and *-fault_list.json' })
  }
  const find = (name: string): string | null => PACKINGS.map((packing) => join(folder, `${name}${packing}`)).find((path) => existsSync(path)) ?? null
  const [log, trace, metric, normal] = [find('log.csv'), find('trace.csv'), find('metric.tar'), find('normal.tar')]
  if (log === null) throw new ServiceError('invalid_request', 'there is no log.csv', { hint: 'log.csv, log.csv.zst or log.csv.gz lies in the folder' })
  const [lines, spans, series] = [new LineBook(), new SpanBook(), new SeriesBook()]
  const passedOver: Record<string, RowFaults> = { log: {}, trace: {}, metric: {}, normal: {} }
  const faultsOf = (file: string): RowFaults => passedOver[file] ?? {}
  const flags: string[] = []
  progress('reading log lines')
  await lines.read(unpacked(log), faultsOf('log'), 'log.csv')
  if (lines.lines.length === 0) throw new ServiceError('invalid_request', 'log.csv holds no line that can be read', { hint: counted(faultsOf('log')) })
  if (trace === null) flags.push('there is no trace.csv: logs + traces cannot be evaluated')
  else {
    progress('reading spans')
    await spans.read(unpacked(trace), faultsOf('trace'), 'trace.csv')
  }
  if (metric === null) flags.push('there is no metric.tar: metrics cannot be evaluated')
  else {
    progress('reading metrics')
    for await (const file of tarFiles(unpacked(metric))) if (file.name.endsWith('.csv')) await series.read(file.body, faultsOf('metric'))
  }
  const reference = new Set<string>()
  if (normal !== null) {
    progress('reading the stretch without faults')
    for await (const { name, body } of tarFiles(unpacked(normal))) {
      if (/(^|\/)log\/[^/]*\.csv$/.test(name)) await lines.read(body, faultsOf('normal'), name, reference)
      else if (/(^|\/)trace\/[^/]*\.csv$/.test(name)) await spans.read(body, faultsOf('normal'), name, reference)
    }
  }
  progress('making templates')
  const day = dayOf({ lines, spans: spans.spans, series: series.series, reference })
  return {
    day,
    read: {
      lines: lines.lines.length, spans: spans.spans.length, series: day.series.length, traces: day.requests.length,
      reference_traces: day.requests.filter((request) => request.reference).length, templates: day.texts.size, passed_over: passedOver,
    },
    has: { traces: spans.spans.length > 0, metrics: day.series.length > 0 },
    flags,
  }
}

const counted = (faults: RowFaults): string =>
  Object.entries(faults).map(([reason, count]) => `${reason}: ${count}`).join(', ') || 'the table is empty'
