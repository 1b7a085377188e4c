/** Which files make up a project, and which names may be given to files inside its folder. */
import { lstatSync, readdirSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import { type Config, ServiceError } from '../contracts/index.ts'
import { outputPaths } from '../pipeline/index.ts'

/** Where the parts of a project lie, relative to its folder and with forward slashes. */
export interface Places {
  readonly store: string
  readonly out: string
  readonly flavors: string
}

/** A place inside the folder as a relative name, or null for one outside it or the folder itself. */
export function insideOf(folder: string, place: string): string | null {
  const name = relative(folder, place)
  const outside = name === '' || name === '..' || name.startsWith(`..${sep}`) || isAbsolute(name)
  return outside ? null : name.split(sep).join('/')
}

/** A name that can only mean a file inside the folder, on every system that might unpack it. */
export function isSafeName(name: string): boolean {
  if (name === '' || name.length > 1024 || /[\\:\p{Cc}]/u.test(name) || name.startsWith('/')) return false
  return name.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && part !== RESTORE_FOLDER)
}

/** A folder that tools of the host act upon (`.git`, `node_modules`): no part of a project may lie there. */
export const isPlainFolder = (place: string): boolean => place.split('/').every((part) => !part.startsWith('.') && part !== 'node_modules')

/** Directly in the flavor folder. */
export const isFlavorFile = (name: string): boolean => /^[^/]+\.json$/.test(name)

/** The files of a project's output and flavor folders, by name relative to the project: what we write there, and nothing else. */
export function ownFiles(folder: string, { out, flavors }: Places): string[] {
  const rules = filesBelow(join(folder, flavors)).filter(isFlavorFile)
  return [...outputPaths(join(folder, out)).map((name) => `${out}/${name}`), ...rules.map((name) => `${flavors}/${name}`)]
}

/** Where a restore keeps what it has not put in its place yet. */
export const RESTORE_FOLDER = '.wherefore-restore'

/** A folder on the way that is a link may lead anywhere: such a name is refused. */
export function refuseLinks(folder: string, name: string): void {
  const parts = name.split('/')
  for (let depth = 1; depth < parts.length; depth += 1) {
    const found = lstatSync(join(folder, ...parts.slice(0, depth)), { throwIfNoEntry: false })
    if (found !== undefined && !found.isDirectory()) {
      throw new ServiceError('conflict', 'a folder of the project is a link or a file', { hint: 'restore into an empty folder' })
    }
  }
  if (lstatSync(join(folder, ...parts), { throwIfNoEntry: false })?.isDirectory() === true) {
    throw new ServiceError('conflict', 'a folder stands where a file of the backup belongs', {
      hint: 'restore into an empty folder',
    })
  }
}

/** Plain files below a folder, as names relative to it; links are not followed, hidden files and half-written ones left out. */
export function filesBelow(folder: string): string[] {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((name) => !name.split('/').some((part) => part.startsWith('.')) && !name.endsWith('.tmp'))
    .toSorted()
}

/** The places of a configuration whose paths are still as they stand in the file. */
export function placesOf(folder: string, config: Pick<Config, 'store' | 'out' | 'flavors_dir'>): Places | null {
  const inside = (place: string) => (isAbsolute(place) ? null : insideOf(folder, join(folder, place)))
  const [store, out, flavors] = [inside(config.store), inside(config.out), inside(config.flavors_dir)]
  return store === null || out === null || flavors === null ? null : { store, out, flavors }
}
