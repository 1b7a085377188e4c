/**
 * Reads rule text into rules. The grammar is flat, so one loop over the tokens per level is enough:
 *   clause    = atom [ ':-' item { ',' item } ] '.'
 *   item      = [ 'not' ] atom | argument op argument | variable '=' sum
 *             | variable '=' function [ '(' variable ')' ] '{' atom { ',' atom } '}'
 *   atom      = name '(' [ given { ',' given } ] ')'        given = [ column ':' ] argument | '_'
 *   sum       = product { ('+' | '-') product }             product = factor { ('*' | '/') factor }
 *   factor    = '-' factor | '(' sum ')' | argument
 */
import { literal, iri, XSD } from '../term.ts'
import type { Term } from '../term.ts'
import { checkProgram } from './check-program.ts'
import { MAX_PARTS } from './expression.ts'
import type { AggregateFunction, Argument, ArithmeticOperator, Atom, BodyItem, Comparison, Expr } from './program.ts'
import type { DatalogRule, Parsed, Relation, RuleFault } from './program.ts'
import { singleVariables, variableFaults } from './safety.ts'
import { tokenise } from './tokens.ts'
import type { Token } from './tokens.ts'
import { isTyped, valueOf } from './value.ts'

export interface ParseOptions {
  /** the classes that a rule may name arguments of */
  readonly relations: readonly Relation[]
  /** id of the first clause; the next ones get `-2`, `-3` */
  readonly id?: string
}

/** Enough to repair a text in one go, few enough to read. */
const MAX_FAULTS = 20
const COMPARISONS: readonly string[] = ['=', '!=', '<', '<=', '>', '>='] satisfies Comparison[]
const FUNCTIONS: readonly string[] = ['count', 'sum', 'min', 'max', 'avg'] satisfies AggregateFunction[]
const LANG_STRING = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#langString'

/** `parseRules('grandparent(?a, ?c) :- parent(?a, ?b), parent(?b, ?c).', { relations: [] })` */
export function parseRules(text: string, options: ParseOptions): Parsed {
  const { tokens, faults: spelling } = tokenise(text)
  const reader = new Reader(tokens, options.relations)
  const rules: DatalogRule[] = []
  while (reader.peek().kind !== 'end' && spelling.length + reader.faults.length < MAX_FAULTS) {
    const number = rules.length + 1
    const rule = reader.clause(options.id !== undefined && number === 1 ? options.id : `${options.id ?? 'rule'}-${number}`)
    if (rule !== undefined) rules.push(rule)
  }
  const faults = [...spelling, ...reader.faults]
  if (rules.length + faults.length === 0) faults.push({ message: 'there is no rule in this text', line: 1, column: 1 })
  // arities and cycles are worth a look only where every clause could be read
  const all = faults.length > 0 ? faults : checkProgram({ relations: options.relations, rules })
  if (all.length === 0) return { ok: true, rules }
  return { ok: false, faults: all.toSorted((x, y) => x.line - y.line || x.column - y.column).slice(0, MAX_FAULTS) }
}

/** Thrown to leave a clause that cannot be read further; the reader goes on behind the next full stop. */
class Unreadable extends Error {}

/** Owns the position in the tokens while a text is read. */
class Reader {
  readonly faults: RuleFault[] = []
  readonly #tokens: readonly Token[]
  readonly #relations: ReadonlyMap<string, Relation>
  #at = 0
  /** where each variable of the current clause stands first */
  #places = new Map<string, Token>()
  /** operands, signs and parentheses of the current calculation: bounds how deep its reading goes */
  #parts = 0

  constructor(tokens: readonly Token[], relations: readonly Relation[]) {
    this.#tokens = tokens
    this.#relations = new Map(relations.map((relation) => [relation.name, relation]))
  }

