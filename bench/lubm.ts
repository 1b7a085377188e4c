/**
 * A made-up academic world of any size, for measuring OWL 2 RL: universities, departments, staff, students, courses and
 * papers under a schema that uses most kinds of axioms. The idea (and the shape of the data) is that of the Lehigh University
 * Benchmark; schema, names and numbers are our own. The same size and seed give the same triples in the same order.
 */
import { rng } from '../src/kernel/stats/index.ts'
import type { Quad } from '../src/kernel/rdf/index.ts'
import { RDF_TYPE, XSD, parseTurtle, quad, quadKey } from '../src/kernel/rdf/index.ts'
import type { Term } from '../src/kernel/term.ts'
import { iri, literal } from '../src/kernel/term.ts'

export const ACADEMIA = 'https://bench.example/academia#'
const DATA = 'https://bench.example/campus/'
export const SEED = 7

/** The schema and about as many triples of data as it takes to reach `size` together; whole entities only. */
export function academicGraph(size: number, seed = SEED): Quad[] {
  const quads = academicSchema()
  for (const entity of entities(rng(seed))) {
    if (quads.length >= size) break
    quads.push(...entity)
  }
  return quads
}

/** N-Triples, for programs that read files. All names and texts here are ASCII without control characters. */
export const toNTriples = (quads: readonly Quad[]): string => quads.map((each) => `${quadKey(each)} .\n`).join('')

const SCHEMA = `
@prefix : <${ACADEMIA}> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <${XSD}> .

:Organisation a owl:Class . :Person a owl:Class . :Work a owl:Class . :Publication a owl:Class .
:University a owl:Class ; rdfs:subClassOf :Organisation .
:Department a owl:Class ; rdfs:subClassOf :Organisation ,
  [ a owl:Restriction ; owl:onProperty :hasUnit ; owl:allValuesFrom :Unit ] .
:Unit a owl:Class ; rdfs:subClassOf :Organisation . :ResearchGroup a owl:Class ; rdfs:subClassOf :Unit .
:Employee a owl:Class ; owl:equivalentClass
  [ a owl:Class ; owl:intersectionOf ( :Person
    [ a owl:Restriction ; owl:onProperty :worksFor ; owl:someValuesFrom :Organisation ] ) ] .
:Faculty a owl:Class ; rdfs:subClassOf :Employee . :AcademicStaff a owl:Class ; owl:equivalentClass :Faculty .
:Professor a owl:Class ; rdfs:subClassOf :Faculty . :Lecturer a owl:Class ; rdfs:subClassOf :Faculty .
:FullProfessor a owl:Class ; rdfs:subClassOf :Professor . :AssociateProfessor a owl:Class ; rdfs:subClassOf :Professor .
:AssistantProfessor a owl:Class ; rdfs:subClassOf :Professor .
:Chair a owl:Class ; owl:equivalentClass
  [ a owl:Class ; owl:intersectionOf ( :Person
    [ a owl:Restriction ; owl:onProperty :headOf ; owl:someValuesFrom :Department ] ) ] .
:Dean a owl:Class ; rdfs:subClassOf :Professor .
:Student a owl:Class ; owl:equivalentClass
  [ a owl:Class ; owl:intersectionOf ( :Person
    [ a owl:Restriction ; owl:onProperty :takesCourse ; owl:someValuesFrom :Course ] ) ] .
:UndergraduateStudent a owl:Class ; rdfs:subClassOf :Student .
:GraduateStudent a owl:Class ; rdfs:subClassOf :Student ,
  [ a owl:Restriction ; owl:onProperty :takesCourse ; owl:someValuesFrom :GraduateCourse ] .
:TeachingAssistant a owl:Class ; owl:equivalentClass
  [ a owl:Class ; owl:intersectionOf ( :Person
    [ a owl:Restriction ; owl:onProperty :assistsCourse ; owl:someValuesFrom :Course ] ) ] .
:Teacher a owl:Class ; owl:equivalentClass [ a owl:Class ; owl:unionOf ( :Professor :Lecturer :TeachingAssistant ) ] .
:EnglishSpeaker a owl:Class ; owl:equivalentClass [ a owl:Restriction ; owl:onProperty :speaks ; owl:hasValue :English ] .
:Course a owl:Class ; rdfs:subClassOf :Work . :GraduateCourse a owl:Class ; rdfs:subClassOf :Course .
:Article a owl:Class ; rdfs:subClassOf :Publication . :Book a owl:Class ; rdfs:subClassOf :Publication .
:JournalArticle a owl:Class ; rdfs:subClassOf :Article . :ConferencePaper a owl:Class ; rdfs:subClassOf :Article .
:TechnicalReport a owl:Class ; rdfs:subClassOf :Article .
:Person owl:disjointWith :Organisation , :Publication , :Work .
[] a owl:AllDisjointClasses ; owl:members ( :Organisation :Publication :Work ) .

:memberOf a owl:ObjectProperty ; rdfs:domain :Person ; rdfs:range :Organisation ; owl:inverseOf :hasMember .
:hasMember a owl:ObjectProperty ; rdfs:domain :Organisation ; rdfs:range :Person .
:worksFor a owl:ObjectProperty ; rdfs:subPropertyOf :memberOf ; rdfs:range :Organisation .
:headOf a owl:ObjectProperty , owl:FunctionalProperty ; rdfs:subPropertyOf :worksFor ; owl:inverseOf :headedBy .
:headedBy a owl:ObjectProperty , owl:FunctionalProperty ; rdfs:domain :Organisation ; rdfs:range :Chair .
:partOf a owl:ObjectProperty , owl:TransitiveProperty ; rdfs:domain :Organisation ; rdfs:range :Organisation ;
  owl:inverseOf :hasPart .
:hasPart a owl:ObjectProperty ; rdfs:domain :Organisation .
:hasUnit a owl:ObjectProperty ; rdfs:subPropertyOf :hasPart .
:affiliatedWith a owl:ObjectProperty ; owl:propertyChainAxiom ( :worksFor :partOf ) .
:degreeFrom a owl:ObjectProperty ; rdfs:domain :Person ; rdfs:range :University ; owl:inverseOf :hasAlumnus .
:hasAlumnus a owl:ObjectProperty ; rdfs:domain :University ; rdfs:range :Person .
:bachelorFrom a owl:ObjectProperty ; rdfs:subPropertyOf :degreeFrom .
:masterFrom a owl:ObjectProperty ; rdfs:subPropertyOf :degreeFrom .
:doctorateFrom a owl:ObjectProperty ; rdfs:subPropertyOf :degreeFrom .
:teaches a owl:ObjectProperty ; rdfs:domain :Faculty ; rdfs:range :Course ; owl:inverseOf :taughtBy .
:taughtBy a owl:ObjectProperty ; rdfs:domain :Course .
:takesCourse a owl:ObjectProperty ; rdfs:domain :Person ; rdfs:range :Course .
:assistsCourse a owl:ObjectProperty ; rdfs:domain :TeachingAssistant ; rdfs:range :Course .
:advisor a owl:ObjectProperty ; rdfs:domain :Person ; rdfs:range :Professor .
:author a owl:ObjectProperty ; rdfs:domain :Publication ; rdfs:range :Person ; owl:inverseOf :wrote .
:wrote a owl:ObjectProperty .
:creator a owl:ObjectProperty ; owl:equivalentProperty :author .
:worksWith a owl:ObjectProperty , owl:SymmetricProperty ; rdfs:domain :Person ; rdfs:range :Person .
:speaks a owl:ObjectProperty ; rdfs:domain :Person .
:homepage a owl:ObjectProperty , owl:InverseFunctionalProperty .
:contact a owl:DatatypeProperty . :mail a owl:DatatypeProperty ; rdfs:subPropertyOf :contact .
:phone a owl:DatatypeProperty ; rdfs:subPropertyOf :contact .
:name a owl:DatatypeProperty , owl:FunctionalProperty ; rdfs:range xsd:string .
:topic a owl:DatatypeProperty .
`

