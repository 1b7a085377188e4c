/** A question over an ontology: read in several ways, each fitted to the tables, the likeliest first. Pure. */
import type { Condition, MatchedTerm, Plan } from '../../contracts/index.ts'
import type { Ontology } from '../../ontology/index.ts'
import type { FoundValue } from '../values/find-values.ts'
import { faultsOf } from '../check-plan.ts'
import { missesType } from './answer-type.ts'
import { assembleWhy } from './assemble-why.ts'
import { Choices, type Turn, turnsOf } from './choices.ts'
import { type Composed, compose } from './compose.ts'
import { type Reading, readingsOf } from './covers.ts'
import { amongThem, fromFar, subjectOf } from './earlier.ts'
import { type Element, type WordElement, isTerm } from './elements.ts'
import { type Evidence, cuesOf, evidenceOf } from './evidence.ts'
import { interpret } from './interpret.ts'
import type { Ways } from './join-tree.ts'
import { mentionsOf } from './mentions.ts'
import { leadsToMany } from './routes.ts'
import { isYesNo } from './passes/showing.ts'
import { type Confirmed, formOf, patternOf } from './pattern.ts'
import { LEFT_OUT, UNDECIDED, scoreOf } from './rank.ts'
import { type VerbRole, inRoles, otherParts, verbRoles } from './roles.ts'
import type { RuleBook } from './rule-heads.ts'
import { GRAINS } from './sayings.ts'
import type { TermIndex } from './term-index.ts'
import { type Token, straySigns, textOf } from './tokens.ts'
import { isInflectedVerb } from './word-kinds.ts'

export interface Asked {
  readonly question: string
  readonly tokens: readonly Token[]
  readonly values: readonly FoundValue[]
  readonly ontology: Ontology
  readonly index: TermIndex
  readonly ways: Ways
  readonly book: RuleBook
  /** a period that begins at a token */
  readonly time: (at: number) => Element | null
  /** what an unknown word is */
  readonly kindOf: (at: number) => WordElement['content']
  /** how much evidence comes to; the fitted weights unless something else is said */
  readonly weigh?: (evidence: Evidence) => number
  /** forms of questions and plans that a person has confirmed */
  readonly confirmed?: Confirmed
  /** the plan that "those" and "them" refer back to */
  readonly earlier?: Plan
}

export interface Option {
  readonly plan: Plan
  readonly reading: Reading
  readonly score: number
  /** what speaks for it and against it */
  readonly evidence: Evidence
  /** 0..1: how well the words match, on the average */
  readonly quality: number
  readonly terms: readonly MatchedTerm[]
  /** the same along another foreign key, where nothing in the question chooses */
  readonly others: readonly Plan[]
}

export interface Read {
  /** readings that could be understood whole, best first */
  readonly options: readonly Option[]
  /** of the best reading, understood or not: the words that found no place */
  readonly unplaced: readonly string[]
  readonly best: Reading | null
}

