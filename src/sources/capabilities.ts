/** How the engines differ where it matters to whoever compiles SQL for them, so that no other room has to know their names for it. */
import type { Dialect } from './source.ts'

export interface Capabilities {
  /** a column holds values of its declared type only; SQLite keeps whatever it is given */
  readonly typedColumns: boolean
  /** `(a, b) > (?, ?)` is understood and uses an index */
  readonly comparesRows: boolean
  /** ascending order puts NULL after everything else */
  readonly nullsLast: boolean
}

export const CAPABILITIES: Readonly<Record<Dialect, Capabilities>> = {
  sqlite: { typedColumns: false, comparesRows: true, nullsLast: false },
  postgres: { typedColumns: true, comparesRows: true, nullsLast: true },
  mysql: { typedColumns: true, comparesRows: false, nullsLast: false },
}
