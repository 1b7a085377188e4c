/** The SDKs of the providers. None is a dependency: each is found at run time or named as missing. */
import { createRequire } from 'node:module'

const here = createRequire(import.meta.url)

/** Both are needed: the common part, and the part that speaks with one provider. */
export const COMMON_SDK = 'ai'

/** Whether a package can be imported from here. */
export type Installed = (name: string) => boolean

export const isInstalled: Installed = (name) => {
  try {
    here.resolve(`${name}/package.json`)
    return true
  } catch {
    return false
  }
}

/** The common part, told to keep quiet: standard output belongs to results, and to nobody else. */
export async function commonSdk() {
  const quiet = globalThis as { AI_SDK_LOG_WARNINGS?: unknown }
  quiet.AI_SDK_LOG_WARNINGS = false
  return import('ai')
}
