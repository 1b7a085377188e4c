/** Reads atoms: positional arguments for predicates, named ones for the classes of the data. */
import type { Cursor } from './parse-cursor.ts'
import { listed } from './parse-cursor.ts'
import { isFunctionName } from './parse-expression.ts'
import { readArgument } from './parse-terms.ts'
import type { Argument, Atom, Relation } from './program.ts'
import type { Token } from './tokens.ts'

export type Relations = ReadonlyMap<string, Relation>

interface Given {
  readonly column: Token | undefined
  readonly argument: Argument | null
  readonly at: Token
}

/** atom = name '(' [ given { ',' given } ] ')'        given = [ column ':' ] argument | '_' */
export function readAtom(cursor: Cursor, relations: Relations): Atom {
  const name = cursor.peek()
  if (name.kind !== 'name' && name.kind !== 'iri') cursor.stop('the name of a class or predicate')
  cursor.skip()
  cursor.expect('(', `'(' after ${name.text}`)
  const given: Given[] = []
  if (!cursor.take(')')) {
    do given.push(readGiven(cursor))
    while (cursor.take(','))
    cursor.expect(')', `',' or ')' in the arguments of ${name.text}`)
  }
  const relation = relations.get(name.text)
  if (relation !== undefined) return { predicate: name.text, args: columnsOf(cursor, relation, given) }
  if (given.some(({ column }) => column !== undefined)) {
    cursor.fail(`no class is called ${name.text}; known: ${listed([...relations.keys()])}`, name)
  }
  return { predicate: name.text, args: given.map(({ argument }) => argument) }
}

function readGiven(cursor: Cursor): Given {
  const at = cursor.peek()
  const isNamed = at.kind === 'name' && cursor.isMark(':', 1)
  if (isNamed) cursor.skip(2)
  const value = cursor.peek()
  const isOpen = cursor.isName('_')
  if (isOpen) cursor.skip()
  if (value.kind === 'name' && isFunctionName(value.text) && cursor.isMark('(', 1)) {
    const { text } = value
    cursor.leave(`an argument is a variable or a value; give the result of ${text} a variable first: ?x = ${text}(…)`, value)
  }
  return { column: isNamed ? at : undefined, at, argument: isOpen ? null : readArgument(cursor, 'a variable, a value or _') }
}

/** The arguments in the order of the class's columns; those that are not given stay open. */
function columnsOf(cursor: Cursor, { name, columns }: Relation, given: readonly Given[]): (Argument | null)[] {
  const names = columns.map((column) => column.name)
  const args: (Argument | null)[] = columns.map(() => null)
  const filled = new Set<number>()
  for (const [position, { column, argument, at }] of given.entries()) {
    const index = column === undefined ? position : names.indexOf(column.text)
    if (column === undefined && position > 0) {
      cursor.fail(`only the first argument of the class ${name} goes without a name; known: ${listed(names)}`, at)
    } else if (index < 0 || index >= names.length) {
      cursor.fail(`${name} has no column ${column?.text ?? 'at all'}; known: ${listed(names)}`, at)
    } else if (filled.has(index)) {
      cursor.fail(`${name} gets its column ${names[index]} twice`, at)
    } else {
      filled.add(index)
      args[index] = argument
    }
  }
  return args
}
