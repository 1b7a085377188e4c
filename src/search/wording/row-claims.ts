/** Claims of a list, a count or an aggregate: what the rows say, in one sentence. */
import type { Claim } from '../../contracts/index.ts'
import { type Ontology, recordIri } from '../../ontology/index.ts'
import type { Cell } from '../../sources/index.ts'
import type { SearchContext } from '../context.ts'
import { wireCell } from '../context.ts'
import type { ClaimDraft, Piece } from '../draft.ts'
import type { Executed } from '../execute.ts'
import { inSentence, wireText } from '../records.ts'
import { describeFilters, nounOf } from './describe-plan.ts'
import { plural } from '../../kernel/text/index.ts'
import { capitalised, counted, listed, spelled } from './english.ts'

const LISTED_ROWS = 20
const AGGREGATE_WORDS = { avg: 'average', sum: 'total', min: 'minimum', max: 'maximum', count: 'number', count_distinct: 'number' } as const

export function rowClaims(context: SearchContext, executed: Executed): ClaimDraft[] {
  const { plan } = executed
  const folded = plan.select.some(({ aggregate }) => aggregate !== undefined)
  // the average of nothing is no answer
  if (folded && executed.evidence.length === 0 && plan.intent === 'aggregate') return [noneFound(context, executed)]
  return [folded ? aggregateClaim(context.ontology, executed) : listClaim(context.ontology, executed)]
}

/** "No alarms with severity critical were found." The executed query is what it cites. */
export function noneFound(context: SearchContext, executed: Executed): ClaimDraft {
  const { plan, compiled } = executed
  const text = `No ${nounOf(context.ontology, plan.from)}${describeFilters(plan.where)} were found within tier ${context.ceiling}`
  return {
    kind: 'none_found', pieces: [{ text, cites: [], joint: '' }], sqlSpans: [[0, 0, compiled.main.sql.length]],
    ruleIds: [], factIds: [], supportCount: 0, check: { by: 'rows' },
  }
}

function listClaim(ontology: Ontology, executed: Executed): ClaimDraft {
  const { plan, rows, columns } = executed
  const cls = ontology.classes.find(({ name }) => name === plan.from)!
  const many = rows.length !== 1
  const shown = rows.slice(0, LISTED_ROWS)
  const noun = rowNoun(ontology, executed)
  const lead = executed.truncated
    ? `At least ${counted(rows.length, noun)}${describeFilters(plan.where)} were found, among them `
    : `${capitalised(counted(rows.length, noun))}${describeFilters(plan.where)} ${many ? 'were' : 'was'} found: `
  const pieces: Piece[] = shown.map((row, at) => {
    const [first, ...rest] = row.map(said)
    const detail = rest.map((text, i) => `${columns[i + 1] ?? ''} ${text}`)
    const key = plan.distinct ? executed.evidence.find(({ values }) => row.every((cell, i) => cell === values[i]))?.key : executed.evidence[at]?.key
    const last = at === shown.length - 1
    return {
      text: `${at === 0 ? lead : ''}${first}${detail.length > 0 ? ` (${detail.join(', ')})` : ''}`,
      cites: key === undefined ? [] : [{ iri: recordIri(ontology, cls, key.map(wireText)), columns: columnsOf(ontology, executed), needed: true }],
      joint: last ? (rows.length > shown.length ? ` and ${spelled(rows.length - shown.length)} more` : '') : at === shown.length - 2 && rows.length === shown.length ? ' and ' : ', ',
    }
  })
  return {
    kind: 'record', pieces, sqlSpans: spans(executed), ruleIds: [], factIds: [], supportCount: rows.length, check: { by: 'rows' },
  }
}

/** What one row is: a record, a different value of a property, or a record beside one of many that belong to it. */
function rowNoun(ontology: Ontology, { plan }: Executed): string {
  const own = nounOf(ontology, plan.from, 1)
  if (plan.distinct) return (plan.select[0]?.path?.at(-1) ?? own).replaceAll('_', ' ')
  const beside = plan.select.flatMap(({ path = [] }) => path.filter((step) => step.startsWith('^')))[0]
  return beside === undefined ? own : `${own} and ${nounOf(ontology, beside.slice(1).split('.', 1)[0] ?? '', 1)} pair`
}

function aggregateClaim(ontology: Ontology, executed: Executed): ClaimDraft {
  const { plan, rows } = executed
  const cls = ontology.classes.find(({ name }) => name === plan.from)!
  const shown = plan.select.filter(({ aggregate: fold }) => fold === undefined)
  const groups = shown.length
  const noun = nounOf(ontology, plan.from, 1)
  const filters = describeFilters(plan.where)
  const value = (row: readonly unknown[]) => String(wireCell((row[groups] ?? null) as never) ?? 'no value')
  const aggregate = plan.select[groups]
  const what = (aggregate?.path ?? []).join(' ').replaceAll('_', ' ')
  let text: string
  if (groups > 0) {
    const parts = rows.map((row) => `${row.slice(0, groups).map(said).join(' / ')} ${value(row)}`)
    const subject = aggregate?.aggregate === 'count' ? capitalised(nounOf(ontology, plan.from)) : capitalised(`${AGGREGATE_WORDS[aggregate?.aggregate ?? 'count']} ${what} of ${nounOf(ontology, plan.from)}`)
    text = `${subject}${filters} by ${shown.map(({ path = [] }) => path.join(' ').replaceAll('_', ' ')).join(', ')}: ${listed(parts)}`
  } else if (aggregate?.aggregate === 'count_distinct') {
    const count = Number(value(rows[0] ?? []))
    text = `There ${count === 1 ? 'is' : 'are'} ${spelled(count)} different ${count === 1 ? what : plural(what)}${filters}`
  } else if (aggregate?.path === undefined) {
    const count = Number(value(rows[0] ?? []))
    text = `There ${count === 1 ? 'is' : 'are'} ${counted(count, noun)}${filters}`
  } else {
    text = `The ${AGGREGATE_WORDS[aggregate.aggregate ?? 'count']} ${what} of ${nounOf(ontology, plan.from)}${filters} is ${value(rows[0] ?? [])}`
  }
  const cites = executed.evidence.map(({ key }) => ({ iri: recordIri(ontology, cls, key.map(wireText)), columns: columnsOf(ontology, executed), needed: false }))
  return {
    kind: 'aggregate', pieces: [{ text, cites, joint: '' }], sqlSpans: spans(executed), ruleIds: [], factIds: [],
    supportCount: executed.evidence.length, check: { by: 'rows' },
  }
}

const said = (cell: Cell): string => (cell === null ? 'no value' : inSentence(wireText(cell)))

/** Key columns, and the columns of the root class that are selected or filtered on. */
function columnsOf(ontology: Ontology, { plan }: Executed): string[] {
  const cls = ontology.classes.find(({ name }) => name === plan.from)
  const own = [...plan.select.flatMap(({ path }) => (path === undefined ? [] : [path])), ...plan.where.map(({ path }) => path)]
    .filter((path) => path.length === 1)
    .flatMap(([name]) => cls?.properties.find((property) => property.name === name)?.columns ?? [])
  return [...new Set([...(cls?.key ?? []), ...own])]
}

/** The select list and each filter of the main query. */
function spans({ compiled, columns }: Executed): Claim['sql_spans'] {
  const selected = columns.flatMap((column) => {
    const span = compiled.main.columns.get(column)
    return span === undefined ? [] : [span]
  })
  return [...selected, ...compiled.main.filters].map(([from, to]) => [0, from, to])
}
