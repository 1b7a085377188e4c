/** Terms and patterns as a person reads them in a premise: prefixed names where there is one, SPARQL's own spelling otherwise. */
import type { Argument, Atom, BodyItem, Comparison, DatalogRule } from '../kernel/datalog/index.ts'
import { mapArguments, sayExpr } from '../kernel/datalog/index.ts'
import { RDF_TYPE, STANDARD_PREFIXES, XSD, classOf, isGuard, meaningOf } from '../kernel/rdf/index.ts'
import type { Term } from '../kernel/term.ts'
import { iri, termKey } from '../kernel/term.ts'

export interface Words {
  term(term: Term): string
  condition(op: Comparison, left: Term, right: Term): string
  /** patterns and conditions as they stand between braces */
  pattern(items: readonly BodyItem[]): string
  /** that nothing matches an atom; patterns that are `shown` beside it are not said again */
  absence(atom: Atom, shown?: (atom: Atom) => boolean): string
}

/** `rulesOf` finds the rules behind a relation of the engine's own, so that its pattern can be shown instead of its name. */
export function words(baseIri: string, rulesOf: (predicate: string) => readonly DatalogRule[]): Words {
  const namespaces = Object.entries({ ...STANDARD_PREFIXES, '': baseIri })
  const term = (it: Term): string => {
    if (it.kind === 'literal') {
      const plain = [`${XSD}integer`, `${XSD}decimal`, `${XSD}boolean`, `${XSD}dateTime`, `${XSD}date`].includes(it.datatype)
      return plain ? it.value : termKey(it)
    }
    if (it.kind === 'bnode') return termKey(it)
    const found = namespaces.find(
      ([, namespace]) => it.value.startsWith(namespace) && /^[\w.-]*\w$/.test(it.value.slice(namespace.length)),
    )
    return found === undefined ? termKey(it) : `${found[0]}:${it.value.slice(found[1].length)}`
  }
  const argument = (arg: Argument | null): string => (arg === null ? '[]' : 'variable' in arg ? variable(arg.variable) : term(arg.term))
  const pattern = ({ predicate, args }: Atom): string => {
    const meaning = meaningOf(predicate)
    const cls = classOf(predicate)
    if (cls !== undefined) return `${argument(args[0] ?? null)} a ${term(cls)}`
    if (meaning.kind === 'property') {
      const name = meaning.property === RDF_TYPE ? 'a' : term(iri(meaning.property))
      return `${argument(args[0] ?? null)} ${name} ${argument(args[1] ?? null)}`
    }
    if (meaning.kind === 'triple') return args.map(argument).join(' ')
    if (meaning.kind === 'path') {
      return `${argument(args[0] ?? null)} ${term(iri(predicate.slice(predicate.indexOf(' ') + 1)))}+ ${argument(args[1] ?? null)}`
    }
    return `${predicate}(${args.map(argument).join(', ')})`
  }
  const item = (part: BodyItem, depth: number): string => {
    switch (part.kind) {
      case 'atom':
        return group(part.atom, depth)
      case 'not':
        return `no { ${group(part.atom, depth)} }`
      case 'compare':
        return `${argument(part.left)} ${part.op} ${argument(part.right)}`
      case 'test':
        return sayExpr(part.expr, argument)
      case 'assign':
        return `${variable(part.into)} = ${sayExpr(part.expr, argument)}`
      case 'aggregate':
        return `${variable(part.into)} = ${part.fn} { ${part.body.map((atom) => group(atom, depth)).join(' . ')} }`
    }
  }
  const items = (parts: readonly BodyItem[], depth: number): string =>
    parts.map((part) => item(part, depth)).join(' . ')
  /** The bodies behind a relation of the engine's own, which the atom asks for; none for triples and paths. */
  const bodiesOf = (atom: Atom): (readonly BodyItem[])[] => {
    const { kind } = meaningOf(atom.predicate)
    return (kind === 'none' || kind === 'auxiliary' ? rulesOf(atom.predicate) : []).map((rule) => bodyWith(rule, atom))
  }
  /** An atom as its pattern; one of a relation of the engine's own as the patterns that its rules read. */
  const group = (atom: Atom, depth: number): string => {
    const bodies = depth <= 0 ? [] : bodiesOf(atom)
    return bodies.length === 0 ? pattern(atom) : bodies.map((body) => items(body, depth - 1)).join(' } or { ')
  }
  const absence = (atom: Atom, shown: (atom: Atom) => boolean = () => false): string => {
    const bodies = bodiesOf(atom).map((body) => {
      const rest = body.filter((part) => part.kind !== 'atom' || !shown(part.atom))
      return rest.length === 0 ? body : rest
    })
    const [first, ...others] = bodies.length === 0 ? [[{ kind: 'atom', atom } satisfies BodyItem]] : bodies
    if (first === undefined) return pattern(atom)
    const [only, ...further] = first
    const single = others.length + further.length === 0 && only?.kind === 'atom' ? only.atom : undefined
    const lacking = single === undefined ? undefined : lacks(single)
    return lacking ?? `no match of { ${[first, ...others].map((body) => items(body, UNFOLDED - 1)).join(' } or { ')} }`
  }
  /** A thing that has no value at all for a property. */
  const lacks = ({ predicate, args: [subject = null, object = null] }: Atom): string | undefined => {
    const meaning = meaningOf(predicate)
    if (meaning.kind !== 'property' || meaning.property === RDF_TYPE || subject === null || 'variable' in subject) return undefined
    return object === null || 'variable' in object ? `${term(subject.term)} has no ${term(iri(meaning.property))}` : undefined
  }
  return {
    term,
    condition: (op, left, right) => `${term(left)} ${op} ${term(right)}`,
    pattern: (parts) => items(parts, UNFOLDED),
    absence,
  }
}

/** How far a pattern inside a pattern is shown. */
const UNFOLDED = 3

/** Variables that a compiler made have names that no person would write. */
const variable = (name: string): string => (/^[\p{L}\p{N}_]+$/u.test(name) ? `?${name}` : '[]')

/** The body of a rule with the arguments of an atom that asks for its head put in. */
function bodyWith(rule: DatalogRule, atom: Atom): readonly BodyItem[] {
  const given = new Map(
    rule.head.args.flatMap((arg, n) => (arg !== null && 'variable' in arg ? [[arg.variable, atom.args[n] ?? null] as const] : [])),
  )
  const put = (arg: Argument): Argument => ('variable' in arg ? (given.get(arg.variable) ?? arg) : arg)
  const inAtom = (one: Atom): Atom => ({ ...one, args: one.args.map((arg) => (arg === null ? null : put(arg))) })
  return rule.body
    .filter((part) => !isGuard(part))
    .map((part): BodyItem => {
      switch (part.kind) {
        case 'atom':
        case 'not':
          return { ...part, atom: inAtom(part.atom) }
        case 'compare':
          return { ...part, left: put(part.left), right: put(part.right) }
        case 'test':
        case 'assign':
          return { ...part, expr: mapArguments(part.expr, put) }
        case 'aggregate':
          return { ...part, body: part.body.map(inAtom) }
      }
    })
}
