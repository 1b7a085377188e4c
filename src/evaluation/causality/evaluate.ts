/** How well causes are found in a log whose causes are known, and how many are found where there are none. */
import { MINING } from '../../contracts/index.ts'
import { rng } from '../../kernel/stats/index.ts'
import {
  type EventColumns, type LogEdge, type LogRecord, type Mined, edgeOf, findCauses, mine,
} from '../../logs/index.ts'
import { type Truth, statementFinder } from './truth.ts'

export interface CausalityAsked {
  readonly windowSeconds?: number
  readonly gate?: 'sound' | 'stated'
  readonly seed?: number
  /** lines of one template that are kept as events; what is found does not hang on it */
  readonly eventLimit?: number
}

/** One edge that mining proposes, in the words of the truth; null where a template is none of its statements. */
export interface JudgedEdge {
  readonly cause: string | null
  readonly effect: string | null
  readonly cause_template: string
  readonly effect_template: string
  readonly verdict: string
  readonly stated_verdict: string
  readonly is_true: boolean
  readonly is_reversed: boolean
  readonly n: number
  readonly p: number
  readonly q: number
  readonly z: number | null
  readonly granger_p: number | null
  readonly pmi: number
  readonly lead: number
  readonly lag_ms_p50: number | null
  readonly lag_ms_p95: number | null
  readonly failed_conditions: readonly string[]
}

export interface EdgeScores {
  readonly found: number
  readonly right: number
  readonly reversed: number
  readonly precision: number | null
  readonly recall: number | null
  readonly f1: number | null
  readonly direction: number | null
  /** of true edges that occur eight times or more */
  readonly recall_8: number | null
  readonly true_edges: number
  readonly true_edges_8: number
}

export interface CausalityEvaluation {
  readonly figures: {
    readonly lines: number
    readonly templates: number
    readonly statements: number
    /** statements that no template is mainly made of: their edges cannot be found */
    readonly unseen_statements: number
    readonly sound: EdgeScores
    readonly stated: EdgeScores
    readonly shuffled: { readonly edges: number; readonly share: number | null }
    readonly searched: Mined['searched']
  }
  readonly results: readonly JudgedEdge[]
}

/** Edges that occur less often are hard to tell from chance: the figures keep them apart. */
const OFTEN = 8
/** Lines of a template that are looked at to see which statement it is. */
const LOOKED_AT = 200

export function evaluateCausality(records: readonly LogRecord[], truth: Truth, asked: CausalityAsked = {}): CausalityEvaluation {
  const mined = mine(records, asked)
  const { statementOf, lines } = statementsOf(records, mined, truth)
  const templates = new Map(mined.templates.map(({ clusterId, template }) => [clusterId, template]))
  const isTrue = new Set(truth.edges.map(({ cause, effect }) => `${cause} ${effect}`))
  const results = mined.edges.map((edge) => judgedEdge(edge, statementOf, templates, isTrue))
  const often = new Set(
    truth.edges
      .filter(({ cause, effect, occurrences = Math.min(lines.get(cause) ?? 0, lines.get(effect) ?? 0) }) => occurrences >= OFTEN)
      .map(({ cause, effect }) => `${cause} ${effect}`),
  )
  const causal = results.filter((edge) => edge.verdict === 'LOG_CAUSAL_EDGE')
  const shuffled = shuffledEdges(mined.columns, asked)
  return {
    figures: {
      lines: mined.lines,
      templates: mined.templates.length,
      statements: truth.statements.length,
      unseen_statements: truth.statements.filter(({ id }) => ![...statementOf.values()].includes(id)).length,
      sound: scores(causal, isTrue, often),
      stated: scores(results.filter((edge) => edge.stated_verdict === 'LOG_CAUSAL_EDGE'), isTrue, often),
      shuffled: { edges: shuffled, share: causal.length === 0 ? null : shuffled / causal.length },
      searched: mined.searched,
    },
    results,
  }
}

/** The same figures for event columns whose templates are named as the statements: without the stages before. */
export function evaluateColumns(columns: EventColumns, truth: Truth, asked: CausalityAsked = {}) {
  const { windowSeconds = MINING.window_seconds, gate = 'sound', seed = 7 } = asked
  const statements = new Map(columns.templates.map((id) => [id, id]))
  const isTrue = new Set(truth.edges.map(({ cause, effect }) => `${cause} ${effect}`))
  const frequent = truth.edges.filter(({ occurrences = 0 }) => occurrences >= OFTEN)
  const often = new Set(frequent.map(({ cause, effect }) => `${cause} ${effect}`))
  const { judged } = findCauses(columns, { windowMs: windowSeconds * 1000, gate, seed })
  const edges = judged.map((each) => judgedEdge(edgeOf(columns, each), statements, statements, isTrue))
  return {
    sound: scores(edges.filter((edge) => edge.verdict === 'LOG_CAUSAL_EDGE'), isTrue, often),
    stated: scores(edges.filter((edge) => edge.stated_verdict === 'LOG_CAUSAL_EDGE'), isTrue, often),
    shuffled: shuffledEdges(columns, asked),
  }
}

