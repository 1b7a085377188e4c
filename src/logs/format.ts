/** One line of a log, read by its format: JSON with the usual key names, or plain text with a leading time and level. */
import type { Severity } from '../contracts/index.ts'
import type { LogRecord } from './candidate.ts'
import { cleanText } from './clean.ts'
import { leadingTime, readTime } from './timestamp.ts'

type Fields = Omit<LogRecord, 'file' | 'offset'>
export type SkipReason = 'blank' | 'bad_json' | 'no_message'
/** `implausible_time`: a time outside 1990 to 2099 is read as none. */
export type LineResult = { readonly fields: Fields; readonly flag?: 'implausible_time' } | { readonly skip: SkipReason }

const TIME_KEYS = ['ts', 'timestamp', 'time', '@timestamp', 'datetime', 'eventTime']
const LEVEL_KEYS = ['level', 'severity', 'lvl', 'log.level', 'loglevel']
const SERVICE_KEYS = ['service', 'logger', 'app', 'service.name', 'component']
const TRACE_KEYS = ['trace', 'trace_id', 'traceId', 'trace.id', 'correlation_id', 'request_id']
const MESSAGE_KEYS = ['msg', 'message', 'log', 'body', 'event']

/** `service` is what a line without a service of its own belongs to. */
export function readLine(text: string, service: string): LineResult {
  const trimmed = text.trim()
  if (trimmed === '') return { skip: 'blank' }
  return trimmed.startsWith('{') ? readJson(trimmed, service) : readPlain(cleanText(text).trim(), service)
}

function readJson(text: string, service: string): LineResult {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { skip: 'bad_json' }
  }
  if (value === null || typeof value !== 'object') return { skip: 'bad_json' }
  const object = new Map<string, unknown>(Object.entries(value))
  const used = new Set<string>()
  const take = (keys: readonly string[]): unknown => {
    const key = keys.find((each) => object.has(each))
    if (key === undefined) return undefined
    used.add(key)
    return object.get(key)
  }
  const [time, level, name, trace, said] = [TIME_KEYS, LEVEL_KEYS, SERVICE_KEYS, TRACE_KEYS, MESSAGE_KEYS].map(take)
  if (typeof said !== 'string') return { skip: 'no_message' }
  const rest = [...object].flatMap(([key, each]) => (used.has(key) ? [] : asPair(key, each)))
  const tsMs = readTime(time)
  const fields = {
    tsMs,
    severity: severityOf(level),
    service: typeof name === 'string' && name !== '' ? cleanText(name) : service,
    trace: typeof trace === 'string' || typeof trace === 'number' ? cleanText(String(trace)) : '',
    message: cleanText([said, ...rest].join(' ')).trim(),
  }
  return time !== undefined && tsMs === null ? { fields, flag: 'implausible_time' } : { fields }
}

/** Fields beside the message say what it is about: they become `key=value` behind it, as plain loggers write them. */
function asPair(key: string, value: unknown): string[] {
  const name = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/.test(key) ? key : null
  if (name === null) return []
  if (typeof value === 'number' || typeof value === 'boolean') return [`${name}=${value}`]
  if (typeof value !== 'string') return []
  return [/^[^\s"'(){}[\]<>,;|]+$/.test(value) ? `${name}=${value}` : `${name}=${JSON.stringify(value)}`]
}

const PUNCTUATION = /^[\s:|,-]+/

function readPlain(text: string, service: string): LineResult {
  const open = text.startsWith('[') ? 1 : 0
  const time = leadingTime(text.slice(open, open + 48))
  const tsMs = time === null ? null : readTime(time.tsMs)
  let rest = time === null ? text : text.slice(open + time.end).replace(/^\]/, '').replace(PUNCTUATION, '')
  const [first = ''] = rest.split(' ', 1)
  const level = LEVELS.get(bare(first))
  if (level !== undefined) rest = rest.slice(first.length).replace(PUNCTUATION, '')
  const [named = ''] = rest.split(' ', 1)
  // "ERROR router: link down": a name and a colon behind a level is who speaks
  const speaker = level !== undefined && /^\[?[A-Za-z][\w.-]{0,63}\]?:$|^\[[A-Za-z][\w.-]{0,63}\]$/.test(named) ? named : ''
  const message = rest.slice(speaker.length).replace(speaker === '' ? '' : PUNCTUATION, '').trim()
  if (message === '') return { skip: 'no_message' }
  const who = speaker === '' ? service : speaker.replace(/[[\]:]/g, '')
  const fields = { tsMs, severity: level ?? 'INFO', service: who, trace: '', message }
  return time !== null && tsMs === null ? { fields, flag: 'implausible_time' } : { fields }
}

const bare = (word: string): string => word.replace(/[[\]:<>()]/g, '').toLowerCase()

const LEVELS: ReadonlyMap<string, Severity> = new Map(
  Object.entries({
    DEBUG: ['trace', 'debug', 'verbose', 'fine'],
    INFO: ['info', 'information', 'notice'],
    WARN: ['warn', 'warning'],
    ERROR: ['err', 'error', 'severe'],
    CRITICAL: ['crit', 'critical', 'fatal', 'alert', 'emerg', 'emergency', 'panic'],
  } satisfies Record<Severity, string[]>)
    .flatMap(([severity, words]) => words.map((word) => [word, severity as Severity] as const)),
)

/** Words, or the numbers that Bunyan and pino write (10 trace to 60 fatal); what nobody named is INFO. */
function severityOf(level: unknown): Severity {
  if (typeof level === 'string') return LEVELS.get(level.trim().toLowerCase()) ?? 'INFO'
  if (typeof level !== 'number') return 'INFO'
  return level >= 60 ? 'CRITICAL' : level >= 50 ? 'ERROR' : level >= 40 ? 'WARN' : level >= 30 ? 'INFO' : 'DEBUG'
}
