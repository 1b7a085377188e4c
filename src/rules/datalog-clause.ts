/** One clause of rule text as rules over triples: class atoms fall apart into a type and one triple for each named argument. */
import type { Aggregate, Argument, Atom, BodyItem, Condition, DatalogRule, RuleFault } from '../kernel/datalog/index.ts'
import { RDF_TYPE, guard, meaningOf, nonePredicate, tripleAtom, tripleHead } from '../kernel/rdf/index.ts'
import { XSD, iri, literal } from '../kernel/term.ts'
import type { PredicateNames } from './predicate-names.ts'
import { type ClassColumns, type RuleProperty, className } from './rule-vocabulary.ts'
import { isSameByTerm } from './slot-fill.ts'

export interface Translated {
  readonly rules: readonly DatalogRule[]
  readonly faults: readonly RuleFault[]
  readonly notes: readonly string[]
}

interface Known {
  readonly classes: readonly ClassColumns[]
  readonly names: PredicateNames
  /** the text of the rule, to tell where a name stands */
  readonly text: string
}

/** Atoms over triples, and the comparisons that hold between their values and constants of the text. */
interface Pattern {
  readonly atoms: readonly Atom[]
  readonly conditions: readonly Condition[]
}

/** For one clause: it counts the variables and relations that the clause needs beside its own. */
export function translator({ classes, names, text }: Known): { clause(rule: DatalogRule): Translated } {
  const byName = new Map(classes.map((cls) => [cls.name, cls]))
  const faults: RuleFault[] = []
  const notes: string[] = []
  const auxiliary: DatalogRule[] = []
  let hidden = 0
  let start = { line: 1, column: 1 }
  const fresh = (): Argument => ({ variable: `_:${++hidden}` })
  const fail = (name: string, message: string): void => void faults.push({ message, ...placeOf(text, start, name) })

  /** Spelled otherwise, a number or a moment is still the same value: it is met by comparison, never by its term. */
  const valued = (record: Argument, property: RuleProperty, given: Argument): Pattern => {
    if ('variable' in given) return { atoms: [tripleAtom(record, property.iri, given)], conditions: [] }
    const isText = given.term.kind === 'literal' && given.term.datatype === `${XSD}string`
    if (isText && property.range.startsWith(XSD) && property.range !== `${XSD}string`) {
      notes.push(`${className(property)} holds values of xsd:${property.range.slice(XSD.length)}, which no plain text equals`)
    }
    if (isSameByTerm(given.term)) return { atoms: [tripleAtom(record, property.iri, given)], conditions: [] }
    const value = fresh()
    return { atoms: [tripleAtom(record, property.iri, value)], conditions: [equal(value, given)] }
  }

  const classPattern = (cls: ClassColumns, args: Atom['args']): Pattern => {
    const record = args[0] ?? fresh()
    if ('term' in record && record.term.kind === 'literal') {
      fail(cls.name, `the first argument of ${cls.name} is a thing, not a value`)
    }
    const properties = [...cls.properties.values()]
    const parts = args.slice(1).flatMap((given, n) => {
      const property = properties[n]
      return given === null || property === undefined ? [] : [valued(record, property, given)]
    })
    return {
      atoms: [tripleAtom(record, RDF_TYPE, { term: iri(cls.iri) }), ...parts.flatMap(({ atoms }) => atoms)],
      conditions: parts.flatMap(({ conditions }) => conditions),
    }
  }

  const pattern = ({ predicate, args }: Atom): Pattern => {
    const cls = byName.get(predicate)
    if (cls !== undefined) return classPattern(cls, args)
    const meaning = names.inBody(predicate, args.length)
    if (meaning.kind === 'unknown') fail(predicate, meaning.message)
    const [first = null, second = null] = args
    if (meaning.kind === 'class') return { atoms: [tripleAtom(first, RDF_TYPE, { term: iri(meaning.iri) })], conditions: [] }
    if (meaning.kind === 'relation') return { atoms: [{ predicate: meaning.predicate, args: some(args) }], conditions: [] }
    if (meaning.kind === 'unknown') return { atoms: [], conditions: [] }
    if (second === null || 'variable' in second || isSameByTerm(second.term)) {
      return { atoms: [tripleAtom(first, meaning.iri, second)], conditions: [] }
    }
    const value = fresh()
    return { atoms: [tripleAtom(first, meaning.iri, value)], conditions: [equal(value, second)] }
  }

  /** What is denied must be one relation, so a pattern of several parts gets one of its own over the variables it shares. */
  const denied = (rule: DatalogRule, atom: Atom): BodyItem => {
    const { atoms, conditions } = pattern(atom)
    const [only, ...more] = atoms
    const open = new Set(only?.args.filter(isHidden))
    if (only !== undefined && more.length === 0 && conditions.length === 0) {
      return { kind: 'not', atom: { ...only, args: only.args.map((arg) => (open.has(arg) ? null : arg)) } }
    }
    const n = auxiliary.length + 1
    const shared = atom.args.filter((arg) => arg !== null && 'variable' in arg)
    const args = some([...new Map(shared.map((arg) => [nameOf(arg), arg])).values()])
    const head = { predicate: nonePredicate(rule.id, n), args }
    const at = rule.at === undefined ? {} : { at: rule.at }
    auxiliary.push({ id: `${rule.id}~none-${n}`, head, body: [...atoms.map(asItem), ...conditions], ...at })
    return { kind: 'not', atom: head }
  }

  const folded = (item: Aggregate): Aggregate => {
    const patterns = item.body.map(pattern)
    const where = [...(item.where ?? []), ...patterns.flatMap(({ conditions }) => conditions)]
    return { ...item, body: patterns.flatMap(({ atoms }) => atoms), ...(where.length > 0 ? { where } : {}) }
  }

  const bodyOf = (rule: DatalogRule): BodyItem[] =>
    rule.body.flatMap((item): BodyItem[] => {
      if (item.kind === 'aggregate') return [folded(item)]
      if (item.kind === 'not') return [denied(rule, item.atom)]
      if (item.kind !== 'atom') return [item]
      const { atoms, conditions } = pattern(item.atom)
      return [...atoms.map(asItem), ...conditions]
    })

  const headOf = ({ head, body }: DatalogRule): Atom => {
    const { predicate, args } = head
    const meaning = names.inHead(predicate, args.length)
    const [subject = null, object = null] = args
    if (meaning.kind === 'unknown') fail(predicate, meaning.message)
    if (meaning.kind === 'relation') {
      notes.push(`${predicate} has ${args.length} arguments: other rules read it, but no triple says it`)
      return { predicate: meaning.predicate, args: some(args) }
    }
    if (subject === null || meaning.kind === 'unknown') return head
    if (isValue(subject, body)) {
      fail(predicate, `the first argument of ${predicate} is a value; put the thing it belongs to first`)
    }
    if (meaning.kind === 'class') return tripleHead(subject, RDF_TYPE, { term: iri(meaning.iri) })
    return tripleHead(subject, meaning.iri, object ?? subject)
  }

  /** Whether a term is a literal for certain: a constant, or a variable that a data property or a calculation gives. */
  const isValue = (arg: Argument, body: readonly BodyItem[]): boolean => {
    if ('term' in arg) return arg.term.kind === 'literal'
    return body.some((item) => {
      if (item.kind === 'aggregate' || item.kind === 'assign') return item.into === arg.variable
      if (item.kind !== 'atom') return false
      const columns = [...(byName.get(item.atom.predicate)?.properties.values() ?? [])]
      return item.atom.args.some((given, n) => n > 0 && nameOf(given) === arg.variable && columns[n - 1]?.kind === 'data')
    })
  }

  return {
    clause(rule) {
      start = rule.at ?? start
      const head = headOf(rule)
      const body = bodyOf(rule)
      const subject = nameOf(head.args[0])
      // the subject of a triple is a thing: where no pattern of the body says so, the rule asks for it
      const isSubject = body.some((item) => item.kind === 'atom' && isTriple(item.atom) && nameOf(item.atom.args[0]) === subject)
      const asked = subject === undefined || isSubject || !isTriple(head) ? [] : [guard({ variable: subject })]
      return { rules: [{ ...rule, head, body: [...body, ...asked] }, ...auxiliary], faults, notes }
    },
  }
}

