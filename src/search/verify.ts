/**
 * Every claim is checked again before it leaves, from fresh reads: a derivation by a checker that shares no code with the
 * engine, over the cited records as they stand now; rows by running the evidence again and recomputing what was said of them.
 */
import { LIMITS } from '../contracts/index.ts'
import { oxigraphJudge } from '../graph-store/index.ts'
import { type Verdict as ProofVerdict, type Proof, proofChecker } from '../kernel/datalog/index.ts'
import { recordIri } from '../ontology/index.ts'
import type { Cell } from '../sources/index.ts'
import { type SearchContext, remainingMs } from './context.ts'
import type { ClaimDraft } from './draft.ts'
import type { Executed } from './execute.ts'
import type { Reasoned } from './reason.ts'
import { secondOpinion } from './compiler/second-opinion.ts'
import { type RecordSet, visibleColumns, wireText } from './records.ts'

export interface Verdict {
  readonly ok: boolean
  readonly why: string
}

const OK: Verdict = { ok: true, why: '' }
const NOTHING = { program: { rules: [] }, base: [], model: { find: () => [] } }

export class Verifier {
  private readonly context: SearchContext
  private readonly executed: Executed
  private readonly records: RecordSet
  private readonly reasoned: Reasoned | null
  private readonly readAgain: () => Promise<RecordSet>
  private rowsVerdict: Verdict | null = null
  private worldVerdict: Promise<Verdict> | null = null
  private readonly checkProof: (proof: Proof) => ProofVerdict

  constructor(
    context: SearchContext,
    executed: Executed,
    records: RecordSet,
    reasoned: Reasoned | null,
    readAgain: () => Promise<RecordSet>,
  ) {
    this.readAgain = readAgain
    this.context = context
    this.executed = executed
    this.records = records
    this.reasoned = reasoned
    const { program, base, model } = reasoned ?? NOTHING
    this.checkProof = proofChecker({ rules: program.rules, base, closed: (predicate) => model.find(predicate), judge: oxigraphJudge() })
  }

  async check(draft: ClaimDraft): Promise<Verdict> {
    if (draft.check.by === 'rows') return (this.rowsVerdict ??= await this.checkRows())
    if (this.reasoned === null) return { ok: false, why: 'nothing was derived' }
    // absences, also those inside proofs, rest on all that was read: it is read again, whole, and must be the same
    const unchanged = await (this.worldVerdict ??= this.worldUnchanged())
    if (!unchanged.ok || draft.check.by === 'absence') return unchanged
    for (const proof of draft.check.proofs) {
      const result = this.checkProof(proof)
      if (!result.valid) return { ok: false, why: `its proof does not hold: ${result.why}` }
    }
    return OK
  }

  private async worldUnchanged(): Promise<Verdict> {
    const again = (await this.readAgain()).all()
    const before = this.records.all()
    const same =
      again.length === before.length &&
      before.every(({ iri, cls, cells }, at) => {
        const now = again[at]
        return now?.iri === iri && visibleColumns(cls).every((column) => sameCell(cells.get(column), now.cells.get(column)))
      })
    return same ? OK : { ok: false, why: 'the records behind it have changed' }
  }

  private async checkRows(): Promise<Verdict> {
    const { executed, context } = this
    const { plan, compiled } = executed
    if (executed.evidenceTruncated && plan.select.some(({ aggregate }) => aggregate !== undefined)) {
      return { ok: false, why: 'too many records contribute to it to be counted again' }
    }
    if (compiled.evidence === null) return { ok: false, why: `records of ${plan.from} have no key to be cited by` }
    const again = await context.source.select(compiled.evidence, {
      maxRows: Math.max(LIMITS.evidence_rows, executed.rows.length),
      timeoutMs: remainingMs(context, 'synthesize'),
    })
    const width = context.ontology.classes.find(({ name }) => name === plan.from)?.key.length ?? 0
    const now = again.rows.map((row) => ({ key: row.slice(0, width), values: row.slice(width) }))
    const kept = executed.evidence.every(({ key }, at) => key.every((cell, i) => sameCell(cell, now[at]?.key[i])))
    if (!kept) return { ok: false, why: 'the records behind it have changed' }
    if (!(await this.secondCompilerAgrees(now))) return { ok: false, why: 'two ways of asking for its records disagree' }
    return recompute(executed, now) ? OK : { ok: false, why: 'its rows and its records disagree' }
  }

