/** A corpus as log files, one per service, in the ways that services write: JSON lines, logfmt-like text, plain text. */
import { rng } from '../../kernel/stats/index.ts'
import { compareText } from '../../kernel/term.ts'
import { type EventColumns, type LogRecord, columnsOf } from '../../logs/index.ts'
import type { Corpus, CorpusEvent } from './corpus.ts'
import type { Truth } from './truth.ts'

export function corpusRecords({ events }: Corpus, seed = 1): LogRecord[] {
  const random = rng(seed)
  return events.map(({ tsMs, statement, entity }, offset) => ({
    file: `${statement.service}.log`, offset, tsMs, severity: statement.level, service: statement.service, trace: '',
    message: statement.message(entity, random),
  }))
}

/** As if every statement were its own template: what the stages after templates see at best. */
export const corpusColumns = ({ events }: Corpus): EventColumns =>
  columnsOf(
    events.map(({ tsMs, statement, entity }, offset) => ({
      clusterId: statement.id, tsMs, service: statement.service, trace: '', entities: [`${statement.slot}=${entity}`],
      severity: statement.level, file: statement.service, offset,
    })),
  )

/** Every other service writes JSON, the others a time, a level and the message. */
export function corpusFiles(corpus: Corpus, seed = 1): { file: string; text: string }[] {
  const byService = Map.groupBy(corpusRecords(corpus, seed), (record) => record.service)
  return [...byService]
    .toSorted(([x], [y]) => compareText(x, y))
    .map(([service, records], i) => ({
      file: i % 2 === 0 ? `${service}.jsonl` : `${service}.log`,
      text: records.map(i % 2 === 0 ? jsonLine : plainLine).join(''),
    }))
}

const isoTime = ({ tsMs }: LogRecord): string => new Date(tsMs ?? 0).toISOString()
const plainLine = (record: LogRecord): string => `${isoTime(record)} ${record.severity} ${record.message}\n`
const jsonLine = (record: LogRecord): string =>
  `${JSON.stringify({ ts: isoTime(record), level: record.severity, service: record.service, msg: record.message })}\n`

export const truthOf = ({ statements, edges }: Corpus): Truth => ({
  statements: statements.map(({ id, regex }) => ({ id, regex })),
  edges: edges.map(({ cause, effect, occurrences }) => ({ cause, effect, occurrences })),
})

const occurrence = ({ tsMs, statement, entity }: CorpusEvent) => ({ statement: statement.id, ts: new Date(tsMs).toISOString(), entity })

/** What is true of the incidents, to lie beside the log files: each root, what it brought about and through what; planned work. */
export const incidentTruth = ({ incidents, decoys }: Corpus) => ({
  incidents: incidents.map(({ root, effects }) => ({
    root: occurrence(root),
    effects: effects.map(({ event, cause }) => ({ ...occurrence(event), cause: cause === null ? null : occurrence(cause) })),
  })),
  planned: decoys.map(occurrence),
})
