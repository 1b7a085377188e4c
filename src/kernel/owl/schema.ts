/** Table 9: what follows for the hierarchies themselves. Instances do not need most of it, readers of the graph do. */
import type { BodyItem, DatalogRule } from '../datalog/index.ts'
import type { OwlOptions } from './rule.ts'
import {
  DOMAIN, EQUIVALENT_CLASS, EQUIVALENT_PROPERTY, NOTHING, ON_PROPERTY, RANGE, SUB_CLASS, SUB_PROPERTY, THING, X, Y, Z,
  call, ground, holds, is, owl, rule, test, triple, typed, unequal, v,
} from './rule.ts'
import { listMember, listRules } from './lists.ts'
import type { Tbox } from './tbox.ts'
import { iri } from '../term.ts'

export function schemaRules(tbox: Tbox, { trivial, anonymous }: OwlOptions): DatalogRule[] {
  const has = (property: string) => tbox.triples(property).length > 0
  const rules: DatalogRule[] = []
  // a hierarchy with a circle would make its members their own parents
  const apart = trivial ? [] : [unequal(X, Z)]
  const anySub = [
    SUB_CLASS,
    EQUIVALENT_CLASS,
    owl('intersectionOf'),
    owl('unionOf'),
    owl('someValuesFrom'),
    owl('allValuesFrom'),
  ].some(has)
  if (trivial || anySub || has(owl('hasValue'))) {
    rules.push(
      rule('scm-sco', [], holds(X, SUB_CLASS, Z), triple(X, SUB_CLASS, Y), triple(Y, SUB_CLASS, Z), ...apart),
      rule('scm-eqc1', ['there'], holds(X, SUB_CLASS, Y), triple(X, EQUIVALENT_CLASS, Y), ...(trivial ? [] : [unequal(X, Y)])),
      rule('scm-eqc1', ['back'], holds(Y, SUB_CLASS, X), triple(X, EQUIVALENT_CLASS, Y), ...(trivial ? [] : [unequal(X, Y)])),
      rule('scm-eqc2', [], holds(X, EQUIVALENT_CLASS, Z), triple(X, SUB_CLASS, Z), triple(Z, SUB_CLASS, X), ...apart),
    )
  }
  if (trivial || has(SUB_PROPERTY) || has(EQUIVALENT_PROPERTY)) {
    rules.push(
      rule('scm-spo', [], holds(X, SUB_PROPERTY, Z), triple(X, SUB_PROPERTY, Y), triple(Y, SUB_PROPERTY, Z), ...apart),
      rule(
        'scm-eqp1',
        ['there'],
        holds(X, SUB_PROPERTY, Y),
        triple(X, EQUIVALENT_PROPERTY, Y),
        ...(trivial ? [] : [unequal(X, Y)]),
      ),
      rule(
        'scm-eqp1',
        ['back'],
        holds(Y, SUB_PROPERTY, X),
        triple(X, EQUIVALENT_PROPERTY, Y),
        ...(trivial ? [] : [unequal(X, Y)]),
      ),
      rule('scm-eqp2', [], holds(X, EQUIVALENT_PROPERTY, Z), triple(X, SUB_PROPERTY, Z), triple(Z, SUB_PROPERTY, X), ...apart),
    )
  }
  if (trivial) rules.push(...truisms())
  for (const [name, property] of [['dom', DOMAIN], ['rng', RANGE]] as const) {
    if (!has(property)) continue
    rules.push(
      // the classes above one without a name are above the class below it too, so nothing is lost by leaving it out
      rule(
        `scm-${name}1`, [], holds(X, property, Z), triple(X, property, Y), triple(Y, SUB_CLASS, Z),
        ...(anonymous ? [] : [test(call('!', call('isblank', Z)))]),
      ),
      rule(`scm-${name}2`, [], holds(X, property, Z), triple(Y, property, Z), triple(X, SUB_PROPERTY, Y)),
    )
  }
  const two = trivial ? [] : [unequal(C, D)]
  // what a class or property is to itself is left out, but not what follows from it: two spellings of one restriction are one
  if (!trivial) {
    for (const [name, kind] of [['scm-svf1', 'someValuesFrom'], ['scm-avf1', 'allValuesFrom'], ['scm-hv', 'hasValue']] as const) {
      if (has(owl(kind))) rules.push(alike(name, owl(kind), two))
    }
  }
  if (has(owl('hasValue'))) rules.push(alongProperties('scm-hv', owl('hasValue'), false, two))
  if (has(owl('someValuesFrom'))) {
    rules.push(
      alongClasses('scm-svf1', owl('someValuesFrom'), two), alongProperties('scm-svf2', owl('someValuesFrom'), false, two)
    )
  }
  if (has(owl('allValuesFrom'))) {
    rules.push(alongClasses('scm-avf1', owl('allValuesFrom'), two), alongProperties('scm-avf2', owl('allValuesFrom'), true, two))
  }
  rules.push(...fromLists(tbox, 'scm-int', owl('intersectionOf')), ...fromLists(tbox, 'scm-uni', owl('unionOf')))
  return rules
}

