/** The HTTP surface around the fake service, with a counted clock and counted ids. */
import { Config } from '../../src/contracts/index.ts'
import { buildApp } from '../../src/surfaces/http/index.ts'
import type { App, Parts } from '../../src/surfaces/http/index.ts'
import { fakeService } from './fake-service.ts'
import type { FakeService } from './fake-service.ts'

export interface FakeParts extends Parts {
  readonly service: FakeService
}

export function fakeParts(more: Partial<FakeParts> = {}): FakeParts {
  let requests = 0
  let now = 0
  return {
    service: fakeService(),
    config: Config.parse({}),
    enabled: () => true,
    clock: { now: () => (now += 5) },
    ids: () => `q-${++requests}`,
    consoleDir: '/nowhere',
    ...more,
  }
}

export function fakeApp(more: Partial<FakeParts> = {}): { readonly app: App; readonly service: FakeService } {
  const parts = fakeParts(more)
  return { app: buildApp(parts), service: parts.service }
}
