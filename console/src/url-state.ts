/** The question and its settings live in the address, so that a link, a reload and the back button show the same page. */
import { TIERS } from './wire.ts'
import type { Tier } from './wire.ts'

export interface Ask {
  readonly question: string
  readonly flavor: string
  readonly source: string
  readonly tier: Tier
  readonly materialize: boolean
}

export const BLANK: Ask = { question: '', flavor: '', source: '', tier: 'Internal', materialize: true }

export function readAsk(search: string): Ask {
  const params = new URLSearchParams(search)
  return {
    question: params.get('q') ?? BLANK.question,
    flavor: params.get('flavor') ?? BLANK.flavor,
    source: params.get('source') ?? BLANK.source,
    tier: TIERS.find((tier) => tier === params.get('tier')) ?? BLANK.tier,
    materialize: params.get('rdf') !== '0',
  }
}

export function writeAsk({ question, flavor, source, tier, materialize }: Ask): string {
  const params = new URLSearchParams()
  if (question !== '') params.set('q', question)
  if (flavor !== '') params.set('flavor', flavor)
  if (source !== '') params.set('source', source)
  if (tier !== BLANK.tier) params.set('tier', tier)
  if (!materialize) params.set('rdf', '0')
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}
