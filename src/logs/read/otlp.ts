/** OTLP/JSON: one line holds a batch of records, with the service in the resource they share. */
import { levelOfWord, otlpLevel } from './level.ts'
import { type Fields, setRange } from './fields.ts'
import { epochMs } from './time.ts'

type Json = Readonly<Record<string, unknown>>

const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter((each): each is Json => isObject(each)) : [])
const isObject = (value: unknown): value is Json => value !== null && typeof value === 'object' && !Array.isArray(value)
const first = (object: Json, ...names: string[]): unknown => names.map((name) => object[name]).find((value) => value !== undefined)

/** Hands over each record of the batch in `fields`; false when the line is no such batch. */
export function readOtlp(b: Uint8Array, start: number, end: number, fields: Fields, each: () => void): boolean {
  let batch: unknown
  try {
    batch = JSON.parse(Buffer.from(b.buffer, b.byteOffset + start, end - start).toString('utf8'))
  } catch {
    return false
  }
  if (!isObject(batch)) return false
  for (const resourceLogs of listOf(batch['resourceLogs'])) {
    const resource = attributesOf(isObject(resourceLogs['resource']) ? resourceLogs['resource']['attributes'] : [])
    const service = resource.find(([key]) => key === 'service.name')?.[1] ?? ''
    for (const scope of listOf(first(resourceLogs, 'scopeLogs', 'instrumentationLibraryLogs'))) {
      for (const record of listOf(scope['logRecords'])) if (fill(record, service, fields)) each()
    }
  }
  return true
}

function fill(record: Json, service: string, fields: Fields): boolean {
  fields.clear()
  const nanos = first(record, 'timeUnixNano', 'observedTimeUnixNano')
  const time = typeof nanos === 'string' || typeof nanos === 'number' ? Number(nanos) : Number.NaN
  fields.tsMs = epochMs(time)
  if (Number.isNaN(fields.tsMs) && !Number.isNaN(time) && time !== 0) fields.note = 'implausible_time'
  const number = record['severityNumber']
  const word = Buffer.from(typeof record['severityText'] === 'string' ? record['severityText'] : '', 'utf8')
  const level = typeof number === 'number' && number > 0 ? otlpLevel(number) : levelOfWord(word, 0, word.length)
  if (level !== undefined) {
    fields.level = level
    fields.levelled = true
  }
  const trace = Buffer.from(typeof record['traceId'] === 'string' ? record['traceId'] : '', 'utf8')
  setRange(fields.trace, trace, 0, trace.length)
  const who = Buffer.from(service, 'utf8')
  setRange(fields.service, who, 0, who.length)
  const said = valueText(record['body'])
  const [line = ''] = said.split(/[\r\n]/, 1)
  if (line.length < said.length) fields.note ??= 'many_lines_in_one'
  const pairs = attributesOf(record['attributes']).map(([key, value]) => (/^[^\s"'(){}[\]<>,;|]+$/.test(value) ? `${key}=${value}` : `${key}="${value.replace(/["\r\n]/g, "'")}"`))
  const message = Buffer.from([line, ...pairs].filter((text) => text !== '').join(' '), 'utf8')
  setRange(fields.message, message, 0, message.length)
  return message.length > 0
}

function attributesOf(list: unknown): [key: string, value: string][] {
  return listOf(list).flatMap((each): [string, string][] => {
    const key = each['key']
    const value = valueText(each['value'])
    return typeof key === 'string' && /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/.test(key) && value !== '' ? [[key, value]] : []
  })
}

/** AnyValue of the protocol; lists and maps as JSON. */
function valueText(value: unknown): string {
  if (typeof value === 'string') return value
  if (!isObject(value)) return ''
  const plain = first(value, 'stringValue', 'intValue', 'doubleValue', 'boolValue')
  if (typeof plain === 'string' || typeof plain === 'number' || typeof plain === 'boolean') return String(plain)
  return ''
}
