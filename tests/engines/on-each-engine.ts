/** The same tests on every database server that could be had; one that could not says why in the report. */
import { describe, it } from 'vitest'
import type { Engine, TestServer } from '../support-servers.ts'

export function onEachEngine(engines: readonly Engine[], tests: (server: TestServer, name: string) => void): void {
  for (const { name, server, why } of engines) {
    describe(name, () => {
      if (server === null) it.skip(`is not here: ${why}`)
      else tests(server, name)
    })
  }
}
