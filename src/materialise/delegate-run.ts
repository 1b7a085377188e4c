/**
 * Asks the SPARQL store what the delegated rules find, and reasons on from there until it answers the same again. What a run
 * rests on then holds in its own graph; a rule for which that cannot be reached is refused, and the others run without it.
 */
import { LIMITS, ServiceError } from '../contracts/index.ts'
import { runSparql } from '../graph-store/index.ts'
import { RDF, writeTurtle } from '../kernel/rdf/index.ts'
import { answerPredicate } from '../kernel/sparql/index.ts'
import { type Term, XSD, compareText } from '../kernel/term.ts'
import type { Answers, Solution, Withheld } from './delegate.ts'
import { solutionKey, solutionsUsed } from './delegate.ts'
import type { Materialisation, StoreQuery } from './materialisation.ts'
import { type MaterialiseInput, materialise } from './run.ts'
import { type Spellings, spellingsIn } from './spellings.ts'

/** A rule that still finds something new after so many rounds feeds itself with values that it makes. */
const MOST_ROUNDS = 12

/** Results of a query over a graph in Turtle, as SPARQL JSON; a `ServiceError` when there are none to be had. */
export type AskStore = (turtle: string, query: string) => Promise<string>

const askStore: AskStore = (turtle, query) => runSparql(turtle, query, { timeoutMs: LIMITS.delegated_query_ms })

export async function materialiseWithStore(input: MaterialiseInput, ask: AskStore = askStore): Promise<Materialisation> {
  let withheld: Withheld = new Map()
  // each turn leaves out one rule more at least
  for (;;) {
    const { found, faulty } = await attempt(input, withheld, ask)
    if (faulty.size === 0) return found
    withheld = new Map([...withheld, ...faulty])
  }
}

async function attempt(
  input: MaterialiseInput,
  withheld: Withheld,
  ask: AskStore,
): Promise<{ found: Materialisation; faulty: Withheld }> {
  let answers: Answers = new Map()
  let found = materialise(input, answers, withheld)
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (found.queries.length === 0) return { found, faulty: new Map() }
    const { next, failed } = await answersOver(found, ask)
    const faulty = new Map([...lost(found, answers, next), ...failed])
    if (faulty.size > 0 || isSame(answers, next)) return { found, faulty }
    answers = next
    found = materialise(input, answers, withheld)
  }
  const notice = `rules that run through the SPARQL store were stopped after ${MOST_ROUNDS} rounds`
  return { found: { ...found, notices: [...found.notices, notice] }, faulty: new Map() }
}

/** Rules with a negation or a limit: what was derived from a solution is in the graph in which it is none any more. */
function lost(found: Materialisation, before: Answers, next: Answers): Withheld {
  const changed = [...before].filter(([rule, rows]) => {
    const kept = new Set(next.get(rule)?.map(solutionKey))
    const gone = rows.map(solutionKey).filter((key) => !kept.has(key))
    if (gone.length === 0) return false
    const used = solutionsUsed(found, rule)
    return gone.some((key) => used.has(key))
  })
  return new Map(changed.map(([rule]) => [rule, 'its solutions change as the graph grows']))
}

function isSame(before: Answers, next: Answers): boolean {
  const text = (rows: readonly Solution[] = []) => rows.map(solutionKey).join('\n')
  return [...next].every(([rule, rows]) => text(rows) === text(before.get(rule)))
}

async function answersOver(m: Materialisation, ask: AskStore): Promise<{ next: Answers; failed: Withheld }> {
  const [asserted, derived] = [m.asserted.map(({ quad }) => quad), m.derived.map(({ quad }) => quad)]
  const graph = writeTurtle([...asserted, ...derived], {})
  const answered = new Map<StoreQuery, Solution[]>()
  const failed = new Map<string, string>()
  for (const query of m.queries) {
    try {
      answered.set(query, solutionsIn(await ask(graph, query.select), query.variables))
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      failed.set(query.rule, `the SPARQL store does not answer it: ${error.message}`)
    }
  }
  const spellings = spellingsIn(asserted, derived, terms(answered.values()))
  const next = [...answered].map(([query, rows]) => [query.rule, asSpelt(rows, joinedIn(m, query), spellings)] as const)
  return { next: new Map(next), failed }
}

function* terms(answers: Iterable<readonly Solution[]>): Generator<Term> {
  for (const rows of answers) for (const row of rows) for (const term of row) if (term !== null) yield term
}

/** Which columns the rule looks up in the graph. */
function joinedIn(m: Materialisation, { rule, variables }: StoreQuery): boolean[] {
  const predicate = answerPredicate(rule)
  const bodies = [...m.rules.values()].map(({ body }) => body)
  const own = bodies.filter((body) => body.some((item) => item.kind === 'atom' && item.atom.predicate === predicate))
  const atoms = own.flat().flatMap((item) => (item.kind === 'atom' && item.atom.predicate !== predicate ? [item.atom] : []))
  const args = atoms.flatMap((atom) => atom.args)
  const joined = new Set(args.flatMap((arg) => (arg !== null && 'variable' in arg ? [arg.variable] : [])))
  return variables.map((variable) => joined.has(variable))
}

/** Where the graph has several spellings of a value, the look-up decides; what is only handed on gets one of them. */
function asSpelt(rows: readonly Solution[], joined: readonly boolean[], spellings: Spellings): Solution[] {
  const spelt = new Map<string, Solution>()
  for (const row of rows) {
    let all: (Term | null)[][] = [[]]
    for (const [n, term] of row.entries()) {
      const [first, ...others] = term === null ? [null] : spellings(term)
      const choices = joined[n] === true ? [first, ...others] : [first]
      all = all.flatMap((start) => choices.map((choice) => [...start, choice ?? null]))
    }
    for (const one of all) spelt.set(solutionKey(one), one)
  }
  return [...spelt].toSorted(([x], [y]) => compareText(x, y)).map(([, row]) => row)
}

interface Cell {
  readonly type: 'uri' | 'literal' | 'bnode' | 'typed-literal'
  readonly value: string
  readonly datatype?: string
  readonly 'xml:lang'?: string
}

function solutionsIn(json: string, variables: readonly string[]): Solution[] {
  const { results } = JSON.parse(json) as { results: { bindings: Readonly<Record<string, Cell>>[] } }
  return results.bindings.map((binding) => variables.map((variable) => termOf(binding[variable])))
}

function termOf(cell: Cell | undefined): Term | null {
  if (cell === undefined) return null
  if (cell.type === 'uri') return { kind: 'iri', value: cell.value }
  if (cell.type === 'bnode') return { kind: 'bnode', value: cell.value }
  const language = cell['xml:lang']
  const datatype = cell.datatype ?? (language === undefined ? `${XSD}string` : `${RDF}langString`)
  return { kind: 'literal', value: cell.value, datatype, ...(language === undefined ? {} : { language }) }
}
