/**
 * `npm run eval:questions`: how good the planner is on databases that nothing was learnt from. The databases are dealt into folds;
 * for each fold ranking, confidence and threshold are fitted on the others.
 *
 *   --data DIR          a folder with questions.jsonl and databases/ (SHARED_DATA/questions/spider-train)
 *   --field NAME        question, or syn_question for the reworded text
 *   --folds N           5
 *   --precision P       the share of right answers that the threshold is chosen for (0.85)
 *   --limit N           only the first N questions
 *   --failures FILE     where every question that is not right is written (.cache/questions/failures-<field>.jsonl)
 *   --json              the figures as one JSON document
 *   --write-doc         also measures the reworded questions and writes docs/evaluation/questions.md and its picture
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { ablationsOf } from '../src/evaluation/ablation.ts'
import type { DatabaseCandidates } from '../src/evaluation/candidates.ts'
import { type CrossValidation, SEED, crossValidate, failuresOf } from '../src/evaluation/cross-validate.ts'
import { partsOf, withParts } from '../src/evaluation/question-doc.ts'
import { type QuestionReport, reportOf, reportText } from '../src/evaluation/question-report.ts'
import { FIELDS, type Field } from '../src/evaluation/question-set.ts'
import { riskCoverage } from '../src/evaluation/risk-coverage.ts'
import { type Curve, riskCoveragePicture } from '../src/evaluation/risk-coverage-picture.ts'
import { candidatesOfSet } from './candidates.ts'
import { root } from './steps.ts'

const { values: given } = parseArgs({
  options: {
    data: { type: 'string' }, field: { type: 'string', default: 'question' }, folds: { type: 'string', default: '5' },
    precision: { type: 'string', default: '0.85' }, limit: { type: 'string' }, failures: { type: 'string' },
    json: { type: 'boolean', default: false }, 'write-doc': { type: 'boolean', default: false },
  },
})
const data = given.data ?? join(process.env['SHARED_DATA'] ?? join(root, '..', 'shared', 'data'), 'questions', 'spider-train')
const field = FIELDS.find((name) => name === given.field)
const [folds, precision] = [Number(given.folds), Number(given.precision)]

if (!existsSync(join(data, 'questions.jsonl'))) stop(`there is no questions.jsonl in ${data}: say where with --data, or set SHARED_DATA`)
if (field === undefined) stop(`--field is one of ${FIELDS.join(', ')}`)
if (!Number.isInteger(folds) || folds < 2) stop('--folds is a whole number above 1')
if (!(precision > 0 && precision < 1)) stop('--precision lies between 0 and 1')

const measured = await measure(field)
if (given.json) console.log(JSON.stringify(measured.report, null, 2))
else console.log(reportText(measured.report))

if (given['write-doc']) await writeDoc(measured)

interface Measured {
  readonly report: QuestionReport
  readonly validated: CrossValidation
  readonly databases: readonly DatabaseCandidates[]
}

async function measure(asked: Field): Promise<Measured> {
  const since = performance.now()
  const limit = given.limit === undefined ? {} : { limit: Number(given.limit) }
  const readingsOf = (field: Field) => candidatesOfSet({ folder: data, field, ...limit }, (line) => console.error(line))
  const databases = await readingsOf(asked)
  // one planner for all: learnt from the questions and from the same in other words, as the committed weights are
  const taught = (await Promise.all(FIELDS.map((field) => (field === asked ? databases : readingsOf(field))))).flat()
  const asking = performance.now()
  const validated = crossValidate(databases, folds, { precision }, taught)
  const took = (from: number, to: number) => `${((to - from) / 1000).toFixed(0)} s`
  console.error(`asked in ${took(since, asking)}, learnt in ${took(asking, performance.now())}`)
  const failures = given.failures ?? join(root, '.cache', 'questions', `failures-${asked}.jsonl`)
  mkdirSync(dirname(failures), { recursive: true })
  writeFileSync(failures, failuresOf(validated.tried).map((failure) => `${JSON.stringify(failure)}\n`).join(''))
  return { report: reportOf(databases, validated), validated, databases }
}

async function writeDoc(plain: Measured): Promise<void> {
  if (field !== 'question') stop('--write-doc measures both fields by itself')
  const reworded = await measure('syn_question')
  const folder = join(root, 'docs', 'evaluation')
  const page = join(folder, 'questions.md')
  const ablations = ablationsOf(plain.databases, folds, SEED)
  const date = new Date().toISOString().slice(0, 10)
  const parts = partsOf({ date, command: 'npm run eval:questions -- --write-doc', plain: plain.report, reworded: reworded.report, ablations })
  writeFileSync(page, withParts(readFileSync(page, 'utf8'), parts))
  const curves = [curveOf('questions', plain), curveOf('reworded', reworded)]
  writeFileSync(join(folder, 'questions-risk-coverage.svg'), riskCoveragePicture(curves))
}

function curveOf(label: string, { report: { answered }, validated }: Measured): Curve {
  const mark = { coverage: 1 - (answered.share_refused ?? 1), precision: answered.precision_at_answered.accuracy ?? 0 }
  return { label, points: riskCoverage(validated.tried), mark }
}

function stop(why: string): never {
  console.error(why)
  process.exit(1)
}
