/** Values that no data can equal: texts that are no spelling of their datatype, orders between numbers and texts, unsafe patterns. */
import type { Fault } from '../contracts/index.ts'
import type { Argument, BodyItem, DatalogRule, Expr } from '../kernel/datalog/index.ts'
import { type Term, XSD, literal } from '../kernel/term.ts'
import { callFunction, effectiveBoolean } from '../kernel/values/index.ts'
import type { RuleReading, RuleText } from './rule-reading.ts'
import { expressionsOf } from './rule-terms.ts'
import { literalText } from './term-text.ts'
import { type Place, placeAt } from './text-place.ts'
import type { Findings, RuleContext } from './validate.ts'

export function valueFindings({ body }: RuleText, { rules, axioms }: RuleReading, { vocabulary }: RuleContext): Findings {
  const terms = [...axioms.flatMap(({ object }) => [object]), ...rules.flatMap(termsIn)]
  const ranges = new Map((vocabulary?.properties ?? []).map(({ iri, range }) => [iri, range]))
  const misfits = rules.flatMap((rule) => misfitsIn(rule, ranges, body))
  return {
    errors: [
      ...terms.filter(isMalformed).map((term) => ({ message: malformed(term), ...placeOf(body, term) })),
      ...rules.flatMap((rule) => expressionsOf(rule).flatMap((expr) => patternFaults(expr, body))),
      ...misfits,
    ],
  }
}

const CHECKED = new Set(
  ['integer', 'decimal', 'double', 'float', 'boolean', 'date', 'dateTime', 'dayTimeDuration', 'yearMonthDuration', 'duration'].map((name) => XSD + name),
)

const isMalformed = (term: Term): boolean =>
  term.kind === 'literal' && CHECKED.has(term.datatype) && callFunction(term.datatype, [literal(term.value)]) === undefined

const malformed = (term: Term): string =>
  `${JSON.stringify(term.value)} is no ${term.kind === 'literal' ? `xsd:${term.datatype.slice(XSD.length)}` : 'value'}`

function termsIn({ head, body }: DatalogRule): Term[] {
  const ofArgs = (args: readonly (Argument | null)[]) => args.flatMap((arg) => (arg !== null && 'term' in arg ? [arg.term] : []))
  return [...ofArgs(head.args), ...body.flatMap((item) => {
    if (item.kind === 'atom' || item.kind === 'not') return ofArgs(item.atom.args)
    if (item.kind === 'compare') return ofArgs([item.left, item.right])
    if (item.kind === 'aggregate') return item.body.flatMap(({ args }) => ofArgs(args))
    return constantsIn(item.expr)
  })]
}

function constantsIn(expr: Expr): Term[] {
  if ('call' in expr) return expr.args.flatMap(constantsIn)
  if ('op' in expr) return [...constantsIn(expr.left), ...constantsIn(expr.right)]
  if ('minus' in expr) return constantsIn(expr.minus)
  return 'term' in expr ? [expr.term] : []
}

/** Patterns run on a matcher whose time grows with the text and no faster; what it has no reading for is refused. */
function patternFaults(expr: Expr, text: string): Fault[] {
  if ('op' in expr) return [...patternFaults(expr.left, text), ...patternFaults(expr.right, text)]
  if ('minus' in expr) return patternFaults(expr.minus, text)
  if (!('call' in expr)) return []
  const inner = expr.args.flatMap((arg) => patternFaults(arg, text))
  const [, pattern, flags] = expr.args
  if (!['regex', 'replace'].includes(expr.call) || pattern === undefined || !('term' in pattern)) return inner
  const flag = expr.call === 'regex' && flags !== undefined && 'term' in flags ? [flags.term] : []
  const found = callFunction('regex', [literal(''), pattern.term, ...flag])
  if (effectiveBoolean(found) !== undefined) return inner
  const message = `${JSON.stringify(pattern.term.value.slice(0, 100))} is not a pattern that can be searched for in linear time`
  return [...inner, { message, ...placeOf(text, pattern.term) }]
}

const NUMERIC = new Set(
  ['integer', 'decimal', 'double', 'float', 'int', 'long', 'short', 'byte', 'nonNegativeInteger', 'positiveInteger'].map((name) => XSD + name),
)
type Sort = 'a number' | 'a text' | 'a moment' | 'a truth value'

function sortOf(datatype: string): Sort | undefined {
  if (NUMERIC.has(datatype)) return 'a number'
  if (datatype === `${XSD}string`) return 'a text'
  if (datatype === `${XSD}boolean`) return 'a truth value'
  return datatype === `${XSD}date` || datatype === `${XSD}dateTime` ? 'a moment' : undefined
}

const ORDERS = new Set(['<', '<=', '>', '>='])

/** `?v > "5"` where the values are numbers: the order between a number and a text is none, so the rule never fires. */
function misfitsIn({ body }: DatalogRule, ranges: ReadonlyMap<string, string>, text: string): Fault[] {
  const sorts = new Map<string, Sort>()
  for (const item of body) {
    const [, object] = item.kind === 'atom' ? item.atom.args : []
    const range = item.kind === 'atom' ? ranges.get(item.atom.predicate) : undefined
    const sort = range === undefined ? undefined : sortOf(range)
    if (object !== null && object !== undefined && 'variable' in object && sort !== undefined) sorts.set(object.variable, sort)
  }
  const ofArgument = (arg: Expr): Sort | undefined => {
    if ('variable' in arg) return sorts.get(arg.variable)
    return 'term' in arg && arg.term.kind === 'literal' ? sortOf(arg.term.datatype) : undefined
  }
  return body.flatMap((item): Fault[] => {
    const [op, left, right] = comparisonIn(item)
    if (op === undefined || left === undefined || right === undefined || !ORDERS.has(op)) return []
    const [one, other] = [ofArgument(left), ofArgument(right)]
    if (one === undefined || other === undefined || one === other || valueOfTerm(left, right) === undefined) return []
    const constant = 'term' in left ? left.term : 'term' in right ? right.term : undefined
    const place = constant === undefined ? { line: 1, column: 1 } : placeOf(text, constant)
    return [{ message: `${one} and ${other} are compared with ${op}, which never holds`, ...place }]
  })
}

const valueOfTerm = (...sides: readonly Expr[]): Term | undefined => sides.flatMap((side) => ('term' in side ? [side.term] : []))[0]

function comparisonIn(item: BodyItem): readonly [string?, Expr?, Expr?] {
  if (item.kind === 'compare') return [item.op, item.left, item.right]
  return item.kind === 'test' && 'call' in item.expr ? [item.expr.call, item.expr.args[0], item.expr.args[1]] : []
}

/** Where a value stands: as it would be written, else by its text. */
function placeOf(text: string, term: Term): Place {
  const spellings = term.kind === 'literal' ? [literalText(term), JSON.stringify(term.value), term.value] : [term.value]
  const found = spellings.map((spelling) => text.indexOf(spelling)).find((at) => at >= 0)
  return found === undefined ? { line: 1, column: 1 } : placeAt(text, found)
}
