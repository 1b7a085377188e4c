/**
 * No claim leaves unchecked. What was derived is gone through by a checker of its own against records read a second time; what
 * rows say is made anew from records that SQL of another shape finds, and an order that was cut must be cut at the same place
 * there. Of counts and sums that second question is asked together with the main one; the records cited are read again here.
 */
import { type Claim, LIMITS, type Plan } from '../contracts/index.ts'
import { oxigraphJudge } from '../graph-store/index.ts'
import { type Verdict as ProofVerdict, type Proof, proofChecker } from '../kernel/datalog/index.ts'
import { type Ontology, recordIri } from '../ontology/index.ts'
import type { SearchContext } from './context.ts'
import { cutStands } from './cut-stands.ts'
import type { ClaimDraft } from './draft.ts'
import { type Executed, readBehind, recordsAgain, rowsAgain } from './execute.ts'
import type { Reasoned } from './reason.ts'
import type { CompiledPlan } from './compiler/compile.ts'
import { classNamed } from './compiler/resolve.ts'
import { secondEvidence, secondRows } from './compiler/second-opinion.ts'
import { foldsAll, readsWhole } from './compiler/shape.ts'
import { type Behind, isTruncated, recompute, recordsBehind, rowKey, sameValue } from './recompute.ts'
import { type RecordSet, sameCell, wireText } from './records.ts'
import { type Reading, readingOf } from './sample.ts'
import { hasRecords, readSecond, recordsStand, sameRecords } from './second-look.ts'

export interface Verdict {
  readonly ok: boolean
  readonly why: string
  readonly by: Claim['verified_by']
}

const accepted = (by: Verdict['by']): Verdict => ({ ok: true, why: '', by })
const refused = (why: string): Verdict => ({ ok: false, why, by: 'rows' })
const CHANGED = 'the records behind it have changed'
const DISAGREE = 'two ways of asking for its records disagree'
const NOTHING = { program: { rules: [] }, base: [], model: { find: () => [] } }

export class Verifier {
  private readonly context: SearchContext
  private readonly executed: Executed
  private readonly records: RecordSet
  private readonly reasoned: Reasoned | null
  private rowsVerdict: Verdict | null = null
  private worldVerdict: Promise<Verdict> | null = null
  private readonly read: Reading
  private readonly checkProof: (proof: Proof) => ProofVerdict

  constructor(context: SearchContext, executed: Executed, records: RecordSet, reasoned: Reasoned | null) {
    this.context = context
    this.executed = executed
    this.records = records
    this.reasoned = reasoned
    this.read = readingOf(context, 'synthesize')
    const { program, base, model } = reasoned ?? NOTHING
    this.checkProof = proofChecker({ rules: program.rules, base, closed: (predicate) => model.find(predicate), judge: oxigraphJudge() })
  }

  async check(draft: ClaimDraft): Promise<Verdict> {
    if (draft.check.by === 'rows') return (this.rowsVerdict ??= await this.checkRows())
    if (this.reasoned === null) return refused('nothing was derived')
    // absences, also those inside proofs, rest on all that was read: it is read again, whole, and must be the same
    const unchanged = await (this.worldVerdict ??= this.worldUnchanged())
    if (!unchanged.ok || draft.check.by === 'absence') return unchanged
    for (const proof of draft.check.proofs) {
      const result = this.checkProof(proof)
      if (!result.valid) return refused(`its proof does not hold: ${result.why}`)
    }
    return unchanged
  }

  private async worldUnchanged(): Promise<Verdict> {
    const same = await this.records.isUnchanged(this.context, 'synthesize')
    return same ? accepted('proof') : refused(CHANGED)
  }

  private async checkRows(): Promise<Verdict> {
    const [verdict, first] = await Promise.all([this.checkRead(), cutStands(this.context.ontology, this.executed, this.read)])
    return verdict.ok && !first ? refused('two ways of putting it in order disagree') : verdict
  }

  private async checkRead(): Promise<Verdict> {
    const { plan, compiled, support } = this.executed
    if (compiled.evidence === null) return refused(`records of ${plan.from} have no key to be cited by`)
    if (!readsWhole(plan)) return this.checkRecords()
    if (!foldsAll(plan)) return this.checkWhole()
    return support > LIMITS.evidence_rows ? this.checkMany() : this.checkFold()
  }

  /** Rows that are records: each must be found again by its key and the conditions in their other shape; in order where one is said. */
  private async checkRecords(): Promise<Verdict> {
    const { context: { ontology }, executed } = this
    const { plan, compiled, rows, truncated, evidence } = executed
    const known: Behind = { evidence, truncated, bounds: [], other: null }
    const isComplete = !truncated && (plan.limit === undefined || rows.length < plan.limit)
    const [behind, agrees] = await Promise.all([
      plan.order_by.length === 0 ? known : readBehind(ontology, plan, compiled, rows.length + 1, this.read),
      recordsStand(ontology, plan, evidence, isComplete, this.read),
    ])
    const kept = evidence.every(({ key }, at) => key.every((cell, i) => sameCell(cell, behind.evidence[at]?.key[i])))
    if (!kept) return refused(CHANGED)
    if (!agrees) return refused(DISAGREE)
    return recompute(plan, compiled, { rows, truncated }, behind) ? accepted('rows') : refused('its rows and its records disagree')
  }

