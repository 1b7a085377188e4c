/** What the service and the process that holds the database say to each other. */
import type { SqlQuery } from '../source.ts'

export type Request =
  | { readonly kind: 'open'; readonly path: string }
  | { readonly kind: 'introspect' }
  | { readonly kind: 'select'; readonly query: SqlQuery; readonly maxRows: number }

/** Why the reader could not do what it was asked. `refused` and `failed` are our own mistakes, the rest is the file's state. */
export type Trouble = 'not_a_database' | 'corrupt' | 'locked' | 'unreadable' | 'refused' | 'failed'

export type Reply =
  | { readonly ok: true; readonly value: unknown }
  /** `message` is the engine's own text: for the log, never for a caller */
  | { readonly ok: false; readonly trouble: Trouble; readonly message: string }