  peek(ahead = 0): Token {
    const token = this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)]
    if (token === undefined) throw new Error('a token list ends with an end token')
    return token
  }

  fail(message: string, { line, column }: Token): void {
    this.faults.push({ message, line, column })
  }

  clause(id: string): DatalogRule | undefined {
    const start = this.peek()
    const faultsBefore = this.faults.length
    this.#places = new Map()
    try {
      const head = this.#head()
      const body: BodyItem[] = []
      if (this.#take(':-')) {
        do body.push(this.#item())
        while (this.#take(','))
      }
      this.#expect('.', body.length > 0 ? "',' or '.' after a part of the body" : "':-' or '.' after the head")
      if (this.faults.length > faultsBefore) return undefined
      return this.#closed({ id, head, body, at: { line: start.line, column: start.column } })
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      this.#skipClause()
      return undefined
    }
  }

  #closed(rule: DatalogRule): DatalogRule | undefined {
    const single = singleVariables(rule)
    const open = (arg: Argument | null) => (arg !== null && 'variable' in arg && single.has(arg.variable) ? null : arg)
    const body = rule.body.map((item): BodyItem =>
      item.kind === 'not' ? { ...item, atom: { ...item.atom, args: item.atom.args.map(open) } } : item,
    )
    const faults = variableFaults({ ...rule, body })
    for (const { variable, message } of faults) this.fail(message, this.#places.get(variable) ?? this.peek())
    return faults.length > 0 ? undefined : { ...rule, body }
  }

  #head(): Atom {
    const start = this.peek()
    const head = this.#atom()
    if (this.#relations.has(head.predicate)) {
      this.fail(`${head.predicate} is a class of the data; a rule derives a predicate of its own`, start)
    } else if (head.args.includes(null)) {
      this.fail(`the head ${head.predicate} may not contain '_'`, start)
    }
    return head
  }

  #item(): BodyItem {
    const first = this.peek()
    const second = this.peek(1)
    if (first.kind === 'name' && first.text === 'not' && (second.kind === 'name' || second.kind === 'iri')) {
      this.#at++
      return { kind: 'not', atom: this.#atom() }
    }
    if ((first.kind === 'name' || first.kind === 'iri') && second.kind === 'mark' && second.text === '(') {
      return { kind: 'atom', atom: this.#atom() }
    }
    const isFold = this.peek(2).kind === 'name' && this.peek(3).kind === 'mark' && '({'.includes(this.peek(3).text)
    return first.kind === 'variable' && second.text === '=' && isFold ? this.#aggregate() : this.#comparison()
  }

  #comparison(): BodyItem {
    const left = this.#argument("an atom, 'not' and an atom, a comparison, a calculation or an aggregate")
    const op = this.peek()
    if (op.kind !== 'mark' || !COMPARISONS.includes(op.text)) this.#stop(`one of ${COMPARISONS.join(' ')}`)
    this.#at++
    this.#parts = 0
    const right = this.#sum()
    if (!('op' in right) && !('minus' in right)) return { kind: 'compare', op: op.text as Comparison, left, right }
    if (op.text === '=' && 'variable' in left) return { kind: 'assign', into: left.variable, expr: right }
    this.fail("a calculation gets a variable first: ?x = … and then a comparison with ?x", op)
    throw new Unreadable()
  }

  #sum(): Expr {
    let sum = this.#product()
    for (let op = this.#operator('+', '-'); op !== undefined; op = this.#operator('+', '-')) {
      sum = { op, left: sum, right: this.#product() }
    }
    return sum
  }

  #product(): Expr {
    let product = this.#factor()
    for (let op = this.#operator('*', '/'); op !== undefined; op = this.#operator('*', '/')) {
      product = { op, left: product, right: this.#factor() }
    }
    return product
  }

  #factor(): Expr {
    if (++this.#parts > MAX_PARTS) {
      this.fail(`a calculation has at most ${MAX_PARTS} operands, signs and parentheses`, this.peek())
      throw new Unreadable()
    }
    if (this.#take('-')) return { minus: this.#factor() }
    if (!this.#take('(')) return this.#argument('a variable or a value')
    const inner = this.#sum()
    this.#expect(')', "an operator or ')'")
    return inner
  }

  #operator(...known: readonly ArithmeticOperator[]): ArithmeticOperator | undefined {
    return known.find((mark) => this.#take(mark))
  }

  #aggregate(): BodyItem {
    const into = this.#variable()
    this.#expect('=', "'='")
    const fn = this.peek()
    if (!FUNCTIONS.includes(fn.text)) this.#stop(`one of ${FUNCTIONS.join(', ')}`)
    this.#at++
    let of: string | null = null
    if (this.#take('(')) {
      of = this.#variable()
      this.#expect(')', `')' after the variable of ${fn.text}`)
    }
    this.#expect('{', `'{' and the atoms that ${fn.text} ranges over`)
    const body: Atom[] = []
    do body.push(this.#atom())
    while (this.#take(','))
    this.#expect('}', "',' or '}' after an atom")
    return { kind: 'aggregate', into, fn: fn.text as AggregateFunction, of, body }
  }

  #atom(): Atom {
    const name = this.peek()
    if (name.kind !== 'name' && name.kind !== 'iri') this.#stop('the name of a class or predicate')
    this.#at++
    this.#expect('(', `'(' after ${name.text}`)
    const given: { readonly column: Token | undefined; readonly argument: Argument | null; readonly at: Token }[] = []
    if (!this.#take(')')) {
      do {
        const at = this.peek()
        const named = at.kind === 'name' && this.peek(1).kind === 'mark' && this.peek(1).text === ':'
        if (named) this.#at += 2
        const wild = this.peek().kind === 'name' && this.peek().text === '_'
        if (wild) this.#at++
        given.push({ column: named ? at : undefined, at, argument: wild ? null : this.#argument('a variable, a value or _') })
      } while (this.#take(','))
      this.#expect(')', `',' or ')' in the arguments of ${name.text}`)
    }
    const relation = this.#relations.get(name.text)
    if (relation === undefined) {
      const named = given.find(({ column }) => column !== undefined)
      if (named) this.fail(`no class is called ${name.text}; known: ${listed([...this.#relations.keys()])}`, name)
      return { predicate: name.text, args: given.map(({ argument }) => argument) }
    }
    const args: (Argument | null)[] = relation.columns.map(() => null)
    const filled = new Set<number>()
    for (const [position, { column, argument, at }] of given.entries()) {
      const names = relation.columns.map(({ name }) => name)
      const index = column === undefined ? position : names.indexOf(column.text)
      if (column === undefined && position > 0) {
        this.fail(`only the first argument of the class ${name.text} goes without a name; known: ${listed(names)}`, at)
      } else if (index < 0 || index >= names.length) {
        this.fail(`${name.text} has no column ${column?.text ?? 'at all'}; known: ${listed(names)}`, at)
      } else if (filled.has(index)) {
        this.fail(`${name.text} gets its column ${names[index]} twice`, at)
      } else {
        filled.add(index)
        args[index] = argument
      }
    }
    return { predicate: name.text, args }
  }

  #argument(expected: string): Argument {
    const token = this.peek()
    if (token.kind === 'variable') return { variable: this.#variable() }
    if (token.kind === 'string') return { term: this.#string() }
    if (token.kind === 'name' && (token.text === 'true' || token.text === 'false')) {
      this.#at++
      return { term: literal(token.text, `${XSD}boolean`) }
    }
    if (token.kind === 'iri') {
      this.#at++
      return { term: iri(token.text) }
    }
    if (token.kind === 'number') {
      this.#at++
      const type = /[eE]/.test(token.text) ? 'double' : token.text.includes('.') ? 'decimal' : 'integer'
      return { term: literal(token.text, XSD + type) }
    }
    return this.#stop(expected)
  }

  #variable(): string {
    const token = this.peek()
    if (token.kind !== 'variable') this.#stop('a variable')
    this.#at++
    if (!this.#places.has(token.text)) this.#places.set(token.text, token)
    return token.text
  }

  /** A string, with `^^xsd:date`, `^^<iri>` or `@en` behind it. */
  #string(): Term {
    const { text: value, ...at } = this.peek()
    this.#at++
    if (this.#take('@')) {
      const language = this.peek()
      if (language.kind !== 'name') this.#stop('a language tag')
      this.#at++
      return { kind: 'literal', value, datatype: LANG_STRING, language: language.text }
    }
    if (!this.#take('^^')) return literal(value)
    const type = this.peek()
    this.#at++
    let datatype = type.text
    if (type.kind === 'name' && type.text === 'xsd' && this.#take(':') && this.peek().kind === 'name') {
      datatype = XSD + this.peek().text
      this.#at++
    } else if (type.kind !== 'iri') {
      this.#at = this.#tokens.indexOf(type)
      this.#stop('a datatype: xsd:name or <iri>')
    }
    const term = literal(value, datatype)
    if (isTyped(datatype) && valueOf(term).kind === 'opaque') {
      this.fail(`${JSON.stringify(value)} is no xsd:${datatype.slice(XSD.length)}`, { ...at, text: value })
    }
    return term
  }

  #take(mark: string): boolean {
    const token = this.peek()
    if (token.kind !== 'mark' || token.text !== mark) return false
    this.#at++
    return true
  }

  #expect(mark: string, expected: string): void {
    if (!this.#take(mark)) this.#stop(expected)
  }

  #stop(expected: string): never {
    const token = this.peek()
    this.fail(`expected ${expected}, found ${shown(token)}`, token)
    throw new Unreadable()
  }

  #skipClause(): void {
    while (this.peek().kind !== 'end' && !this.#take('.')) this.#at++
  }
}

function shown(token: Token): string {
  if (token.kind === 'end') return 'the end of the text'
  if (token.kind === 'string') return JSON.stringify(token.text)
  return token.kind === 'variable' ? `?${token.text}` : `'${token.text}'`
}

function listed(names: readonly string[]): string {
  const most = 12
  if (names.length === 0) return 'none'
  return names.length <= most ? names.join(', ') : `${names.slice(0, most).join(', ')} and ${names.length - most} more`
}
