/** A materialisation rebuilt from the texts of the reason phase's input files. Whoever calls it reads the files. */
import { ServiceError } from '../contracts/index.ts'
import type { Quad } from '../kernel/rdf/index.ts'
import { markBlanks, parseTurtle } from '../kernel/rdf/index.ts'
import { materialiseWithStore } from './delegate-run.ts'
import type { Materialisation } from './materialisation.ts'
import type { MaterialiseInput } from './run.ts'
import { tiered } from './tiers.ts'

export interface MaterialisationTexts {
  /** enterprise.ttl: the schema */
  readonly enterprise: string
  /** instances.ttl and log-events.ttl, where they exist: the data */
  readonly instances?: string
  readonly logEvents?: string
}

export type MaterialisationOptions = Omit<MaterialiseInput, 'asserted'>

export const materialisationFrom = (texts: MaterialisationTexts, options: MaterialisationOptions): Promise<Materialisation> =>
  materialiseWithStore(inputFrom(texts, options))

export function inputFrom(texts: MaterialisationTexts, options: MaterialisationOptions): MaterialiseInput {
  const schema = read('enterprise.ttl', texts.enterprise)
  const data = [
    ...markBlanks(read('instances.ttl', texts.instances ?? ''), 'instances'),
    ...markBlanks(read('log-events.ttl', texts.logEvents ?? ''), 'events'),
  ]
  return { ...options, asserted: tiered(schema, data, options.baseIri) }
}

function read(name: string, text: string): readonly Quad[] {
  const parsed = parseTurtle(text)
  if (parsed.ok) return parsed.quads
  const { line, message } = parsed.fault
  throw new ServiceError('conflict', `${name} cannot be read`, {
    hint: 'run phase 2 again',
    errors: [{ path: name, line, message }],
  })
}
