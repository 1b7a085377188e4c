/** An approved causal edge as a rule: a CONSTRUCT that anybody can read, compiled without the reviewer typing anything. */
import { type CausalRule, LOG_DISCOVERY, ServiceError } from '../contracts/index.ts'
import { windowLine } from './causal-window.ts'
import { entityPath, isIri, termText } from './term-text.ts'

export interface CausalEdge {
  readonly id: string
  readonly pid: string
  /** names of the two event classes */
  readonly causeClass: string
  readonly effectClass: string
  readonly windowSeconds: number
  /**
   * the slot in which mining saw both events name the same thing, `job/host` where the cause calls it job and the effect host;
   * or null: then the rule joins on time alone
   */
  readonly sharedEntity: string | null
  readonly baseIri: string
}

/**
 * An event that repeats itself is one interval. Its effects begin after it has begun and, as long as it goes on, the window begins
 * anew with every repeat: the engine counts it from `?cz`. An effect is joined by its own beginning: what repeats afterwards is
 * the same effect.
 */
export function compileCausalRule(edge: CausalEdge): CausalRule {
  const { id, pid, causeClass, effectClass, sharedEntity, baseIri } = edge
  if (!isIri(baseIri)) throw new ServiceError('invalid_rule', 'the base IRI of the project is not an IRI')
  // the comment holds whole seconds; rounding up never cuts off a lag that mining saw
  const windowSeconds = Math.max(1, Math.ceil(edge.windowSeconds))
  const [causeSlot, effectSlot = causeSlot] = sharedEntity?.split('/') ?? []
  const join = causeSlot === undefined || effectSlot === undefined ? [] : joinOf(causeSlot, effectSlot)
  const body = [
    windowLine(windowSeconds),
    `PREFIX : <${baseIri}>`,
    'CONSTRUCT {',
    '  ?effect :hasCause ?cause .',
    '  ?cause :triggers ?effect .',
    '}',
    'WHERE {',
    `  ?cause a ${termText(baseIri, causeClass)} ; :startedAt ?ct .`,
    '  OPTIONAL { ?cause :endedAt ?cz }',
    `  ?effect a ${termText(baseIri, effectClass)} ; :startedAt ?et .`,
    ...join,
    '  FILTER(?et > ?ct)',
    '}',
    '',
  ].join('\n')
  const together = causeSlot === effectSlot ? ` on the same ${causeSlot}` : ` whose ${effectSlot} is its ${causeSlot}`
  return {
    id,
    kind: 'sparql',
    label: `${causeClass} causes ${effectClass}`,
    body,
    enabled: true,
    nl_summary: `A ${causeClass} causes a ${effectClass}${sharedEntity === null ? '' : together} that starts within ${windowSeconds} s after it.`,
    source: LOG_DISCOVERY,
    window_seconds: windowSeconds,
    cause_class: causeClass,
    effect_class: effectClass,
    pid,
  }
}

/** Whether a causal rule asks for a thing that cause and effect have in common. */
export const joinsOnThing = (body: string): boolean => /:onEntity\b/.test(body)

/** Two routers may both have a port 1, so things that lines name as something else do not count. */
function joinOf(causeSlot: string, effectSlot: string): string[] {
  const ofKind = (slot: string) => `"/${entityPath(slot)}"`
  if (causeSlot === effectSlot) {
    const isKind = `CONTAINS(STR(?entity), ${ofKind(causeSlot)}) || !CONTAINS(STR(?entity), "/entity/")`
    return ['  ?cause :onEntity ?entity .', '  ?effect :onEntity ?entity .', `  FILTER(${isKind})`]
  }
  const [one, other] = [`STRAFTER(STR(?entity), ${ofKind(causeSlot)})`, `STRAFTER(STR(?other), ${ofKind(effectSlot)})`]
  return ['  ?cause :onEntity ?entity .', '  ?effect :onEntity ?other .', `  FILTER(${one} = ${other} && ${one} != "")`]
}
