/** Writes the golden values of the Granger test anew, by statsmodels: `node scripts/granger-golden.ts`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { askPython, miningPython } from '../bench/mining-python.ts'
import { type GoldenGranger, grangerCases } from '../src/kernel/stats/granger.cases.test-support.ts'

const peers = miningPython()
if (!peers.ready) {
  console.error(`the golden values stay as they are: ${peers.missing}`)
  process.exit(1)
}
const root = join(import.meta.dirname, '..')
const golden = askPython(peers.python, [join(root, 'scripts', 'granger-golden.py')], grangerCases()) as GoldenGranger[]
const lines = golden.map((each) => JSON.stringify(each)).join(',\n')
writeFileSync(join(root, 'src/kernel/stats/golden/granger.json'), `[\n${lines}\n]\n`)
console.log(`wrote ${golden.length} tests`)
