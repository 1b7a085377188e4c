/** The window of a causal rule: its later time lies at most so many seconds after its earlier one. */
import type { BodyItem } from '../datalog/index.ts'
import { LIMIT, limitOf } from '../rdf/index.ts'
import type { Alternative } from './alternative.ts'
import { binding, having } from './alternative.ts'
import type { Compiling } from './compiling.ts'
import type { Construct, Expression } from './syntax.ts'

export interface Direction {
  readonly earlier: string
  readonly later: string
  readonly seconds: number
}

/** Which of its times a rule with a window calls the later one. */
export function directionOf(query: Construct, seconds: number, compiling: Compiling): Direction | undefined {
  const directions: Omit<Direction, 'seconds'>[] = []
  const pending: Expression[] = query.where.patterns.flatMap((pattern) =>
    pattern.type === 'pattern' && pattern.subType === 'filter' ? [pattern.expression] : [],
  )
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type !== 'expression' || node.subType !== 'operation') continue
    if (node.operator === '&&') pending.push(...node.args)
    const [left, right] = node.args.map((arg) => (arg.type === 'term' && arg.subType === 'variable' ? arg.value : undefined))
    if (left === undefined || right === undefined) continue
    if (node.operator === '>') directions.push({ earlier: right, later: left })
    if (node.operator === '<') directions.push({ earlier: left, later: right })
  }
  const [direction] = directions
  if (direction === undefined || directions.length > 1) {
    compiling.refuse(query.where, 'a rule with a window needs exactly one FILTER(?later > ?earlier) over its times')
    return undefined
  }
  if (!Number.isInteger(seconds) || seconds <= 0)
    compiling.refuse(query.where, 'a window is a whole number of seconds, at least 1')
  return { ...direction, seconds }
}

/**
 * `?later <= ?limit`, the limit being worked out from the earlier time, whether a source states that or a rule derives it. Where
 * the rule also reads the end of what began at the earlier time (`?x :startedAt ?earlier ; :endedAt ?end`), the window opens
 * there: as long as a cause goes on it may have effects.
 */
export function withinWindow(alternative: Alternative, { earlier, later, seconds }: Direction): Alternative {
  const limit = { variable: LIMIT }
  const isDirection = (item: BodyItem): boolean => {
    if (item.kind !== 'test' || !('call' in item.expr) || (item.expr.call !== '<' && item.expr.call !== '>')) return false
    const names = item.expr.args.map((arg) => ('variable' in arg ? arg.variable : ''))
    return names.includes(earlier) && names.includes(later)
  }
  // the times of a window are moments, which rules compare as SPARQL does
  const at = alternative.body.findIndex(isDirection)
  const compared: BodyItem = { kind: 'compare', op: '>', left: { variable: later }, right: { variable: earlier } }
  const body = at < 0 ? alternative.body : alternative.body.with(at, compared)
  const limited: BodyItem = { kind: 'assign', into: limit.variable, expr: limitOf({ variable: endOf(body, earlier) ?? earlier }, seconds) }
  const within: BodyItem = { kind: 'compare', op: '<=', left: { variable: later }, right: limit }
  return having(binding({ ...alternative, body }, limited, [limit.variable]), [within])
}

/** The variable for the end of what began at this time. */
function endOf(body: readonly BodyItem[], earlier: string): string | undefined {
  const atoms = body.flatMap((item) => (item.kind === 'atom' && item.atom.args.length === 2 ? [item.atom] : []))
  const at = (atom: (typeof atoms)[number], place: number) => {
    const arg = atom.args[place]
    return arg !== null && arg !== undefined && 'variable' in arg ? arg.variable : undefined
  }
  const subjects = new Set(atoms.filter((atom) => at(atom, 1) === earlier).map((atom) => at(atom, 0)))
  const [end] = atoms.filter((atom) => /[#/:]endedAt$/.test(atom.predicate) && at(atom, 0) !== undefined && subjects.has(at(atom, 0)))
  return end === undefined ? undefined : at(end, 1)
}
