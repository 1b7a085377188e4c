/** Looks for everything that keeps a program from running: arities, heads, unbound variables, negation inside recursion. */
import { isFunction } from '../values/index.ts'
import { MAX_COMPILED_PARTS, MAX_PARTS, callsIn, countParts } from './expression.ts'
import type { Atom, BodyItem, DatalogRule, Expr, Program, RuleFault } from './program.ts'
import { variableFaults } from './safety.ts'
import { stratify } from './stratify.ts'

/** More parts than a person can read; ordering the joins of a longer body would also take noticeable time. */
export const MAX_BODY_PARTS = 256

/** What the proof checker can look up. */
export const MAX_ARGUMENTS = 30

export function checkProgram(program: Program): RuleFault[] {
  const faults: RuleFault[] = []
  const complain = (rule: DatalogRule, message: string) =>
    faults.push({ message: `${rule.id}: ${message}`, line: rule.at?.line ?? 0, column: rule.at?.column ?? 0 })

  for (const { rule, message } of arityFaults(program)) complain(rule, message)
  for (const rule of program.rules) {
    const parts = rule.body.reduce((sum, item) => sum + 1 + (item.kind === 'aggregate' ? item.body.length : 0), 0)
    if (parts > MAX_BODY_PARTS) complain(rule, `the body has ${parts} parts, at most ${MAX_BODY_PARTS} are allowed`)
    const wide = atomsOf(rule).find(({ args }) => args.length > MAX_ARGUMENTS)
    if (wide !== undefined) complain(rule, `${wide.predicate} has ${wide.args.length} arguments, at most ${MAX_ARGUMENTS} are allowed`)
    if (rule.head.args.includes(null)) complain(rule, `the head ${rule.head.predicate} leaves an argument open`)
    for (const item of rule.body) {
      if (item.kind === 'aggregate' && item.body.length === 0) complain(rule, `${item.fn} has no atom to range over`)
      for (const expr of expressionsOf(item)) {
        // what a person writes has a place in its text
        const most = rule.at === undefined ? MAX_COMPILED_PARTS : MAX_PARTS
        if (countParts(expr) > most) complain(rule, `an expression has more than ${most} operands, signs and calls`)
        for (const { call, args } of callsIn(expr)) {
          if (!isFunction(call, args.length)) complain(rule, `no function ${call} takes ${plural(args.length)}`)
        }
      }
    }
    for (const fault of variableFaults(rule)) complain(rule, fault.message)
  }
  const strata = stratify(program.rules, program.mayGrow)
  return strata.ok ? faults : [...faults, ...strata.faults]
}

function expressionsOf(item: BodyItem): Expr[] {
  if (item.kind === 'assign' || item.kind === 'test') return [item.expr]
  return item.kind === 'aggregate' ? (item.where ?? []).flatMap(expressionsOf) : []
}

/** Arities by predicate: what the relations declare, else what the first rule uses. */
export function aritiesOf(program: Program): Map<string, number> {
  const arities = new Map(program.relations.map((relation) => [relation.name, relation.columns.length]))
  for (const rule of program.rules) {
    for (const atom of atomsOf(rule)) if (!arities.has(atom.predicate)) arities.set(atom.predicate, atom.args.length)
  }
  return arities
}

function* arityFaults(program: Program): Generator<{ rule: DatalogRule; message: string }> {
  const arities = aritiesOf(program)
  for (const rule of program.rules) {
    for (const atom of atomsOf(rule)) {
      const arity = arities.get(atom.predicate)
      if (arity === atom.args.length) continue
      yield { rule, message: `${atom.predicate} has ${plural(atom.args.length)} here and ${plural(arity ?? 0)} elsewhere` }
    }
  }
}

const plural = (count: number): string => (count === 1 ? '1 argument' : `${count} arguments`)

export function atomsOf(rule: DatalogRule): Atom[] {
  return [rule.head].concat(
    rule.body.flatMap((item) => {
      if (item.kind === 'aggregate') return item.body
      return item.kind === 'atom' || item.kind === 'not' ? [item.atom] : []
    }),
  )
}
