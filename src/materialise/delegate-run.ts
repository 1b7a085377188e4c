/** Asks the SPARQL store what the delegated rules find, and reasons on from there until the store finds nothing new. */
import { LIMITS } from '../contracts/index.ts'
import { runSparql } from '../graph-store/index.ts'
import { RDF, writeTurtle } from '../kernel/rdf/index.ts'
import { type Term, XSD, termKey } from '../kernel/term.ts'
import type { Answers } from './delegate.ts'
import type { Materialisation } from './materialisation.ts'
import { type MaterialiseInput, materialise } from './run.ts'

/** A rule that still finds something new after so many rounds feeds itself with values that it makes. */
const MOST_ROUNDS = 12

export async function materialiseWithStore(input: MaterialiseInput): Promise<Materialisation> {
  let answers: Answers = new Map()
  let found = materialise(input, answers)
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (found.queries.length === 0) return found
    const next = await answersOver(found, answers)
    if ([...next].every(([rule, rows]) => rows.length === (answers.get(rule)?.length ?? 0))) return found
    answers = next
    found = materialise(input, answers)
  }
  return { ...found, notices: [...found.notices, `rules that run through the SPARQL store were stopped after ${MOST_ROUNDS} rounds`] }
}

/** Solutions are only ever added: a rule with a negation may lose some of them as the graph grows, which the report says. */
async function answersOver(m: Materialisation, before: Answers): Promise<Answers> {
  const graph = writeTurtle([...m.asserted, ...m.derived].map(({ quad }) => quad), {})
  const answers = new Map(before)
  for (const { rule, select, variables } of m.queries) {
    const rows = solutionsIn(await runSparql(graph, select, LIMITS.max_timeout_ms), variables)
    const all = new Map([...(before.get(rule) ?? []), ...rows].map((row) => [row.map((term) => (term === null ? '' : termKey(term))).join(' '), row]))
    answers.set(rule, [...all.values()])
  }
  return answers
}

interface Cell {
  readonly type: 'uri' | 'literal' | 'bnode' | 'typed-literal'
  readonly value: string
  readonly datatype?: string
  readonly 'xml:lang'?: string
}

function solutionsIn(json: string, variables: readonly string[]): (Term | null)[][] {
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
