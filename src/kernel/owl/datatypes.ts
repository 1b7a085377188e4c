/**
 * Table 8: what literals are. The table speaks of all literals there are; here rules are made for those that the graph holds
 * and that another rule asks about: a value outside its range, a value that a restriction names in another spelling.
 */
import type { BodyItem, DatalogRule } from '../datalog/index.ts'
import type { GraphView } from '../rdf/index.ts'
import { RDF_TYPE, XSD } from '../rdf/index.ts'
import type { Term } from '../term.ts'
import { compareText, iri, termKey } from '../term.ts'
import { compareValues, valueOf } from '../values/index.ts'
import { inconsistent } from './inconsistency.ts'
import type { OwlOptions } from './rule.ts'
import {
  RANGE,
  SAME_AS,
  X,
  Y,
  Z,
  call,
  ground,
  holds,
  is,
  member,
  owl,
  rdfs,
  rule,
  test,
  triple,
  typed,
  unequal,
} from './rule.ts'
import type { Property, Tbox } from './tbox.ts'
import type { Literal } from './value-space.ts'
import { DATATYPES, contains, dataRange, dataValue, isDatatype, isSame } from './value-space.ts'

export function datatypeRules(tbox: Tbox, graph: GraphView, { trivial, uniqueNames }: OwlOptions): DatalogRule[] {
  const literals = literalsIn(graph)
  return [
    ...(trivial ? DATATYPES.map((name) => rule('dt-type1', [name], member(is(iri(name)), iri(rdfs('Datatype'))))) : []),
    ...askedValues(tbox, literals),
    ...(trivial ? allEqual(graph, literals) : askedEqual(tbox, literals)),
    ...outOfRange(tbox, literals),
    // where names are unique, two spellings of one moment or of zero are no conflict to bother a reader with
    ...(uniqueNames ? [] : equalButTwo(tbox, literals)),
    ...(trivial ? illFormed(graph, literals) : []),
    ...(graph.triples(SAME_AS).some(({ object }) => object.kind === 'literal') ? [unlike()] : []),
  ]
}

type Literals = (property: string) => readonly Literal[]

/** The literals that a property has for values, repeated as often as they occur: most questions leave few of them. */
function literalsIn(graph: GraphView): Literals {
  const known = new Map<string, readonly Literal[]>()
  return (property) => {
    let found = known.get(property)
    if (found === undefined) {
      found = property === RDF_TYPE
        ? []
        : graph.triples(property).flatMap(({ object }) => (object.kind === 'literal' ? [object] : []))
      known.set(property, found)
    }
    return found
  }
}

const distinct = (literals: readonly Literal[]): Literal[] =>
  [...new Map(literals.map((one) => [termKey(one), one]))].toSorted(([x], [y]) => compareText(x, y)).map(([, one]) => one)

/** dt-type2, for the values of a property whose range a restriction asks for. */
function askedValues(tbox: Tbox, literals: Literals): DatalogRule[] {
  return tbox.restrictions(owl('someValuesFrom')).flatMap(({ property: p, value: range }) => {
    if (p.inverse || !isDatatype(range, tbox)) return []
    return distinct(literals(p.name).filter((literal) => contains(range, literal, tbox) === true))
      .map(
        (literal) =>
          rule(
            'dt-type2',
            [range, p.name, literal],
            { predicate: dataRange(range), args: [is(literal)] },
            triple(null, p.name, is(literal)),
          )
      )
  })
}

/** dt-not-type: values that are not in the range their property, or their subject's class, gives them. */
function outOfRange(tbox: Tbox, literals: Literals): DatalogRule[] {
  const against = (p: Property, range: Term, key: readonly Term[], ...premises: readonly BodyItem[]): DatalogRule[] => {
    if (p.inverse || !isDatatype(range, tbox)) return []
    return distinct(literals(p.name).filter((literal) => contains(range, literal, tbox) === false))
      .map(
        (literal) =>
          rule('dt-not-type', [...key, literal], notOf(p.name, literal, range), ...premises, triple(X, p.name, is(literal)))
      )
  }
  const ranges = tbox.triples(RANGE).flatMap(({ subject, object: range }) => {
    const p = tbox.property(subject)
    return p === undefined ? [] : against(p, range, [subject, range], ground(subject, RANGE, range))
  })
  const restricted = tbox.restrictions(owl('allValuesFrom')).flatMap(({ cls, property, value, premises, key }) =>
    against(property, value, key, ...premises, typed(X, cls)),
  )
  return [...ranges, ...restricted]
}

