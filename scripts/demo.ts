/** `npm run demo`: makes the examples and the console, then runs the demo. `-- --no-serve` ends after printing. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root, silentStep, step } from './steps.ts'

const args = process.argv.slice(2)
step('examples', process.execPath, ['scripts/make-examples.ts'])
if (!args.includes('--no-serve') || !existsSync(join(root, 'dist', 'console'))) silentStep('console', process.execPath, ['scripts/build.ts', '--console'])
step('demo', process.execPath, ['src/surfaces/cli/main.ts', 'demo', ...args])
