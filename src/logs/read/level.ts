/** How grave a line says it is: a word in any case, or a number as syslog, Bunyan and OpenTelemetry write it. */
import { SEVERITIES, type Severity } from '../../contracts/basics/index.ts'
import { WordTable } from './bytes.ts'

/** Index into SEVERITIES. */
export type Level = number

const level = (severity: Severity): Level => SEVERITIES.indexOf(severity)
export const [DEBUG, INFO, WARN, ERROR, CRITICAL] = SEVERITIES.map(level) as [Level, Level, Level, Level, Level]

const WORDS: readonly (readonly [Level, string])[] = [
  [DEBUG, 'trace debug verbose fine finer finest dbg debug1 debug2 debug3 debug4 debug5'],
  [INFO, 'info information informational notice log inf'],
  [WARN, 'warn warning wrn'],
  [ERROR, 'err error severe failure'],
  [CRITICAL, 'crit critical fatal alert emerg emergency panic ftl'],
]

const TABLE = new WordTable<Level>(WORDS.flatMap(([found, words]) => words.split(' ').map((word) => [word, found] as const)))

export const levelOfWord = (bytes: Uint8Array, from: number, end: number): Level | undefined => TABLE.find(bytes, from, end)

/** Words that stand for a level wherever a header may have one; `failure`, `log` or `fine` may as well start a sentence. */
export function isLevelInHeader(bytes: Uint8Array, from: number, end: number): boolean {
  const length = end - from
  return length >= 3 && (bytes[from] as number) < 97 && (bytes[end - 1] as number) < 97
}

/** Bunyan and pino: 10 trace, 20 debug, 30 info, 40 warn, 50 error, 60 fatal; below 10 the numbers of syslog (RFC 5424). */
export function levelOfNumber(value: number): Level {
  if (value < 10) return syslogLevel(value)
  return value >= 60 ? CRITICAL : value >= 50 ? ERROR : value >= 40 ? WARN : value >= 30 ? INFO : DEBUG
}

export const syslogLevel = (severity: number): Level =>
  severity <= 2 ? CRITICAL : severity === 3 ? ERROR : severity === 4 ? WARN : severity <= 6 ? INFO : DEBUG

/** SeverityNumber of the OpenTelemetry log data model: 1-4 trace, 5-8 debug, 9-12 info, 13-16 warn, 17-20 error, 21-24 fatal. */
export const otlpLevel = (number: number): Level =>
  number >= 21 ? CRITICAL : number >= 17 ? ERROR : number >= 13 ? WARN : number >= 9 || number < 1 ? INFO : DEBUG
