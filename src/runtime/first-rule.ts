/** A first rule for a database that nobody has written rules for: two records that a junction, a chain or a reference joins. */
import type { Flavor, FlavorRule } from '../contracts/index.ts'
import { parseRules } from '../kernel/datalog/index.ts'
import { compareText } from '../kernel/term.ts'
import { plural } from '../kernel/text/index.ts'
import { type Ontology, type OntologyClass, type OntologyProperty, datalogRelations } from '../ontology/index.ts'

export interface FirstRule {
  readonly rule: FlavorRule
  /** a question that the rule answers */
  readonly example: string
}

/** `ontology` is cut to the ceiling of an ordinary question, so that the example is answered at once. */
export function firstRule(ontology: Ontology): FirstRule | null {
  const relations = datalogRelations(ontology)
  const found = [...junctions(ontology), ...chains(ontology), ...references(ontology), ...listings(ontology)]
  // names of tables can be such that no rule can spell them; the next idea is tried then
  return found.find(({ rule }) => parseRules(rule.body, { relations, id: rule.id }).ok) ?? null
}

export function firstFlavor(name: string, label: string, ontology: Ontology): Flavor {
  const first = firstRule(ontology)
  if (first === null) return { name, label, synonyms: {}, rules: [] }
  return { name, label, example: first.example, synonyms: {}, rules: [first.rule] }
}

interface Link {
  readonly cls: OntologyClass
  readonly property: OntologyProperty
  readonly to: OntologyClass
}

/** A table whose key is two references: each row says that two records belong together. */
function junctions(ontology: Ontology): FirstRule[] {
  return byWeight(ontology).flatMap((cls) => {
    const ends = linksOf(ontology, cls).filter(({ property }) => property.columns.every((column) => cls.key.includes(column)))
    const [a, b] = ends
    if (ends.length !== 2 || a === undefined || b === undefined || a.to === b.to || !named(a.to) || !named(b.to)) return []
    const body = `linked_to(?a, ?b) :- ${cls.name}(${a.property.name}: ?a, ${b.property.name}: ?b).`
    return [between('linked-to', 'linked to', a.to, b.to, body)]
  })
}

/** Two references in a row: what the first record has to do with the third is said nowhere in the database. */
function chains(ontology: Ontology): FirstRule[] {
  return byWeight(ontology).flatMap((cls) =>
    linksOf(ontology, cls).flatMap((first) =>
      linksOf(ontology, first.to).flatMap((second) => {
        if (second.to === cls || first.to === cls || second.to === first.to || !named(cls) || !named(second.to)) return []
        const steps = [`${cls.name}(?a, ${first.property.name}: ?b)`, `${first.to.name}(?b, ${second.property.name}: ?c)`]
        return [between('related-to', 'related to', cls, second.to, `related_to(?a, ?c) :- ${steps.join(', ')}.`, 'c')]
      }),
    ),
  )
}

function references(ontology: Ontology): FirstRule[] {
  return byWeight(ontology).flatMap((cls) =>
    linksOf(ontology, cls).flatMap(({ property, to }) =>
      to === cls || !named(cls) || !named(to)
        ? []
        : [between('belongs-to', 'belonging to', cls, to, `belongs_to(?a, ?b) :- ${cls.name}(?a, ${property.name}: ?b).`)],
    ),
  )
}

/** Without a single reference there is still something to begin with. */
function listings(ontology: Ontology): FirstRule[] {
  return byWeight(ontology).filter(named).map((cls) => ({
    rule: {
      id: 'on-record', label: `${cls.label} is on record`, phrases: ['on record'],
      sentence: '{a} is on record', negative_sentence: '{a} is not on record', plural_sentence: 'are on record',
      body: `on_record(?a) :- ${cls.name}(?a).`,
    },
    example: `Which ${many(cls)} are on record, and why?`,
  }))
}

function between(id: string, phrase: string, from: OntologyClass, to: OntologyClass, body: string, end = 'b'): FirstRule {
  const bare = phrase.replace(/ to$/, '')
  return {
    rule: {
      id, label: `${from.label} is ${phrase} ${to.label.toLowerCase()}`, phrases: [phrase],
      sentence: `{a} is ${phrase} {${end}}`, negative_sentence: `{a} is not ${bare}[ to {${end}}]`,
      plural_sentence: `are ${bare}[ to {${end}}]`, body,
    },
    example: `Which ${many(from)} are ${phrase} ${many(to)}, and why?`,
  }
}

const many = (cls: OntologyClass): string => {
  const words = cls.label.toLowerCase().split(' ')
  return [...words.slice(0, -1), plural(words.at(-1) ?? '')].join(' ')
}

const linksOf = (ontology: Ontology, cls: OntologyClass): Link[] =>
  cls.properties.flatMap((property) => {
    const to = property.kind === 'object' ? ontology.classes.find(({ name }) => name === property.range) : undefined
    return to === undefined ? [] : [{ cls, property, to }]
  })

/** A record that has no name of its own cannot be spoken of. */
const named = (cls: OntologyClass): boolean => cls.labelProperty !== null && cls.key.length > 0

/** Tables that hold something come first, the smaller before the larger: a first answer should fit on a page. */
const byWeight = (ontology: Ontology): OntologyClass[] =>
  ontology.classes.toSorted((x, y) => weight(x) - weight(y) || compareText(x.name, y.name))
const weight = ({ instances }: OntologyClass): number => (instances === 0 ? Number.MAX_SAFE_INTEGER : instances)