export function readQuestion(asked: Asked): Read {
  const { question, tokens, weigh = scoreOf } = asked
  const subject = asked.earlier === undefined ? null : subjectOf(asked.ontology, asked.earlier)
  const mentions = mentionsOf(tokens, asked.index, asked.values, asked.time, subject?.cls ?? null)
  const readings = readingsOf(tokens, mentions, asked.kindOf)
  const stray = straySigns(question, tokens)
  const byStretch = Map.groupBy(mentions, ({ start, end }) => `${start} ${end}`)
  const rivals = ({ start, end, score }: Element): number =>
    (byStretch.get(`${start} ${end}`) ?? []).filter((other) => other.score >= score - RIVAL).length - 1
  const cues = cuesOf(tokens)
  const verbs = verbRoles(tokens, asked.ontology)
  const options = new Map<string, Option>()
  let unplaced: readonly string[] | null = null
  const consider = (reading: Reading, turns: readonly Turn[]): Choices => {
    const choices = new Choices(turns)
    const understood = understand(asked, reading, choices, verbs)
    const missing = [...stray, ...understood.unplaced]
    if (unplaced === null || missing.length < unplaced.length) unplaced = missing
    const composed = missing.length > 0 ? null : understood.compose()
    const plan = composed === null ? null : withEarlier(asked, reading, composed.plan)
    if (composed === null || plan === null) return choices
    const known = asked.confirmed?.(patternOf(reading), formOf(plan, reading)) === true
    const evidence = evidenceOf({ tokens, cues, reading, composed, plan, turns, confirmed: known, rivals })
    const score = weigh(evidence)
    const key = JSON.stringify(plan)
    if ((options.get(key)?.score ?? -Infinity) >= score) return choices
    // what no compiler would take is no reading, however it came about
    if (!options.has(key) && faultsOf(asked.ontology, asked.book, plan).length > 0) return choices
    options.set(key, {
      plan, reading, score, evidence, quality: qualityOf(reading), terms: termsOf(asked, reading), others: composed.others ?? [],
    })
    return choices
  }
  for (const [at, reading] of readings.entries()) {
    const straight = consider(reading, [])
    if (at >= TURNED_READINGS) continue
    for (const turn of turnsOf(straight)) {
      // a turn may open places that the straight way never met
      const further = turnsOf(consider(reading, [turn])).filter(({ name }) => name !== turn.name)
      if (at < TURNED_TWICE) for (const other of further) consider(reading, [turn, other])
    }
  }
  const ranked = leavingOut([...options.values()], tokens, weigh).toSorted((a, b) => b.score - a.score)
  return { options: ranked.slice(0, OPTIONS), unplaced: unplaced ?? stray, best: readings[0] ?? null }
}

/** So many of the likeliest readings are gone through again with each place turned, and with two places turned. */
const TURNED_READINGS = 12
const TURNED_TWICE = 3
const OPTIONS = 30
/** A meaning that scores so little less is a rival. */
const RIVAL = 0.3

/** A word that one reading takes for what it plainly is, and another passes over, speaks against the other. */
function leavingOut(options: readonly Option[], tokens: readonly Token[], weigh: (evidence: Evidence) => number): Option[] {
  // "taken by" is a verb, whatever column is called by it
  const isVerb = ({ kind, start, end }: Element) => kind === 'property' && end === start + 1 && isInflectedVerb(tokens[start]!.lower)
  const isTaken = (element: Element) => isPlain(element) && !isVerb(element)
  const plain = new Set(options.flatMap(({ reading }) => reading.elements.filter(isTaken).flatMap(placesOf)))
  return options.map((option) => {
    const taken = new Set(option.reading.elements.filter(({ kind }) => kind !== 'word').flatMap(placesOf))
    const left = [...plain].filter((at) => !taken.has(at)).length
    if (left === 0) return option
    const evidence = { ...option.evidence, [LEFT_OUT]: left }
    return { ...option, evidence, score: weigh(evidence) }
  })
}

const isPlain = (element: Element): boolean =>
  element.kind === 'value' ? element.how === 'exact' || element.how === 'folded' : isTerm(element) && element.weight >= PLAIN
const PLAIN = 0.9
const placesOf = ({ start, end }: Element): number[] => Array.from({ length: end - start }, (_, i) => start + i)

/** A reading that names a rule asks what follows by it; any other asks for records. */
function understand(asked: Asked, { elements }: Reading, choices: Choices, verbs: readonly VerbRole[]): { unplaced: readonly string[]; compose: () => Composed | null } {
  const { ontology, ways, book, question, tokens } = asked
  if (elements.some(({ kind }) => kind === 'rule')) {
    const lost = elements.filter((element) => element.kind === 'word' && element.content === 'other')
    return {
      unplaced: lost.map(({ start, end }) => textOf(question, tokens, start, end)),
      compose: () => assembleWhy(ontology, ways, book, elements),
    }
  }
  const { sketch, unplaced, reader } = interpret(question, tokens, elements, choices, verbs)
  const asksWhether = isYesNo(tokens) && sketch.shown.every(({ kind }) => kind === 'record' || kind === 'property')
  return {
    unplaced,
    compose: () => {
      const composed = compose(ontology, ways, sketch, reader.shownOrder)
      const plan = composed === null ? null : inRoles(ontology, composed.plan, sketch.roles)
      if (composed === null || plan === null) return null
      if (elements.some((element) => isStrayGrain(tokens, elements, element, plan))) return null
      const others = otherParts(ontology, plan, sketch.roles)
      const notes = {
        ...composed.notes,
        ...(others.length === 0 ? {} : { [UNDECIDED]: others.length }),
        ...(missesType(tokens, ontology, plan) ? { 'another kind of thing': 1 } : {}),
      }
      return { ...composed, notes, others, plan: asksWhether ? { ...plan, intent: 'exists' } : plan }
    },
  }
}

