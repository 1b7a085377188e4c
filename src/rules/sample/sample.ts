/**
 * Data to try a rule on, made from the rule itself: for each way it can fire one set of records on which it does, and beside it
 * the same records with one thing missing or one value off, on which it does not.
 */
import type { DatalogRule } from '../../kernel/datalog/index.ts'
import {
  type Quad, RDF_TYPE, inVocabulary, isMade, meaningOf, quad, quadKey, reasonOver, tripleFact, factTriple,
} from '../../kernel/rdf/index.ts'
import { isInconsistency, owlSpecialiser } from '../../kernel/owl/index.ts'
import { type Term, iri } from '../../kernel/term.ts'
import type { RuleReading } from '../rule-reading.ts'
import type { RuleVocabulary } from '../rule-vocabulary.ts'
import { type Goal, goalsOf } from './goal.ts'
import { type Solution, solve } from './solve.ts'
import { valuesFor } from './values.ts'

export interface SampleOptions {
  readonly vocabulary: RuleVocabulary
  readonly baseIri: string
  /** what the records are called after */
  readonly recordBase: string
  /** rules whose relations this one reads */
  readonly beside?: readonly DatalogRule[]
}

export interface Sample {
  readonly quads: readonly Quad[]
  /** how many sets of records make the rule fire, and how many nearly do */
  readonly firing: number
  readonly nearMisses: number
}

const MOST_GOALS = 60
const MOST_CLAUSES = 12
const MOST_MISSES = 6

export function sampleFor({ rules: own, axioms }: Pick<RuleReading, 'rules' | 'axioms'>, options: SampleOptions): Sample {
  const all = [...own, ...(axioms.length > 0 ? axiomRules(axioms) : []), ...(options.beside ?? [])]
  const clauses = (axioms.length > 0 ? axiomRules(axioms) : own).filter(givesTriples).slice(0, MOST_CLAUSES)
  const fires = (data: readonly Quad[], some: readonly DatalogRule[]) => firesOn(data, axioms, all, new Set(some.map(({ id }) => id)))
  const parts: Part[] = []
  for (const clause of clauses) {
    const found = firingSet(clause, all, options, parts.length + 1, (data) => fires(data, [clause]))
    if (found === undefined) continue
    parts.push({ quads: found.quads, isFiring: true })
    const barred = barredSets(clause, all, options, parts.length)
    let left = MOST_MISSES
    for (const data of [...barred, ...nearMisses(found, options)]) {
      if (left === 0) break
      if (fires(data, clauses)) continue
      left -= 1
      parts.push({ quads: renamed(data, `sample-${parts.length + 1}-`, found.mark), isFiring: false })
    }
  }
  const apart = withoutMeddlers(parts, (data) => subjectsFiring(data, axioms, all, new Set(clauses.map(({ id }) => id))))
  const firing = apart.filter(({ isFiring }) => isFiring).length
  return { quads: apart.flatMap(({ quads }) => quads), firing, nearMisses: apart.length - firing }
}

interface Part {
  readonly quads: readonly Quad[]
  readonly isFiring: boolean
}

/** Sets of records may share a value: a near miss that fires beside the others is left out. */
function withoutMeddlers(parts: readonly Part[], firing: (data: readonly Quad[]) => ReadonlySet<string>): Part[] {
  for (let left = [...parts]; ; ) {
    const fired = firing(left.flatMap(({ quads }) => quads))
    const next = left.filter(({ quads, isFiring }) => isFiring || !quads.some(({ subject, object }) => fired.has(subject.value) || fired.has(object.value)))
    if (next.length === left.length) return next
    left = next
  }
}

interface Firing {
  readonly quads: Quad[]
  readonly goal: Goal
  readonly solution: Solution
  /** what the names of its records begin with */
  readonly mark: string
}

