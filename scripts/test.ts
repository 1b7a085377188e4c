/** `npm test`: type check, lint, build of the console, all quick tests. `--full` runs the large counts, `--browser` the browser tests alone. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { offerMariadb } from './setup-engines.ts'
import { root, silentStep, step, tool } from './steps.ts'

const full = process.argv.includes('--full')
const browserOnly = process.argv.includes('--browser')

offerBrowser()
if (process.env['CI'] !== undefined || process.env['WHEREFORE_SETUP'] === '1') offerMariadb()
step('examples', process.execPath, ['scripts/make-examples.ts'])
if (!browserOnly) {
  step('types', tool('tsc'), ['-p', 'tsconfig.json'])
  step('types of the console', tool('tsc'), ['-p', 'console/tsconfig.json'])
  step('lint', tool('oxlint'), ['--deny-warnings'])
}
silentStep('console', process.execPath, ['scripts/build.ts', '--console'])
runTests(browserOnly ? ['tests/e2e'] : [])

/** The tests, and after them one plain line that any reader of a log understands. */
function runTests(only: readonly string[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'wherefore-test-'))
  const report = join(folder, 'report.json')
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...only]
  // many tests start the program as a process: compiled once, it starts in half the time
  const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled'), ...(full ? { WHEREFORE_FULL: '1' } : {}) }
  const done = spawnSync(tool('vitest'), args, { cwd: root, stdio: 'inherit', env })
  if (existsSync(report)) {
    const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8'))
    console.log(`${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`)
  }
  rmSync(folder, { recursive: true, force: true })
  process.exit(done.status ?? 1)
}

/** Set-up, before any test: on a build machine that has none, Debian's browser is fetched; elsewhere the browser tests skip and say so. */
function offerBrowser(): void {
  const present = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].some((path) => existsSync(path))
  if (present || process.env['CHROMIUM'] !== undefined || process.env['CI'] === undefined || process.getuid?.() !== 0) return
  console.log('set-up: installing chromium for the browser tests')
  const quiet = { stdio: 'ignore', timeout: 240_000 } as const
  spawnSync('apt-get', ['update', '-qq'], quiet)
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], quiet)
}