/** "loans per year": the year of the loans, not the one in the name of a column of something that nobody spoke of. */
function isStrayGrain(tokens: readonly Token[], elements: readonly Element[], element: Element, plan: Plan): boolean {
  if (element.kind !== 'property' || element.weight >= PLAIN || element.end !== element.start + 1) return false
  if (!GRAINS.has(tokens[element.start]!.lemma) || element.cls.name === plan.from) return false
  return !elements.some((other) => other.kind === 'class' && other.cls.name === element.cls.name)
}

/** "those" are the records of the earlier plan: what was true of them stays true. */
function withEarlier({ earlier, ontology, ways }: Asked, { elements }: Reading, plan: Plan): Plan | null {
  if (earlier === undefined || !elements.some((element) => element.kind === 'class' && element.back === true)) return plan
  const subject = subjectOf(ontology, earlier)
  const before = subject === null ? null : amongThem(earlier, subject)
  const conditions = before?.filter((condition) => !isReplaced(condition, plan)) ?? null
  const way = subject === null || plan.why !== undefined ? null : ways.between(plan.from, subject.cls.name)
  if (conditions === null || way === null) return null
  // what was true of one record stays said of one record
  const moved: Condition[] = way.path.length === 0
    ? conditions
    : leadsToMany(way.path)
      ? [{ path: [...way.path], op: 'exists', ...(conditions.length === 0 ? {} : { where: conditions }) }]
      : conditions.map((condition) => fromFar([...way.path], condition))
  return { ...plan, where: [...moved, ...plan.where] }
}

/** "what about the major ones" after "the critical ones": one value of a property takes the place of another. */
const isReplaced = (condition: Condition, { where }: Plan): boolean =>
  'path' in condition && condition.op === '=' && condition.plan === undefined
  && where.some((other) => 'path' in other && other.op === '=' && other.path.join(' ') === condition.path.join(' '))

function qualityOf({ elements }: Reading): number {
  const weights = elements.flatMap((element) => {
    if (element.kind === 'class' || element.kind === 'property') return [Math.min(1, element.weight)]
    if (element.kind === 'value') return [VALUE_QUALITY[element.how] ?? 0.5]
    return element.kind === 'word' && element.content === 'verb' ? [0.8] : []
  })
  return weights.length === 0 ? 0 : weights.reduce((sum, weight) => sum + weight, 0) / weights.length
}
const VALUE_QUALITY: Readonly<Record<string, number>> = { exact: 1, folded: 0.95, form: 0.8, part: 0.6, fuzzy: 0.4 }

/** How the words were read, as the answer shows it. */
export function termsOf({ question, tokens }: Pick<Asked, 'question' | 'tokens'>, { elements }: Reading): MatchedTerm[] {
  return elements.flatMap((element): MatchedTerm[] => {
    const text = textOf(question, tokens, element.start, element.end)
    switch (element.kind) {
      case 'class':
        return [{ text, kind: 'class', term: element.cls.name }]
      case 'property':
        return [{ text, kind: 'property', term: `${element.cls.name}.${element.property.name}` }]
      case 'value':
        return [{ text, kind: 'value', term: `${element.cls.name}.${element.property.name} = ${element.value}` }]
      case 'rule':
        return [{ text, kind: 'rule', term: element.predicate }]
      case 'operation':
        return [{ text, kind: 'operation', term: element.operation.kind }]
      case 'number':
      case 'time':
      case 'text':
        return [{ text, kind: 'operation', term: element.kind }]
      case 'word':
        return []
    }
  })
}
