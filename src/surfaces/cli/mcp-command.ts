/** wherefore mcp: the tools over standard input and output, for a client that starts this process itself. */
import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { Command } from 'commander'
import { minTier } from '../../contracts/index.ts'
import { searchEnabled } from '../../runtime/index.ts'
import { mcpServer } from '../mcp/index.ts'
import { problemText } from './print.ts'
import { readTier, withService } from './session.ts'

export const mcpCommand = (): Command =>
  new Command('mcp')
    .description('serve search, sparql, vocabulary, explain, rca and rule_preview to an MCP client (standard input and output)')
    .option('--max-tier <tier>', 'let the client see no more than this tier, whatever it asks for')
    .addHelpText('after', `
The client starts this command itself; its configuration names it:
  {"mcpServers": {"wherefore": {"command": "wherefore", "args": ["mcp", "--max-tier", "Internal"],
    "env": {"SERVICE_SEARCH": "1", "SERVICE_CONFIG": "/path/to/wherefore.json"}}}}

\`wherefore serve\` has the same tools at /mcp.`)
    .action((options: { maxTier?: string }) => {
      const wish = options.maxTier === undefined ? undefined : readTier(options.maxTier)
      const out = ownOutput()
      return withService(async ({ service, project, caller: person }) => {
        const caller = wish === undefined ? person : { ...person, grant: minTier(person.grant, wish) }
        const enabled = () => searchEnabled(project.env)
        const onBug = (error: unknown) => console.error(problemText(error))
        const left = new Promise<void>((resolve) => {
          for (const event of ['end', 'close']) process.stdin.once(event, () => resolve())
          for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
        })
        const serving = serveStdio(() => mcpServer({ service, caller, enabled, ids: randomUUID, onBug }), {
          transport: new StdioServerTransport(process.stdin, out),
        })
        if (!enabled()) console.error('search and sparql are switched off: set SERVICE_SEARCH=1 to switch them on')
        await left
        await serving.close()
      }, { keepRuns: true })
    })

/** Standard output, for the protocol alone: whatever else is printed from now on goes to standard error. */
function ownOutput(): Writable {
  const write = process.stdout.write.bind(process.stdout)
  process.stdout.write = process.stderr.write.bind(process.stderr)
  return new Writable({ write: (chunk: Buffer, _encoding, done) => void write(chunk, done) })
}
