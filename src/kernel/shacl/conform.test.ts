import fc from 'fast-check'
import { Parser, Store } from 'n3'
import SHACLValidator from 'rdf-validate-shacl'
import { describe, expect, it } from 'vitest'
import { factTriple, parseTurtle, reasonOver, tripleFact } from '../rdf/index.ts'
import type { Quad } from '../rdf/index.ts'
import { compileShaclRules } from './index.ts'

const PREFIXES = `@prefix ex: <http://example.org/> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
`
const NODES = ['ex:a', 'ex:b', 'ex:c', 'ex:d']

function read(turtle: string): readonly Quad[] {
  const parsed = parseTurtle(PREFIXES + turtle)
  if (!parsed.ok) throw new Error(`line ${parsed.fault.line}: ${parsed.fault.message}`)
  return parsed.quads
}

/** A rule for each shape, which says of the nodes that conform to it that they are OK. */
const asked = (shapes: readonly string[]): string =>
  shapes
    .map(
      (shape, n) => `ex:T${n} a sh:NodeShape ; sh:node ex:S${n} ; sh:targetNode ${NODES.join(', ')} ;
  sh:rule [ a sh:TripleRule ; sh:condition ex:S${n} ; sh:subject sh:this ; sh:predicate ex:ok${n} ; sh:object ex:yes ] .
ex:S${n} a sh:NodeShape ; ${shape} .`,
    )
    .join('\n')

function conforming(shapes: readonly string[], data: string): string[] {
  const compiled = compileShaclRules(read(asked(shapes)), { id: 'r' })
  expect(compiled.faults).toEqual([])
  const { model } = reasonOver({
    facts: read(data).map((quad) => tripleFact(quad)),
    rules: compiled.rules.flatMap(({ rules }) => rules),
    specialise: (graph) => compiled.specialise(graph).filter(({ id }) => !id.includes('example.org/ok')),
  })
  return model.facts
    .flatMap((fact) => factTriple(fact) ?? [])
    .filter(({ object }) => object.value === 'http://example.org/yes')
    .map(({ subject, predicate }) => `${predicate.value.slice(21)} ${subject.value.slice(19)}`)
    .toSorted()
}

const parse = (turtle: string): Store => new Store(new Parser({ blankNodePrefix: 'n' }).parse(PREFIXES + turtle))

/** The same question, put to a validator that shares nothing with us. */
async function conformingByValidator(shapes: readonly string[], data: string): Promise<string[]> {
  const report = await new SHACLValidator(parse(asked(shapes))).validate(parse(data))
  const local = (term: { readonly value: string } | null | undefined, from: number) => term?.value.slice(from) ?? ''
  const broken = new Set(report.results.map((result) => `${local(result.sourceShape, 20)} ${local(result.focusNode, 19)}`))
  const all = shapes.flatMap((_, n) => NODES.map((node) => `${n} ${node.slice(3)}`))
  return all.filter((pair) => !broken.has(pair)).toSorted()
}

const DATA = `ex:a a ex:C ; ex:p ex:b, ex:c ; ex:q 1, 2 ; ex:name "alpha"@en, "Alpha"@de .
ex:b a ex:D ; ex:p ex:d ; ex:q 5 ; ex:low 3 ; ex:name "beta" .
ex:c ex:p ex:c ; ex:q "x" ; ex:r ex:c ; ex:name "gamma"@en, "gam"@en .
ex:D rdfs:subClassOf ex:C .`

const qualified = (shape: string, count: string): string =>
  `sh:property [ sh:path ex:p ; sh:qualifiedValueShape [ ${shape} ] ; ${count} ]`

