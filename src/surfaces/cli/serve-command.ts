/** wherefore serve: the HTTP API and the console on one port. */
import { randomUUID } from 'node:crypto'
import { Command, InvalidArgumentError } from 'commander'
import { type Project, type Service, bundledNote, createService, openProject, searchEnabled } from '../../runtime/index.ts'
import { bugLine, createLog, readTokens, serve } from '../http/index.ts'

export const serveCommand = (): Command =>
  new Command('serve')
    .description('serve the HTTP API and the console')
    .option('--host <address>', 'address to listen on; anything but loopback needs tokens')
    .option('--port <n>', 'port to listen on')
    .option('--sources-dir <folder>', 'a folder below which an admin may add database files as sources')
    .addHelpText('after', '\nExample:\n  SERVICE_SEARCH=1 wherefore serve --port 4747')
    .action(async (options: { host?: string; port?: string; sourcesDir?: string }) => {
      const project = openProject()
      const log = createLog()
      const service = createService(project, {
        keepRuns: true,
        onBug: (error, requestId) => log.bug(bugLine(error, requestId)),
        ...(options.sourcesDir === undefined ? {} : { sourcesDir: options.sourcesDir }),
      })
      const note = bundledNote(project)
      if (note !== null) console.error(note)
      await serveUntilStopped(service, project, {
        ...(options.host === undefined ? {} : { host: options.host }),
        ...(options.port === undefined ? {} : { port: readPort(options.port) }),
      })
    })

export function readPort(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new InvalidArgumentError('a port is a number from 0 to 65535')
}

/** Serves until SIGINT or SIGTERM, then lets what is under way end. */
export async function serveUntilStopped(service: Service, project: Project, at: { host?: string; port?: number }): Promise<void> {
  const file = project.env['SERVICE_TOKENS']
  const serving = await serve(
    {
      service,
      config: project.config,
      localGrant: project.grant,
      enabled: () => searchEnabled(project.env),
      clock: { now: () => performance.now() },
      ids: () => randomUUID(),
      log: createLog(),
      ...(file === undefined ? {} : { tokens: readTokens(file) }),
    },
    at,
  )
  console.error(`wherefore is serving at ${serving.url} (console: ${serving.url}/ask); Ctrl-C stops it`)
  if (!searchEnabled(project.env)) console.error('reasoning search is switched off: set SERVICE_SEARCH=1 to switch it on')
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
  })
  console.error('stopping ...')
  await serving.close()
  await service.close()
}
