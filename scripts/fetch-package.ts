/** Brings one published package at one version into an ignored folder, for scripts that make tables of it. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './steps.ts'

const HOME = join(root, 'node_modules', '.cache', 'wherefore', 'words')

/** What a table is made of: the hash pins the bytes, so that the table's bytes are pinned too. */
export interface Published {
  readonly name: string
  readonly version: string
  /** as the registry writes it */
  readonly integrity: string
}

/** The folder with the unpacked files. It is filled at the first call; nothing of the package is run. */
export function fetchPackage({ name, version, integrity }: Published): string {
  const folder = join(HOME, `${name}-${version}`)
  if (existsSync(folder)) return folder
  mkdirSync(HOME, { recursive: true })
  console.error(`fetching ${name} ${version} ...`)
  run('npm', ['pack', '--silent', `${name}@${version}`, '--pack-destination', HOME])
  const tarball = `${folder}.tgz`
  const found = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`
  if (found !== integrity) throw new Error(`${name} ${version} is not the package that was expected: its hash is ${found}`)
  const unpacked = `${folder}.part`
  rmSync(unpacked, { recursive: true, force: true })
  mkdirSync(unpacked)
  run('tar', ['xzf', tarball, '--strip-components=1', '-C', unpacked])
  renameSync(unpacked, folder)
  rmSync(tarball)
  return folder
}

function run(command: string, args: readonly string[]): void {
  const shell = process.platform === 'win32'
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], shell })
  if (status !== 0) throw new Error(`${command} ${args[0]} ended with ${error?.message ?? status}`)
}
