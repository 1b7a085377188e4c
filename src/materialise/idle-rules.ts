/** Rules that derived nothing new, and why, where the graph tells: what a rule names may occur nowhere in it. */
import type { Atom, DatalogRule } from '../kernel/datalog/index.ts'
import { classOf, isMade, meaningOf } from '../kernel/rdf/index.ts'
import { compareText, iri } from '../kernel/term.ts'
import type { Materialisation, Origin } from './materialisation.ts'
import { words } from './words.ts'

/** `why` is empty where the graph holds all that the rule names. */
export function idleRules(m: Materialisation): (Origin & { readonly why: string })[] {
  if (m.rulesWithoutFirings.length === 0) return []
  const say = words(m.baseIri, () => [])
  const nameOf = (predicate: string) => say.term(classOf(predicate) ?? iri(predicate))
  const byOrigin = Map.groupBy(m.rules.values(), ({ id }) => keyOf(m.origins.get(id)))
  const known = new Map<string, boolean>()
  const isEmpty = (atom: Atom): boolean => {
    const { predicate } = atom
    let empty = known.get(predicate)
    if (empty === undefined) known.set(predicate, (empty = m.model.find(predicate).length === 0))
    return empty
  }
  return m.rulesWithoutFirings.map((origin) => {
    const rules = byOrigin.get(keyOf(origin)) ?? []
    const lacking = rules.flatMap(atomsOf).filter((atom) => meaningOf(atom.predicate).kind === 'property' && isEmpty(atom))
    const names = [...new Set(lacking.map(({ predicate }) => nameOf(predicate)))].toSorted(compareText)
    if (names.length === 0) return { ...origin, why: '' }
    const occur = `${names.join(', ')} ${names.length === 1 ? 'occurs' : 'occur'} nowhere in the graph`
    // with OPTIONAL or UNION it may have matched without them
    const isBarred = rules.filter(derivesTriples).every((rule) => atomsOf(rule).some(isEmpty))
    return { ...origin, why: isBarred ? `matched nothing, ${occur}` : occur }
  })
}

const keyOf = (origin: Origin | undefined): string => (origin === undefined ? '' : `${origin.engine} ${origin.rule}`)

const derivesTriples = ({ head }: DatalogRule): boolean => isMade(head.predicate) || meaningOf(head.predicate).kind === 'property'

/** The patterns that a match needs. */
const atomsOf = ({ body }: DatalogRule): Atom[] => body.flatMap((item) => (item.kind === 'atom' ? [item.atom] : []))