/**
 * Class expressions and lists have IRIs instead of blank nodes: OWL 2 RL does not see the difference, and the results of two
 * programs can be compared as sets of triples.
 */
export function academicSchema(): Quad[] {
  const parsed = parseTurtle(SCHEMA)
  if (!parsed.ok) throw new Error(`the schema does not parse: ${parsed.fault.message} in line ${parsed.fault.line}`)
  const named = (term: Term): Term => (term.kind === 'bnode' ? own(`node-${term.value}`) : term)
  return parsed.quads.map(({ subject, predicate, object }) => quad(named(subject), predicate, named(object)))
}

const own = (name: string): Term => iri(`${ACADEMIA}${name}`)

const FACULTY: readonly (readonly [rank: string, count: number])[] = [
  ['FullProfessor', 4],
  ['AssociateProfessor', 5],
  ['AssistantProfessor', 5],
  ['Lecturer', 3],
]
const PAPERS = ['JournalArticle', 'ConferencePaper', 'ConferencePaper', 'TechnicalReport', 'Book']
const LANGUAGES = ['English', 'French', 'German', 'Hindi', 'Mandarin', 'Spanish']
const TOPICS = ['logic', 'networks', 'proofs', 'statistics', 'storage', 'vision']
/** degrees come from anywhere, not only from the universities whose departments are spelled out */
const KNOWN_UNIVERSITIES = 40
const DEPARTMENTS_PER_UNIVERSITY = 16

/** One entity after the other, without end: a university, then department by department. */
function* entities(random: () => number): Generator<Quad[]> {
  const below = (n: number): number => Math.floor(random() * n)
  for (let u = 0; ; u++) {
    const university = iri(`${DATA}u${u}`)
    yield about(university, 'University', [['name', `University ${u}`]])
    for (let d = 0; d < DEPARTMENTS_PER_UNIVERSITY; d++) yield* department(u, d, university, below)
  }
}

type Below = (n: number) => number

