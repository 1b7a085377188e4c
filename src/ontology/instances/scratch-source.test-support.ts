/** A database made of a script, behind the same reading code and the same gate as a customer's, without a process of its own. */
import { DatabaseSync } from 'node:sqlite'
import type { Source } from '../../sources/index.ts'
import { authorizer } from '../../sources/sqlite/authorizer.ts'
import { introspect, tableNames } from '../../sources/sqlite/introspect.ts'
import { select } from '../../sources/sqlite/select.ts'

export async function withDatabase<T>(
  script: string | ((db: DatabaseSync) => void),
  work: (source: Source) => Promise<T>,
): Promise<T> {
  const db = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false, readBigInts: true, returnArrays: true })
  try {
    if (typeof script === 'string') db.exec(script)
    else script(db)
    const catalogue = introspect(db)
    db.setAuthorizer(authorizer(() => 'select', new Set(tableNames(db).map(({ name }) => name.toLowerCase()))))
    return await work({
      dialect: 'sqlite',
      introspect: async () => catalogue,
      version: async () => null,
      select: async (query, { maxRows }) => ({ ...select(db, query, maxRows), ms: 0 }),
      examineRole: async () => ({ engine: 'SQLite', dangers: [], notes: [] }),
      close: async () => {},
    })
  } finally {
    db.close()
  }
}
