/** What a SQLite file allows. There are no roles: whoever may open the file may read it whole, so rights are the file system's. */
import { accessSync, constants } from 'node:fs'
import type { RoleReport } from '../source.ts'

export function examineRole(file: string): RoleReport {
  const notes = ['the file is opened read-only in a process of its own, and a gate inside SQLite refuses everything but selects']
  // not a danger: nothing here can write whatever the file allows
  if (mayWrite(file)) notes.push('this user could write the file by other means; a copy or a read-only file mode would rule that out')
  return { engine: `SQLite ${process.versions['sqlite'] ?? ''}`.trim(), dangers: [], notes }
}

function mayWrite(file: string): boolean {
  try {
    accessSync(file, constants.W_OK)
    return true
  } catch {
    return false
  }
}
