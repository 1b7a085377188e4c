/** A small shop that runs for three quarters of an hour, with faults at known times: the folder of a day, made here. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Rng, rng } from '../../kernel/stats/index.ts'

export interface MadeFault {
  readonly minute: number
  readonly service: string
  readonly type: 'exception' | 'return' | 'cpu' | 'network'
}

/** Who calls whom, in this order. */
const CALLS: Readonly<Record<string, readonly string[]>> = { web: ['cart', 'pay'], cart: ['stock'], stock: [], pay: ['bank'], bank: [] }
export const START_MS = Date.UTC(2024, 2, 5, 8)
const MINUTES = 46
const EVERY_MS = 2500

export interface MadeDay {
  readonly log: string
  readonly trace: string
  readonly metrics: Readonly<Record<string, string>>
  readonly faults: string
}

interface Made {
  readonly rows: string[]
  readonly spans: string[]
  readonly random: Rng
  readonly name: (service: string) => string
  readonly trace: string
  readonly fault: MadeFault | null
  ids: number
}

/** `named` renames services; the same seed gives the same day under any names. */
export function makeDay(faults: readonly MadeFault[], { seed = 7, named = {} as Readonly<Record<string, string>> } = {}): MadeDay {
  const random = rng(seed)
  const name = (service: string): string => named[service] ?? service
  const [rows, spans] = [[LOG_HEADER], [SPAN_HEADER]]
  const active = (atMs: number): MadeFault | null =>
    faults.find(({ minute }) => atMs >= START_MS + minute * 60_000 && atMs < START_MS + minute * 60_000 + 170_000) ?? null
  for (let at = START_MS, i = 0; at < START_MS + MINUTES * 60_000; at += EVERY_MS, i += 1) {
    const made: Made = { rows, spans, random, name, trace: (0xabc0000 + i).toString(16).padStart(32, '0'), fault: active(at), ids: 0 }
    serve(made, 'web', 'root', at)
  }
  return { log: rows.join('\n'), trace: spans.join('\n'), metrics: metricsOf(random, name, active), faults: faultList(faults, name) }
}

const LOG_HEADER = 'Timestamp,TimeUnixNano,Node,PodName,Container,TraceID,SpanID,Log'
const SPAN_HEADER = 'TraceID,SpanID,ParentID,PodName,OperationName,StartTimeUnixNano,EndTimeUnixNano,Duration'
export const podOf = (service: string): string => `${service}-5f6585d649-fnmft`
const nano = (ms: number): string => `${Math.floor(ms)}${String(Math.round((ms % 1) * 1e6)).padStart(6, '0').slice(0, 6)}`

/** Returns when it was over, and whether it went well. */
function serve(made: Made, service: string, parent: string, startMs: number): { endMs: number; well: boolean } {
  const { random, fault } = made
  const own = fault?.service === service ? fault.type : null
  const id = spanId(made)
  const work = (ms: number): number => ms * (0.7 + 0.6 * random()) * (own === 'cpu' ? 12 : 1)
  let at = startMs + work(2)
  const say = (level: string, text: string): void => line(made, service, id, at, level, text)
  say('INFO', `${VERBS[service]} request ${Math.floor(random() * 90_000)} taken`)
  at += work(3)
  let well = own !== 'exception'
  if (well) at = database(made, service, id, at, work(4), own === 'network' ? 80 : 0)
  for (const called of well ? CALLS[service] ?? [] : []) {
    const client = spanId(made)
    const delayed = own === 'network' || (fault?.type === 'network' && fault.service === called) ? 80 : 0
    const from = at
    const answer = serve(made, called, client, at + 1 + random() + delayed)
    at = answer.endMs + 1 + random() + delayed
    span(made, service, client, id, 'HTTP POST', from, at)
    at += work(1)
    if (answer.well) say('INFO', `${VERBS[service]} heard from ${VERBS[called]} in ${Math.floor(random() * 900)} ms`)
    else {
      say('ERROR', 'Servlet threw exception: 500 Internal Server Error')
      well = false
      break
    }
    at += work(1)
  }
  if (well && own === 'return') say('ERROR', `nothing found for item ${Math.floor(random() * 900)}`)
  else if (well) say('INFO', `${VERBS[service]} done with ${Math.floor(random() * 900)} parts`)
  at += work(1)
  span(made, service, id, parent, `/api/${VERBS[service]}`, startMs, at)
  return { endMs: at, well }
}

