/** The files that the reason phase writes below output/ontology: same input, same bytes, no dates. */
import type { Engine } from '../contracts/index.ts'
import type { Quad } from '../kernel/rdf/index.ts'
import { STANDARD_PREFIXES, writeTurtle } from '../kernel/rdf/index.ts'
import { LINEAGE_PREFIXES, lineageQuads } from './lineage.ts'
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

export function materialisationFiles(m: Materialisation): OutputFile[] {
  const prefixes = { ...STANDARD_PREFIXES, ...LINEAGE_PREFIXES, '': m.baseIri }
  const turtle = (name: string, title: string, quads: readonly Quad[]): OutputFile => ({
    path: `ontology/${name}`,
    text: writeTurtle(quads, { prefixes, header: [title, `ceiling: ${m.ceiling}`, `triples: ${quads.length}`] }),
  })
  return [
    ...ENGINE_FILES.map(({ engine, name, title }) =>
      turtle(
        name,
        title,
        m.derived.filter((one) => one.engine === engine).map((one) => one.quad),
      ),
    ),
    turtle(
      'materialised.ttl',
      'Asserted and derived triples',
      [...m.asserted, ...m.derived].map((one) => one.quad),
    ),
    turtle('materialised-lineage.ttl', 'Where each derived triple comes from', lineageQuads(m)),
    { path: 'ontology/materialisation_report.md', text: materialisationReport(m) },
  ]
}
