/**
 * Starts the command line under a Node that is new enough. In an installed package the compiled program lies in dist/;
 * in a checkout the TypeScript source runs directly.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import * as module from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { WANTED_MAJOR, findNode } from './find-node.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

export function launch(prefix) {
  const source = join(root, 'src', 'surfaces', 'cli', 'main.ts')
  const program = existsSync(source) ? source : join(root, 'dist', 'surfaces', 'cli', 'main.js')
  const args = [...prefix, ...process.argv.slice(2)]
  const node = findNode(root)
  if (node === null) {
    console.error(`wherefore needs Node ${WANTED_MAJOR} or newer: install it, or run npm install without --omit=optional`)
    process.exit(69)
  }
  if (node === process.execPath) {
    // halves the start of every command after the first; a Node without it does without
    if (module.enableCompileCache !== undefined) module.enableCompileCache()
    process.argv = [process.argv[0], program, ...args]
    import(pathToFileURL(program).href).catch((error) => {
      console.error(error)
      process.exit(70)
    })
    return
  }
  const child = spawn(node, [program, ...args], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    console.error(`wherefore: could not start ${node}: ${error.message}`)
    process.exit(69)
  })
  child.on('exit', (code, signal) => {
    if (signal !== null) process.exit(128)
    process.exit(code ?? 70)
  })
}
