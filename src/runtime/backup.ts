/** wherefore backup: store, session, configuration, flavors and outputs in one file, taken while the project is in use. */
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { Config, ServiceError, hasSecret } from '../contracts/index.ts'
import { outputPaths } from '../pipeline/index.ts'
import { SCHEMA_VERSION, copyStore } from '../store/index.ts'
import { BACKUP_VERSION, type Entry, writeBackup } from './backup-format.ts'
import { CONFIG_NAME } from './config-file.ts'
import { type Places, filesBelow, insideOf, isFlavorFile, isSafeName } from './project-files.ts'
import type { Project } from './project.ts'

export interface BackupReport {
  readonly bytes: number
  readonly entries: readonly string[]
  readonly warnings: readonly string[]
}

export interface BackupAbout {
  readonly now: string
  /** the version of the program that writes it */
  readonly program: string
}

export async function backupProject(project: Project, to: string, { now, program }: BackupAbout): Promise<BackupReport> {
  const target = resolve(to)
  if (existsSync(target)) {
    throw new ServiceError('conflict', 'that file is already there', { hint: 'name another file, or remove it first' })
  }
  const scratch = mkdtempSync(join(tmpdir(), 'wherefore-backup-'))
  const half = `${target}.${process.pid}.tmp`
  try {
    const { entries, warnings } = await collected(project, scratch)
    if (entries.length === 0) {
      throw new ServiceError('not_found', 'there is nothing to back up here', { hint: `run it where ${CONFIG_NAME} lies` })
    }
    const about = { wherefore_backup: BACKUP_VERSION, program, schema_version: SCHEMA_VERSION, created_at: now }
    await writeBackup(half, about, entries)
    renameSync(half, target)
    return { bytes: statSync(target).size, entries: entries.map(({ name }) => name), warnings }
  } finally {
    rmSync(half, { force: true })
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function collected(project: Project, scratch: string): Promise<{ entries: Entry[]; warnings: string[] }> {
  const { config, folder, configFile } = project
  const warnings: string[] = []
  const places = placesIn(project)
  const entries: Entry[] = []
  if (configFile === null) warnings.push(`there is no ${CONFIG_NAME} here; the backup holds none`)
  else {
    const raw = readFileSync(configFile, 'utf8')
    if (Object.values(config.sources).some(({ url }) => url !== undefined && hasSecret(url))) {
      warnings.push(`${CONFIG_NAME} holds a password, and so does the backup; url: "env:NAME" keeps it out`)
    }
    const copy = join(scratch, CONFIG_NAME)
    writeFileSync(copy, portable(raw, folder, places), { mode: 0o600 })
    entries.push({ name: CONFIG_NAME, file: copy })
  }
  if (existsSync(config.store)) {
    const copy = join(scratch, 'store.db')
    await copyStore(config.store, copy)
    entries.push({ name: places.store, file: copy })
  }
  const add = (name: string, from: string, ours: readonly string[]) => {
    for (const each of ours) entries.push({ name: `${name}/${each}`, file: join(from, each) })
    const others = filesBelow(from).filter((each) => !ours.includes(each) && !storeFiles.includes(join(from, each)))
    if (others.length > 0) warnings.push(`${others.length} files in ${name} are not ours and are left out, such as ${others[0]}`)
  }
  const storeFiles = [config.store, `${config.store}-wal`, `${config.store}-shm`]
  if (configFile !== null) add(places.flavors, config.flavors_dir, filesBelow(config.flavors_dir).filter(isFlavorFile))
  add(places.out, config.out, outputPaths(config.out))
  const taken = new Set<string>()
  const kept = entries.filter(({ name, file }) => {
    // a store that lies among the outputs is copied once, and only the consistent way
    const twice = taken.has(name) || (name !== places.store && storeFiles.includes(file))
    taken.add(name)
    if (!isSafeName(name)) warnings.push(`left out, as its name could not be restored everywhere: ${JSON.stringify(name)}`)
    return !twice && isSafeName(name)
  })
  return { entries: kept, warnings }
}

/** A part that lies outside the project's folder comes home to its usual place. */
function placesIn({ config, folder }: Project): Places {
  const home = Config.parse({})
  return {
    store: insideOf(folder, config.store) ?? home.store,
    out: insideOf(folder, config.out) ?? home.out,
    flavors: insideOf(folder, config.flavors_dir) ?? home.flavors_dir,
  }
}

/** The configuration as it will be true where the backup is unpacked; only what points outside the folder is changed. */
function portable(raw: string, folder: string, places: Places): string {
  const body = JSON.parse(raw) as Record<string, unknown>
  const said = Config.parse(body)
  const inside = (place: string, name: string) => !isAbsolute(place) && insideOf(folder, resolve(folder, place)) === name
  const moved = {
    ...(inside(said.store, places.store) ? {} : { store: places.store }),
    ...(inside(said.out, places.out) ? {} : { out: places.out }),
    ...(inside(said.flavors_dir, places.flavors) ? {} : { flavors_dir: places.flavors }),
  }
  return Object.keys(moved).length === 0 ? raw : `${JSON.stringify({ ...body, ...moved }, null, 2)}\n`
}
