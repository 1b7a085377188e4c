/** The window of a causal rule stands in its text, where the engine reads it; what is said beside it must be the same. */
import type { Fault, Rule } from '../contracts/index.ts'
import { windowLine, windowSecondsOf } from './causal-window.ts'
import { placeAt } from './text-place.ts'
import type { Findings } from './validate.ts'

type Windowed = Pick<Rule, 'kind' | 'body'> & Partial<Pick<Rule, 'window_seconds' | 'cause_class' | 'effect_class'>>

export function windowFindings({ kind, body, window_seconds: stated, cause_class: cause, effect_class: effect }: Windowed): Findings {
  const written = windowSecondsOf(body)
  const line = /^[ \t]*#[ \t]*window_seconds\b.*$/im.exec(body)
  const errors: Fault[] = []
  if (kind === 'sparql' && line !== null && written === null) {
    errors.push({ message: `a window is written as a line of its own: ${windowLine(30)}`, ...placeAt(body, line.index) })
  }
  if (written === 0) errors.push({ message: 'a window of no seconds holds nothing', ...placeAt(body, line?.index ?? 0) })
  if (stated !== undefined && kind !== 'sparql') errors.push({ path: 'window_seconds', message: 'only a SPARQL rule has a window' })
  else if (stated !== undefined && written !== stated && (line === null || written !== null)) {
    const lacks = written === null ? 'has no such line' : `says ${written}`
    errors.push({ path: 'window_seconds', message: `window_seconds is ${stated}, but the text ${lacks}: write ${windowLine(stated)}`, line: 1, column: 1 })
  }
  if ((cause !== undefined || effect !== undefined) && written === null && line === null) {
    const message = `a rule between a cause and an effect needs a window: write ${windowLine(30)} as its first line`
    errors.push({ path: 'window_seconds', message, line: 1, column: 1 })
  }
  return { errors }
}