/** A literal whose text its own datatype does not have. */
function illFormed(graph: GraphView, literals: Literals): DatalogRule[] {
  return [...graph.properties].toSorted(compareText).flatMap((property) =>
    distinct(literals(property).filter((literal) => dataValue(literal) === 'ill'))
      .map(
        (literal) =>
          rule(
            'dt-not-type',
            [property, literal],
            notOf(property, literal, iri(literal.datatype)),
            triple(X, property, is(literal)),
          )
      ),
  )
}

const notOf = (property: string, literal: Literal, range: Term) =>
  inconsistent('dt-not-type', X, is(iri(property)), is(literal), is(range))

/** dt-eq with eq-rep-o, where a rule looks for a certain literal, or for the same literal twice. */
function askedEqual(tbox: Tbox, literals: Literals): DatalogRule[] {
  const rules = new Map<string, DatalogRule>()
  const make = (property: string, wanted: Literal | undefined) => {
    // text has one spelling only
    const same = Map.groupBy(distinct(literals(property).filter(({ datatype }) => datatype !== `${XSD}string`)), valueKey)
    for (const [key, spellings] of same) {
      const target = wanted !== undefined && valueKey(wanted) === key ? wanted : wanted === undefined ? spellings[0] : undefined
      if (key === undefined || target === undefined) continue
      for (const one of respelled(property, spellings, target)) rules.set(one.id, one)
    }
  }
  for (const { property: p, value } of tbox.restrictions(owl('hasValue'))) if (value.kind === 'literal') make(p.name, value)
  for (const { subject: axiom, object: value } of tbox.triples(owl('targetValue'))) {
    for (const p of tbox.objects(axiom, owl('assertionProperty'))) if (value.kind === 'literal') make(p.value, value)
  }
  for (const p of tbox.instances(owl('InverseFunctionalProperty'))) make(p.value, undefined)
  for (
    const { object: head } of tbox.triples(owl('hasKey'))
  ) for (const p of tbox.list(head)?.members ?? []) make(p.value, undefined)
  return [...rules.values()]
}

/** dt-eq with eq-rep-o, for every literal of the graph. */
function allEqual(graph: GraphView, literals: Literals): DatalogRule[] {
  const properties = [...graph.properties].toSorted(compareText)
  const same = Map.groupBy(
    new Map(properties.flatMap((property) => distinct(literals(property))).map((one) => [termKey(one), one])).values(), valueKey
  )
  return properties.flatMap((property) =>
    distinct(literals(property)).flatMap((one) => {
      const key = valueKey(one)
      return key === undefined ? [] : (same.get(key) ?? []).flatMap((target) => respelled(property, [one], target))
    }),
  )
}

const respelled = (property: string, spellings: readonly Literal[], target: Literal): DatalogRule[] =>
  spellings
    .filter((one) => termKey(one) !== termKey(target))
    .map((one) => rule('dt-eq', [property, one, target], holds(X, property, is(target)), triple(X, property, is(one))))

/** dt-diff: a thing that is the same as two values. */
const unlike = (): DatalogRule =>
  rule(
    'dt-diff',
    [],
    inconsistent('dt-diff', Y, Z),
    triple(X, SAME_AS, Y),
    triple(X, SAME_AS, Z),
    unequal(Y, Z),
    test(call('&&', call('isliteral', Y), call('isliteral', Z))),
  )

/** prp-fp with dt-diff, for values that compare as equal and are two nevertheless: both zeros, an integer and a double. */
function equalButTwo(tbox: Tbox, literals: Literals): DatalogRule[] {
  return tbox.instances(owl('FunctionalProperty')).flatMap((subject) => {
    const p = tbox.property(subject)
    if (p === undefined || p.inverse) return []
    const numbers = distinct(literals(p.name).filter((one) => ['double', 'float'].includes(spaceOf(one))))
    return numbers.flatMap((one) =>
      distinct(literals(p.name))
        .filter((other) => compareValues(valueOf(one), valueOf(other)) === 0 && isSame(one, other) === false)
        .map((other) => {
          const head = inconsistent('prp-fp', X, is(subject), is(one), is(other))
          const axiom = ground(subject, RDF_TYPE, iri(owl('FunctionalProperty')))
          return rule(
            'prp-fp',
            [subject, 'dt-diff', one, other],
            head,
            axiom,
            triple(X, p.name, is(one)),
            triple(X, p.name, is(other)),
          )
        }),
    )
  })
}

function spaceOf(literal: Literal): string {
  const value = dataValue(literal)
  return value === undefined || value === 'ill' ? '' : value.space
}

function valueKey(literal: Literal): string | undefined {
  const value = dataValue(literal)
  return value === undefined || value === 'ill' ? undefined : `${value.space} ${value.key}`
}
