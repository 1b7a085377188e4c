/** The numbers of the summary, read from the output files and the workspace, and from nothing above the ceiling. */
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type RuleKind, RULE_KINDS, TIERS, type Tier, isTier, within } from '../contracts/index.ts'
import { OWL, type Quad, RDFS, RDF_TYPE, SH, parseTurtle } from '../kernel/rdf/index.ts'
import { cutSession, summary } from '../review/index.ts'
import type { Workspace } from '../store/index.ts'
import { HEADER_BYTES, ceilingOf, outputPaths, tripleCountOf } from './outputs.ts'

export interface FileFigure {
  readonly path: string
  readonly bytes: number
  readonly ceiling: Tier
  /** null for what is not Turtle, or too large to be counted here */
  readonly triples: number | null
}

export interface TierFigure {
  readonly tier: Tier
  readonly classes: number
  readonly dataProperties: number
  readonly objectProperties: number
}

export interface Validation {
  readonly conforms: boolean
  readonly checks: number
  readonly violations: number
  readonly broken: number
}

export interface Figures {
  readonly tables: number | null
  readonly tiers: readonly TierFigure[]
  readonly axioms: readonly { readonly name: string; readonly count: number }[]
  readonly profile: string | null
  readonly shapes: { readonly nodes: number; readonly properties: number } | null
  readonly validation: Validation | null
  readonly rules: readonly { readonly kind: RuleKind; readonly enabled: number; readonly all: number }[]
  readonly causalRules: number
  readonly approved: { readonly events: number; readonly entities: number; readonly relationships: number }
  readonly candidates: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly files: readonly FileFigure[]
}

/** A file beyond this is linked but not read: a summary must not need the memory of the whole. */
const MAX_READ_BYTES = 64 * 1024 * 1024

export function figuresOf(out: string, workspace: Workspace, maxTier: Tier): Figures {
  const shelf = new Shelf(out, maxTier)
  const ontology = shelf.quads('ontology/enterprise.ttl')
  const shapes = shelf.quads('shapes/enterprise-shapes.ttl')
  const report = shelf.quads('shapes/validation-report.ttl')
  const session = cutSession(workspace.session.load().session, maxTier)
  return {
    tables: tablesIn(shelf.text('mapping/logical_physical_map.csv')),
    tiers: ontology === null ? [] : tiersIn(ontology),
    axioms: ontology === null ? [] : axiomsIn(ontology),
    profile: /OWL 2 (?:EL|QL|RL|DL)/.exec(shelf.text('profile_recommendation.md') ?? '')?.[0] ?? null,
    shapes: shapes === null ? null : { nodes: ofType(shapes, `${SH}NodeShape`).length, properties: pathsIn(shapes) },
    validation: report === null ? null : validationIn(report),
    rules: RULE_KINDS.map((kind) => {
      const ofKind = session.rules.filter((rule) => rule.kind === kind)
      return { kind, enabled: ofKind.filter(({ enabled }) => enabled).length, all: ofKind.length }
    }),
    causalRules: session.causal_rules.filter(({ enabled }) => enabled).length,
    approved: { events: session.events.length, entities: session.entities.length, relationships: session.relationships.length },
    candidates: summary(workspace, { maxTier }).by_kind,
    files: shelf.files(),
  }
}

/** The output files that a reader of this ceiling may see. */
class Shelf {
  private readonly out: string
  private readonly open: ReadonlyMap<string, Omit<FileFigure, 'triples'>>

  constructor(out: string, maxTier: Tier) {
    this.out = out
    const found = outputPaths(out).map((path) => {
      const ceiling = ceilingOf(basename(path), startOf(join(out, path)))
      return { path, ceiling, bytes: statSync(join(out, path)).size }
    })
    // the summary does not count itself: its size would change with its own number
    const open = found.filter(({ path, ceiling }) => within(ceiling, maxTier) && basename(path) !== 'summary.html')
    this.open = new Map(open.map((file) => [file.path, file]))
  }

