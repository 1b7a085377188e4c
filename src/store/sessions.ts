/** The project's session: rules and approved log discoveries. Keys that this program does not know survive a save. */
import { z } from 'zod'
import { CausalRule, Rule, ServiceError, Session, SessionEntity, SessionEvent, SessionRelationship } from '../contracts/index.ts'
import { type Connection, query } from './sqlite-dialect.ts'

/** One workspace is one project, and it has one session. */
const ID = 'default'

/** The contract's session, but open: older and newer programs keep their own keys in it, also inside the entries. */
const Stored = Session.extend({
  rules: z.array(Rule.loose()).default([]),
  causal_rules: z.array(CausalRule.loose()).default([]),
  entities: z.array(SessionEntity.loose()).default([]),
  events: z.array(SessionEvent.loose()).default([]),
  relationships: z.array(SessionRelationship.loose()).default([]),
}).loose()

export interface Sessions {
  /** a project that was never saved has version 0 and an empty session */
  load(): { readonly version: number; readonly session: Session }
  /** refused as stale when somebody saved after `expectedVersion`; returns the new version */
  save(session: Session, expectedVersion: number): number
}

export function sessionsOf(store: Connection, clock: () => Date): Sessions {
  // every decision loads the session, most of them the one that was saved last; nobody writes into what was handed out
  let last: { readonly body: string; readonly session: Session } | null = null
  return {
    load() {
      const row = store.first(query.selectFrom('sessions').select(['version', 'body']).where('id', '=', ID))
      const body = row?.body ?? '{}'
      if (last?.body !== body) last = { body, session: readSession(body) }
      return { version: row?.version ?? 0, session: last.session }
    },
    save: (session, expectedVersion) =>
      store.transaction(() => {
        const row = store.first(query.selectFrom('sessions').select('version').where('id', '=', ID))
        if ((row?.version ?? 0) !== expectedVersion) {
          throw new ServiceError('stale', 'the session has changed meanwhile', { hint: 'load it again' })
        }
        const kept = checked(session)
        const saved = { version: expectedVersion + 1, body: JSON.stringify(kept), updated_at: clock().toISOString() }
        last = { body: saved.body, session: kept }
        store.change(
          row === undefined
            ? query.insertInto('sessions').values({ id: ID, ...saved })
            : query.updateTable('sessions').set(saved).where('id', '=', ID),
        )
        return saved.version
      }),
  }
}

function readSession(body: string): Session {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch (cause) {
    throw new ServiceError('conflict', 'the stored session is not JSON', { cause, hint: 'restore the store from a backup' })
  }
  return checked(value)
}

function checked(value: unknown): Session {
  const read = Stored.safeParse(value)
  if (read.success) return read.data
  throw new ServiceError('conflict', 'the session does not have the shape of a session', {
    errors: read.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })),
  })
}
