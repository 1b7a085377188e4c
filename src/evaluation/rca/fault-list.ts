/**
 * The list of injected faults: when, in which pod, of which type. Hands wrote it and its clocks do not agree: the time of a fault
 * may be in another zone than the records, and the epoch beside it may be another fault's. The zone is the one in which most
 * faults have records behind them; what cannot be placed is flagged and left out of the figures.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { ServiceError } from '../../contracts/index.ts'
import { WINDOW_MS, cellTimeMs, serviceOfPod } from '../../logs/index.ts'

const ListedFault = z.object({
  inject_time: z.string().optional(),
  inject_timestamp: z.union([z.string(), z.number()]).optional(),
  inject_pod: z.string().min(1),
  inject_type: z.string().min(1),
})
type ListedFault = z.infer<typeof ListedFault>
const FaultList = z.union([z.array(ListedFault), z.record(z.string(), z.array(ListedFault))])

export interface Fault {
  readonly id: string
  readonly type: string
  /** never seen by the ranking */
  readonly service: string
  readonly startMs: number
}

export interface Faults {
  /** by time */
  readonly faults: readonly Fault[]
  /** what could not be placed, or was placed with doubt */
  readonly flags: readonly string[]
}

const HOUR_MS = 3_600_000
/** Half-hour zones from the Pacific's one side to its other, the nearest to UTC first. */
const ZONES = Array.from({ length: 57 }, (_, i) => (i - 28) / 2).toSorted((x, y) => Math.abs(x) - Math.abs(y) || x - y)
const DOUBT_MS = 90_000

export function readFaultList(folder: string): ListedFault[] {
  const names = readdirSync(folder).filter((name) => /fault_?list\.json$/i.test(name))
  const [name] = names
  if (name === undefined || names.length > 1) {
    const message = name === undefined ? 'there is no list of faults' : 'there is more than one list of faults'
    throw new ServiceError('invalid_request', message, { hint: 'the folder holds one file whose name ends in fault_list.json' })
  }
  let read: unknown
  try {
    read = JSON.parse(readFileSync(join(folder, name), 'utf8'))
  } catch (cause) {
    throw new ServiceError('invalid_request', `${name} is no JSON`, { cause, hint: 'lists of {inject_time, inject_pod, inject_type} by hour' })
  }
  const parsed = FaultList.safeParse(read)
  if (!parsed.success) {
    const place = parsed.error.issues[0]?.path.join('.') ?? ''
    throw new ServiceError('invalid_request', `${name} is no list of faults${place === '' ? '' : ` at ${place}`}`, {
      hint: 'lists of {inject_time, inject_timestamp, inject_pod, inject_type} by hour',
    })
  }
  const list = Array.isArray(parsed.data) ? parsed.data : Object.values(parsed.data).flat()
  if (list.length === 0) throw new ServiceError('invalid_request', `${name} lists no fault`, { hint: 'there is nothing to evaluate' })
  return list
}

/** `seen` says whether anything was recorded from one time until another. */
export function placeFaults(list: readonly ListedFault[], seen: (fromMs: number, toMs: number) => boolean): Faults {
  const written = list.map(({ inject_time: time }) => (time === undefined ? Number.NaN : cellTimeMs(time)))
  const epochs = list.map(({ inject_timestamp: epoch }) => (epoch === undefined ? Number.NaN : cellTimeMs(String(epoch))))
  const [writtenZone, epochZone] = [zoneOf(written, seen), zoneOf(epochs, seen)]
  const flags: string[] = []
  if (writtenZone !== 0) flags.push(`the times of the list are ${writtenZone} h off the records: taken as of that zone`)
  const faults = list.flatMap((fault, i): Fault[] => {
    const name = `fault ${i + 1} (${fault.inject_type}, ${fault.inject_time ?? fault.inject_timestamp ?? 'no time'})`
    const [byText, byEpoch] = [(written[i] ?? Number.NaN) - writtenZone * HOUR_MS, (epochs[i] ?? Number.NaN) - epochZone * HOUR_MS]
    if (Number.isNaN(byText) && Number.isNaN(byEpoch)) {
      flags.push(`${name} has no time that can be read: left out`)
      return []
    }
    const startMs = Number.isNaN(byText) ? byEpoch : byText
    if (Number.isNaN(byText)) flags.push(`${name} has no readable inject_time: its inject_timestamp counts`)
    else if (!Number.isNaN(byEpoch) && Math.abs(byText - byEpoch) > DOUBT_MS) flags.push(`${name} says another time in inject_timestamp: inject_time counts`)
    if (!seen(startMs, startMs + WINDOW_MS)) flags.push(`${name} has nothing recorded behind it`)
    const id = `${new Date(startMs).toISOString().slice(0, 19)}Z-${i + 1}`
    return [{ id, type: fault.inject_type, service: serviceOfPod(fault.inject_pod), startMs }]
  })
  if (faults.length === 0) throw new ServiceError('invalid_request', 'no fault of the list has a time that can be read', { hint: 'inject_time is like 2023-01-29 08:43:04' })
  return { faults: faults.toSorted((x, y) => x.startMs - y.startMs), flags }
}

function zoneOf(times: readonly number[], seen: (fromMs: number, toMs: number) => boolean): number {
  const known = times.filter((time) => !Number.isNaN(time))
  let best = { zone: 0, found: -1 }
  for (const zone of ZONES) {
    const found = known.filter((time) => seen(time - zone * HOUR_MS, time - zone * HOUR_MS + WINDOW_MS)).length
    if (found > best.found) best = { zone, found }
  }
  return best.zone
}