/** scm-cls, scm-op and scm-dp. */
function truisms(): DatalogRule[] {
  const isClass = typed(X, iri(owl('Class')))
  const properties = [['scm-op', 'ObjectProperty'], ['scm-dp', 'DatatypeProperty']] as const
  return [
    rule('scm-cls', ['self'], holds(X, SUB_CLASS, X), isClass),
    rule('scm-cls', ['equivalent'], holds(X, EQUIVALENT_CLASS, X), isClass),
    rule('scm-cls', ['thing'], holds(X, SUB_CLASS, is(THING)), isClass),
    rule('scm-cls', ['nothing'], holds(is(NOTHING), SUB_CLASS, X), isClass),
    ...properties.flatMap(([name, cls]) => [
      rule(name, ['self'], holds(X, SUB_PROPERTY, X), typed(X, iri(owl(cls)))),
      rule(name, ['equivalent'], holds(X, EQUIVALENT_PROPERTY, X), typed(X, iri(owl(cls)))),
    ]),
  ]
}

const [C, D, P, Q, F, G] = ['c', 'd', 'p', 'q', 'f', 'g'].map(v) as [typeof X, typeof X, typeof X, typeof X, typeof X, typeof X]

/** Two restrictions of one kind on one property, whose fillers are sub and super. */
const alongClasses = (name: string, kind: string, apart: readonly BodyItem[]): DatalogRule =>
  rule(
    name,
    [],
    holds(C, SUB_CLASS, D),
    triple(F, SUB_CLASS, G),
    triple(C, kind, F),
    triple(D, kind, G),
    triple(C, ON_PROPERTY, P),
    triple(D, ON_PROPERTY, P),
    ...apart,
  )

/** Two restrictions of one kind on one property with one filler. */
const alike = (name: string, kind: string, apart: readonly BodyItem[]): DatalogRule =>
  rule(
    name, ['alike'], holds(C, SUB_CLASS, D),
    triple(C, kind, F), triple(D, kind, F), triple(C, ON_PROPERTY, P), triple(D, ON_PROPERTY, P), ...apart,
  )

/** Two restrictions of one kind with one filler, whose properties are sub and super. */
const alongProperties = (name: string, kind: string, reversed: boolean, apart: readonly BodyItem[]): DatalogRule =>
  rule(
    name, [], reversed ? holds(D, SUB_CLASS, C) : holds(C, SUB_CLASS, D),
    triple(P, SUB_PROPERTY, Q), triple(C, ON_PROPERTY, P), triple(D, ON_PROPERTY, Q), triple(C, kind, F),
    triple(D, kind, F), ...apart,
  )

function fromLists(tbox: Tbox, name: 'scm-int' | 'scm-uni', property: string): DatalogRule[] {
  return tbox.triples(property).flatMap(({ subject: cls, object: head }) => {
    const list = tbox.list(head)
    if (list === undefined) return []
    const rules = list.members.flatMap((part, i) => {
      if (part.kind === 'literal') return []
      const [sub, sup] = name === 'scm-int' ? [cls, part] : [part, cls]
      return [
        rule(name, [cls, head, part], holds(is(sub), SUB_CLASS, is(sup)), ground(cls, property, head), ...listMember(list, i))
      ]
    })
    return [...listRules(list), ...rules]
  })
}
