/**
 * Which OWL 2 profile to reason in, decided from the axioms that the ontology makes. The table says which profile's grammar
 * has which axiom (OWL 2 Web Ontology Language Profiles, sections 2.2, 3.2 and 4.2).
 */
import type { Quad } from '../kernel/rdf/index.ts'
import { OWL, RDFS, RDF_TYPE, XSD } from '../kernel/rdf/index.ts'
import { compareText } from '../kernel/term.ts'
import type { Ontology } from './ontology.ts'
import { ontologyQuads } from './turtle.ts'

export const PROFILES = ['OWL 2 EL', 'OWL 2 QL', 'OWL 2 RL', 'OWL 2 DL'] as const
export type Profile = (typeof PROFILES)[number]
type Small = 'EL' | 'QL' | 'RL'

interface AxiomKind {
  readonly name: string
  /** the small profiles whose grammar has it */
  readonly within: readonly Small[]
  /** one of the three that make us recommend DL, whatever the small profiles say */
  readonly raises?: true
}

const KINDS = {
  subclass: { name: 'subclass of a named class', within: ['EL', 'QL', 'RL'] },
  disjoint: { name: 'disjoint classes', within: ['EL', 'QL', 'RL'] },
  ends: { name: 'domain and range', within: ['EL', 'QL', 'RL'] },
  required: { name: 'required value (someValuesFrom above a class)', within: ['EL', 'QL'] },
  key: { name: 'key (hasKey)', within: ['EL', 'RL'] },
  functionalData: { name: 'functional data property', within: ['EL', 'RL'] },
  functionalObject: { name: 'functional object property', within: ['RL'] },
  transitive: { name: 'transitive property', within: ['EL', 'RL'] },
  symmetric: { name: 'symmetric property (SymmetricProperty)', within: ['QL', 'RL'], raises: true },
  inverse: { name: 'inverse properties (inverseOf)', within: ['QL', 'RL'], raises: true },
  inverseFunctional: { name: 'inverse-functional property (InverseFunctionalProperty)', within: ['RL'], raises: true },
  boolean: { name: 'range xsd:boolean', within: ['RL'] },
} as const satisfies Record<string, AxiomKind>
type KindName = keyof typeof KINDS
const KIND_NAMES = Object.keys(KINDS) as KindName[]

export interface ProfileRecommendation {
  readonly profile: Profile
  /** sentences, the deciding one first */
  readonly rationale: readonly string[]
  /** each kind of axiom that the ontology makes, with how often and which small profiles have it */
  readonly axioms: readonly { readonly name: string; readonly count: number; readonly within: readonly Small[] }[]
}

/** EL before QL before RL where several would do. Quads may hold more than our own axioms, such as approved log events. */
export function recommendProfile(of: Ontology | readonly Quad[]): ProfileRecommendation {
  const quads = 'classes' in of ? ontologyQuads(of) : of
  const counts = countAxioms(quads)
  const used = KIND_NAMES.filter((kind) => counts.has(kind))
  const axioms = used.map((kind) => ({ name: KINDS[kind].name, count: counts.get(kind) ?? 0, within: KINDS[kind].within }))
  const { profile, because } = decide(used, counts)
  return { profile, rationale: [...because, ...remarks(quads)], axioms }
}

const SMALL: readonly Small[] = ['EL', 'QL', 'RL']

function decide(used: readonly KindName[], counts: ReadonlyMap<KindName, number>): { profile: Profile; because: string[] } {
  const said = (kinds: readonly KindName[]): string =>
    kinds.map((kind) => `${KINDS[kind].name}: ${counts.get(kind) ?? 0}`).join('; ')
  const outside = (small: Small): KindName[] => used.filter((kind) => !has(kind, small))
  const excluded = SMALL.filter((small) => outside(small).length > 0)
  const why = excluded.map((small) => `Not OWL 2 ${small}: ${said(outside(small))}.`)

  const raising = used.filter((kind) => 'raises' in KINDS[kind])
  if (raising.length > 0) {
    const because = `Raised to OWL 2 DL, whose reasoners draw everything that follows from these: ${said(raising)}.`
    return { profile: 'OWL 2 DL', because: [because, ...why] }
  }
  const whole = SMALL.find((small) => !excluded.includes(small))
  if (whole !== undefined) return { profile: `OWL 2 ${whole}`, because: [`Every axiom is within OWL 2 ${whole}.`, ...why] }
  if (outside('RL').every((kind) => kind === 'required')) {
    const but = [
      `Every axiom is within OWL 2 RL but for those that say a value is there (${counts.get('required') ?? 0}).`,
      'Rules of RL pass over these without harm: they would only conclude that some unnamed value exists. The shapes check them.',
    ]
    return { profile: 'OWL 2 RL', because: [...but, ...why.filter((_, i) => excluded[i] !== 'RL')] }
  }
  return { profile: 'OWL 2 DL', because: ['No smaller profile has all axioms.', ...why] }
}

