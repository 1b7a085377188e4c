/** The files that the reason phase writes below output/ontology: same input, same bytes, no dates. */
import type { Engine } from '../contracts/index.ts'
import type { Quad } from '../kernel/rdf/index.ts'
import { STANDARD_PREFIXES, inPieces, turtleChunks } from '../kernel/rdf/index.ts'
import { LINEAGE_PREFIXES, lineageOf, reified, reifiers } from './lineage.ts'
import type { Materialisation } from './materialisation.ts'
import { materialisationReport } from './report.ts'

/** A file in pieces: a large graph's lineage is longer than one string can be. */
export interface MaterialisedFile {
  /** below the output folder */
  readonly path: string
  /** made anew by each call, while it is read */
  readonly chunks: () => Iterable<string>
}

export const textOf = ({ chunks }: MaterialisedFile): string => [...chunks()].join('')

const ENGINE_FILES: readonly { engine: Engine; name: string; title: string }[] = [
  { engine: 'owl', name: 'enterprise-inferred.ttl', title: 'Triples derived by OWL 2 RL rules' },
  { engine: 'shacl', name: 'inferred-shacl.ttl', title: 'Triples derived by SHACL rules' },
  { engine: 'sparql', name: 'inferred-sparql.ttl', title: 'Triples derived by SPARQL CONSTRUCT rules' },
  { engine: 'datalog', name: 'inferred-datalog.ttl', title: 'Triples derived by Datalog rules' },
]

export interface FileOptions {
  /** write the lineage with the reifiers of RDF 1.2 instead of RDF 1.1's statements */
  readonly rdf12?: boolean
  /** how the run was asked for: a line at the top of the report */
  readonly run?: string
}

const LINEAGE = 'ontology/materialised-lineage.ttl'
const GRAPH = 'ontology/materialised.ttl'
const REPORT = 'ontology/materialisation_report.md'

export const MATERIALISED_PATHS: readonly string[] = [...ENGINE_FILES.map(({ name }) => `ontology/${name}`), GRAPH, LINEAGE, REPORT]

export function materialisationFiles(m: Materialisation, { rdf12 = false, run }: FileOptions = {}): MaterialisedFile[] {
  const prefixes = { ...STANDARD_PREFIXES, ...LINEAGE_PREFIXES, '': m.baseIri }
  const header = (title: string, triples: number) => [title, `ceiling: ${m.ceiling}`, `triples: ${triples}`]
  const turtle = (path: string, title: string, quads: () => readonly Quad[]): MaterialisedFile => ({
    path,
    chunks: () => {
      const all = quads()
      return turtleChunks(all, { prefixes, header: header(title, all.length) })
    },
  })
  const lineage = (): Iterable<string> => {
    const title = 'Where each derived triple comes from'
    const found = lineageOf(m, prefixes)
    return inPieces(rdf12 ? reifiers(found, [title, `ceiling: ${m.ceiling}`, 'RDF 1.2']) : reified(found, header(title, found.triples)))
  }
  return [
    ...ENGINE_FILES.map(({ engine, name, title }) =>
      turtle(`ontology/${name}`, title, () =>
        m.derived.filter(({ origins }) => origins.some((origin) => origin.engine === engine)).map((one) => one.quad),
      ),
    ),
    turtle(GRAPH, 'Asserted and derived triples', () => [...m.asserted, ...m.derived].map((one) => one.quad)),
    { path: LINEAGE, chunks: lineage },
    { path: REPORT, chunks: () => [runBelowTitle(materialisationReport(m), run)] },
  ]
}

const runBelowTitle = (report: string, run: string | undefined): string =>
  run === undefined ? report : report.replace('\n\n', () => `\n\n${run}.\n\n`)
