/**
 * A question and its plan without their names: "how many C1 with P1 over N" and a plan in which C1 and P1 stand for the terms.
 * A person who confirms an answer confirms the pair; the next question of the same form, about whatever other things, is then
 * read in the same way. Whoever keeps confirmed pairs hands them in as `Confirmed`; the planner itself stores nothing.
 */
import type { Plan } from '../../contracts/index.ts'
import type { Element } from './elements.ts'
import type { Reading } from './covers.ts'

/** Whether a person has confirmed this form of plan for this form of question. */
export type Confirmed = (pattern: string, form: string) => boolean

/** The names of the terms in the order of their first mention. */
function slotsOf(elements: readonly Element[]): ReadonlyMap<string, string> {
  const slots = new Map<string, string>()
  const give = (name: string, letter: string): void => {
    if (!slots.has(name)) slots.set(name, `${letter}${[...slots.values()].filter((slot) => slot.startsWith(letter)).length + 1}`)
  }
  for (const element of elements) {
    if (element.kind === 'class') give(element.cls.name, 'C')
    else if (element.kind === 'property') give(`${element.cls.name}.${element.property.name}`, 'P')
    else if (element.kind === 'value') give(`${element.cls.name}.${element.property.name}`, 'P')
  }
  return slots
}

export function patternOf({ elements }: Pick<Reading, 'elements'>): string {
  const slots = slotsOf(elements)
  const words = elements.map((element): string => {
    switch (element.kind) {
      case 'class':
        return slots.get(element.cls.name) ?? ''
      case 'property':
        return slots.get(`${element.cls.name}.${element.property.name}`) ?? ''
      case 'value':
        return `V(${slots.get(`${element.cls.name}.${element.property.name}`) ?? ''})`
      case 'operation':
        return operationInWords(element.operation)
      case 'word':
        return element.content === 'none' ? element.lower : element.content
      case 'number':
      case 'time':
      case 'text':
      case 'rule':
        return element.kind
    }
  })
  return words.join(' ')
}

const operationInWords = (operation: object): string =>
  `<${Object.values(operation).filter((value) => typeof value !== 'object').join(' ')}>`

/** The plan with slots instead of names; a step that the question does not name is a mere arrow. */
export function formOf(plan: Plan, { elements }: Pick<Reading, 'elements'>): string {
  const slots = slotsOf(elements)
  const bare = new Map([...slots].map(([name, slot]) => [name.split('.').at(-1) ?? name, slot]))
  const walk = (value: unknown, key: string): unknown => {
    if (Array.isArray(value)) return key === 'path' ? pathForm(value.map(String)) : value.map((each) => walk(each, key))
    if (value === null || typeof value !== 'object') return key === 'value' ? 'V' : key === 'from' ? (slots.get(String(value)) ?? '*') : value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, walk(inner, name === 'group_by' ? 'path' : name)]))
  }
  const pathForm = (path: readonly string[]): string =>
    path.map((step, at) => (at === path.length - 1 ? (bare.get(step) ?? '*') : step.startsWith('^') ? '<' : '>')).join('')
  return JSON.stringify(walk({ ...plan, group_by: plan.group_by.map((path) => pathForm(path)) }, ''))
}
