/** A database made of a script, opened as a customer's would be. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Source } from '../../sources/index.ts'
import { openSource } from '../../sources/index.ts'

export async function withDatabase<T>(script: string | ((db: DatabaseSync) => void), work: (source: Source) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'wherefore-instances-'))
  try {
    const file = join(folder, 'scratch.sqlite')
    const db = new DatabaseSync(file, { enableForeignKeyConstraints: false })
    if (typeof script === 'string') db.exec(script)
    else script(db)
    db.close()
    const source = await openSource(file, { processes: 1 })
    try {
      return await work(source)
    } finally {
      await source.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
