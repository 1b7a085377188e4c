/** A validation as a SHACL report in Turtle, and as a page for people. The same report gives the same bytes. */
import type { Quad } from '../../kernel/rdf/index.ts'
import { RDFS, RDF_TYPE, SH, STANDARD_PREFIXES, quad, writeTurtle } from '../../kernel/rdf/index.ts'
import { type Term, XSD, iri, literal } from '../../kernel/term.ts'
import type { Ontology } from '../ontology.ts'
import type { CrossCheck } from './cross-check.ts'
import { PLACE, contentNode } from './shapes.ts'
import { SAMPLE_KEYS, type CheckOutcome, type SampleKey, type ValidationReport } from './validate-sql.ts'

export interface ReportOptions {
  readonly header?: readonly string[]
}

export function reportTurtle(ontology: Ontology, report: ValidationReport, { header = [] }: ReportOptions = {}): string {
  return writeTurtle(reportQuads(ontology, report), { prefixes: { ...STANDARD_PREFIXES, '': ontology.baseIri }, header })
}

/**
 * A `sh:result` for each sample; how many there are in all stands beside them as `:violationCount` of the check, in the
 * ontology's own namespace because SHACL has no word for it. A check that failed is named with its reason, and then nothing
 * conforms: what was not looked at is not known to be right.
 */
export function reportQuads(ontology: Ontology, report: ValidationReport): Quad[] {
  const node: Term = { kind: 'bnode', value: 'report' }
  const term = (name: string): Term => iri(ontology.baseIri + name)
  return [
    quad(node, a, sh('ValidationReport')),
    quad(node, sh('conforms'), literal(String(report.conforms), `${XSD}boolean`)),
    quad(node, term('checkCount'), integer(report.checks.length)),
    ...report.checks.flatMap((check) => {
      if (check.status === 'holds') return []
      const { node: about, quads } = named([
        quad(PLACE, sh('sourceShape'), iri(check.shape)),
        quad(PLACE, sh('sourceConstraintComponent'), iri(check.component)),
        quad(PLACE, iri(`${RDFS}label`), literal(check.id)),
        quad(PLACE, iri(`${RDFS}comment`), literal(sentence(check))),
        ...(check.violations === null ? [] : [quad(PLACE, term('violationCount'), integer(check.violations))]),
        ...(check.reason === null ? [] : [quad(PLACE, term('failureReason'), literal(check.reason))]),
      ])
      // SHACL knows no violation without a result, so records that cannot be named have one between them
      const samples = check.samples.length === 0 ? [null] : check.samples
      const results = check.status === 'failed' ? [] : samples.map((sample) => resultQuads(check, sample))
      return [
        quad(node, term('check'), about),
        ...quads,
        ...results.flatMap((result) => [quad(node, sh('result'), result.node), ...result.quads]),
      ]
    }),
  ]
}

function resultQuads(check: CheckOutcome, sample: SampleKey | null): { node: Term; quads: Quad[] } {
  const record = sample?.iri ?? null
  const key = sample === null ? 'a record without a key' : keyText(sample)
  const focus = record === null ? contentNode([quad(PLACE, iri(`${RDFS}label`), literal(`${check.id} ${key}`))]) : iri(record)
  return named([
    quad(PLACE, a, sh('ValidationResult')),
    quad(PLACE, sh('focusNode'), focus),
    quad(PLACE, sh('resultSeverity'), sh('Violation')),
    quad(PLACE, sh('sourceShape'), iri(check.shape)),
    quad(PLACE, sh('sourceConstraintComponent'), iri(check.component)),
    quad(PLACE, sh('resultMessage'), literal(sentence(check))),
    ...(check.path === null ? [] : [quad(PLACE, sh('resultPath'), iri(check.path))]),
  ])
}

/** What was found, the cross-check where one was made, and what nobody looked at. */
export function reportMarkdown(report: ValidationReport, crossCheck?: CrossCheck): string {
  const broken = report.checks.filter(({ status }) => status === 'violated')
  const failed = report.checks.filter(({ status }) => status === 'failed')
  const records = broken.reduce((sum, { violations }) => sum + (violations ?? 0), 0)
  const total = report.checks.length
  const others = failed.length === 0 ? '' : `; ${failed.length} could not run`
  const verdict = report.conforms
    ? `All ${total} checks hold.`
    : `${broken.length} of ${total} checks found ${records} violations${others}.`
  const sections = [
    ['# Validation', '', verdict],
    broken.length === 0
      ? []
      : table(
          ['class', 'property', 'must', 'violations', `up to ${SAMPLE_KEYS} keys`],
          broken.map((check) => [
            check.class, check.properties.join(', '), check.says, String(check.violations ?? ''),
            check.reason ?? (check.samples.length === 0 ? 'the class has no key' : check.samples.map(keyText).join('; ')),
          ]),
        ),
    failed.length === 0
      ? []
      : [
          '## Not checked: the check failed', '',
          ...table(['check', 'must', 'reason'], failed.map(({ id, says, reason }) => [id, says, reason ?? ''])),
        ],
    report.left.length === 0
      ? []
      : [
          '## Not checked: left to the database', '',
          ...table(['class', 'constraint of the schema'], report.left.map(({ class: name, text }) => [name, text])),
        ],
    crossCheck === undefined ? [] : crossCheckLines(crossCheck),
  ]
  return `${sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n')).join('\n\n')}\n`
}

function crossCheckLines({ records, compared, disagreements, uncovered, unnamed }: CrossCheck): string[] {
  const agreed = disagreements.length === 0
  return [
    '## Cross-check',
    '',
    `${records} records were also validated as RDF by a SHACL library against the same shapes: ` +
      `on ${compared} constraints the two ${agreed ? 'agree' : `disagree ${disagreements.length} times`}.`,
    ...(agreed
      ? []
      : [
          '',
          ...table(
            ['check', 'only SQL finds', 'only the library finds'],
            disagreements.map(({ id, sqlOnly, libraryOnly }) => [id, sqlOnly.join('; '), libraryOnly.join('; ')]),
          ),
        ]),
    ...(unnamed === 0 ? [] : ['', `${unnamed} records of the sample have no key of their own and were left out.`]),
    ...(uncovered.length === 0
      ? []
      : ['', `${uncovered.length} constraints are checked by SQL alone: uniqueness, and classes without a key.`]),
  ]
}

const sentence = ({ class: name, properties, says }: CheckOutcome): string => `${name}.${properties.join(' with ')} must ${says}.`
const keyText = ({ key }: SampleKey): string =>
  Object.entries(key).map(([column, value]) => `${column}=${value ?? 'NULL'}`).join(', ')

function named(about: readonly Quad[]): { node: Term; quads: Quad[] } {
  const node = contentNode(about)
  return { node, quads: about.map((each) => ({ ...each, subject: node })) }
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.map(markdownCell).join(' | ')} |`
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)]
}

/** Keys are data: nothing in them may become a table cell, a link or a tag of its own. */
const markdownCell = (text: string): string =>
  text.replaceAll(/[\r\n\t]+/g, ' ').replaceAll(/[\\`*_{}[\]<>|#!~]/g, (char) => `\\${char}`)

const a = iri(RDF_TYPE)
const sh = (name: string): Term => iri(SH + name)
const integer = (value: number): Term => literal(String(value), `${XSD}integer`)
