/** What the service and the process that holds the database say to each other. */
import type { Address } from './address.ts'
import type { SqlQuery } from './source.ts'

export type Request =
  | { readonly kind: 'open'; readonly address: Address }
  | { readonly kind: 'introspect'; readonly dueAt: number }
  | { readonly kind: 'examine'; readonly dueAt: number }
  | { readonly kind: 'select'; readonly query: SqlQuery; readonly maxRows: number; readonly dueAt: number }

/** Milliseconds since 1970 that only move forward, and that two processes of one machine read alike. */
export const clockMs = (): number => performance.timeOrigin + performance.now()

/** Why the reader could not do what it was asked. `refused` and `failed` are our own mistakes, the rest is the database's state. */
export type Trouble =
  | 'not_a_database' | 'corrupt' | 'locked' | 'unreadable'
  | 'unreachable' | 'sign_in' | 'no_such_database' | 'no_such_schema' | 'insecure' | 'overloaded' | 'lost' | 'not_permitted'
  | 'deadline' | 'refused' | 'failed'

export type Reply =
  | { readonly ok: true; readonly value: unknown }
  /** `message` is the engine's own text: for the log, never for a caller */
  | { readonly ok: false; readonly trouble: Trouble; readonly message: string }

/** A statement that is not one plain select. */
export class Refused extends Error {
  override readonly name = 'Refused'
}

/** A trouble that is noticed before the engine has one. */
export class Troubled extends Error {
  override readonly name = 'Troubled'
  readonly trouble: Trouble
  constructor(trouble: Trouble, message: string) {
    super(message)
    this.trouble = trouble
  }
}