/** Records that have all that the rule asks for, and also what it denies. */
function barredSets(clause: DatalogRule, rules: readonly DatalogRule[], options: SampleOptions, number: number): Quad[][] {
  return clause.body.flatMap((item) => {
    if (item.kind !== 'not') return []
    const having = { ...clause, body: [...clause.body, { kind: 'atom' as const, atom: item.atom }] }
    const found = firingSet(having, rules, options, number, () => true)
    return found === undefined ? [] : [found.quads]
  })
}

function firingSet(
  clause: DatalogRule, rules: readonly DatalogRule[], options: SampleOptions, number: number, fires: (data: readonly Quad[]) => boolean,
): Firing | undefined {
  const { recordBase, baseIri } = options
  const mark = `sample-${number}-`
  const ranges = new Map(options.vocabulary.properties.map(({ iri: name, kind, range }) => [name, kind === 'object' ? null : range]))
  const solving = {
    rangeOf: (property: string) => ranges.get(property),
  }
  let tried = 0
  for (const goal of goalsOf(clause, rules, `${baseIri}related_to`)) {
    if ((tried += 1) > MOST_GOALS) break
    const solution = solve(goal, { ...solving, thing: namesFor(goal, options, `${recordBase}${mark}`), text: (name) => `${mark}${wordOf(name)}` })
    if (solution === undefined) continue
    const quads = dataOf(goal, solution)
    if (quads !== undefined && fires(quads)) return { quads, goal, solution, mark: `${recordBase}${mark}` }
  }
  return undefined
}

const wordOf = (variable: string): string => variable.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-|-$/g, '').toLowerCase() || 'value'

/** A thing is called after its class, and after its variable where the rule's author gave it a name. */
function namesFor({ patterns }: Goal, { vocabulary, baseIri }: SampleOptions, mark: string): (variable: string) => string {
  const domains = new Map(vocabulary.properties.map(({ iri: name, domain }) => [name, domain]))
  const classes = new Map<string, string>()
  for (const { subject, property, object } of patterns.toSorted((x, y) => Number(y.property === RDF_TYPE) - Number(x.property === RDF_TYPE))) {
    const cls = property === RDF_TYPE && 'term' in object ? object.term.value : domains.get(property)
    if ('variable' in subject && cls !== undefined && cls !== '' && !classes.has(subject.variable)) classes.set(subject.variable, cls)
  }
  const given = new Map<string, string>()
  return (variable) => {
    const known = given.get(variable)
    if (known !== undefined) return known
    const cls = classes.get(variable)
    const plain = variable.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-|-$/g, '')
    const own = cls === undefined ? plain : cls.startsWith(baseIri) ? decodeURIComponent(cls.slice(baseIri.length)) : plain
    const word = own.replaceAll(/[^A-Za-z0-9]+/g, '-').toLowerCase() || 'thing'
    const taken = new Set(given.values())
    const names = [`${mark}${word}`, `${mark}${word}-${plain}`, ...Array.from({ length: 50 }, (_, n) => `${mark}${word}-${n + 2}`)]
    const name = names.find((one) => !taken.has(one)) ?? `${mark}${word}-${given.size}`
    given.set(variable, name)
    return name
  }
}

/** undefined where a value would have to be a subject. */
function dataOf({ patterns }: Goal, solution: Solution): Quad[] | undefined {
  const found = new Map<string, Quad>()
  for (const { subject, property, object } of patterns) {
    const [s, o] = [subject, object].map((arg) => ('term' in arg ? arg.term : solution.get(arg.variable)))
    if (s === undefined || o === undefined || s.kind === 'literal') return undefined
    const one = quad(s, iri(property), o)
    found.set(quadKey(one), one)
  }
  return [...found.values()]
}

