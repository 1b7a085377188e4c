/** What owlrl (https://github.com/RDFLib/OWL-RL) derives from made-up ontologies, as the golden files keep it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Quad } from '../../src/kernel/rdf/index.ts'
import { OWL, RDF, RDFS, XSD, quadKey } from '../../src/kernel/rdf/index.ts'
import { HOME, ontologyOf } from './owl-generator.ts'

export const GOLDEN = join(import.meta.dirname, '../golden/owlrl')
/** how many ontologies, and how many to a file */
export const SEEDS = 60
export const PER_FILE = 20
export const fileOf = (seed: number): string => `closures-${Math.floor((seed - 1) / PER_FILE) + 1}.json`

export interface GoldenClosure {
  readonly seed: number
  /** of the input: another generator must not be compared with old results */
  readonly given: number
  readonly inconsistent: boolean
  /** derived triples in the spelling of `shortKey`, sorted, without those that owlrl adds to every graph */
  readonly derived: readonly string[]
}

const NAMES: readonly (readonly [string, string])[] = [[HOME, ':'], [OWL, 'o:'], [RDFS, 's:'], [RDF, 'r:'], [XSD, 'x:']]

/** A triple in few characters. */
export function shortKey(one: Quad): string {
  return shorten(quadKey(one))
}

/** The same from the text of a triple in N-Triples. */
export const shorten = (text: string): string =>
  text.replaceAll(/<([^>]*)>/g, (whole, name: string) => {
    const [namespace, prefix] = NAMES.find(([one]) => name.startsWith(one)) ?? []
    return namespace === undefined ? whole : `${prefix}${name.slice(namespace.length)}`
  })

export function goldenClosures(): GoldenClosure[] {
  const files = [...new Set(Array.from({ length: SEEDS }, (_, i) => fileOf(i + 1)))]
  return files.flatMap((file) => JSON.parse(readFileSync(join(GOLDEN, file), 'utf8')) as GoldenClosure[])
}

export { ontologyOf }
