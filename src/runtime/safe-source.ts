/** Opens a database and refuses a role that could do more than read: the last guard should not be our own care alone. */
import { ServiceError } from '../contracts/index.ts'
import { type Source, openSource } from '../sources/index.ts'

/** With `anyRole` the configuration has taken the risk on itself (`allow_dangerous_role`). */
export async function openSafely(place: string, anyRole: boolean): Promise<Source> {
  const source = await openSource(place)
  if (anyRole) return source
  try {
    const { dangers } = await source.examineRole()
    if (dangers.length === 0) return source
    throw dangerousRole(dangers)
  } catch (error) {
    await source.close()
    throw error
  }
}

export const dangerousRole = (dangers: readonly string[]): ServiceError =>
  new ServiceError('source_not_allowed', 'the role of this source could do more than read', {
    errors: dangers.map((message) => ({ message })),
    hint: 'give it a read-only role (wherefore doctor says what is wrong), or set allow_dangerous_role on this source',
  })
