/** What each technique adds: the same candidates without what it brought, learnt anew and measured out of fold. */
import type { Evidence } from '../search/index.ts'
import type { Candidate, DatabaseCandidates } from './candidates.ts'
import { firstBy } from './fit/fit-planner.ts'
import { foldsOf } from './fit/folds.ts'

export interface Ablation {
  readonly without: string
  /** as if every reading that ranks first were an answer: a threshold would hide what is lost */
  readonly accuracy: number | null
  /** of the questions that still have a reading */
  readonly precision: number | null
}

interface Technique {
  readonly name: string
  /** readings that would not be there without it */
  readonly brought?: (evidence: Evidence) => boolean
  /** evidence that would not be there without it */
  readonly told?: (name: string) => boolean
}

const has = (evidence: Evidence, ...names: readonly string[]): boolean => names.some((name) => (evidence[name] ?? 0) > 0)
const anyOf = (evidence: Evidence, start: string): boolean => Object.keys(evidence).some((name) => name.startsWith(start))

/** As far as the evidence of a reading tells what it owes to what. */
export const TECHNIQUES: readonly Technique[] = [
  { name: 'nothing' },
  { name: 'values of the data', brought: (evidence) => anyOf(evidence, 'value ') },
  { name: 'values in another form, in part or nearly', brought: (evidence) => has(evidence, 'value form', 'value part', 'value fuzzy') },
  { name: 'synonyms and related words', brought: (evidence) => LINKS.some((link) => has(evidence, `class by ${link}`, `property by ${link}`)) },
  { name: 'parts of names', brought: (evidence) => has(evidence, 'class by part', 'property by part') },
  { name: 'ways across tables', brought: (evidence) => anyOf(evidence, 'plan steps') && !has(evidence, 'plan steps 0') },
  { name: 'places where a reading turns', brought: (evidence) => anyOf(evidence, 'turn ') },
  { name: 'words passed over', brought: (evidence) => anyOf(evidence, 'passed over') || has(evidence, 'verb passed over') },
  { name: 'groups', brought: (evidence) => has(evidence, 'plan groups') },
  { name: 'order and top', brought: (evidence) => has(evidence, 'plan ordered') },
  { name: 'nesting', brought: (evidence) => has(evidence, 'plan plan within', 'plan absence') },
  { name: 'set operations', brought: (evidence) => has(evidence, 'plan union', 'plan intersect', 'plan except') },
  { name: 'a trial on the data', told: (name) => name === 'finds nothing' },
  { name: 'words of the question with traits of the plan', told: (name) => name.includes(' & ') },
]
const LINKS = ['usual', 'synonym', 'kind', 'derived', 'vector']

export function ablationsOf(databases: readonly DatabaseCandidates[], folds: number, seed: number): Ablation[] {
  const foldOf = foldsOf(databases.map(({ db }) => db), folds, seed)
  return TECHNIQUES.map((technique) => {
    const left = databases.flatMap(({ questions }) => questions.map((asked) => ({ ...asked, options: optionsWithout(technique, asked.options) })))
    const firsts = Array.from({ length: folds }, (_, fold) => {
      const first = firstBy(left.filter(({ db }) => foldOf.get(db) !== fold))
      return left.filter(({ db, truth }) => foldOf.get(db) === fold && truth === 'rows').map(({ options }) => first(options))
    }).flat()
    const right = firsts.filter((option) => option?.right === true).length
    const read = firsts.filter((option) => option !== null).length
    const share = (of: number) => (of === 0 ? null : right / of)
    return { without: technique.name, accuracy: share(firsts.length), precision: share(read) }
  })
}

function optionsWithout({ brought, told }: Technique, options: readonly Candidate[]): Candidate[] {
  const kept = brought === undefined ? options : options.filter(({ evidence }) => !brought(evidence))
  if (told === undefined) return [...kept]
  const cut = (evidence: Evidence) => Object.fromEntries(Object.entries(evidence).filter(([name]) => !told(name)))
  return kept.map((option) => ({ ...option, evidence: cut(option.evidence) }))
}
