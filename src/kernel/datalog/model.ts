/** The finished run as its readers see it. Facts and derivations become objects only when somebody asks for them. */
import type { Term } from '../term.ts'
import type { CompiledRule } from './compile.ts'
import type { Origin } from './derivations.ts'
import type { FactBase } from './fact-base.ts'
import { closedAtom, instantiate, instantiateArgument } from './instantiate.ts'
import type { Derivation, Model, Premise, StoredFact } from './program.ts'
import { hashOf } from './table.ts'

export function modelOf(base: FactBase, rules: readonly CompiledRule[], rounds: number, stopped: Model['stopped']): Model {
  const size = base.size
  // not remembered: a reader who goes through a large run once would leave an object for each fact behind
  const fact = (id: number): StoredFact => readFact(base, id)
  const read = (origin: Origin) => readDerivation(base, rules, origin)
  let facts: readonly StoredFact[] | undefined
  return {
    get facts() {
      return (facts ??= Array.from({ length: size }, (_, id) => fact(id)))
    },
    rounds,
    stopped,
    find: (predicate, pattern = []) => findRows(base, predicate, pattern).map(fact),
    size,
    predicates: [...base.tables.keys()],
    fact,
    derivation: (id) => base.origins(id).slice(0, base.isAsserted(id) ? 0 : 1).map(read)[0],
    derivations: (id) => base.origins(id).map(read),
    rulesOf: (id) => base.rulesOf(id).map((rule) => rules[rule]?.rule.id ?? ''),
  }
}

function readFact(base: FactBase, id: number): StoredFact {
  const table = base.tableOf[id]
  const row = base.rowOf[id]
  if (table === undefined || row === undefined) throw new Error(`no fact has the number ${id}`)
  const args: (Term | null)[] = []
  for (let cell = row * table.arity; cell < (row + 1) * table.arity; cell++) {
    const code = table.cells[cell] ?? 0
    args.push(code === 0 ? null : base.dictionary.term(code))
  }
  const source = base.sources[id]
  const known = { id, predicate: table.predicate, args, tier: table.tiers[row] ?? 0, asserted: base.isAsserted(id) }
  return source === undefined ? known : { ...known, source }
}

function findRows(base: FactBase, predicate: string, pattern: readonly (Term | undefined)[]): number[] {
  const table = base.tables.get(predicate)
  if (table === undefined) return []
  const key = pattern.flatMap((term, column) => (term === undefined ? [] : [{ column, code: base.dictionary.find(term) }]))
  if (key.length === 0) return [...table.ids]
  if (key.some(({ column, code }) => code < 0 || column >= table.arity)) return []
  const found: number[] = []
  const index = table.index(key.map(({ column }) => column))
  for (let row = index.first(hashOf(key.map(({ code }) => code))); row >= 0; row = index.next(row)) {
    if (key.every(({ column, code }) => table.cells[row * table.arity + column] === code)) found.push(table.ids[row] ?? 0)
  }
  return found
}

/** Only rule and positive premises are kept; everything else follows from them. */
function readDerivation(base: FactBase, rules: readonly CompiledRule[], origin: Origin): Derivation {
  const compiled = rules[origin.rule]
  if (compiled === undefined) throw new Error(`no rule has the number ${origin.rule}`)
  const { rule, registers } = compiled
  for (const [position, { table, slots }] of compiled.atoms.entries()) {
    const row = base.rowOf[origin.premises[position] ?? -1] ?? 0
    const start = row * table.arity
    for (const { column, register } of slots) if (register >= 0) registers[register] = table.cells[start + column] ?? 0
  }
  compiled.complete(registers)
  const bindings: Record<string, Term> = {}
  for (const [name, register] of compiled.named) {
    const term = base.dictionary.term(registers[register] ?? 0)
    if (name === '__proto__') Object.defineProperty(bindings, name, { value: term, enumerable: true })
    else bindings[name] = term
  }
  let atom = 0
  const premises = rule.body.map((item): Premise => {
    if (item.kind === 'atom') return { kind: 'fact', fact: origin.premises[atom++] ?? -1 }
    const closed = item.kind === 'not' ? { ...item, atom: closedAtom(item.atom, new Set(compiled.named.keys())) } : item
    const instance = instantiate(closed, bindings)
    if (instance.kind === 'not') return { kind: 'absent', atom: instance.atom }
    if (instance.kind === 'compare') {
      return { kind: 'condition', op: instance.op, left: termIn(instance.left), right: termIn(instance.right) }
    }
    if (instance.kind === 'test') return { kind: 'tested', expr: instance.expr }
    if (instance.kind === 'assign') {
      const result = termIn(instantiateArgument({ variable: instance.into }, bindings))
      return { kind: 'computed', into: instance.into, expr: instance.expr, result }
    }
    if (instance.kind !== 'aggregate' || item.kind !== 'aggregate') throw new Error(`a body part changed its kind in ${rule.id}`)
    const matches = compiled.aggregates.get(item)?.matches(registers) ?? []
    const result = termIn(instantiateArgument({ variable: item.into }, bindings))
    const where = instance.where === undefined ? {} : { where: instance.where }
    return { kind: 'aggregate', fn: item.fn, result, body: instance.body, ...where, matches }
  })
  return { rule: rule.id, bindings, premises }
}

function termIn(arg: { readonly variable: string } | { readonly term: Term }): Term {
  if ('variable' in arg) throw new Error(`?${arg.variable} has no value`)
  return arg.term
}
