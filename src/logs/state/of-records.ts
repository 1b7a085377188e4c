/** Records in memory as a partial state: small logs and tests go the same way as large ones. */
import { SEVERITIES } from '../../contracts/index.ts'
import { compareText } from '../../kernel/term.ts'
import type { LogRecord } from '../candidate.ts'
import { noCounts } from '../read/counts.ts'
import { Fields, setRange } from '../read/fields.ts'
import { StateBuilder } from './builder.ts'
import { type StateSource, memoryState } from './sources.ts'

export function stateOfRecords(records: readonly LogRecord[]): StateSource {
  const { sink, state } = memoryState('records')
  const builder = new StateBuilder(sink)
  const fields = new Fields()
  let file: string | null = null
  for (const record of records.toSorted((x, y) => compareText(x.file, y.file) || x.offset - y.offset)) {
    if (record.file !== file) builder.startFile(record.file, '')
    file = record.file
    fields.clear()
    fields.tsMs = record.tsMs ?? Number.NaN
    fields.level = SEVERITIES.indexOf(record.severity)
    for (const name of ['message', 'service', 'trace'] as const) {
      const bytes = Buffer.from(record[name], 'utf8')
      setRange(fields[name], bytes, 0, bytes.length)
    }
    builder.add(fields, record.offset)
  }
  builder.end({ ...noCounts(), lines: records.length, records: records.length, heads: records.length })
  return state
}
