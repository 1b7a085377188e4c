/**
 * Finds a Node that is new enough, preferring the running one, then the one that npm put beside us.
 * Plain old-syntax JavaScript on purpose: it must also run on the Node that is too old.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const WANTED_MAJOR = 24

const majorOf = (version) => Number(/^v?(\d+)/.exec(version)?.[1] ?? 0)

/** The path of a Node of at least the wanted major version, or null. */
export function findNode(here = dirname(fileURLToPath(import.meta.url))) {
  if (majorOf(process.version) >= WANTED_MAJOR) return process.execPath
  for (let folder = realpathSync(here); ; folder = dirname(folder)) {
    for (const name of process.platform === 'win32' ? ['node.exe', 'node.cmd', 'node'] : ['node']) {
      const candidate = join(folder, 'node_modules', '.bin', name)
      if (existsSync(candidate)) {
        const shown = spawnSync(candidate, ['--version'], { encoding: 'utf8' })
        if (shown.status === 0 && majorOf(shown.stdout) >= WANTED_MAJOR) return candidate
      }
    }
    if (dirname(folder) === folder) return null
  }
}
