/** Reads rule text into rules: clause = atom [ ':-' item { ',' item } ] '.', with a fault for each clause that is none. */
import { isFunction } from '../values/index.ts'
import { checkProgram } from './check-program.ts'
import { readAtom } from './parse-atoms.ts'
import type { Relations } from './parse-atoms.ts'
import { Cursor, Unreadable } from './parse-cursor.ts'
import { readItem } from './parse-items.ts'
import type { Argument, Atom, BodyItem, DatalogRule, Parsed, Relation } from './program.ts'
import { singleVariables, variableFaults } from './safety.ts'
import { tokenise } from './tokens.ts'

export interface ParseOptions {
  /** the classes that a rule may name arguments of */
  readonly relations: readonly Relation[]
  /** id of the first clause; the next ones get `-2`, `-3` */
  readonly id?: string
}

/** Enough to repair a text in one go, few enough to read. */
const MAX_FAULTS = 20

/** `parseRules('grandparent(?a, ?c) :- parent(?a, ?b), parent(?b, ?c).', { relations: [] })` */
export function parseRules(text: string, options: ParseOptions): Parsed {
  const { tokens, faults: spelling } = tokenise(text)
  const cursor = new Cursor(tokens)
  const relations: Relations = new Map(options.relations.map((relation) => [relation.name, relation]))
  const rules: DatalogRule[] = []
  while (cursor.peek().kind !== 'end' && spelling.length + cursor.faults.length < MAX_FAULTS) {
    const number = rules.length + 1
    const id = options.id !== undefined && number === 1 ? options.id : `${options.id ?? 'rule'}-${number}`
    const rule = readClause(cursor, relations, id)
    if (rule !== undefined) rules.push(rule)
  }
  const faults = [...spelling, ...cursor.faults]
  if (rules.length + faults.length === 0) faults.push({ message: 'there is no rule in this text', line: 1, column: 1 })
  // arities and cycles are worth a look only where every clause could be read
  const all = faults.length > 0 ? faults : checkProgram({ relations: options.relations, rules })
  if (all.length === 0) return { ok: true, rules }
  return { ok: false, faults: all.toSorted((x, y) => x.line - y.line || x.column - y.column).slice(0, MAX_FAULTS) }
}

function readClause(cursor: Cursor, relations: Relations, id: string): DatalogRule | undefined {
  const start = cursor.peek()
  const faultsBefore = cursor.faults.length
  cursor.places = new Map()
  try {
    const head = readHead(cursor, relations)
    const body: BodyItem[] = []
    if (cursor.take(':-')) {
      do body.push(readItem(cursor, relations))
      while (cursor.take(','))
    }
    cursor.expect('.', body.length > 0 ? "',' or '.' after a part of the body" : "':-' or '.' after the head")
    if (cursor.faults.length > faultsBefore) return undefined
    return closed(cursor, { id, head, body, at: { line: start.line, column: start.column } })
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    cursor.skipClause()
    return undefined
  }
}

function readHead(cursor: Cursor, relations: Relations): Atom {
  const start = cursor.peek()
  const head = readAtom(cursor, relations)
  const { predicate, args } = head
  if (relations.has(predicate)) cursor.fail(`${predicate} is a class of the data; a rule derives a predicate of its own`, start)
  else if (args.includes(null)) cursor.fail(`the head ${predicate} may not contain '_'`, start)
  // in a body the name would mean the function, and the rule would derive what nobody can read
  else if (isFunction(predicate, args.length)) cursor.fail(`${predicate} is a function; a predicate needs another name`, start)
  return head
}

/** The rule with what stands once inside a negation left open, or the faults of its variables. */
function closed(cursor: Cursor, rule: DatalogRule): DatalogRule | undefined {
  const single = singleVariables(rule)
  const open = (arg: Argument | null) => (arg !== null && 'variable' in arg && single.has(arg.variable) ? null : arg)
  const body = rule.body.map((item): BodyItem =>
    item.kind === 'not' ? { ...item, atom: { ...item.atom, args: item.atom.args.map(open) } } : item,
  )
  const faults = variableFaults({ ...rule, body })
  for (const { variable, message } of faults) cursor.fail(message, cursor.places.get(variable) ?? cursor.peek())
  return faults.length > 0 ? undefined : { ...rule, body }
}
