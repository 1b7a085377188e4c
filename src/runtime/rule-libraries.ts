/** The rule libraries of the package, read when first asked for. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { RuleLibrary } from '../contracts/index.ts'
import { compareText } from '../kernel/term.ts'
import { loadLibrary } from '../rules/index.ts'
import { packageRoot } from './project.ts'

/** By name. */
export function ruleLibraries(folder = join(packageRoot, 'templates', 'rules')): () => ReadonlyMap<string, RuleLibrary> {
  let found: ReadonlyMap<string, RuleLibrary> | undefined
  return () => (found ??= new Map(filesIn(folder).map((file) => {
    const library = loadLibrary(readFileSync(join(folder, file), 'utf8'))
    return [library.name, library]
  })))
}

const filesIn = (folder: string): string[] => readdirSync(folder).filter((name) => name.endsWith('.yaml')).toSorted(compareText)