  /** Rows that fold all records: these are read in the other shape of the conditions, and the rows made anew from them. */
  private async checkFold(): Promise<Verdict> {
    const { context: { ontology }, executed } = this
    const { plan, rows, truncated, evidence, support, again } = executed
    const width = classNamed(ontology, plan.from).key.length
    const { read } = secondEvidence(ontology, plan)
    const [found, stand] = await Promise.all([
      again?.of === 'records' ? again.found : recordsAgain(this.context, plan, 'synthesize'),
      this.citedStand(),
    ])
    if (!stand) return refused(CHANGED)
    if (found.truncated) return this.checkBySql()
    if (found.rows.length !== support || !hasRecords(found.rows, width, evidence)) return refused(DISAGREE)
    // there may be very many: what folding reads is found in the whole row, and none is cut in two
    const behind: Behind = { evidence: found.rows.map((values) => ({ key: [], values })), truncated: false, bounds: [], other: null }
    return recompute(plan, { read, other: null }, { rows, truncated }, behind) ? accepted('rows') : refused('its rows and its records disagree')
  }

  /** Rows of which some records pass: all records are read again, and the rows made anew from them. */
  private async checkWhole(): Promise<Verdict> {
    const { context: { ontology }, executed } = this
    const { plan, compiled, rows, truncated } = executed
    const [behind, second] = await Promise.all([
      readBehind(ontology, plan, boundedAgain(ontology, plan, compiled), LIMITS.evidence_rows, this.read),
      readSecond(ontology, plan, this.read),
    ])
    if (!isStillThere(executed, behind)) return refused(CHANGED)
    if (!sameRecords(plan, behind, second)) return refused(DISAGREE)
    if (isTruncated(behind)) return this.checkBySql()
    return recompute(plan, compiled, { rows, truncated }, behind) ? accepted('rows') : refused('its rows and its records disagree')
  }

  /** More records than are read: those that may be cited must stand, and the database folds all of them again. */
  private async checkMany(): Promise<Verdict> {
    const [stand, verdict] = await Promise.all([this.citedStand(), this.checkBySql()])
    return stand ? verdict : refused(CHANGED)
  }

  /** The records that may be cited, read anew by their keys. */
  private citedStand(): Promise<boolean> {
    const { context: { ontology }, executed: { plan, evidence } } = this
    // what is folded along a way to many shows a record more than once
    const cited = new Map(evidence.slice(0, LIMITS.max_k).map(({ key }) => [rowKey(key), { key, values: [] }]))
    return recordsStand(ontology, { ...plan, select: [] }, [...cited.values()], false, this.read)
  }

  /** Too many records to fold them here: the database folds them again, by SQL of another shape. */
  private async checkBySql(): Promise<Verdict> {
    const { executed: { plan, rows, truncated, again: asked }, context } = this
    const again = await (asked?.of === 'rows' ? asked.found : rowsAgain(context, plan, 'synthesize'))
    const same =
      (truncated || again.rows.length === rows.length) &&
      rows.every((row, at) => row.every((cell, i) => sameValue(cell, again.rows[at]?.[i] ?? null)))
    return same ? accepted('sql') : refused('two ways of computing it disagree')
  }
}

/** What groups are compared with is asked in the other shape too. */
const boundedAgain = (ontology: Ontology, { having, set_op: together }: Plan, compiled: CompiledPlan): CompiledPlan => ({
  ...compiled,
  bounds: having.map(({ plan: inner }) => (inner === undefined ? null : secondRows(ontology, inner))),
  other: together === undefined || compiled.other === null ? null : boundedAgain(ontology, together.plan, compiled.other),
})

/** The records that the answer may cite are the same ones in the same order. */
function isStillThere({ plan, compiled, rows, evidence }: Executed, behind: Behind): boolean {
  const now = recordsBehind(plan, compiled, rows, behind)
  return evidence.every(({ key }, at) => key.every((cell, i) => sameCell(cell, now[at]?.key[i])))
}

/** The records of an executed plan, by IRI, in the order of its evidence. */
export const evidenceIris = (context: SearchContext, { plan, evidence }: Executed): string[] => {
  const cls = context.ontology.classes.find(({ name }) => name === plan.from)
  return cls === undefined ? [] : evidence.map(({ key }) => recordIri(context.ontology, cls, key.map(wireText)))
}