  files(): FileFigure[] {
    const triples = (path: string): number | null => (path.endsWith('.ttl') ? this.triples(path) : null)
    return [...this.open.values()].map((file) => ({ ...file, triples: triples(file.path) }))
  }

  text(path: string): string | null {
    const file = this.open.get(path) ?? [...this.open.values()].find((each) => basename(each.path) === path)
    return file === undefined || file.bytes > MAX_READ_BYTES ? null : readFileSync(join(this.out, file.path), 'utf8')
  }

  quads(path: string): readonly Quad[] | null {
    const text = this.text(path)
    const parsed = text === null ? null : parseTurtle(text)
    return parsed?.ok === true ? parsed.quads : null
  }

  private triples(path: string): number | null {
    return tripleCountOf(startOf(join(this.out, path))) ?? this.quads(path)?.length ?? null
  }
}

function startOf(file: string): string {
  const handle = openSync(file, 'r')
  try {
    const buffer = Buffer.alloc(HEADER_BYTES)
    return buffer.subarray(0, readSync(handle, buffer, 0, HEADER_BYTES, 0)).toString('utf8')
  } finally {
    closeSync(handle)
  }
}

/** One line of the map describes a class: its second cell is empty and its third says so. */
const tablesIn = (csv: string | null): number | null => (csv === null ? null : [...csv.matchAll(/^[^",\n]*,,class,/gm)].length)

const withPredicate = (quads: readonly Quad[], predicate: string): Quad[] =>
  quads.filter((quad) => quad.predicate.value === predicate)
const ofType = (quads: readonly Quad[], type: string): string[] => [
  ...new Set(withPredicate(quads, RDF_TYPE).filter(({ object }) => object.value === type).map(({ subject }) => subject.value)),
]
const pathsIn = (shapes: readonly Quad[]): number => withPredicate(shapes, `${SH}path`).length

function tiersIn(ontology: readonly Quad[]): TierFigure[] {
  const tierOf = new Map<string, Tier>()
  for (const { subject, predicate, object } of ontology) {
    if (predicate.value.endsWith('sensitivityTier') && isTier(object.value)) tierOf.set(subject.value, object.value)
  }
  const at = (type: string, tier: Tier): number =>
    ofType(ontology, `${OWL}${type}`).filter((name) => tierOf.get(name) === tier).length
  return TIERS.map((tier) => ({
    tier, classes: at('Class', tier), dataProperties: at('DatatypeProperty', tier), objectProperties: at('ObjectProperty', tier),
  }))
}

const AXIOM_TYPES = [
  'FunctionalProperty', 'InverseFunctionalProperty', 'SymmetricProperty', 'TransitiveProperty', 'Restriction',
  'AllDisjointClasses',
]
const AXIOM_WORDS = ['inverseOf', 'hasKey']

function axiomsIn(ontology: readonly Quad[]): { name: string; count: number }[] {
  const typed = AXIOM_TYPES.map((type) => ({ name: `owl:${type}`, count: ofType(ontology, `${OWL}${type}`).length }))
  const stated = AXIOM_WORDS.map((word) => ({ name: `owl:${word}`, count: withPredicate(ontology, `${OWL}${word}`).length }))
  const below = withPredicate(ontology, `${RDFS}subClassOf`).filter(({ object }) => object.kind === 'iri').length
  return [...typed, ...stated, { name: 'rdfs:subClassOf (named)', count: below }].filter(({ count }) => count > 0)
}

function validationIn(report: readonly Quad[]): Validation {
  const numbers = (name: string): number[] => {
    const said = report.filter(({ predicate }) => predicate.value.endsWith(name))
    return said.map(({ object }) => Number(object.value)).filter(Number.isFinite)
  }
  const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
  const results = withPredicate(report, `${SH}result`).length
  const counted = numbers('violationCount')
  return {
    conforms: withPredicate(report, `${SH}conforms`).some(({ object }) => object.value === 'true'),
    checks: total(numbers('checkCount')),
    // a report of another program has no count of ours; its results are then all there is to count
    violations: counted.length === 0 ? results : total(counted),
    broken: counted.length,
  }
}