const has = (kind: KindName, small: Small): boolean => (KINDS[kind].within as readonly Small[]).includes(small)

/** What holds in every profile and a strict reasoner may still refuse. */
function remarks(quads: readonly Quad[]): string[] {
  const ranges = quads.filter(({ predicate }) => predicate.value === `${RDFS}range`)
  const dates = ranges.filter(({ object }) => object.value === `${XSD}date`).length
  const typed = Map.groupBy(quads.filter(({ predicate }) => predicate.value === RDF_TYPE), ({ subject }) => subject.value)
  const notSimple = [...typed]
    .filter(([, types]) => {
      const has = (name: string): boolean => types.some(({ object }) => object.value === OWL + name)
      return has('TransitiveProperty') && (has('FunctionalProperty') || has('InverseFunctionalProperty'))
    })
    .map(([property]) => `<${property}>`)
    .toSorted(compareText)
  const date = `xsd:date is not among the datatypes of OWL 2, so no profile reasons about its values (ranges: ${dates}).`
  return [
    ...(dates === 0 ? [] : [date]),
    ...notSimple.map((name) => `${name} is transitive and also functional or inverse-functional, which OWL 2 DL forbids.`),
  ]
}

function countAxioms(quads: readonly Quad[]): Map<KindName, number> {
  const types = quads.filter(({ predicate }) => predicate.value === RDF_TYPE)
  const typed = types.filter(({ object }) => object.value === `${OWL}ObjectProperty`)
  const objects = new Set(typed.map(({ subject }) => subject.value))
  const counts = new Map<KindName, number>()
  for (const each of quads) {
    const kind = kindOf(each, objects)
    if (kind !== null) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return counts
}

function kindOf({ subject, predicate, object }: Quad, objects: ReadonlySet<string>): KindName | null {
  switch (predicate.value) {
    case `${RDFS}subClassOf`:
      return object.kind === 'iri' ? 'subclass' : null
    case `${OWL}someValuesFrom`:
      return 'required'
    case `${RDFS}domain`:
      return 'ends'
    case `${RDFS}range`:
      return object.value === `${XSD}boolean` ? 'boolean' : 'ends'
    case `${OWL}hasKey`:
      return 'key'
    case `${OWL}inverseOf`:
      return 'inverse'
    case RDF_TYPE:
      return characteristic(object.value, objects.has(subject.value))
    default:
      return null
  }
}

function characteristic(type: string, ofObjects: boolean): KindName | null {
  switch (type) {
    case `${OWL}AllDisjointClasses`:
      return 'disjoint'
    case `${OWL}FunctionalProperty`:
      return ofObjects ? 'functionalObject' : 'functionalData'
    case `${OWL}InverseFunctionalProperty`:
      return 'inverseFunctional'
    case `${OWL}SymmetricProperty`:
      return 'symmetric'
    case `${OWL}TransitiveProperty`:
      return 'transitive'
    default:
      return null
  }
}

export interface ReportHeader {
  /** lines at the top, such as the ceiling under which the ontology was made */
  readonly header?: readonly string[]
}

/** The text of profile_recommendation.md. */
export function profileReport({ profile, rationale, axioms }: ProfileRecommendation, { header = [] }: ReportHeader = {}): string {
  const marks = (within: readonly Small[]): string => SMALL.map((small) => (within.includes(small) ? 'yes' : 'no')).join(' | ')
  return [
    '# Profile recommendation',
    '',
    ...header.flatMap((line) => [line, '']),
    `**${profile}**`,
    '',
    ...rationale.map((sentence) => `- ${sentence}`),
    '',
    '| axiom | count | EL | QL | RL |',
    '|---|---:|---|---|---|',
    ...axioms.map(({ name, count, within }) => `| ${name} | ${count} | ${marks(within)} |`),
    '',
  ].join('\n')
}
