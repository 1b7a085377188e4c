/** Series of measurements out of tables: one column a series, one row a moment, one pod or service a row. */
import { LIMITS } from '../../../contracts/index.ts'
import { type RowFaults, countFault, csvRows } from './csv-rows.ts'
import { Interned } from './intern.ts'
import { serviceOfPod } from './service-name.ts'
import { cellTimeMs } from './time.ts'
import type { Chunks } from './unpack.ts'

export interface Series {
  readonly service: string
  readonly metric: string
  /** measured at a pod, not at a door that many services stand behind */
  readonly byPod: boolean
  /** by time */
  readonly times: number[]
  readonly values: number[]
}

const TIMES = ['timestamp', 'timeunixnano', 'time', 'ts']
const PODS = ['podname', 'pod', 'cmdbid']
const NAMES = [...PODS, 'servicename', 'service']

export class SeriesBook {
  readonly #series = new Map<string, { service: string; metric: string; byPod: boolean; points: Map<number, number> }>()
  readonly #texts = new Interned()
  #points = 0

  /** A table without a time or without a name for whom it measured is passed over and counted. */
  async read(chunks: Chunks, faults: RowFaults): Promise<void> {
    let header: string[] | null = null
    let [time, name] = [-1, -1]
    let byPod = false
    for await (const row of csvRows(chunks, faults)) {
      if (header === null) {
        header = row
        const plain = row.map((cell) => cell.toLowerCase().replaceAll(/[^a-z]/g, ''))
        const place = (names: readonly string[]): number => names.map((each) => plain.indexOf(each)).find((at) => at >= 0) ?? -1
        ;[time, name] = [place(TIMES), place(NAMES)]
        byPod = PODS.includes(plain[name] ?? '')
        if (time < 0 || name < 0) return countFault(faults, 'table_without_time_or_pod')
        continue
      }
      if (row.length !== header.length) {
        countFault(faults, 'wrong_number_of_cells')
        continue
      }
      const tsMs = cellTimeMs(row[time] ?? '')
      const pod = row[name] ?? ''
      if (Number.isNaN(tsMs) || pod === '') {
        countFault(faults, pod === '' ? 'no_pod' : 'no_time')
        continue
      }
      const about = { service: this.#texts.of(serviceOfPod(pod)), byPod }
      this.#addRow(header, row, tsMs, about, faults)
    }
  }

  /** In the order of service and metric, each by time. */
  get series(): Series[] {
    return [...this.#series.entries()]
      .toSorted(([x], [y]) => (x < y ? -1 : x > y ? 1 : 0))
      .map(([, { service, metric, byPod, points }]) => {
        const sorted = [...points].toSorted(([x], [y]) => x - y)
        return { service, metric, byPod, times: sorted.map(([at]) => at), values: sorted.map(([, value]) => value) }
      })
  }

  #addRow(
    header: readonly string[], row: readonly string[], tsMs: number, about: { service: string; byPod: boolean }, faults: RowFaults,
  ): void {
    for (const [i, column] of header.entries()) {
      const text = row[i] ?? ''
      // names and the time itself in other forms are no measurements; a gap in a series is left a gap
      if (text === '' || text === 'NaN' || isTimeOrName(column)) continue
      const value = Number(text)
      if (!Number.isFinite(value)) {
        countFault(faults, 'no_number')
        continue
      }
      if (this.#points >= LIMITS.incident_points) {
        countFault(faults, 'too_many_points')
        continue
      }
      this.#points += 1
      const metric = this.#texts.of(column)
      const key = `${about.service}\u0000${metric}`
      const series = this.#series.get(key) ?? { ...about, metric, points: new Map<number, number>() }
      this.#series.set(key, series)
      series.points.set(tsMs, value)
    }
  }
}

const isTimeOrName = (column: string): boolean => {
  const plain = column.toLowerCase().replaceAll(/[^a-z]/g, '')
  return TIMES.includes(plain) || NAMES.includes(plain)
}
