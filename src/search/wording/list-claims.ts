/** Claims whose rows are records or values: lists, what a record has, sets put together. */
import type { Plan } from '../../contracts/index.ts'
import { plural } from '../../kernel/text/index.ts'
import type { Cell } from '../../sources/index.ts'
import type { ClaimDraft, Piece } from '../draft.ts'
import { wireText } from '../records.ts'
import { theRecord } from './conditions.ts'
import { describeRecords } from './describe-plan.ts'
import { MAX_LISTED, capitalised, jointAfter, listed, spelled } from './english.ts'
import { rankedRecords } from './ranked-records.ts'
import type { Told } from './told.ts'
import { citeOf, claimOfRows, isOwnLabel, opening, rankingOf, recordsIn, sayCell, sayDetails, sayNamed } from './told.ts'
import { classOf, columnNoun } from './ways.ts'

type Row = readonly Cell[]

/** How a list begins, how each row is said, and what stands at the end. */
export interface Form {
  readonly lead: string
  readonly say: (row: Row, at: number) => string
  readonly end?: string
  /** the lead says that these are only some */
  readonly some?: boolean
}

export function listClaim(told: Told): ClaimDraft {
  const { rows } = told.executed
  if (told.plan.distinct && told.plan.set_op === undefined) return valuesClaim(told)
  return claimOfRows(told, 'record', pieces(told, rows, formOf(told)), rows.length)
}

const isBack = (step: string): boolean => step.startsWith('^')

function formOf(told: Told): Form {
  const { plan, executed } = told
  if (plan.set_op !== undefined) return combined(told, plan.set_op)
  const ranking = rankingOf(told)
  if (ranking !== null) return rankedRecords(told, ranking, items(told))
  if (plan.select.some(({ path }) => path?.some(isBack) === true)) return beside(told)
  const lone = executed.rows.length === 1 && !executed.truncated && !isOwnLabel(told, plan.select[0])
  return lone ? { lead: opening(told, true, '', true), say: (row) => possessed(told, row) } : plainList(told)
}

/** "There are three open alarms: A, B and C" */
function plainList(told: Told): Form {
  const { plan, executed } = told
  const count = executed.rows.length
  const { say, by } = items(told)
  const records = `${spelled(count)} ${recordsIn(told, count)}${by}`
  const are = count === 1 ? 'is' : 'are'
  if (executed.truncated) {
    return { lead: opening(told, true, `there are at least ${records} (more were not read), among them `), say, some: true }
  }
  // the plan wants so many of them, whichever come first: how many there are in all it does not say
  return { lead: opening(told, true, plan.limit === count ? `${records} ${are} ` : `there ${are} ${records}: `), say }
}

/** Rows by their label with details in brackets; without the label by what is shown of them. */
export type Items = ReturnType<typeof items>
function items(told: Told) {
  const { plan, columns } = told
  if (isOwnLabel(told, plan.select[0])) return { by: '', say: (row: Row, at: number) => sayNamed(told, row, at) }
  const [only, ...more] = columns
  if (only !== undefined && more.length === 0) return { by: `, with these ${plural(only.noun)}`, say: (row: Row) => sayCell(told, row, 0) }
  return { by: '', say: (row: Row) => sayDetails(told, row) }
}

/** "The status of the resource crt-07 is degraded and its vendor is Nokia"; what is missing is said to be so. */
function possessed(told: Told, row: Row): string {
  const one = theRecord(told.words, told.plan, told.cls)
  const parts = told.columns.map(({ noun }, at) => {
    const missing = (row[at] ?? null) === null
    if (at > 0) return missing ? `it has no ${noun}` : `its ${noun} is ${sayCell(told, row, at)}`
    return missing ? `${one} has no ${noun}` : `the ${noun} of ${one} is ${sayCell(told, row, at)}`
  })
  return told.plan.intent === 'exists' ? listed(parts) : capitalised(listed(parts))
}

/** "Customers with their orders: Ann (order A1), Ann (order A2) and Bob (no order)" */
function beside(told: Told): Form {
  const { plan, columns, executed } = told
  const nouns = plan.select.flatMap(({ path }, at) => (path?.some(isBack) === true ? [plural(columns[at]?.noun ?? 'value')] : []))
  const cut = executed.truncated ? ` (at least ${spelled(executed.rows.length)} rows; more were not read)` : ''
  const lead = `${recordsIn(told)} with their ${listed([...new Set(nouns)])}${cut}: `
  return { lead: opening(told, true, lead), say: itemSayer(told), some: executed.truncated }
}

const itemSayer = (told: Told): Form['say'] =>
  isOwnLabel(told, told.plan.select[0]) ? (row, at) => sayNamed(told, row, at) : (row) => sayDetails(told, row)