/** What a service says of itself does not hang on what it is called. */
const VERBS: Readonly<Record<string, string>> = { web: 'order', cart: 'basket', stock: 'shelf', pay: 'payment', bank: 'transfer' }

const spanId = (made: Made): string => {
  made.ids += 1
  return `${made.trace.slice(-8)}${made.ids.toString(16).padStart(8, '0')}`
}

function database(made: Made, service: string, parent: string, at: number, ms: number, delayMs: number): number {
  span(made, service, spanId(made), parent, 'SELECT items', at, at + ms + delayMs)
  return at + ms + delayMs
}

function span({ spans, trace, name }: Made, service: string, id: string, parent: string, operation: string, startMs: number, endMs: number): void {
  spans.push(`${trace},${id},${parent},${podOf(name(service))},${operation},${nano(startMs)},${nano(endMs)},${Math.round((endMs - startMs) * 1000)}`)
}

function line({ rows, trace, name }: Made, service: string, id: string, at: number, level: string, text: string): void {
  const said = `${new Date(at).toISOString().slice(11, 23)} ${level}  s.Impl TraceID: ${trace} SpanID: ${id} ${text}\n`
  const wrapped = JSON.stringify({ log: said, stream: 'stdout', time: new Date(at).toISOString() })
  rows.push(`${new Date(at).toISOString()},${nano(at)},10.0.0.1,${podOf(name(service))},server,${trace},${id},"${wrapped.replaceAll('"', '""')}"`)
}

function metricsOf(random: Rng, name: (service: string) => string, active: (atMs: number) => MadeFault | null): Record<string, string> {
  return Object.fromEntries(
    Object.keys(CALLS).map((service) => {
      const rows = ['Time,TimeStamp,PodName,CpuUsage(m),MemoryUsage(Mi)']
      for (let minute = 0; minute < MINUTES; minute += 1) {
        const at = START_MS + minute * 60_000 + 20_000
        const fault = active(at)
        const cpu = fault?.service === service && fault.type === 'cpu' ? 480 : 5 + 3 * random()
        rows.push(`${new Date(at).toISOString()},${at / 1000},${podOf(name(service))},${cpu},${400 + 5 * random()}`)
      }
      return [`metric/${podOf(name(service))}_metric.csv`, rows.join('\n')]
    }),
  )
}

const faultList = (faults: readonly MadeFault[], name: (service: string) => string): string =>
  JSON.stringify({
    '08': faults.map(({ minute, service, type }) => ({
      // noticed a little late, as ever
      inject_time: new Date(START_MS + minute * 60_000 + 15_000).toISOString().slice(0, 19).replace('T', ' '),
      inject_timestamp: String(Math.floor((START_MS + minute * 60_000 + 15_000) / 1000)),
      inject_pod: podOf(name(service)), inject_type: type,
    })),
  })

export function writeDay(folder: string, { log, trace, metrics, faults }: MadeDay): void {
  writeFileSync(join(folder, 'log.csv'), log)
  writeFileSync(join(folder, 'trace.csv'), trace)
  writeFileSync(join(folder, 'metric.tar'), tarOf(metrics))
  writeFileSync(join(folder, '2024-03-05-fault_list.json'), faults)
}

/** An archive as tar writes it; `alter` spoils a header before its sum is made. */
export function tarOf(files: Readonly<Record<string, string>>, alter: (header: Buffer) => void = () => {}): Buffer {
  const parts = Object.entries(files).flatMap(([name, text]) => {
    const body = Buffer.from(text)
    const header = Buffer.alloc(512)
    header.write(name, 0, 100)
    header.write(`${body.length.toString(8).padStart(11, '0')}\0`, 124)
    header.write('0', 156)
    header.write('ustar\u000000', 257)
    alter(header)
    header.fill(' ', 148, 156)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    return [header, body, Buffer.alloc((512 - (body.length % 512)) % 512)]
  })
  return Buffer.concat([...parts, Buffer.alloc(1024)])
}
