/** wherefore demo: both stories on the bundled data, from the first question to the root cause, then the console. */
import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Command } from 'commander'
import { type SearchOptions, ServiceError } from '../../contracts/index.ts'
import { type Caller, type Service, createService, openProject, packageRoot, parseRequest } from '../../runtime/index.ts'
import { emit, emitSearch } from '../emit.ts'
import { insightText } from './insight-text.ts'
import { answerText, plain, problemText } from './print.ts'
import { readPort, serveUntilStopped } from './serve-command.ts'

const STORIES = [
  { flavor: 'network-ops', title: 'Reasoning search over a network-operations database', maxTier: 'Internal' },
  { flavor: 'clinical-trial', title: 'Reasoning search over a clinical trial, health data included', maxTier: 'Confidential' },
] as const
const EVENT = 'NfDeregister'

export const demoCommand = (): Command =>
  new Command('demo')
    .description('show both stories on the bundled data, then serve the console')
    .option('--no-serve', 'end after printing')
    .option('--port <n>', 'port to serve on')
    .action(async ({ serve, port }: { serve: boolean; port?: string }) => {
      const folder = resolve('.wherefore', 'demo')
      // the demo always starts from nothing, so that it shows the same every time
      rmSync(folder, { recursive: true, force: true })
      mkdirSync(folder, { recursive: true })
      const project = openProject({
        cwd: folder,
        env: { ...process.env, SERVICE_SEARCH: '1', SERVICE_CONFIG: undefined, SERVICE_STORE: undefined },
        overrides: { out: join(folder, 'output'), store: join(folder, 'store.db') },
      })
      const service = createService(project, { onBug: (error) => console.error(problemText(error)) })
      const caller: Caller = { name: 'demo', grant: project.grant, roles: ['reader', 'reviewer', 'author', 'admin'] }
      try {
        for (const { flavor, title, maxTier } of STORIES) {
          await searchStory(service, caller, title, { question: project.flavors.get(flavor)?.example ?? '', flavor, materialize: true, max_tier: maxTier })
        }
        await logStory(service, caller)
        if (serve) await serveUntilStopped(service, project, port === undefined ? {} : { port: readPort(port) })
      } finally {
        await service.close()
      }
    })

const heading = (text: string) => console.log(`\n== ${text} ==\n`)

async function searchStory(service: Service, caller: Caller, title: string, ask: SearchOptions & { readonly question: string }): Promise<void> {
  heading(title)
  console.log(`Q: ${ask.question}\n`)
  const request = parseRequest(ask)
  for await (const event of service.search(request, caller, { requestId: randomUUID() })) {
    if (event.event === 'stage') console.log(`  ${event.data.stage.padEnd(10)} ${event.data.status} (${event.data.ms} ms)`)
    if (event.event === 'answer') console.log(`\n${answerText(emitSearch(event, request.max_tier).data)}`)
    if (event.event === 'error') throw new ServiceError(event.data.code, event.data.detail)
  }
}

async function logStory(service: Service, caller: Caller): Promise<void> {
  heading('Root cause from 215 lines of logs')
  const logPath = join(packageRoot, 'examples', 'log-rca', 'sample')
  for (const phase of ['mine', 'sequence']) await show(service, phase, logPath)

  const queue = emit(service.candidates({ kind: 'LOG_CAUSAL_EDGE', status: 'PENDING', limit: 50 }, caller), caller)
  console.log('\napproving the causal edges that passed the gate:')
  for (const { pid } of queue.candidates) {
    const { proposal } = emit(service.decide(pid, 'approve', { note: 'demo' }, caller), caller)
    console.log(`  approved ${plain(proposal.title)}  (score ${proposal.score.toFixed(2)})`)
  }
  console.log('')
  for (const phase of ['2', 'reason']) await show(service, phase)

  console.log(`\nQ: what caused ${EVENT}?\n`)
  const insight = emit(await service.rca({ preset: 'root-cause', event: EVENT, include_materialised: true, confirm_residency: false }, caller), caller)
  console.log(insightText(insight))
}

async function show(service: Service, phase: string, logPath?: string): Promise<void> {
  for (const run of await service.runPhase(phase, logPath === undefined ? {} : { logPath })) {
    console.log(`phase ${run.phase} (${run.ms} ms)`)
    for (const line of run.lines) console.log(`  ${plain(line)}`)
  }
}