/** "Two names are found among customers of the city Berlin but not among suppliers: Ann and Bob" */
function combined(told: Told, { op, plan: other }: NonNullable<Plan['set_op']>): Form {
  const { plan, columns, executed, ontology } = told
  const { truncated } = executed
  const count = executed.rows.length
  const nouns = columns.map(({ noun }) => noun)
  const cls = classOf(ontology, other.from)
  const otherNouns = other.select.map(({ path }) => (path === undefined ? 'number' : columnNoun(ontology, cls, path)))
  const first = describeRecords(ontology, plan)
  const same = otherNouns.join() === nouns.join()
  const second = `${same ? '' : `the ${listed(otherNouns.map((noun) => plural(noun)))} of `}${sideOf(told, other)}`
  const sides = {
    union: `among ${first} or among ${second}`,
    intersect: `both among ${first} and among ${second}`,
    except: `among ${first} but not among ${second}`,
  }
  const found = `${spelled(count)} ${nounOfRows(nouns, count)} ${count === 1 ? 'is' : 'are'} found ${sides[op]}`
  const lead = truncated ? `at least ${found} (more were not read), among them ` : `${found}: `
  const say = (row: Row) => (columns.length === 1 ? sayCell(told, row, 0) : sayDetails(told, row))
  return { lead: opening(told, true, lead), say, some: truncated }
}

/** "vendor", "vendors", "combinations of vendor and status" */
function nounOfRows(nouns: readonly string[], count: number): string {
  const [only = 'value', ...more] = nouns
  if (more.length === 0) return count === 1 ? only : plural(only)
  return `${count === 1 ? 'combination' : 'combinations'} of ${listed(nouns)}`
}

/** The second plan of a set may be put together itself. */
function sideOf({ ontology }: Told, other: Plan): string {
  const inner = other.set_op
  if (inner === undefined) return describeRecords(ontology, other)
  const joint = { except: 'but not', union: 'or', intersect: 'and' }[inner.op]
  return `${describeRecords(ontology, other)} (${joint} ${describeRecords(ontology, inner.plan)})`
}

/** "There are two different vendors of open resources: Cisco and Nokia; some have none" */
function valuesClaim(told: Told): ClaimDraft {
  const { columns, executed, plan } = told
  const { rows, truncated } = executed
  const single = columns.length === 1
  const isMissing = (row: Row) => single && (row[0] ?? null) === null
  const known = rows.filter((row) => !isMissing(row))
  const count = known.length
  const noun = nounOfRows(columns.map((column) => column.noun), count)
  const records = recordsIn(told)
  const said = `${count === 1 ? 'one' : `${spelled(count)} different`} ${noun} of ${records}`
  const are = count === 1 ? 'is' : 'are'
  const all = plan.limit === rows.length ? `${said} ${are} ` : `there ${are} ${said}: `
  const lead = opening(told, true, truncated ? `there are at least ${said} (more were not read), among them ` : all)
  const say = single ? (row: Row) => sayCell(told, row, 0) : (row: Row) => sayDetails(told, row)
  const list = pieces(told, known, { lead, say, some: truncated })
  const missing = rows.find(isMissing)
  if (missing === undefined) return claimOfRows(told, 'record', list, rows.length)
  const one = columns[0]?.noun ?? 'value'
  const text = count === 0 ? opening(told, true, `no ${one} of ${records} is recorded`) : `some have no ${one}`
  const joined = list.map((piece, at) => (at === list.length - 1 ? { ...piece, joint: `${piece.joint}; ` } : piece))
  return claimOfRows(told, 'record', [...joined, { text, cites: citesOf(told, missing, 0), joint: '' }], rows.length)
}

function pieces(told: Told, rows: readonly Row[], { lead, say, end = '', some = false }: Form): Piece[] {
  const shown = rows.slice(0, MAX_LISTED)
  const said = shown.map(say)
  return shown.map((row, at) => {
    const joint = `${jointAfter(at, said, some ? shown.length : rows.length)}${at === shown.length - 1 ? end : ''}`
    return { text: `${at === 0 ? lead : ''}${said[at] ?? ''}`, cites: citesOf(told, row, at), joint }
  })
}

/** The record that a row is; for a value taken once, the first record that has it. */
function citesOf(told: Told, row: Row, at: number): Piece['cites'] {
  const { executed, plan } = told
  const own = !plan.distinct && plan.set_op === undefined
  const isBehind = ({ values }: { readonly values: Row }) => row.every((cell, i) => alike(cell, values[i] ?? null))
  const found = own ? executed.evidence[at] : executed.evidence.find(isBehind)
  if (found !== undefined || plan.set_op === undefined) return found === undefined ? [] : citeOf(told, found.key, true)
  const other = plan.set_op.plan
  const beside = (executed.evidenceBeside ?? []).find(isBehind)
  return beside === undefined ? [] : citeOf({ ...told, plan: other, cls: classOf(told.ontology, other.from) }, beside.key, true)
}

const alike = (a: Cell, b: Cell): boolean => a === b || (a !== null && b !== null && wireText(a) === wireText(b))
