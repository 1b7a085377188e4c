/** Rules as files, written by the reason phase so that other engines can run the same rules. Nothing is cut from them. */
import { type Rule, ServiceError, type Session } from '../contracts/index.ts'
import { type Quad, STANDARD_PREFIXES, writeTurtle } from '../kernel/rdf/index.ts'
import { compareText, type Term } from '../kernel/term.ts'
import { windowSecondsOf, windowLine } from './causal-window.ts'
import { parseFragment } from './turtle-fragment.ts'

/** A file below the output folder. */
export interface RuleFile {
  readonly path: string
  readonly text: string
}

const RULE_FILE = /^(?:sparql_rules\/[a-z0-9-]{1,64}\.rq|datalog_rules\/[a-z0-9-]{1,64}\.dl)$/
const CEILING = 'ceiling: Restricted'

/** Enabled rules of the session and of the libraries in use; the Turtle ones in one file, each other one in its own. */
export function exportRules(session: Pick<Session, 'rules' | 'causal_rules'>, libraryRules: readonly Rule[] = []): RuleFile[] {
  // a library rule that was added to the session is the session's from then on
  const offered = libraryRules.filter(({ id }) => !session.rules.some((rule) => rule.id === id))
  const rules = [...session.rules, ...session.causal_rules, ...offered]
    .filter(({ enabled }) => enabled)
    .toSorted((x, y) => compareText(x.id, y.id))
  const twice = rules.find(({ id }, i) => rules[i - 1]?.id === id)
  if (twice !== undefined) {
    throw new ServiceError('conflict', `two rules are called ${twice.id}`, { hint: 'rename or disable one of them' })
  }
  const of = (...kinds: readonly Rule['kind'][]) => rules.filter(({ kind }) => kinds.includes(kind))
  return [shapesFile(of('shacl', 'owl')), ...of('sparql').map(queryFile), ...of('datalog').map(datalogFile)]
}

/** Of the files in the output folder those that an earlier export left and this one does not write. */
export function staleRuleFiles(present: readonly string[], files: readonly RuleFile[]): string[] {
  const written = new Set(files.map(({ path }) => path))
  return present.filter((path) => RULE_FILE.test(path) && !written.has(path))
}

function shapesFile(rules: readonly Rule[]): RuleFile {
  const quads: Quad[] = []
  const lines: string[] = []
  const prefixes: Record<string, string> = { ...STANDARD_PREFIXES }
  for (const rule of rules) {
    const parsed = parseFragment(rule.body)
    // the run refuses it by name and goes on without it, and so does whoever reads this file
    if (!parsed.ok) continue
    for (const [prefix, namespace] of Object.entries(parsed.prefixes)) prefixes[prefix] ??= namespace
    quads.push(...parsed.quads.map((quad) => apart(quad, rule.id)))
    lines.push(`rule: ${rule.id} (${rule.kind})`)
  }
  const header = ['SHACL and OWL rules', CEILING, ...lines]
  return { path: 'shapes/rules.ttl', text: writeTurtle(quads, { prefixes, header }) }
}

/** Blank nodes of two rules may bear the same label and are still two nodes. */
function apart(quad: Quad, ruleId: string): Quad {
  const own = (term: Term): Term => (term.kind === 'bnode' ? { kind: 'bnode', value: `${ruleId}-${term.value}` } : term)
  return { subject: own(quad.subject), predicate: quad.predicate, object: own(quad.object) }
}

/** The window stays the first line of a causal rule; the header follows it. */
function queryFile({ id, body }: Rule): RuleFile {
  const window = windowSecondsOf(body)
  const first = window === null ? '' : `${windowLine(window)}\n`
  const rest = body.startsWith(first) ? body.slice(first.length) : body
  const lead = rest === body ? '' : first
  const end = rest.endsWith('\n') ? '' : '\n'
  return { path: `sparql_rules/${id}.rq`, text: `${lead}# rule: ${id}\n# ${CEILING}\n${rest}${end}` }
}

function datalogFile({ id, body }: Rule): RuleFile {
  const end = body.endsWith('\n') ? '' : '\n'
  return { path: `datalog_rules/${id}.dl`, text: `% rule: ${id}\n% ${CEILING}\n${body}${end}` }
}
