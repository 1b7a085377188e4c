import { describe, expect, it } from 'vitest'
import { RDF, RDFS, XSD, parseTurtle } from '../rdf/index.ts'
import { iri, literal } from '../term.ts'
import { tboxOf } from './tbox.ts'
import type { Literal } from './value-space.ts'
import { contains, dataValue, isDatatype, isSame, isWithin } from './value-space.ts'

const of = (text: string, type: string): Literal => literal(text, type.startsWith('http') ? type : XSD + type) as Literal
const empty = tboxOf([])

describe('a value', () => {
  it.each([
    ['1', 'integer', '1.0', 'decimal', true],
    ['01', 'int', '1', 'long', true],
    ['1', 'integer', '1', 'double', false],
    ['1', 'float', '1', 'double', false],
    // a float has 24 bits
    ['16777206.5', 'float', '16777205.5', 'float', true],
    ['16777206.5', 'float', '16777207.5', 'float', false],
    ['0', 'double', '-0', 'double', false],
    ['1E400', 'double', '1E401', 'double', true],
    ['true', 'boolean', '1', 'boolean', true],
    ['0a', 'hexBinary', '0A', 'hexBinary', true],
    ['a', 'string', 'a', 'token', true],
    ['a', 'string', 'a', 'anyURI', false],
    ['2020-01-01T10:00:00Z', 'dateTime', '2020-01-01T10:00:00+00:00', 'dateTime', true],
    // the same moment, but another zone: equal, and not the same thing
    ['2020-01-01T10:00:00Z', 'dateTime', '2020-01-01T11:00:00+01:00', 'dateTime', false],
    ['x', 'urn:unknown', 'y', 'urn:unknown', undefined],
  ] as const)('%s (%s) and %s (%s)', (x, xType, y, yType, same) => {
    const typed = (text: string, type: string) => (type.startsWith('urn:') ? (literal(text, type) as Literal) : of(text, type))
    expect(isSame(typed(x, xType), typed(y, yType))).toBe(same)
    expect(isSame(typed(y, yType), typed(x, xType))).toBe(same)
  })

  it.each([
    ['x', 'integer'],
    ['300', 'byte'],
    ['-1', 'unsignedInt'],
    [' 3 ', 'int'],
    ['2020-02-30', 'date'],
    ['2020-01-01T10:00:00', 'dateTimeStamp'],
    ['abc', 'hexBinary'],
    ['a\nb', 'normalizedString'],
    ['<a>', `${RDF}XMLLiteral`],
    ['<a></b>', `${RDF}XMLLiteral`],
  ])('%j is no %s', (text, type) => expect(dataValue(of(text, type))).toBe('ill'))
})

describe('membership', () => {
  it.each([
    ['5', 'integer', 'byte', true],
    ['500', 'integer', 'byte', false],
    ['5.0', 'decimal', 'integer', true],
    ['5.5', 'decimal', 'integer', false],
    ['a b', 'string', 'NCName', false],
    ['ab', 'string', 'NCName', true],
    ['x', 'integer', 'integer', false],
    ['1', 'double', 'decimal', false],
    ['2020-01-01T10:00:00Z', 'dateTime', 'dateTimeStamp', true],
  ])('%s (%s) in %s: %s', (text, type, range, expected) => {
    expect(contains(iri(XSD + range), of(text, type), empty)).toBe(expected)
  })

  it('every literal is a literal, and an unknown datatype tells nothing', () => {
    expect(contains(iri(`${RDFS}Literal`), of('5', 'integer'), empty)).toBe(true)
    expect(contains(iri('urn:d'), of('5', 'integer'), empty)).toBe(undefined)
  })

  it('ranges are put together', () => {
    const parsed = parseTurtle(`@prefix : <urn:t:> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
      @prefix rdfs: <${RDFS}> . @prefix xsd: <${XSD}> .
      :Both a rdfs:Datatype ; owl:intersectionOf (xsd:byte xsd:unsignedInt) .
      :Either a rdfs:Datatype ; owl:unionOf (xsd:byte xsd:string) .
      :One a rdfs:Datatype ; owl:oneOf (1 2) . :Not a rdfs:Datatype ; owl:datatypeComplementOf xsd:string .
      :Loop a rdfs:Datatype ; owl:intersectionOf (:Loop) . :Named a rdfs:Datatype ; owl:equivalentClass :One .`)
    if (!parsed.ok) throw new Error(parsed.fault.message)
    const tbox = tboxOf(parsed.quads)
    const inside = (name: string, text: string, type = 'integer') => contains(iri(`urn:t:${name}`), of(text, type), tbox)
    expect([inside('Both', '5'), inside('Both', '-5')]).toEqual([true, false])
    expect([inside('Either', 'a', 'string'), inside('Either', '500')]).toEqual([true, false])
    expect([inside('One', '1.0', 'decimal'), inside('One', '3'), inside('Named', '3')]).toEqual([true, false, false])
    expect([inside('Not', '3'), inside('Not', 'a', 'string'), inside('Loop', '3')]).toEqual([true, false, undefined])
    expect(isDatatype(iri('urn:t:Both'), tbox)).toBe(true)
  })
})

it.each([
  [['byte'], 'short', true],
  [['short'], 'byte', false],
  [['short', 'unsignedInt'], 'unsignedShort', true],
  [['nonNegativeInteger', 'nonPositiveInteger'], 'byte', true],
  [['int'], 'decimal', true],
  [['NCName'], 'string', true],
  [['string'], 'token', false],
  [['double'], 'float', false],
])('all that is in %j is in %s: %s', (ranges, target, expected) => {
  expect(isWithin(ranges.map((name) => XSD + name), XSD + target)).toBe(expected)
})
