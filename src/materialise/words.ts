/** Terms and patterns as a person reads them in a premise: prefixed names where there is one, SPARQL's own spelling otherwise. */
import type { Atom, Comparison, DatalogRule } from '../kernel/datalog/index.ts'
import { RDF_TYPE, STANDARD_PREFIXES, XSD, classOf, meaningOf } from '../kernel/rdf/index.ts'
import type { Term } from '../kernel/term.ts'
import { iri, termKey } from '../kernel/term.ts'

export interface Words {
  term(term: Term): string
  condition(op: Comparison, left: Term, right: Term): string
  absence(atom: Atom): string
}

/** `auxiliary` finds the rule behind a relation of the engine's own, so that its pattern can be shown instead of its name. */
export function words(baseIri: string, auxiliary: (predicate: string) => DatalogRule | undefined): Words {
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
  const pattern = ({ predicate, args }: Atom): string => {
    const meaning = meaningOf(predicate)
    const property = meaning.kind === 'property' ? meaning.property : predicate.slice(predicate.indexOf(' ') + 1)
    const name = property === RDF_TYPE ? 'a' : term(iri(property)) + (meaning.kind === 'path' ? '+' : '')
    const cls = classOf(predicate)
    const [subject, object] = [args[0] ?? null, cls === undefined ? (args[1] ?? null) : { term: iri(cls) }].map((arg) =>
      arg === null ? '[]' : 'variable' in arg ? `?${arg.variable}` : term(arg.term),
    )
    return `${subject} ${name} ${object}`
  }
  return {
    term,
    condition: (op, left, right) => `${term(left)} ${op} ${term(right)}`,
    absence: (atom) => `no match of { ${unfold(atom, auxiliary).map(pattern).join(' . ')} }`,
  }
}

/** The pattern that a denied relation stands for, with the denied arguments put in. */
function unfold(atom: Atom, auxiliary: (predicate: string) => DatalogRule | undefined): readonly Atom[] {
  if (meaningOf(atom.predicate).kind !== 'none') return [atom]
  const rule = auxiliary(atom.predicate)
  if (rule === undefined) return [atom]
  const given = new Map(
    rule.head.args.flatMap((arg, n) =>
      arg !== null && 'variable' in arg ? [[arg.variable, atom.args[n] ?? null] as const] : [],
    ),
  )
  return rule.body.flatMap((item) =>
    item.kind === 'atom'
      ? [
          {
            ...item.atom,
            args: item.atom.args.map((arg) => (arg !== null && 'variable' in arg ? (given.get(arg.variable) ?? arg) : arg)),
          },
        ]
      : [],
  )
}
