/** Folders of logs that a request may name: below the configured roots, wherever links lead. */
import { realpathSync } from 'node:fs'
import { isAbsolute, relative, sep } from 'node:path'
import { ServiceError } from '../contracts/index.ts'

/** The real folder. One outside, one that leads outside and one that is not there are refused alike. */
export function allowedLogPath(path: string | undefined, roots: readonly string[]): string {
  const asked = path ?? roots[0]
  const real = asked === undefined ? null : realPath(asked)
  const allowed = real !== null && roots.some((root) => isBelow(real, realPath(root)))
  if (allowed) return real
  const hint = 'add the folder to log_roots in wherefore.json'
  throw new ServiceError('invalid_request', 'only folders below log_roots can be mined', { hint })
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}

function isBelow(path: string, root: string | null): boolean {
  if (root === null) return false
  const inside = relative(root, path)
  return inside === '' || !(inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside))
}
