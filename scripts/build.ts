/** Builds what a package needs: the examples, the compiled program and the console. `--console` builds the console alone. */
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeExamples } from './make-examples.ts'
import { root, step, tool } from './steps.ts'

const consoleOnly = process.argv.includes('--console')
makeExamples()
if (!consoleOnly) {
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  step('compile', tool('tsc'), ['-p', 'tsconfig.build.json'])
  cpSync(join(root, 'LICENSE'), join(root, 'dist', 'LICENSE'))
  // tables of words that the program reads beside its own files
  cpSync(join(root, 'src', 'search', 'language', 'data'), join(root, 'dist', 'search', 'language', 'data'), { recursive: true })
}
step('console', tool('vite'), ['build', '--config', 'console/vite.config.ts', '--logLevel', 'warn'])
