/** Finds what a plan's path means in an ontology: the foreign keys it walks and the property it ends on. */
import type { Path } from '../../contracts/index.ts'
import type { Ontology, OntologyClass, OntologyProperty } from '../../ontology/index.ts'

/** One foreign key, walked from child to parent or, backward, from parent to children. */
export interface Step {
  readonly property: OntologyProperty
  readonly backward: boolean
  readonly to: OntologyClass
}

export interface ResolvedPath {
  readonly steps: readonly Step[]
  /** null when the path ends on a class (exists / not_exists) */
  readonly property: OntologyProperty | null
  readonly cls: OntologyClass
}

export class UnknownTerm extends Error {
  override readonly name = 'UnknownTerm'
  readonly term: string
  constructor(term: string) {
    super(`unknown term: ${term}`)
    this.term = term
  }
}

export function classNamed(ontology: Ontology, name: string): OntologyClass {
  const found = ontology.classes.find((cls) => cls.name === name)
  if (found === undefined) throw new UnknownTerm(name)
  return found
}

/** Throws UnknownTerm for anything that is not in the ontology, which has been cut to the ceiling before. */
export function resolvePath(ontology: Ontology, from: OntologyClass, path: Path): ResolvedPath {
  const steps: Step[] = []
  let cls = from
  for (const [at, name] of path.entries()) {
    const step = readStep(ontology, cls, name)
    if (step === null) {
      const property = cls.properties.find((candidate) => candidate.name === name)
      if (property === undefined || at !== path.length - 1) throw new UnknownTerm(`${cls.name}.${name}`)
      return { steps, property, cls }
    }
    steps.push(step)
    cls = step.to
  }
  return { steps, property: null, cls }
}

function readStep(ontology: Ontology, cls: OntologyClass, name: string): Step | null {
  if (!name.startsWith('^')) {
    const property = cls.properties.find((candidate) => candidate.name === name && candidate.kind === 'object')
    return property === undefined ? null : { property, backward: false, to: classNamed(ontology, property.range) }
  }
  const [childName, propertyName] = name.slice(1).split('.')
  const child = classNamed(ontology, childName ?? '')
  const property = child.properties.find((candidate) => candidate.name === propertyName && candidate.kind === 'object')
  if (property === undefined || property.range !== cls.name) throw new UnknownTerm(name)
  return { property, backward: true, to: child }
}
