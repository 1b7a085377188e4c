/**
 * `npm run demo` and `npm test` on a machine that has only git, Node and npm: installs what is missing, then hands over to
 * the TypeScript script of that name under a Node that is new enough. Runs on any Node from 20 on.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { WANTED_MAJOR, findNode } from '../bin/find-node.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const [script, ...rest] = process.argv.slice(2)

if (!isInstalled()) {
  console.error('wherefore: installing dependencies ...')
  // not `npm ci`: it refuses a lock file that was made where not every platform's optional packages could be seen
  run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'])
}

const node = findNode(root)
if (node === null) {
  console.error(`wherefore needs Node ${WANTED_MAJOR} or newer and found none for this platform: install it, then run this again`)
  process.exit(1)
}
// npm scripts and child processes below must find the same Node first
process.env.PATH = [dirname(node), join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter)
run(node, [join(root, 'scripts', `${script}.ts`), ...rest])

/** npm writes this hidden lock file last, so it stands only after a whole install. */
function isInstalled() {
  const mark = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(mark)) return false
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  const present = JSON.parse(readFileSync(mark, 'utf8')).packages
  return Object.entries(wanted).every(
    ([path, entry]) => path === '' || entry.optional === true || present[path]?.version === entry.version,
  )
}

function run(command, args) {
  const done = spawnSync(command, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' && command === 'npm' })
  if (done.error) console.error(`wherefore: could not start ${command}: ${done.error.message}`)
  if (done.status !== 0) process.exit(done.status ?? 1)
}
