/** Terms as people write and read them: an IRI, a prefixed name, a literal as in N-Triples, or the bare text of a value. */
import type { TripleText } from '../contracts/index.ts'
import { ServiceError } from '../contracts/index.ts'
import type { StoredFact } from '../kernel/datalog/index.ts'
import type { Quad } from '../kernel/rdf/index.ts'
import { RDF_TYPE, STANDARD_PREFIXES, parseTurtle, relationOf } from '../kernel/rdf/index.ts'
import type { Term } from '../kernel/term.ts'
import { XSD, iri, literal, termKey } from '../kernel/term.ts'
import type { Materialisation } from './materialisation.ts'

/** prefix -> namespace */
export type Prefixes = Readonly<Record<string, string>>

/** The prefixes of a project: the standard ones, `:` for its ontology and `record:` for what came from its sources. */
export const projectPrefixes = (baseIri: string, recordBase?: string): Prefixes => ({
  ...STANDARD_PREFIXES,
  ...(recordBase === undefined ? {} : { record: recordBase }),
  '': baseIri,
})

/** IRIs plainly, literals and blank nodes as N-Triples spells them. */
export const termText = (term: Term): string => (term.kind === 'iri' ? term.value : termKey(term))

export const tripleText = ({ subject, predicate, object }: Quad): TripleText => ({
  subject: termText(subject),
  predicate: termText(predicate),
  object: termText(object),
})

/** The other way round, shorter: what `termText` wrote, with the longest namespace that fits as its prefix. */
export function shortText(text: string, prefixes: Prefixes): string {
  const datatype = /^(".*"\^\^)<([^<>]*)>$/su.exec(text)
  if (datatype !== null) return `${datatype[1]}${shortIri(datatype[2] ?? '', prefixes)}`
  return text.startsWith('"') || text.startsWith('_:') ? text : shortIri(text, prefixes)
}

function shortIri(value: string, prefixes: Prefixes): string {
  const [found] = Object.entries(prefixes)
    .filter(([, namespace]) => value.startsWith(namespace) && value.length > namespace.length)
    .toSorted(([, x], [, y]) => y.length - x.length)
  // what is written here must be readable again, so a name that could be taken for something else keeps its length
  const local = found === undefined ? '' : value.slice(found[1].length)
  return found === undefined || /[\s"<>]/u.test(local) ? `<${value}>` : `${found[0]}:${local}`
}

export type Place = 'subject' | 'predicate' | 'object'

/** What a text may mean in its place, the likeliest first. A text that can mean nothing there is refused. */
export function readingsOf(text: string, place: Place, prefixes: Prefixes): Term[] {
  if (text.startsWith('<') && text.endsWith('>')) return [iri(text.slice(1, -1))]
  if (text.startsWith('_:') && place !== 'predicate') return [{ kind: 'bnode', value: text.slice(2) }]
  if (text.startsWith('"') || text.startsWith('_:')) {
    if (place !== 'object') throw unfit(place, prefixes)
    return [parsedLiteral(text, prefixes) ?? literal(text)]
  }
  if (text === 'a' && place === 'predicate') return [iri(RDF_TYPE)]
  const [, prefix, local = ''] = /^([^:/]*):(.*)$/su.exec(text) ?? []
  const namespace = prefix !== undefined && Object.hasOwn(prefixes, prefix) ? prefixes[prefix] : undefined
  const named = namespace === undefined ? [] : [iri(namespace + local)]
  if (named.length > 0 || /^[A-Za-z][A-Za-z0-9+.-]*:\S+$/.test(text)) {
    return [...named, iri(text), ...(place === 'object' ? [literal(text)] : [])]
  }
  // the bare name of a thing of the ontology, or the text of a value as a table shows it
  const own = iri((prefixes[''] ?? '') + text)
  return place === 'object' ? [...plainValues(text), own] : [own]
}

/** The readings of a triple, each place with each other, in the order of their likelihood. */
export function tripleReadings({ subject, predicate, object }: TripleText, prefixes: Prefixes): Quad[] {
  const objects = readingsOf(object, 'object', prefixes)
  const predicates = readingsOf(predicate, 'predicate', prefixes)
  return readingsOf(subject, 'subject', prefixes).flatMap((s) =>
    predicates.flatMap((p) => objects.map((o) => ({ subject: s, predicate: p, object: o }))),
  )
}

/** The fact of a triple, however it is written; a value may also be given by its text alone, whatever its datatype. */
export function findTriple(m: Materialisation, text: TripleText, prefixes: Prefixes): StoredFact | undefined {
  const readings = tripleReadings(text, prefixes)
  for (const { subject, predicate, object } of readings) {
    const [found] = m.model.find(relationOf(predicate.value, object), [subject, object])
    if (found !== undefined) return found
  }
  for (const { subject, predicate } of readings) {
    const values = m.model.find(predicate.value, [subject])
    const valued = values.find(({ args: [, value] }) => value?.kind === 'literal' && value.value === text.object)
    if (valued !== undefined) return valued
  }
  return undefined
}

/** A bare text is a string, or a value of the type that it looks like. */
function plainValues(text: string): Term[] {
  const looks: [RegExp, string][] = [
    [/^[+-]?\d+$/, 'integer'],
    [/^[+-]?\d*\.\d+$/, 'decimal'],
    [/^(?:true|false)$/, 'boolean'],
    [/^-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d/, 'dateTime'],
    [/^-?\d{4,}-\d\d-\d\d$/, 'date'],
  ]
  return [...looks.filter(([shape]) => shape.test(text)).map(([, type]) => literal(text, XSD + type)), literal(text)]
}

function parsedLiteral(text: string, prefixes: Prefixes): Term | undefined {
  const declared = Object.entries(prefixes).map(([prefix, namespace]) => `@prefix ${prefix}: <${namespace}> .\n`)
  const parsed = parseTurtle(`${declared.join('')}<urn:s> <urn:p> ${text} .`)
  const [only, more] = parsed.ok ? parsed.quads : []
  return more === undefined && only?.predicate.value === 'urn:p' && only.object.kind === 'literal' ? only.object : undefined
}

function unfit(place: Place, prefixes: Prefixes): ServiceError {
  const names = Object.keys(prefixes).toSorted().map((prefix) => `${prefix}:`)
  return new ServiceError('invalid_request', `a ${place} is an IRI or a prefixed name`, { hint: `prefixes: ${names.join(' ')}` })
}
