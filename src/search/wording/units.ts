/** The unit that a number is given in, as far as the property's name, label or description says so. */
import { splitIdentifier } from '../../kernel/text/index.ts'
import { XSD } from '../../kernel/term.ts'
import type { OntologyProperty } from '../../ontology/index.ts'

export interface Unit {
  readonly one: string
  readonly many: string
  /** how many words of the property's name are the unit: `response_minutes` has one */
  readonly words: number
}

const NUMERIC = new Set(['integer', 'decimal', 'double', 'float'].map((name) => `${XSD}${name}`))
export const isNumeric = (property: OntologyProperty | null): boolean =>
  property !== null && property.kind === 'data' && NUMERIC.has(property.range)

/** Last words of property names. Letters that may as well mean something else (m, g, s, mw) are left out. */
const SUFFIXES: Readonly<Record<string, string>> = {
  ns: 'ns', us: 'µs', ms: 'ms', msec: 'ms', millis: 'ms', milliseconds: 'ms', sec: 's', secs: 's', seconds: 's', mins: 'min',
  minutes: 'min', hrs: 'h', hours: 'h', days: 'days', weeks: 'weeks', months: 'months', years: 'years',
  percent: '%', pct: '%', percentage: '%',
  bytes: 'bytes', kb: 'kB', mb: 'MB', gb: 'GB', tb: 'TB', kib: 'KiB', mib: 'MiB', gib: 'GiB',
  bps: 'bit/s', kbps: 'kbit/s', mbps: 'Mbit/s', gbps: 'Gbit/s',
  hz: 'Hz', khz: 'kHz', mhz: 'MHz', ghz: 'GHz', rpm: 'rpm', bpm: 'bpm',
  usd: 'USD', eur: 'EUR', gbp: 'GBP', chf: 'CHF', jpy: 'JPY', cents: 'cents',
  mg: 'mg', kg: 'kg', kgs: 'kg', grams: 'g', lbs: 'lb', tonnes: 't',
  mm: 'mm', cm: 'cm', km: 'km', meters: 'm', metres: 'm', miles: 'miles', feet: 'ft', inches: 'in',
  mm2: 'mm²', cm2: 'cm²', m2: 'm²', km2: 'km²', sqm: 'm²', mm3: 'mm³', cm3: 'cm³', m3: 'm³',
  ml: 'ml', dl: 'dl', litres: 'l', liters: 'l', celsius: '°C', fahrenheit: '°F', kelvin: 'K',
  volts: 'V', amps: 'A', watts: 'W', kw: 'kW', kwh: 'kWh', mwh: 'MWh', dbm: 'dBm', mmhg: 'mmHg', kpa: 'kPa', hpa: 'hPa',
  kmh: 'km/h', mph: 'mph',
}

const ATOMS = `g kg mg ug µg ng pg t lb oz l L dl dL ml mL m cm mm km nm µm um in ft s ms µs ns min h d % ‰ °C °F K
  V mV kV A mA W kW MW Wh kWh MWh Hz kHz MHz GHz bit kbit Mbit Gbit B kB MB GB TB mol mmol umol µmol nmol pmol U IU mU mEq kat nkat
  Pa kPa hPa bar mbar mmHg bpm rpm dB dBm J kJ cal kcal USD EUR GBP CHF JPY Mbps Gbps kbps`
  .split(/\s+/)
  .toSorted((a, b) => b.length - a.length)
const ATOM = `(?:${ATOMS.join('|')})(?:\\^?[23]|[²³])?`
const IN_BRACKETS = new RegExp(`\\((${ATOM}(?:[/·*]${ATOM})*)\\)\\s*[.:]?\\s*$`)

/** Null for what is no number, or whose unit nothing tells. */
export function unitOf(property: OntologyProperty | null): Unit | null {
  if (property === null || !isNumeric(property)) return null
  const written = IN_BRACKETS.exec(property.label)?.[1] ?? IN_BRACKETS.exec(property.description ?? '')?.[1]
  if (written !== undefined) return { one: written, many: written, words: 0 }
  const last = splitIdentifier(property.name).at(-1) ?? ''
  const known = Object.hasOwn(SUFFIXES, last) ? SUFFIXES[last] : undefined
  if (known === undefined) return null
  return { one: /^(days|weeks|months|years|bytes|cents|miles)$/.test(known) ? known.slice(0, -1) : known, many: known, words: 1 }
}

/** What a property is called beside its value: without the unit that the value carries, and without what brackets add. */
export function labelBesideUnit(property: OntologyProperty): string {
  const unit = unitOf(property)
  const bare = property.label.replace(/\s*\([^()]*\)\s*$/, '').trim()
  const words = (bare === '' ? property.label : bare).split(/[\s_]+/)
  return (unit !== null && unit.words > 0 && words.length > unit.words ? words.slice(0, -unit.words) : words).join(' ')
}