/** Which statement each template mainly is, and how many lines each statement has. */
function statementsOf(records: readonly LogRecord[], { columns }: Mined, truth: Truth) {
  const find = statementFinder(truth)
  const messages = new Map(records.map((record) => [`${record.file} ${record.offset}`, record.message]))
  const statementOf = new Map<string, string | null>()
  const lines = new Map<string, number>()
  for (const [cluster, own] of Map.groupBy(columns.ts.keys(), (row) => columns.templates[columns.template[row] ?? 0] ?? '')) {
    const step = Math.max(1, Math.floor(own.length / LOOKED_AT))
    const counts = new Map<string | null, number>()
    for (let i = 0; i < own.length; i += step) {
      const row = own[i] ?? 0
      const statement = find(messages.get(`${columns.files[columns.file[row] ?? 0]} ${columns.offset[row]}`) ?? '')
      counts.set(statement, (counts.get(statement) ?? 0) + 1)
      if (statement !== null) lines.set(statement, (lines.get(statement) ?? 0) + step)
    }
    const [main] = [...counts].toSorted(([, x], [, y]) => y - x)[0] ?? [null]
    statementOf.set(cluster, main)
  }
  return { statementOf, lines }
}

function judgedEdge(
  edge: LogEdge,
  statementOf: ReadonlyMap<string, string | null>,
  templates: ReadonlyMap<string, string>,
  isTrue: ReadonlySet<string>,
): JudgedEdge {
  const [cause, effect] = [statementOf.get(edge.src) ?? null, statementOf.get(edge.dst) ?? null]
  return {
    cause, effect,
    cause_template: templates.get(edge.src) ?? '',
    effect_template: templates.get(edge.dst) ?? '',
    verdict: edge.verdict,
    stated_verdict: edge.statedVerdict,
    is_true: isTrue.has(`${cause} ${effect}`),
    is_reversed: isTrue.has(`${effect} ${cause}`),
    n: edge.n, p: edge.p, q: edge.q, z: edge.teZ, granger_p: edge.grangerP, pmi: edge.pmi, lead: edge.temporalLeadRatio,
    lag_ms_p50: edge.lagMsP50, lag_ms_p95: edge.lagMsP95,
    failed_conditions: edge.failedConditions,
  }
}

/** Templates of one statement count as that statement: an edge found twice is found once. */
function scores(edges: readonly JudgedEdge[], isTrue: ReadonlySet<string>, often: ReadonlySet<string>): EdgeScores {
  const nameOf = (edge: JudgedEdge): string => `${edge.cause ?? edge.cause_template} ${edge.effect ?? edge.effect_template}`
  const found = new Map(edges.map((edge) => [nameOf(edge), edge]))
  const right = [...found.keys()].filter((name) => isTrue.has(name))
  const reversed = [...found.values()].filter((edge) => !edge.is_true && edge.is_reversed).length
  return {
    found: found.size,
    right: right.length,
    reversed,
    precision: share(right.length, found.size),
    recall: share(right.length, isTrue.size),
    f1: share(2 * right.length, found.size + isTrue.size),
    direction: share(right.length, right.length + reversed),
    recall_8: share(right.filter((name) => often.has(name)).length, often.size),
    true_edges: isTrue.size,
    true_edges_8: often.size,
  }
}

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)

/** Causal edges that are still found when every template is turned round the clock by an amount of its own. */
function shuffledEdges(columns: EventColumns, asked: CausalityAsked): number {
  const { windowSeconds = MINING.window_seconds, gate = 'sound', seed = 7 } = asked
  const { judged } = findCauses(shifted(columns, seed), { windowMs: windowSeconds * 1000, gate, seed })
  return judged.filter(({ verdict }) => verdict.verdict === 'LOG_CAUSAL_EDGE').length
}

/** The columns with every template turned round the clock by an amount of its own: rhythms stay, ties between events break. */
export function shifted(columns: EventColumns, seed: number): EventColumns {
  const random = rng(seed)
  let [start, end] = [Infinity, -Infinity]
  for (const time of columns.ts) {
    if (time < start) start = time
    if (time > end) end = time
  }
  const span = Math.max(1, end - start)
  const shifts = columns.templates.map(() => random() * span)
  const shiftOf = (row: number): number => shifts[columns.template[row] ?? 0] ?? 0
  return { ...columns, ts: columns.ts.map((time, row) => start + ((time - start + shiftOf(row)) % span)) }
}