function* department(u: number, d: number, university: Term, below: Below): Generator<Quad[]> {
  const base = `${DATA}u${u}/d${d}`
  const at = (name: string): Term => iri(`${base}/${name}`)
  const self = iri(base)
  yield about(self, 'Department', [['name', `Department ${d} of ${u}`], ['partOf', university]])
  const groups = Array.from({ length: 4 + below(4) }, (_, n) => at(`group${n}`))
  // the first group holds a subgroup, so that partOf has three steps
  for (const [n, group] of groups.entries()) {
    yield about(group, 'ResearchGroup', [['partOf', n === 1 ? (groups[0] ?? self) : self]])
    yield [quad(self, own('hasUnit'), group)]
  }

  const ranks = FACULTY.flatMap(([rank, count]) => Array.from({ length: count - 1 + below(3) }, () => rank))
  const faculty = ranks.map((_, n) => at(`faculty${n}`))
  const professors = faculty.filter((_, n) => ranks[n] !== 'Lecturer')
  const courses = Array.from({ length: 2 * faculty.length }, (_, n) => at(`course${n}`))
  const [basic, advanced] = [courses.slice(0, faculty.length), courses.slice(faculty.length)]
  for (const [n, course] of courses.entries()) {
    yield about(course, n < faculty.length ? 'Course' : 'GraduateCourse', [['name', `Course ${n} of ${u} ${d}`]])
  }
  const degree = (): Term => iri(`${DATA}u${below(KNOWN_UNIVERSITIES)}`)
  for (const [n, person] of faculty.entries()) {
    yield about(person, ranks[n] ?? 'Lecturer', [
      ['name', `Faculty ${n} of ${u} ${d}`],
      ['mail', `faculty${n}@d${d}.u${u}.example`],
      ['phone', `+00 ${u} ${d} ${n}`],
      ['homepage', at(`home${n}`)],
      ['topic', TOPICS[below(TOPICS.length)] ?? 'logic'],
      ['speaks', own(LANGUAGES[below(LANGUAGES.length)] ?? 'English')],
      [n === 0 ? 'headOf' : 'worksFor', self],
      ['bachelorFrom', degree()],
      ['masterFrom', degree()],
      ['doctorateFrom', degree()],
      ...[basic[n], advanced[n]].flatMap((course): Statement[] => (course === undefined ? [] : [['teaches', course]])),
      ...some(faculty, below(3), below).flatMap((other): Statement[] => (other === person ? [] : [['worksWith', other]])),
    ])
  }
  // the same professor under a second name, as when two databases were merged
  const visitor: Statement[] = [['homepage', at('home1')], ['name', `Faculty 1 of ${u} ${d}`], ['speaks', own('English')]]
  yield about(at('visitor'), 'Person', visitor)

  const graduates = Array.from({ length: 3 * faculty.length }, (_, n) => at(`graduate${n}`))
  for (const [n, person] of graduates.entries()) {
    yield about(person, 'GraduateStudent', [
      ...student('graduate', n, u, d, self),
      ['bachelorFrom', degree()],
      ...some(professors, 1, below).map((other): Statement => ['advisor', other]),
      ...some(advanced, 1 + below(3), below).map((course): Statement => ['takesCourse', course]),
      ...some(basic, below(4) === 0 ? 1 : 0, below).map((course): Statement => ['assistsCourse', course]),
    ])
  }
  for (let n = 0; n < 6 * faculty.length; n++) {
    yield about(at(`student${n}`), 'UndergraduateStudent', [
      ...student('student', n, u, d, self),
      ...some(basic, 2 + below(3), below).map((course): Statement => ['takesCourse', course]),
      ...some(professors, below(5) === 0 ? 1 : 0, below).map((other): Statement => ['advisor', other]),
    ])
  }
  for (const [n, person] of faculty.entries()) {
    for (let m = 0, papers = 3 + below(5); m < papers; m++) {
      yield about(at(`paper${n}-${m}`), PAPERS[below(PAPERS.length)] ?? 'Book', [
        ['name', `Paper ${m} of ${n} of ${u} ${d}`],
        [m % 4 === 3 ? 'creator' : 'author', person],
        ...some(graduates, below(3), below).map((other): Statement => ['author', other]),
      ])
    }
  }
}

const student = (kind: string, n: number, u: number, d: number, department: Term): Statement[] => [
  ['name', `${kind} ${n} of ${u} ${d}`],
  ['mail', `${kind}${n}@d${d}.u${u}.example`],
  ['memberOf', department],
]

/** A property of the schema with its value; a text is a literal. */
type Statement = readonly [property: string, value: Term | string]

const about = (subject: Term, cls: string, statements: readonly Statement[]): Quad[] => [
  quad(subject, iri(RDF_TYPE), own(cls)),
  ...statements.map(([property, value]) => quad(subject, own(property), typeof value === 'string' ? literal(value) : value)),
]

/** So many neighbours from a random place on: distinct, as long as there are enough. */
const some = <Item>(items: readonly Item[], count: number, below: Below): Item[] => {
  const from = below(items.length)
  return Array.from({ length: Math.min(count, items.length) }, (_, n) => items[(from + n) % items.length] as Item)
}
