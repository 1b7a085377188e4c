/** The one place where browser tests get their server from: the real HTTP surface and the real console over a service. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { serve } from '../../src/surfaces/http/index.ts'
import { fakeParts } from './fake-app.ts'
import { fakeService } from './fake-service.ts'
import type { FakeService } from './fake-service.ts'

export interface TestServer {
  readonly url: string
  readonly service: FakeService
  close(): Promise<void>
}

/** Builds the console from its sources into a folder of its own. */
export async function buildConsole(): Promise<{ readonly folder: string; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'wherefore-console-'))
  await build({ configFile: 'console/vite.config.ts', logLevel: 'error', build: { outDir: folder } })
  return { folder, remove: () => rmSync(folder, { recursive: true }) }
}

export async function startServer(consoleDir: string, { searchEnabled = true } = {}): Promise<TestServer> {
  const service = fakeService({ searchEnabled, pauseMs: 40 })
  const serving = await serve(fakeParts({ service, consoleDir, enabled: () => searchEnabled }), { port: 0 })
  return { url: serving.url, service, close: serving.close }
}
