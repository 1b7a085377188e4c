/**
 * What is called by the part it plays: "the sender" is who stands behind that foreign key, and no other. A plan that does not go
 * through it is changed so that it does, or given up.
 */
import type { Condition, Path, Plan, Selection } from '../../contracts/index.ts'
import { compareText } from '../../kernel/term.ts'
import { splitIdentifier } from '../../kernel/text/index.ts'
import type { Ontology, OntologyClass, OntologyProperty } from '../../ontology/index.ts'
import { lemmaOf } from '../language/lemma.ts'
import { derivedFrom } from '../language/wordnet.ts'
import type { Token } from './tokens.ts'
import { FUNCTION_WORDS } from './words.ts'

/** A foreign key that the question names by the part it gives to the record behind it: "Owner.name". */
export interface Role {
  readonly via: string
  readonly cls: string
  /** the element that names it */
  readonly at: number
  /** by what is done, not by who does it: "sent by Acme" */
  readonly verb?: boolean
  /** followed by "by" */
  readonly by?: boolean
}

/** A role by the token that names it. */
export interface VerbRole {
  readonly token: number
  readonly via: string
  readonly cls: string
  readonly by: boolean
}

/** Words that say which of several foreign keys is meant: what was sent has a sender, a trip starts at its start station. */
export function verbRoles(tokens: readonly Token[], ontology: Ontology): VerbRole[] {
  return partsIn(ontology).flatMap((group) =>
    tokens.flatMap(({ lower, quoted }, token) => {
      if (quoted) return []
      const said = group.map((part) => ({ part, how: nearnessOf(lower, part.words) }))
      const nearest = Math.max(...said.map(({ how }) => how))
      const [only, ...others] = said.filter(({ how }) => how === nearest)
      if (nearest === 0 || only === undefined || others.length > 0) return []
      return [{ token, via: only.part.via, cls: only.part.cls, by: tokens[token + 1]?.lower === 'by' }]
    }))
}

/** 2: the word is one of these; 1: it is what they do, or what is done to them; 0: neither. */
function nearnessOf(word: string, words: ReadonlySet<string>): 0 | 1 | 2 {
  const verb = lemmaOf(word, 'verb')
  if (words.has(verb)) return 2
  return derivedFrom(verb, 'verb').some((other) => words.has(other)) ? 1 : 0
}

interface Part {
  readonly via: string
  readonly cls: string
  /** the words of its name that no other foreign key of its group has, as they are and as verbs */
  readonly words: ReadonlySet<string>
}

const known = new WeakMap<Ontology, readonly (readonly Part[])[]>()

/** Foreign keys between the same two classes, either way; one within a class is a group by itself. */
function partsIn(ontology: Ontology): readonly (readonly Part[])[] {
  const ready = known.get(ontology)
  if (ready !== undefined) return ready
  const groups = Map.groupBy(ontology.classes.flatMap((cls) => keysOf(cls)), ({ owner, to }) => [owner, to].toSorted(compareText).join(' '))
  const several = [...groups.values()].filter(([first, second]) => second !== undefined || first?.owner === first?.to)
  const made = several.map((group) => group.map((key): Part => {
    const others = new Set(group.filter((other) => other !== key).flatMap(({ name }) => splitIdentifier(name)))
    const own = splitIdentifier(key.name).filter((word) => !others.has(word) && !splitIdentifier(key.to).includes(word) && !FUNCTION_WORDS.has(word))
    return { via: `${key.owner}.${key.name}`, cls: key.to, words: new Set(own.flatMap((word) => [word, lemmaOf(word, 'verb')])) }
  }))
  known.set(ontology, made)
  return made
}

/** A foreign key whose name says more than where it leads, though another one leads there too: "original language". */
export const isMarked = (ontology: Ontology, owner: string, name: string): boolean =>
  partsIn(ontology).some((group) => group.length > 1 && group.some((part) => part.via === `${owner}.${name}` && part.words.size > 0))

/** One foreign key: the class that has it, its name, and the class it leads to. */
interface Key {
  readonly owner: string
  readonly name: string
  readonly to: string
}

/** The plan in which everything goes through the foreign keys that the question names; null when there is none. */
export function inRoles(ontology: Ontology, plan: Plan, roles: readonly Role[]): Plan | null {
  const nouns = new Set(roles.filter(({ verb }) => verb !== true).map(({ via }) => via))
  const said = new Map(roles.map((role) => [role.via, keyNamed(role)]))
  let bound = plan
  for (const [via, key] of said) {
    const next = bind(ontology, bound, key, [...said.values()], nouns.has(via))
    if (next === null) return null
    bound = next
  }
  return bound
}

export function keyNamed({ via, cls }: Role): Key {
  const dot = via.indexOf('.')
  return { owner: via.slice(0, dot), name: via.slice(dot + 1), to: cls }
}

function bind(ontology: Ontology, plan: Plan, key: Key, said: readonly Key[], noun: boolean): Plan | null {
  const used = keysIn(ontology, plan)
  if (used.some((other) => isSame(other, key))) return plan
  const twin = used.find((other) => joinsSame(other, key) && !said.some((role) => isSame(role, other)))
  if (twin !== undefined) return inPlan(ontology, plan, (path, from) => renamed(ontology, from, path, twin, key))
  // who mentors whom within one class needs the other by name; a verb beside other classes may mean something else
  const within = key.owner === key.to
  if (!noun) return within && plan.from === key.to ? null : plan
  if (plan.from !== key.to || (within && plan.where.length > 0)) return null
  // "how many senders are there": those who are one
  return { ...plan, where: [...plan.where, { path: [`^${key.owner}.${key.name}`], op: 'exists' }] }
}