const TABLE: readonly [string, string, string][] = [
  ['a class and its subclasses', 'sh:class ex:C', 'a b'],
  ['at least one value', 'sh:property [ sh:path ex:p ; sh:minCount 1 ]', 'a b c'],
  ['at least two values', 'sh:property [ sh:path ex:p ; sh:minCount 2 ]', 'a'],
  ['at most one value', 'sh:property [ sh:path ex:p ; sh:maxCount 1 ]', 'b c d'],
  ['no value', 'sh:property [ sh:path ex:p ; sh:maxCount 0 ]', 'd'],
  ['every value has the datatype, and none is every', 'sh:property [ sh:path ex:q ; sh:datatype xsd:integer ]', 'a b d'],
  ['a bound on values of another kind fails', 'sh:property [ sh:path ex:q ; sh:maxInclusive 2 ]', 'a d'],
  ['a value among others', 'sh:property [ sh:path ex:p ; sh:hasValue ex:c ]', 'a c'],
  ['the node itself', 'sh:in ( ex:a ex:b )', 'a b'],
  ['a long list', `sh:in ( ex:a ${Array.from({ length: 20 }, (_, n) => n).join(' ')} )`, 'a'],
  ['a pattern with flags', 'sh:property [ sh:path ex:name ; sh:pattern "^a" ; sh:flags "i" ]', 'a d'],
  ['languages', 'sh:property [ sh:path ex:name ; sh:languageIn ( "en" "de" ) ]', 'a c d'],
  ['one text per language', 'sh:property [ sh:path ex:name ; sh:uniqueLang true ]', 'a b d'],
  ['the same values', 'sh:property [ sh:path ex:p ; sh:equals ex:r ]', 'c d'],
  ['no common value', 'sh:property [ sh:path ex:p ; sh:disjoint ex:r ]', 'a b d'],
  ['less than', 'sh:property [ sh:path ex:low ; sh:lessThan ex:q ]', 'a b c d'],
  ['no order among nodes', 'sh:property [ sh:path ex:p ; sh:lessThanOrEquals ex:r ]', 'a b d'],
  ['not less than', 'sh:not [ sh:property [ sh:path ex:q ; sh:lessThan ex:low ] ]', 'b'],
  ['not', 'sh:not [ sh:class ex:C ]', 'c d'],
  ['one of two', 'sh:xone ( [ sh:class ex:C ] [ sh:property [ sh:path ex:p ; sh:hasValue ex:c ] ] )', 'b c'],
  [
    'one of three',
    `sh:xone ( [ sh:class ex:C ] [ sh:property [ sh:path ex:p ; sh:hasValue ex:c ] ]
      [ sh:property [ sh:path ex:r ; sh:minCount 1 ] ] )`,
    'b',
  ],
  ['either', 'sh:or ( [ sh:class ex:D ] [ sh:property [ sh:path ex:r ; sh:minCount 1 ] ] )', 'b c'],
  ['values of values', 'sh:property [ sh:path ( ex:p ex:p ) ; sh:minCount 1 ]', 'a c'],
  ['back', 'sh:property [ sh:path [ sh:inversePath ex:p ] ; sh:minCount 1 ]', 'b c d'],
  ['any number of steps', 'sh:property [ sh:path [ sh:zeroOrMorePath ex:p ] ; sh:hasValue ex:d ]', 'a b d'],
  ['one step at least', 'sh:property [ sh:path [ sh:oneOrMorePath ex:p ] ; sh:hasValue ex:d ]', 'a b'],
  ['one step at most', 'sh:property [ sh:path [ sh:zeroOrOnePath ex:p ] ; sh:hasValue ex:d ]', 'b d'],
  ['enough values of a kind', qualified('sh:class ex:C', 'sh:qualifiedMinCount 1'), 'a'],
  ['not too many of a kind', qualified('sh:nodeKind sh:IRI', 'sh:qualifiedMaxCount 1'), 'b c d'],
  ['nothing but the listed', 'sh:closed true ; sh:ignoredProperties ( ex:p ex:q ex:r ex:name )', 'c d'],
  ['a deactivated part', 'sh:property [ sh:path ex:p ; sh:minCount 9 ; sh:deactivated true ]', 'a b c d'],
]

describe('a condition', () => {
  it.each(TABLE)('reads %s', async (_, shape, expected) => {
    const found = conforming([shape], DATA)
    expect(found.map((pair) => pair.slice(2)).join(' ')).toBe(expected)
    expect(found).toEqual(await conformingByValidator([shape], DATA))
  })

  it('holds exactly where a validator finds nothing wrong', { timeout: 200_000 }, async () => {
    const runs = process.env['WHEREFORE_FULL'] === undefined ? 12 : 600
    await fc.assert(
      fc.asyncProperty(fc.array(shapeArbitrary, { minLength: 6, maxLength: 6 }), dataArbitrary, async (shapes, data) => {
        expect(conforming(shapes, data)).toEqual(await conformingByValidator(shapes, data))
      }),
      { numRuns: runs, seed: 7 },
    )
  })
})