/** The same records without one of their triples, or with another value in one of them. */
function nearMisses({ quads, solution }: Firing, { vocabulary }: SampleOptions): Quad[][] {
  const ranges = new Map(vocabulary.properties.map(({ iri: name, range }) => [name, range]))
  const constants = [...solution.values()].filter((term) => term.kind === 'literal')
  const valued = quads.flatMap((one, at) => {
    if (one.object.kind !== 'literal') return []
    const range = ranges.get(one.predicate.value) ?? one.object.datatype
    const others = valuesFor(range === '' ? one.object.datatype : range, constants, []).filter(({ value }) => value !== one.object.value)
    return others.slice(0, 12).map((object) => quads.map((each, n) => (n === at ? { ...each, object } : each)))
  })

  // the schema gives a class back to whatever has one of its properties
  const domains = new Map(vocabulary.properties.map(({ iri: name, domain }) => [name, domain]))
  const isImplied = (one: Quad) => one.predicate.value === RDF_TYPE &&
    quads.some(({ subject, predicate }) => subject.value === one.subject.value && domains.get(predicate.value) === one.object.value)
  const lacking = quads.flatMap((one, at) => (isImplied(one) ? [] : [quads.filter((_each, n) => n !== at)])).filter((some) => some.length > 0)
  // by turns, so that both kinds are among the few that are kept
  return Array.from({ length: Math.max(valued.length, lacking.length) }, (_, n) => [lacking[n], valued[n * 5]]).flat().filter((one) => one !== undefined)
}

/** Records of one set are not those of another. */
function renamed(quads: readonly Quad[], mark: string, before: string): Quad[] {
  const rename = (term: Term): Term => {
    if (term.kind === 'iri') return term.value.startsWith(before) ? iri(term.value.replace(/sample-\d+-/, mark)) : term
    return { ...term, value: term.value.replace(/^sample-\d+-/, mark) }
  }
  return quads.map(({ subject, predicate, object }) => ({ subject: rename(subject), predicate, object: rename(object) }))
}

const givesTriples = ({ head, body }: DatalogRule): boolean => {
  if (isInconsistency(head.predicate) || body.length === 0) return false
  const meaning = meaningOf(head.predicate)
  return isMade(head.predicate) || (meaning.kind === 'property' && (meaning.property === RDF_TYPE ? !/ http:\/\/www\.w3\.org\/2002\/07\/owl#/.test(head.predicate) : !inVocabulary(meaning.property)))
}

/** The rules of OWL for these axioms, without those that only say what the axioms say again. */
function axiomRules(axioms: readonly Quad[]): DatalogRule[] {
  const owl = owlSpecialiser({ uniqueNames: true, anonymous: false })
  const { program } = reasonOver({ facts: axioms.map((one) => tripleFact(one)), rules: [], specialise: owl.rules })
  return [...program]
}

const firesOn = (data: readonly Quad[], axioms: readonly Quad[], rules: readonly DatalogRule[], clauses: ReadonlySet<string>): boolean =>
  subjectsFiring(data, axioms, rules, clauses).size > 0

/** The subjects of the triples that these clauses give. */
function subjectsFiring(data: readonly Quad[], axioms: readonly Quad[], rules: readonly DatalogRule[], clauses: ReadonlySet<string>): Set<string> {
  const facts = [...data, ...axioms].map((one) => tripleFact(one))
  const isAxioms = axioms.length > 0
  const { model } = reasonOver({
    facts,
    rules: isAxioms ? [] : [...new Map(rules.map((rule) => [rule.id, rule])).values()],
    ...(isAxioms ? { specialise: owlSpecialiser({ uniqueNames: true, anonymous: false }).rules } : {}),
    budget: { maxFacts: 20_000, maxRounds: 200, provenance: 'one' },
  })
  const found = new Set<string>()
  for (let id = 0; id < model.size; id += 1) {
    const fact = model.fact(id)
    if (fact.asserted || (factTriple(fact) === undefined && !isMade(fact.predicate))) continue
    if (model.rulesOf(id).some((rule) => clauses.has(rule))) found.add(fact.args[0]?.value ?? '')
  }
  return found
}
