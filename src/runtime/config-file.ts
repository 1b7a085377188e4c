/** wherefore.json and the project's flavor files, read into values or into faults that name their place. */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import { Config, type Fault, Flavor } from '../contracts/index.ts'

export type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly faults: readonly Fault[] }

export const CONFIG_NAME = 'wherefore.json'

/** The keys as they stand in the file, and the whole configuration with what the file leaves to its defaults. */
export function readConfigFile(file: string): Read<{ readonly config: Config; readonly keys: readonly string[] }> {
  const body = readJson(readFileSync(file, 'utf8'))
  if (!body.ok) return body
  const parsed = Config.safeParse(body.value)
  if (!parsed.success) return { ok: false, faults: faultsOf(parsed.error) }
  return { ok: true, value: { config: parsed.data, keys: Object.keys(body.value as object) } }
}

/** Every `*.json` of the folder, in code-unit order; a folder that is not there holds none. */
export function readFlavorFolder(folder: string): { readonly flavors: Map<string, Flavor>; readonly faults: readonly Fault[] } {
  const flavors = new Map<string, Flavor>()
  const faults: Fault[] = []
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')).toSorted() : []
  for (const name of names) {
    const read = readFlavor(readFileSync(join(folder, name), 'utf8'))
    if (!read.ok) {
      faults.push(...read.faults.map((fault) => ({ ...fault, path: fault.path === undefined ? name : `${name}: ${fault.path}` })))
    } else if (flavors.has(read.value.name)) {
      faults.push({ path: name, message: `another file already holds the flavor ${read.value.name}` })
    } else {
      flavors.set(read.value.name, read.value)
    }
  }
  return { flavors, faults }
}

function readFlavor(text: string): Read<Flavor> {
  const body = readJson(text)
  if (!body.ok) return body
  const parsed = Flavor.safeParse(body.value)
  return parsed.success ? { ok: true, value: parsed.data } : { ok: false, faults: faultsOf(parsed.error) }
}

/** The engine's own message quotes the text, which may hold a password: only the place is taken from it. */
function readJson(text: string): Read<unknown> {
  try {
    return { ok: true, value: JSON.parse(text.replace(/^\uFEFF/, '')) }
  } catch (error) {
    const place = /\(line (\d+) column (\d+)\)/.exec(error instanceof Error ? error.message : '')
    const at = place === null ? {} : { line: Number(place[1]), column: Number(place[2]) }
    return { ok: false, faults: [{ message: 'this is not valid JSON', ...at }] }
  }
}

const faultsOf = (error: z.ZodError): Fault[] => error.issues.map(({ path, message }) => ({ path: path.join('.'), message }))
