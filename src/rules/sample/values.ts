/** Values to try for a variable of a rule: around the constants it is compared with, and ordinary ones of its datatype. */
import { type Term, XSD, literal } from '../../kernel/term.ts'
import { textMatching } from './matching-text.ts'

const DAY = 86_400
/** Moments are tried this many seconds after the first of January. */
const OFFSETS = [0, 60, 120, 300, 600, 1200, 3600, 2 * 3600, DAY, 2 * DAY, 8 * DAY, 30 * DAY, 90 * DAY, 400 * DAY]
const START = Date.UTC(2026, 0, 1)
const NUMBERS = [1, 2, 5, 10, 0, 100, 1000, 100_000]

const WHOLE = new Set(['integer', 'int', 'long', 'short', 'byte', 'nonNegativeInteger', 'positiveInteger'].map((name) => XSD + name))
const FRACTIONAL = new Set(['decimal', 'double', 'float'].map((name) => XSD + name))

/** `constants` are all values that the rule names, `patterns` the expressions that a text is searched for. */
export function valuesFor(range: string, constants: readonly Term[], patterns: readonly string[]): Term[] {
  const own = constants.filter((term) => term.kind === 'literal')
  if (WHOLE.has(range)) return numbers(own, range, true)
  if (FRACTIONAL.has(range)) return numbers(own, range, false)
  if (range === `${XSD}boolean`) return [literal('true', range), literal('false', range)]
  if (range === `${XSD}dateTime` || range === `${XSD}date`) return moments(own, range)
  if (/[dD]uration$/.test(range)) return ['PT1M', 'PT1H', 'P1D', 'P30D'].map((text) => literal(text, range))
  if (range === `${XSD}string`) return texts(own, patterns)
  // nothing says what it holds: what it is compared with comes first
  return [
    ...own, ...(patterns.length > 0 ? texts(own, patterns) : []), ...numbers(own, `${XSD}integer`, true).slice(0, 12),
    ...moments(own, `${XSD}dateTime`), ...moments(own, `${XSD}date`).slice(0, 8), ...texts(own, patterns),
  ]
}

function numbers(constants: readonly Term[], datatype: string, isWhole: boolean): Term[] {
  const given = constants.map(({ value }) => Number(value)).filter((value) => Number.isFinite(value))
  const near = given.flatMap((value) => [value + 1, value, value - 1, ...(isWhole ? [] : [value + 0.5, value - 0.5]), value * 2, Math.ceil(value / 2)])
  const all = [...near, ...NUMBERS].map((value) => (isWhole ? Math.round(value) : value))
  return [...new Set(all)].map((value) => literal(String(value), datatype))
}

function moments(constants: readonly Term[], datatype: string): Term[] {
  const given = constants.map(({ value }) => Date.parse(value)).filter((at) => Number.isFinite(at) && at > 0)
  const near = given.flatMap((at) => [at, at + DAY * 1000, at - DAY * 1000, at + 60_000, at - 60_000])
  const all = [...near, ...OFFSETS.map((seconds) => START + seconds * 1000)]
  const written = all.map((at) => {
    const text = new Date(at).toISOString().replace('.000Z', 'Z')
    return datatype === `${XSD}date` ? text.slice(0, 10) : text
  })
  return [...new Set(written)].map((text) => literal(text, datatype))
}

function texts(constants: readonly Term[], patterns: readonly string[]): Term[] {
  const given = constants.filter((term) => term.kind === 'literal' && term.datatype === `${XSD}string`).map(({ value }) => value)
  const found = patterns.flatMap((pattern) => textMatching(pattern) ?? [])
  return [...new Set([...found, ...given, 'sample', 'another'])].map((text) => literal(text))
}
