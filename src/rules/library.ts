/** Rule libraries: read-only YAML files, checked before any of their rules is used. */
import { parseDocument } from 'yaml'
import { type Fault, RuleLibrary, ServiceError } from '../contracts/index.ts'
import { LIBRARY_BASE } from './library-base.ts'
import { isIri } from './term-text.ts'
import { type RuleContext, validateRule } from './validate.ts'

/** Rules of one library may read what its other rules derive. */
export function loadLibrary(text: string, context: RuleContext = {}): RuleLibrary {
  const library = RuleLibrary.safeParse(readYaml(text))
  if (!library.success) {
    const faults = library.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }))
    throw refused('the rule library does not have the shape of one', faults)
  }
  const { rules } = library.data
  const faults = rules.flatMap((rule, i) => {
    const twice = rules.findIndex(({ id }) => id === rule.id) < i ? [{ message: 'this id stands twice' }] : []
    const others = [...(context.others ?? []), ...rules.filter(({ id }) => id !== rule.id)]
    const { errors } = validateRule(rule, { ...context, others })
    return [...twice, ...errors].map((fault) => ({ ...fault, path: `rules.${rule.id}` }))
  })
  if (faults.length > 0) throw refused(`a rule of the library ${library.data.name} is not valid`, faults)
  return library.data
}

/** The same library over a project's own base IRI. */
export function withBase(library: RuleLibrary, baseIri: string): RuleLibrary {
  if (!isIri(baseIri)) throw new ServiceError('invalid_rule', 'the base IRI of the project is not an IRI')
  if (baseIri === LIBRARY_BASE) return library
  // an IRI holds no quote and no bracket, so wherever the old one stood the new one stays inside what it stood in
  const moved = (text: string) => text.replaceAll(LIBRARY_BASE, () => baseIri)
  const rules = library.rules.map((rule) => ({
    ...rule,
    body: moved(rule.body),
    ...(rule.meta === undefined ? {} : { meta: JSON.parse(moved(JSON.stringify(rule.meta))) as typeof rule.meta }),
  }))
  return { ...library, rules }
}

/** YAML of whatever origin: bounded in what it may unfold to, its faults with their places. */
export function readYaml(text: string, what = 'the rule library'): unknown {
  const document = parseDocument(text, { schema: 'core', uniqueKeys: true })
  const faults = document.errors.map(({ message, linePos }) => ({
    message: message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? message,
    ...(linePos === undefined ? {} : { line: linePos[0].line, column: linePos[0].col }),
  }))
  if (faults.length > 0) throw refused(`${what} is not YAML`, faults)
  try {
    return document.toJS({ maxAliasCount: 10 }) // a library has no use for anchors; a bomb made of them ends here
  } catch (cause) {
    throw new ServiceError('invalid_rule', `${what} repeats itself too often`, { cause })
  }
}

const refused = (detail: string, errors: readonly Fault[]): ServiceError => new ServiceError('invalid_rule', detail, { errors })