  /** The same filters in SQL of another shape must select the same records. */
  private async secondCompilerAgrees(evidence: readonly EvidenceRow[]): Promise<boolean> {
    const { context, executed } = this
    const query = secondOpinion(context.ontology, executed.plan)
    if (query === null) return true
    const selected = await context.source.select(query, { maxRows: LIMITS.evidence_rows, timeoutMs: remainingMs(context, 'synthesize') })
    if (selected.truncated) return true
    const keys = new Set(selected.rows.map(groupKey))
    const first = new Set(evidence.map(({ key }) => groupKey(key)))
    return first.size === keys.size && [...first].every((key) => keys.has(key))
  }
}

const groupKey = (cells: readonly Cell[]): string => JSON.stringify(cells.map((cell) => (cell === null ? null : wireText(cell))))

type EvidenceRow = { readonly key: readonly Cell[]; readonly values: readonly Cell[] }

/** Says from the evidence alone what the main query said: the same rows, or the same folded values. */
export function recompute({ plan, rows, truncated }: Executed, evidence: readonly EvidenceRow[]): boolean {
  const paths = plan.select.map(({ path }, at) => ({ at, path })).filter(({ path }) => path !== undefined)
  const valueOf = (row: EvidenceRow, selection: number): Cell => row.values[paths.findIndex(({ at }) => at === selection)] ?? null
  if (plan.select.every(({ aggregate }) => aggregate === undefined)) {
    if (plan.distinct) {
      const said = new Set(rows.map(groupKey))
      const found = new Set(evidence.map((item) => groupKey(plan.select.map((_, at) => valueOf(item, at)))))
      return said.size === rows.length && [...said].every((row) => found.has(row)) && (truncated || plan.limit !== undefined || said.size === found.size)
    }
    if (!truncated && rows.length !== evidence.length) return false
    return rows.every((row, i) => evidence[i] !== undefined && row.every((cell, at) => sameCell(cell, valueOf(evidence[i]!, at))))
  }
  const groups = new Map<string, EvidenceRow[]>()
  const plain = plan.select.flatMap(({ aggregate }, at) => (aggregate === undefined ? [at] : []))
  if (plain.length === 0) groups.set('[]', [])
  for (const item of evidence) {
    const key = groupKey(plain.map((at) => valueOf(item, at)))
    groups.set(key, [...(groups.get(key) ?? []), item])
  }
  const wanted = plan.limit === undefined ? groups.size : Math.min(plan.limit, groups.size)
  if (!truncated && wanted !== rows.length) return false
  return rows.every((row) => {
    const members = groups.get(groupKey(plain.map((at) => row[at] ?? null)))
    if (members === undefined) return false
    return plan.select.every(({ aggregate, path }, at) => {
      if (aggregate === undefined) return true
      const cells = path === undefined ? members.map(() => 1) : members.map((item) => valueOf(item, at)).filter((cell) => cell !== null)
      return agrees(row[at] ?? null, fold(aggregate, cells))
    })
  })
}

function fold(aggregate: string, cells: readonly Cell[]): number | string | null {
  const numbers = cells.map(Number)
  // the least and the greatest text, in code-unit order as the databases are asked to compare
  if ((aggregate === 'min' || aggregate === 'max') && cells.some((cell) => typeof cell === 'string')) {
    const texts = cells.map(wireText).toSorted()
    return (aggregate === 'min' ? texts[0] : texts.at(-1)) ?? null
  }
  switch (aggregate) {
    case 'count':
      return cells.length
    case 'count_distinct':
      return new Set(cells.map(wireText)).size
    case 'sum':
      return numbers.length === 0 ? null : numbers.reduce((a, b) => a + b, 0)
    case 'avg':
      return numbers.length === 0 ? null : numbers.reduce((a, b) => a + b, 0) / numbers.length
    case 'min':
      return numbers.length === 0 ? null : numbers.reduce((a, b) => Math.min(a, b))
    default:
      return numbers.length === 0 ? null : numbers.reduce((a, b) => Math.max(a, b))
  }
}

const agrees = (said: Cell, found: number | string | null): boolean =>
  said === null || found === null || typeof found === 'string' ? said === found : Math.abs(Number(said) - found) <= 1e-9 * Math.max(1, Math.abs(found))

function sameCell(a: Cell | undefined, b: Cell | undefined): boolean {
  if (a instanceof Uint8Array && b instanceof Uint8Array) return a.length === b.length && a.every((byte, at) => byte === b[at])
  return a === b
}

/** The records of an executed plan, by IRI, in the order of its evidence. */
export const evidenceIris = (context: SearchContext, { plan, evidence }: Executed): string[] => {
  const cls = context.ontology.classes.find(({ name }) => name === plan.from)
  return cls === undefined ? [] : evidence.map(({ key }) => recordIri(context.ontology, cls, key.map(wireText)))
}
