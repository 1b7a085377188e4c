/** The time window of a causal rule travels as a comment, so that the rule stays plain SPARQL for every other engine. */

export const windowLine = (seconds: number): string => `# window_seconds: ${seconds}`

/** The window of a rule body in seconds, from its first line of that form; null when it states none. */
export function windowSecondsOf(body: string): number | null {
  const digits = /^# window_seconds: (\d+)\r?$/m.exec(body)?.[1]
  if (digits === undefined) return null
  const seconds = Number(digits)
  return Number.isSafeInteger(seconds) ? seconds : null
}
