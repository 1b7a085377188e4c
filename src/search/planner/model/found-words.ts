/** Which words of a question stand in which columns: a hint without a value. Columns that hold what belongs to a person give none. */
import { type Ontology, type OntologyProperty, proposeTier } from '../../../ontology/index.ts'
import type { FoundValue } from '../../values/find-values.ts'
import { type Token, textOf } from '../tokens.ts'

export interface FoundWords {
  readonly words: string
  readonly property: string
}

const MOST = 20
const PERSONAL: ReadonlySet<string> = new Set([
  'secret', 'government_number', 'payment_number', 'email', 'phone', 'birth_date', 'health', 'protected_trait', 'person_name', 'address',
])

/** `values` come from the cut ontology, so that nothing above the ceiling is among them. */
export function foundWords(question: string, tokens: readonly Token[], values: readonly FoundValue[]): FoundWords[] {
  const found = values.filter(({ cls, property }) => !isPersonal(cls, property)).map(({ start, end, cls, property }) => ({
    words: textOf(question, tokens, start, end), property: `${cls.name}.${property.name}`,
  }))
  return [...new Map(found.map((each) => [JSON.stringify(each), each])).values()].slice(0, MOST)
}

/** By its name: the tier says who may see it, and not what it is. */
export function isPersonal(cls: Pick<Ontology['classes'][number], 'table'>, { columns }: Pick<OntologyProperty, 'columns'>): boolean {
  return columns.some((name) => {
    const column = { name, declaredType: '', valueType: 'text', nullable: true, generated: false, comment: null, samples: [] } as const
    return PERSONAL.has(proposeTier({ name: cls.table, kind: 'table' }, column).type ?? '')
  })
}