/** The same plan along each foreign key that leads to the same class, where nothing in the question chooses between them. */
export function otherParts(ontology: Ontology, plan: Plan, roles: readonly Role[]): Plan[] {
  const used = keysIn(ontology, plan)
  const said = roles.map(keyNamed)
  const isKnown = (key: Key): boolean => [...used, ...said].some((other) => isSame(other, key))
  // of "language" and "original language", the language of a film is the one without a further word
  const plain = new Set(partsIn(ontology).flat().filter(({ words }) => words.size === 0).map(({ via }) => via))
  const undecided = used.filter((key) => !said.some((role) => isSame(role, key)) && !plain.has(`${key.owner}.${key.name}`))
  const others = undecided.flatMap((key) => {
    const twins = twinsOf(ontology, key)
    return twins.some(isKnown) ? [] : twins.map((twin) => inPlan(ontology, plan, (path, from) => renamed(ontology, from, path, key, twin)))
  })
  return [...new Map(others.map((other) => [JSON.stringify(other), other])).values()]
}

/** Whole foreign keys between the same two classes: a part of a key is no part that anybody plays. */
function twinsOf({ classes }: Ontology, key: Key): Key[] {
  const isWhole = ({ range, refColumns }: OntologyProperty) =>
    (classes.find(({ name }) => name === range)?.key ?? []).every((column) => refColumns.includes(column))
  const keys = classes
    .filter(({ name }) => name === key.owner || name === key.to)
    .flatMap((cls) => keysOf(cls, isWhole))
    .filter((other) => joinsSame(other, key))
  return keys.some((other) => isSame(other, key)) ? keys.filter((other) => !isSame(other, key)) : []
}

const keysOf = (cls: OntologyClass, isMeant: (key: OntologyProperty) => boolean = () => true): Key[] =>
  cls.properties.filter((own) => own.kind === 'object' && isMeant(own)).map(({ name, range }) => ({ owner: cls.name, name, to: range }))

const joinsSame = (a: Key, b: Key): boolean => (a.owner === b.owner && a.to === b.to) || (a.owner === b.to && a.to === b.owner)
const isSame = (a: Key, b: Key): boolean => a.owner === b.owner && a.name === b.name

/** Every foreign key that a path of the plan goes along, in either direction. */
function keysIn(ontology: Ontology, plan: Plan): Key[] {
  const found: Key[] = []
  inPlan(ontology, plan, (path, from) => {
    found.push(...stepsOf(ontology, from, path).flatMap(({ key }) => (key === null ? [] : [key])))
    return path
  })
  return found
}

/** The path with one foreign key in the place of another that joins the same two classes. */
const renamed = (ontology: Ontology, from: string, path: Path, twin: Key, key: Key): Path =>
  stepsOf(ontology, from, path).map(({ step, key: own, before }) => {
    if (own === null || !isSame(own, twin)) return step
    const forward = key.owner === key.to ? !step.startsWith('^') : key.owner === before
    return forward ? key.name : `^${key.owner}.${key.name}`
  })

/** Each step with the foreign key it goes along; null for the data at the end. */
function stepsOf({ classes }: Ontology, from: string, path: Path): { step: string; key: Key | null; before: string; at: string }[] {
  let at = from
  return path.map((step) => {
    const before = at
    const back = step.startsWith('^')
    const dot = step.indexOf('.')
    const [owner, name] = back ? [step.slice(1, dot), step.slice(dot + 1)] : [at, step]
    const property = classes.find((cls) => cls.name === owner)?.properties.find((own) => own.name === name && own.kind === 'object')
    if (property === undefined) return { step, key: null, before, at }
    at = back ? owner : property.range
    return { step, key: { owner, name, to: property.range }, before, at }
  })
}

/** The plan with every path of it passed through, with the class that the path starts from. */
function inPlan(ontology: Ontology, plan: Plan, change: (path: Path, from: string) => Path): Plan {
  const condition = (each: Condition, from: string): Condition => {
    if ('any' in each) return { any: each.any.map((one) => condition(one, from)) }
    if ('all' in each) return { all: each.all.map((one) => condition(one, from)) }
    const end = stepsOf(ontology, from, each.path).at(-1)?.at ?? from
    return {
      ...each,
      path: change(each.path, from),
      ...(each.where === undefined ? {} : { where: each.where.map((own) => condition(own, end)) }),
      ...(each.plan === undefined ? {} : { plan: inPlan(ontology, each.plan, change) }),
    }
  }
  const selection = (each: Selection): Selection => (each.path === undefined ? each : { ...each, path: change(each.path, plan.from) })
  return {
    ...plan,
    select: plan.select.map(selection),
    where: plan.where.map((each) => condition(each, plan.from)),
    group_by: plan.group_by.map((path) => change(path, plan.from)),
    having: plan.having.map((each) => ({ ...each, by: selection(each.by) })),
    order_by: plan.order_by.map((each) => ({ ...each, by: selection(each.by) })),
    ...(plan.set_op === undefined ? {} : { set_op: { ...plan.set_op, plan: inPlan(ontology, plan.set_op.plan, change) } }),
  }
}