const isTriple = ({ predicate }: Atom): boolean => meaningOf(predicate).kind === 'property'
const equal = (left: Argument, right: Argument): Condition => ({ kind: 'compare', op: '=', left, right })
const asItem = (atom: Atom): BodyItem => ({ kind: 'atom', atom })
const nameOf = (arg: Argument | null | undefined): string | undefined =>
  arg !== null && arg !== undefined && 'variable' in arg ? arg.variable : undefined
const isHidden = (arg: Argument | null): boolean => nameOf(arg)?.startsWith('_:') === true
/** Relations have at least one argument. */
const some = (args: Atom['args']): Atom['args'] => (args.length > 0 ? args : [{ term: literal('any') }])

interface Place {
  readonly line: number
  readonly column: number
}

/** Where a name stands in front of its arguments, from the start of the clause on. */
function placeOf(text: string, start: Place, name: string): Place {
  const lines = text.split('\n')
  for (const [n, line] of lines.entries()) {
    if (n < start.line - 1) continue
    let at = line.indexOf(name, n === start.line - 1 ? start.column - 1 : 0)
    for (; at >= 0; at = line.indexOf(name, at + 1)) {
      const isWhole = !/[\p{L}\p{N}_?]/u.test(line[at - 1] ?? '') && /^>?\s*\(/.test(line.slice(at + name.length))
      if (isWhole) return { line: n + 1, column: at + 1 }
    }
  }
  return start
}
