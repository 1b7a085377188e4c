/** The texts that phase reason starts from, as the phases before it left them. */
import { ServiceError } from '../contracts/index.ts'
import type { MaterialisationTexts } from '../materialise/index.ts'
import { readOutput } from './files.ts'
import { ENTERPRISE, LOG_EVENTS } from './generate.ts'

export function readTexts(out: string): MaterialisationTexts {
  const enterprise = readOutput(out, ENTERPRISE)
  if (enterprise === null) throw noOntology()
  const instances = readOutput(out, 'ontology/instances.ttl')
  const logEvents = readOutput(out, LOG_EVENTS)
  return { enterprise, ...(instances === null ? {} : { instances }), ...(logEvents === null ? {} : { logEvents }) }
}

export const noOntology = (): ServiceError =>
  new ServiceError('not_found', 'there is no ontology yet', { hint: 'run phase 2 first: toolkit --phase 2' })
