/**
 * Whole proposals of the rows that were shown lately: pages are read again after every decision, and most of their rows are the
 * same. A brief is made anew whenever its row may have changed, so the brief itself is the key.
 */
import type { Proposal } from '../contracts/index.ts'
import type { Proposals } from '../store/index.ts'
import type { Brief } from './brief.ts'

const MOST_KEPT = 1000

export class ShownRows {
  readonly #kept = new Map<Brief, Proposal>()

  /** In the order of the briefs. */
  of(proposals: Pick<Proposals, 'some'>, briefs: readonly Brief[]): Proposal[] {
    const missing = briefs.filter((brief) => !this.#kept.has(brief))
    const read = missing.length === 0 ? [] : proposals.some(missing.map(({ pid }) => pid))
    const found = new Map(read.map((proposal) => [proposal.pid, proposal]))
    return briefs.flatMap((brief) => {
      const proposal = this.#kept.get(brief) ?? found.get(brief.pid)
      if (proposal === undefined) return []
      this.#kept.delete(brief) // and in again behind the others: the first to go is what was shown longest ago
      this.#kept.set(brief, proposal)
      if (this.#kept.size > MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value!)
      return [proposal]
    })
  }
}
