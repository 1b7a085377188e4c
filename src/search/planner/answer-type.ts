/** What kind of thing a question word asks for: somebody, somewhere, sometime. */
import type { Plan } from '../../contracts/index.ts'
import { singular, splitIdentifier } from '../../kernel/text/index.ts'
import type { Ontology, OntologyClass } from '../../ontology/index.ts'
import { fieldsOf } from '../language/wordnet.ts'
import { isMoment } from './sketch.ts'
import type { Token } from './tokens.ts'

/** Fields of WordNet: people, and groups of them. */
const [PERSON, GROUP] = ['p', 'l']

const fieldsOfName = (name: string): readonly string[] => splitIdentifier(name).flatMap((word) => fieldsOf(singular(word)))

export const isPerson = ({ name }: OntologyClass): boolean => fieldsOfName(name).includes(PERSON!)

/** The question asks for somebody, or for a time, and the plan shows nothing of that kind. */
export function missesType(tokens: readonly Token[], { classes }: Ontology, plan: Plan): boolean {
  const word = tokens[0]?.lower
  if (word !== 'who' && word !== 'whom' && word !== 'when') return false
  return !plan.select.some(({ path = [] }) => {
    let cls = classes.find(({ name }) => name === plan.from)
    const steps = path.map((step) => {
      const back = step.startsWith('^')
      const property = back ? undefined : cls?.properties.find(({ name }) => name === step)
      const next = back ? step.slice(1, step.indexOf('.')) : property?.kind === 'object' ? property.range : undefined
      const own = cls
      if (next !== undefined) cls = classes.find(({ name }) => name === next)
      return { own, property }
    })
    const last = steps.at(-1)
    if (word === 'when') return last?.property !== undefined && last.own !== undefined && isMoment({ cls: last.own, property: last.property })
    const names = [cls?.name ?? '', ...path.map((step) => step.slice(step.indexOf('.') + 1))]
    return names.some((name) => fieldsOfName(name).some((field) => field === PERSON || field === GROUP))
  })
}