const oneOf = <T>(...values: readonly T[]) => fc.constantFrom(...values)
const property = oneOf('ex:p', 'ex:q', 'ex:r')
const term = oneOf(...NODES, '1', '2', '5', '"x"', '"x"@en', '"y"@en', 'true', '1.5')
const path: fc.Arbitrary<string> = fc.letrec<{ path: string }>((tie) => ({
  path: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    property,
    property,
    // the validator reads the inverse of a single property only
    property.map((inner) => `[ sh:inversePath ${inner} ]`),
    fc.tuple(tie('path'), tie('path')).map((parts) => `( ${parts.join(' ')} )`),
    fc.tuple(tie('path'), tie('path')).map((parts) => `[ sh:alternativePath ( ${parts.join(' ')} ) ]`),
    fc.tuple(oneOf('zeroOrMorePath', 'oneOrMorePath', 'zeroOrOnePath'), property).map((parts) => `[ sh:${parts.join(' ')} ]`),
  ),
})).path
const shapeArbitrary: fc.Arbitrary<string> = fc.letrec<{ shape: string }>((tie) => {
  const nested = tie('shape').map((inner) => `[ ${inner} ]`)
  const value = fc.oneof(
    oneOf('ex:C', 'ex:D').map((cls) => `sh:class ${cls}`),
    oneOf('xsd:integer', 'xsd:string', 'xsd:decimal').map((type) => `sh:datatype ${type}`),
    oneOf('IRI', 'Literal', 'BlankNodeOrIRI').map((kind) => `sh:nodeKind sh:${kind}`),
    oneOf('minInclusive', 'maxInclusive', 'minExclusive', 'maxExclusive').map((name) => `sh:${name} 2`),
    oneOf('minLength 2', 'maxLength 1', 'pattern "[ax]$"', 'languageIn ( "en" )').map((text) => `sh:${text}`),
    fc.array(term, { maxLength: 3 }).map((terms) => `sh:in ( ${terms.join(' ')} )`),
    nested.map((inner) => `sh:not ${inner}`),
    nested.map((inner) => `sh:node ${inner}`),
    fc
      .tuple(oneOf('and', 'or', 'xone'), fc.array(nested, { minLength: 1, maxLength: 3 }))
      .map(([name, parts]) => `sh:${name} ( ${parts.join(' ')} )`),
  )
  const set = fc.oneof(
    fc.nat({ max: 3 }).map((n) => `sh:minCount ${n}`),
    fc.nat({ max: 3 }).map((n) => `sh:maxCount ${n}`),
    term.map((each) => `sh:hasValue ${each}`),
    fc.tuple(oneOf('equals', 'disjoint', 'lessThan', 'lessThanOrEquals'), property).map(([name, other]) => `sh:${name} ${other}`),
    fc.constant('sh:uniqueLang true'),
    fc.tuple(nested, fc.nat({ max: 2 })).map(([inner, n]) => `sh:qualifiedValueShape ${inner} ; sh:qualifiedMinCount ${n}`),
    fc.tuple(nested, fc.nat({ max: 2 })).map(([inner, n]) => `sh:qualifiedValueShape ${inner} ; sh:qualifiedMaxCount ${n}`),
  )
  // the validator puts sh:and beside a path to the focus node, not to its values; a node shape in between says the same to us
  const single = value.map((constraint) => (/^sh:(and|or|xone) /.test(constraint) ? `sh:node [ ${constraint} ]` : constraint))
  const along = fc.tuple(path, fc.oneof(single, set)).map(([way, constraint]) => `sh:property [ sh:path ${way} ; ${constraint} ]`)
  const plain = oneOf('sh:closed true', 'sh:class ex:C')
  return { shape: fc.oneof({ depthSize: 'small', withCrossShrink: true }, along, along, value, plain) }
}).shape
const dataArbitrary = fc
  .array(
    fc.oneof(
      fc.tuple(oneOf(...NODES), property, term).map((triple) => `${triple.join(' ')} .`),
      fc.tuple(oneOf(...NODES), oneOf('ex:C', 'ex:D')).map(([node, cls]) => `${node} a ${cls} .`),
      fc.constant('ex:D rdfs:subClassOf ex:C .'),
    ),
    { minLength: 3, maxLength: 14 },
  )
  .map((lines) => lines.join('\n'))
