/** Phase abox: every record as an individual of the ontology, streamed; or the W3C direct mapping of the schema itself. */
import { cutOntology, streamDirectMapping, streamInstances, withinOntology } from '../ontology/index.ts'
import { demandDatabase } from './demand.ts'
import type { Phase } from './phase.ts'
import { writeStream } from './stream-file.ts'

export const INSTANCES = 'ontology/instances.ttl'

export const abox: Phase = async (context) => {
  const { source, ontology: whole, catalogue } = await demandDatabase(context)
  const ontology = cutOntology(whole, context.maxTier)
  const { out, record_base: base } = context.config
  const header = [`ceiling: ${context.maxTier}`]
  const signal = context.signal === undefined ? {} : { signal: context.signal }
  if (context.directMapping) {
    const path = 'ontology/direct-mapping.ttl'
    await writeStream(out, path, streamDirectMapping(source, withinOntology(catalogue, ontology), { base, header, ...signal }))
    return { lines: ['the W3C direct mapping of the schema'], files: [path], counts: {} }
  }
  let totals = { records: 0, triples: 0, unresolved: 0 }
  let told = 0
  const onProgress = ({ cls, records, triples, unresolved }: { cls: string; records: number; triples: number; unresolved: number }) => {
    totals = { records, triples, unresolved }
    if (records - told < PROGRESS_RECORDS) return
    told = records
    context.progress(`instances: ${records} records (${cls})`)
  }
  await writeStream(out, INSTANCES, streamInstances(source, ontology, { header, onProgress, ...signal }))
  const lost = totals.unresolved === 0 ? [] : [`${totals.unresolved} references lead to no record that could be named`]
  return { lines: [`${totals.records} records, ${totals.triples} triples`, ...lost], files: [INSTANCES], counts: { ...totals } }
}

const PROGRESS_RECORDS = 50_000
