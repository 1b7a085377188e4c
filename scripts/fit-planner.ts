/**
 * `npm run fit:planner`: fits ranking, confidence and threshold on all databases of a question set, as
 * asked and reworded, and writes them to
 * src/search/planner/weights.json. The same planner and the same set give the same bytes.
 *
 *   --data DIR       a folder with questions.jsonl and databases/ (SHARED_DATA/questions/spider-train)
 *   --precision P    the share of right answers that the threshold is chosen for (0.85)
 */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { DatabaseCandidates } from '../src/evaluation/candidates.ts'
import { fitPlanner } from '../src/evaluation/fit/fit-planner.ts'
import { FIELDS } from '../src/evaluation/question-set.ts'
import { candidatesOfSet } from './candidates.ts'
import { root } from './steps.ts'

const { values: given } = parseArgs({ options: { data: { type: 'string' }, precision: { type: 'string', default: '0.85' } } })
const data = given.data ?? join(process.env['SHARED_DATA'] ?? join(root, '..', 'shared', 'data'), 'questions', 'spider-train')
if (!existsSync(join(data, 'questions.jsonl'))) {
  console.error(`there is no questions.jsonl in ${data}: say where with --data, or set SHARED_DATA`)
  process.exit(1)
}

const databases: DatabaseCandidates[] = []
for (const field of FIELDS) databases.push(...(await candidatesOfSet({ folder: data, field }, (line) => console.error(line))))
const model = fitPlanner(databases.flatMap(({ questions }) => questions), { precision: Number(given.precision) })
const text = `${JSON.stringify(model, null, 1)}\n`
writeFileSync(join(root, 'src', 'search', 'planner', 'weights.json'), text)
console.log(`weights.json: ${Object.keys(model.ranking).length} weights, ${model.confidence.curve.length} points of the curve, ` +
  `answers from ${model.threshold} on, ${Buffer.byteLength(text)} bytes`)
