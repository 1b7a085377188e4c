/** The files that the reason phase writes below output/ontology: same input, same bytes, no dates. */
import type { Engine } from '../contracts/index.ts'
import type { Quad } from '../kernel/rdf/index.ts'
import { STANDARD_PREFIXES, writeTurtle } from '../kernel/rdf/index.ts'
import { LINEAGE_PREFIXES, lineageOf, reified, reifiers } from './lineage.ts'
import type { Materialisation } from './materialisation.ts'
import { materialisationReport } from './report.ts'

export interface OutputFile {
  /** below the output folder */
  readonly path: string
  readonly text: string
}

const ENGINE_FILES: readonly { engine: Engine; name: string; title: string }[] = [
  { engine: 'owl', name: 'enterprise-inferred.ttl', title: 'Triples derived by OWL 2 RL rules' },
  { engine: 'shacl', name: 'inferred-shacl.ttl', title: 'Triples derived by SHACL rules' },
  { engine: 'sparql', name: 'inferred-sparql.ttl', title: 'Triples derived by SPARQL CONSTRUCT rules' },
  { engine: 'datalog', name: 'inferred-datalog.ttl', title: 'Triples derived by Datalog rules' },
]

export interface FileOptions {
  /** write the lineage with the reifiers of RDF 1.2 instead of RDF 1.1's statements */
  readonly rdf12?: boolean
}

export function materialisationFiles(m: Materialisation, { rdf12 = false }: FileOptions = {}): OutputFile[] {
  const prefixes = { ...STANDARD_PREFIXES, ...LINEAGE_PREFIXES, '': m.baseIri }
  const turtle = (name: string, title: string, quads: readonly Quad[]): OutputFile => ({
    path: `ontology/${name}`,
    text: writeTurtle(quads, { prefixes, header: [title, `ceiling: ${m.ceiling}`, `triples: ${quads.length}`] }),
  })
  const title = 'Where each derived triple comes from'
  const facts = lineageOf(m)
  const lineage = rdf12
    ? { path: 'ontology/materialised-lineage.ttl', text: reifiers(facts, [title, `ceiling: ${m.ceiling}`, 'RDF 1.2']) }
    : turtle('materialised-lineage.ttl', title, reified(facts))
  return [
    ...ENGINE_FILES.map(({ engine, name, title: about }) =>
      turtle(
        name,
        about,
        m.derived.filter(({ origins }) => origins.some((origin) => origin.engine === engine)).map((one) => one.quad),
      ),
    ),
    turtle(
      'materialised.ttl',
      'Asserted and derived triples',
      [...m.asserted, ...m.derived].map((one) => one.quad),
    ),
    lineage,
    { path: 'ontology/materialisation_report.md', text: materialisationReport(m) },
  ]
}
