/**
 * wherefore restore. Everything is unpacked and checked beside the project first. Then one file, the journal, decides: before it
 * stands there nothing of the project has been touched, and once it does, whoever opens the project carries the rest to its
 * end. A restore that is killed at any moment leaves the old project or the new one, never a mixture.
 */
import {
  closeSync, existsSync, fsyncSync, lstatSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { Config, ServiceError } from '../contracts/index.ts'
import { asOnlyWriter, writeAtomically } from '../pipeline/index.ts'
import { checkStore, letGoOfStore } from '../store/index.ts'
import { type Target, readBackup } from './backup-format.ts'
import { CONFIG_NAME, readConfigFile } from './config-file.ts'
import { type Places, RESTORE_FOLDER, isPlainFolder, ownFiles, isSafeName, placesOf, refuseLinks } from './project-files.ts'

export interface RestoreOptions {
  /** replace what is there */
  readonly force?: boolean
  readonly now: string
  /** told before each step that changes something; tests stop the program there */
  readonly onStep?: (step: string) => void
}

export interface RestoreReport {
  readonly created_at: string
  readonly entries: readonly string[]
  /** files of the project before that the backup does not hold */
  readonly removed: readonly string[]
}

const Journal = z.strictObject({ replace: z.array(z.string()), remove: z.array(z.string()) })
type Journal = z.infer<typeof Journal>
const NEW = 'new'
const JOURNAL = 'journal.json'

export async function restoreProject(file: string, folder: string, options: RestoreOptions): Promise<RestoreReport> {
  mkdirSync(folder, { recursive: true })
  finishRestore(folder)
  return asOnlyWriter(join(folder, `${RESTORE_FOLDER}.lock`), 'restore', async () => {
    const staging = join(folder, RESTORE_FOLDER)
    rmSync(staging, { recursive: true, force: true }) // left by one that never came to its decision
    try {
      const { about, entries } = await readBackup(file, (name) => unpackTo(join(staging, NEW), name))
      const names = entries.map(({ name }) => name)
      const places = await checked(join(staging, NEW), names, options.now)
      const removed = leftOver(folder, places, names)
      refuseUnlessForced(folder, names, removed, options.force === true)
      const decide = async () => {
        letGoOfStore(join(folder, places.store))
        options.onStep?.('decide')
        const journal: Journal = { replace: names, remove: [`${places.store}-wal`, `${places.store}-shm`, ...removed] }
        writeAtomically(join(staging, JOURNAL), JSON.stringify(journal))
        finishRestore(folder, options.onStep)
      }
      // a phase that is writing outputs must not find them exchanged under its hands
      await (existsSync(join(folder, places.out)) ? asOnlyWriter(join(folder, places.out, '.lock'), 'restore', decide) : decide())
      return { created_at: about.created_at, entries: names, removed }
    } finally {
      if (!existsSync(join(staging, JOURNAL))) rmSync(staging, { recursive: true, force: true })
    }
  })
}

/** Carries a decided restore to its end; does nothing where none was decided. Every step may be done twice. */
export function finishRestore(folder: string, onStep: (step: string) => void = () => undefined): void {
  const staging = join(folder, RESTORE_FOLDER)
  const journal = join(staging, JOURNAL)
  if (!existsSync(journal)) return
  const { replace, remove } = Journal.parse(JSON.parse(readFileSync(journal, 'utf8')))
  const names = [...remove, ...replace]
  if (!names.every(isSafeName)) {
    const hint = `remove the folder ${RESTORE_FOLDER}`
    throw new ServiceError('conflict', 'the journal of a restore names files outside the project', { hint })
  }
  for (const name of names) refuseLinks(folder, name)
  for (const name of remove) {
    onStep(`remove ${name}`)
    rmSync(join(folder, name), { force: true })
  }
  for (const name of replace) {
    onStep(`replace ${name}`)
    const fresh = join(staging, NEW, name)
    if (!existsSync(fresh)) continue // put in its place before the restore was interrupted
    mkdirSync(dirname(join(folder, name)), { recursive: true, mode: 0o700 })
    renameSync(fresh, join(folder, name))
  }
  onStep('forget the journal')
  // first the journal: once it is gone, a leftover staging folder means nothing
  rmSync(journal, { force: true })
  onStep('clear')
  rmSync(staging, { recursive: true, force: true })
}

function unpackTo(folder: string, name: string): Target {
  if (!isSafeName(name)) {
    throw refused('the backup names a file outside the project')
  }
  const file = join(folder, name)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const handle = openSync(file, 'wx', 0o600)
  return {
    write: (chunk) => {
      for (let at = 0; at < chunk.length; ) at += writeSync(handle, chunk, at)
    },
    close: () => {
      fsyncSync(handle)
      closeSync(handle)
    },
  }
}

/** The unpacked parts fit together and this program can read them; returns where they belong. */
async function checked(unpacked: string, names: readonly string[], now: string): Promise<Places> {
  const places = placesOf(unpacked, names.includes(CONFIG_NAME) ? configIn(unpacked) : Config.parse({}))
  if (places === null) throw refused('the configuration in the backup points outside the project')
  if (!isPlainFolder(places.out) || !isPlainFolder(places.flavors)) throw refused('the configuration in the backup points at a folder of other tools')
  const own = new Set(ownFiles(unpacked, places))
  const belongs = (name: string) => name === CONFIG_NAME || name === places.store || own.has(name)
  if (!names.every(belongs)) throw refused('the backup holds a file that is no part of a project')
  if (names.includes(places.store)) await checkStore(join(unpacked, places.store), now)
  return places
}

function configIn(unpacked: string): Config {
  const read = readConfigFile(join(unpacked, CONFIG_NAME))
  if (read.ok) return read.value.config
  throw new ServiceError('invalid_request', 'the configuration in the backup does not fit its schema', { errors: read.faults })
}

const refused = (detail: string): ServiceError =>
  new ServiceError('invalid_request', `${detail}; nothing was changed`, { hint: 'do not use this file' })

/** Outputs and flavors of the present project that the backup does not hold: they would be mixed up with its own. */
function leftOver(folder: string, { out, flavors, store }: Places, names: readonly string[]): string[] {
  const present = ownFiles(folder, { out, flavors, store })
  const kept = new Set([...names, CONFIG_NAME, store, `${store}-wal`, `${store}-shm`])
  // only what the present project itself calls its store; a backup cannot name any other file to be removed
  const old = placesOf(folder, existsSync(join(folder, CONFIG_NAME)) ? configIn(folder) : Config.parse({}))?.store
  const stale = [...present, ...(old === store && !names.includes(store) && existsSync(join(folder, store)) ? [store] : [])]
  return [...new Set(stale)].filter((name) => name === store || !kept.has(name)).filter(isSafeName).toSorted()
}

function refuseUnlessForced(folder: string, names: readonly string[], removed: readonly string[], force: boolean): void {
  for (const name of [...names, ...removed]) refuseLinks(folder, name)
  const there = [...names, ...removed].filter((name) => lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined)
  if (there.length === 0 || force) return
  throw new ServiceError('conflict', `the folder already holds a project; ${there.length} files would be replaced or removed`, {
    errors: there.slice(0, 5).map((message) => ({ message })),
    hint: 'restore into an empty folder, or repeat with --force',
  })
}
