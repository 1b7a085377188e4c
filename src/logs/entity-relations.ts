/** Kinds of things that go together, for review: the edges between single things, told once per pair of kinds. */
import { SEVERITY_WEIGHT, type Severity, maxTier } from '../contracts/index.ts'
import { quantile, wilsonLower } from '../kernel/stats/index.ts'
import { compareText } from '../kernel/term.ts'
import { camelCase, pascalCase } from '../kernel/text/index.ts'
import type { Candidate, LogEdge } from './candidate.ts'
import { rounded } from './tally.ts'

/** One pair of things that meet may be chance of a small log; two speak for their kinds. */
const MIN_PAIRS = 2
const SHOWN_PAIRS = 20

/** `entities` by slot: the candidates of the two kinds, which say how grave and how sensitive they are. */
export function entityRelations(edges: readonly LogEdge[], entities: ReadonlyMap<string, Candidate>): Candidate[] {
  const between = edges.filter(({ src, dst }) => slotOf(src) !== slotOf(dst))
  return [...Map.groupBy(between, ({ src, dst }) => [slotOf(src), slotOf(dst)].toSorted(compareText).join('\n'))]
    .toSorted(([x], [y]) => compareText(x, y))
    .flatMap(([pair, own]) => {
      const [from = '', to = ''] = pair.split('\n')
      const [one, other] = [entities.get(from), entities.get(to)]
      return own.length < MIN_PAIRS || one === undefined || other === undefined ? [] : [relationOf(own, [one, other], [from, to])]
    })
}

function relationOf(
  own: readonly LogEdge[], [one, other]: readonly [Candidate, Candidate], slots: readonly [from: string, to: string],
): Candidate {
  const [from, to] = [pascalCase(slots[0]), pascalCase(slots[1])]
  const reached = new Set(own.flatMap(({ src, dst }) => [src, dst])).size
  const values = Math.max(reached, Number(one.evidence['values']) + Number(other.evidence['values']))
  const severity = [one, other].map((each) => each.evidence['severity'] as Severity)
    .toSorted((x, y) => SEVERITY_WEIGHT[y] - SEVERITY_WEIGHT[x])[0]
  return {
    key: `relation:${slots[0]}~${slots[1]}`,
    proposalType: 'LOG_RELATIONSHIP',
    detectionStrategy: 'PMI_TEMPORAL_ORDERING',
    title: `${from} goes with ${to}: ${own.length} pairs are named together`,
    name: camelCase([from, 'with', to]),
    // how many of the things of both kinds have a partner of the other
    confidence: rounded(wilsonLower(reached, values)),
    consequence: Math.max(one.consequence, other.consequence),
    lagMsP50: null,
    lagMsP95: null,
    tier: maxTier(one.tier, other.tier),
    evidence: {
      cause: from,
      effect: to,
      between: 'entities',
      slots,
      severity,
      // what would be claimed is no order in time, so the gate of causes does not apply
      failed_conditions: ['between_entities'],
      pairs: own.length,
      things: values,
      things_in_pairs: reached,
      pmi: rounded(quantile(own.map((edge) => edge.pmi), 0.5) ?? 0),
      together: own.slice(0, SHOWN_PAIRS).map(({ src, dst, pmi, cooccurrenceCount, q }) => ({ src, dst, pmi, times: cooccurrenceCount, q })),
    },
    evidenceSample: own.slice(0, 3).map(({ src, dst }) => `${src} ${dst}`).join('\n'),
  }
}

const slotOf = (entity: string): string => entity.slice(0, entity.indexOf('='))
