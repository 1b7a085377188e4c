/** Filled-in slots as the Turtle of a SHACL rule. The conditions stand inside the rule, so the shape itself validates nothing. */
import type { Term } from '../kernel/term.ts'
import { XSD, literal } from '../kernel/term.ts'
import { RDF_TYPE, SH } from '../kernel/rdf/index.ts'
import { hash64 } from '../kernel/text/index.ts'
import { callFunction, effectiveBoolean } from '../kernel/values/index.ts'
import { ServiceError } from '../contracts/index.ts'
import { type SlotOperator, RuleMeta, type SlotCondition } from '../contracts/index.ts'
import { type Step, resolveName, resolvePath, resolveProperty, slotFault, termOfSlot } from './slot-names.ts'
import { iriText, isIri, literalText } from './term-text.ts'

/** The constraint that each order puts on a value. */
export const BOUNDS: Readonly<Partial<Record<SlotOperator, string>>> = {
  '>=': 'sh:minInclusive',
  '>': 'sh:minExclusive',
  '<=': 'sh:maxInclusive',
  '<': 'sh:maxExclusive',
}

/**
 * "When an Alarm has the severity critical, it is escalated" as a sh:TripleRule. The shape is named after the rule, or after
 * what the slots say where the rule has no id yet.
 */
export function writeSlotFill(slots: unknown, baseIri: string, id?: string): string {
  if (!isIri(baseIri)) throw new ServiceError('invalid_rule', 'the base IRI of the project is not an IRI')
  const parsed = RuleMeta.safeParse(slots)
  if (!parsed.success) {
    const errors = parsed.error.issues.map(({ path, message }) => ({ path: ['meta', ...path].join('.'), message }))
    throw new ServiceError('invalid_rule', 'the slots of this rule do not have the shape of slots', { errors })
  }
  const meta = parsed.data
  const name = iriText(baseIri, `${baseIri}rule_${(id ?? hash64(JSON.stringify(meta))).replaceAll('-', '_')}`)
  const write = writer(baseIri)
  const conditions = meta.conditions.map((condition, n) => {
    const shape = write.condition(condition, `meta.conditions.${n}`)
    return `    sh:condition [ sh:property [ sh:path ${shape} ] ] ;`
  })
  const { path, value } = meta.assertion
  const property = resolveProperty(path, baseIri, 'meta.assertion.path')
  const object = termOfSlot(value, baseIri, 'meta.assertion.value')
  if (property === RDF_TYPE && object.kind !== 'iri') throw slotFault('meta.assertion.value', 'a class is given as {iri}')
  return [
    `@prefix : <${baseIri}> .`,
    `@prefix sh: <${SH}> .`,
    '',
    `${name} a sh:NodeShape ;`,
    `  sh:targetClass ${iriText(baseIri, resolveName(meta.target_class, baseIri, 'meta.target_class'))} ;`,
    '  sh:rule [',
    '    a sh:TripleRule ;',
    ...conditions,
    '    sh:subject sh:this ;',
    `    sh:predicate ${iriText(baseIri, property)} ;`,
    `    sh:object ${write.term(object)}`,
    '  ] .',
    '',
  ].join('\n')
}

type Ground = Exclude<Term, { kind: 'bnode' }>

interface Writer {
  term(term: Ground): string
  /** what follows sh:path: the path and the constraint on its values */
  condition(condition: SlotCondition, where: string): string
}

function writer(baseIri: string): Writer {
  const term: Writer['term'] = (one) => (one.kind === 'iri' ? iriText(baseIri, one.value) : literalText(one))
  const step = ({ property, inverse }: Step): string => {
    const text = iriText(baseIri, property)
    return inverse ? `[ sh:inversePath ${text} ]` : text
  }
  const path = (steps: readonly Step[]): string => {
    const [only, ...more] = steps.map(step)
    return only !== undefined && more.length === 0 ? only : `( ${steps.map(step).join(' ')} )`
  }
  /** Text and things are the same term or another one; numbers and moments are equal by what they are worth. */
  const equal = (one: Ground): string =>
    isSameByTerm(one) ? `sh:hasValue ${term(one)}` : `sh:minInclusive ${term(one)} ; sh:maxInclusive ${term(one)}`
  const some = (shape: string): string => `sh:qualifiedValueShape [ ${shape} ] ; sh:qualifiedMinCount 1`

  const constraint = ({ op, value }: SlotCondition, where: string): string => {
    if (op === 'exists') {
      if (value === undefined || value === true) return 'sh:minCount 1'
      if (value === false) return 'sh:maxCount 0'
      throw slotFault(where, 'exists takes true, false or nothing')
    }
    if (op === 'not_null') {
      if (value === undefined || value === true) return some('sh:nodeKind sh:IRIOrLiteral')
      throw slotFault(where, 'not_null takes no value')
    }
    if (op === 'in') {
      if (!Array.isArray(value)) throw slotFault(where, 'in takes a list of values')
      const members = value.map((one, n) => termOfSlot(one, baseIri, `${where}.${n}`))
      if (members.every(isSameByTerm)) return some(`sh:in ( ${members.map(term).join(' ')} )`)
      return some(`sh:or ( ${members.map((one) => `[ ${equal(one)} ]`).join(' ')} )`)
    }
    if (value === undefined || Array.isArray(value)) throw slotFault(where, `${op} takes one value`)
    const one = termOfSlot(value, baseIri, where)
    if (op === '=') return isSameByTerm(one) ? equal(one) : some(equal(one))
    if (op === '!=') return some(`sh:not [ ${equal(one)} ]`)
    if (op === 'regex') {
      if (typeof value !== 'string') throw slotFault(where, 'regex takes a pattern in quotes')
      if (!isPattern(value)) throw slotFault(where, `${JSON.stringify(value)} is not a pattern that can be searched for`)
      return some(`sh:pattern ${term(one)}`)
    }
    if (one.kind === 'iri') throw slotFault(where, `${op} orders values, and a thing is none`)
    return some(`${BOUNDS[op]} ${term(one)}`)
  }
  return {
    term,
    condition: (condition, where) =>
      `${path(resolvePath(condition.path, baseIri, `${where}.path`))} ; ${constraint(condition, `${where}.value`)}`,
  }
}

/** Whether two spellings are never the same value. */
export const isSameByTerm = (term: Term): boolean =>
  term.kind === 'iri' || (term.kind === 'literal' && (term.language !== undefined || term.datatype === `${XSD}string`))

const isPattern = (text: string): boolean =>
  effectiveBoolean(callFunction('regex', [literal(''), literal(text)])) !== undefined

