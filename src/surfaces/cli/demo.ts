/** wherefore demo: both stories on the bundled data, from the first question to the root cause, then the console. */
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { Command } from 'commander'
import { type SearchOptions, ServiceError } from '../../contracts/index.ts'
import { type Caller, type PhaseOptions, type Service, createService, openProject, packageRoot, parseRequest } from '../../runtime/index.ts'
import { emit, emitSearch } from '../emit.ts'
import { insightText } from './insight-text.ts'
import { answerText, plain, problemText, table } from './print.ts'
import { readPort, serveUntilStopped } from './serve-command.ts'

const STORIES = [
  { flavor: 'network-ops', title: 'Reasoning search over a network-operations database', maxTier: 'Internal' },
  { flavor: 'clinical-trial', title: 'Reasoning search over a clinical trial, health data included', maxTier: 'Confidential' },
] as const
const EVENT = 'NfDeregister'
const SOURCE = 'network-ops'
/** the router of the first story, and one that was taken out as planned */
const [ROUTER, PLANNED] = ['crt-07', 'crt-12']

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
      const { sources, log_roots } = project.config
      // whoever goes on from here does so with the same sources and the same graph
      writeFileSync(join(folder, 'wherefore.json'), `${JSON.stringify({ sources, log_roots, out: 'output', store: 'store.db' }, null, 2)}\n`)
      const service = createService(project, { onBug: (error) => console.error(problemText(error)) })
      const caller: Caller = { name: 'demo', grant: project.grant, roles: ['reader', 'reviewer', 'author', 'admin'] }
      try {
        for (const { flavor, title, maxTier } of STORIES) {
          await searchStory(service, caller, title, { question: project.flavors.get(flavor)?.example ?? '', flavor, materialize: true, max_tier: maxTier })
        }
        await logStory(service, caller, folder)
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

/** The loop closes: lines become candidates, candidates a reviewed ontology, the ontology a graph, the graph an answer with proof. */
async function logStory(service: Service, caller: Caller, folder: string): Promise<void> {
  const logPath = join(packageRoot, 'examples', 'log-rca', 'sample')
  const files = readdirSync(logPath)
  const lines = files.reduce((sum, file) => sum + readFileSync(join(logPath, file), 'utf8').trimEnd().split('\n').length, 0)
  heading(`Root cause from ${lines} lines of logs`)
  step(1, `Mine ${files.length} log files: templates, and which of them cause which`)
  for (const phase of ['mine', 'sequence']) await show(service, phase, { logPath })

  step(2, 'Review: a script approves the causal edges that passed the gate, best first')
  const queue = emit(service.candidates({ kind: 'LOG_CAUSAL_EDGE', status: 'PENDING', limit: 50 }, caller), caller)
  const approved = queue.candidates.map(({ pid }) => emit(service.decide(pid, 'approve', { note: 'demo' }, caller), caller).proposal)
  console.log(indented(table(
    ['approved', 'confidence', 'lag, median', '95 % within'],
    approved.map(({ title, confidence, lag_ms_p50: p50, lag_ms_p95: p95 }) => [title, confidence.toFixed(2), lagText(p50), lagText(p95)]),
  )))

  step(3, `Build the ontology with the approved events, the ${SOURCE} database beside them, and reason over both`)
  for (const phase of ['2', 'abox', 'reason']) await show(service, phase, { source: SOURCE, flavor: SOURCE })

  step(4, `Ask: what caused ${EVENT} on ${ROUTER}?`)
  const about = { event: EVENT, on: ROUTER, include_materialised: true, confirm_residency: false } as const
  console.log(insightText(emit(await service.rca({ preset: 'root-cause', ...about }, caller), caller)))

  step(5, 'Ask: when did it go the same way, and what differed?')
  console.log(insightText(emit(await service.rca({ preset: 'similar-incidents', ...about }, caller), caller)))

  step(6, 'Ask about one that was planned: no cause is invented')
  const planned = { ...about, preset: 'root-cause', on: PLANNED } as const
  console.log(insightText(emit(await service.rca(planned, caller), caller)))

  const report = join(folder, 'post-mortem.md')
  writeFileSync(report, emit(await service.rcaReport({ preset: 'root-cause', ...about }, caller), caller))
  console.log(`\nThe post-mortem, with the proof of every step: ${relative(process.cwd(), report)}`)
  console.log(`Go on in this project: cd ${relative(process.cwd(), folder)} && wherefore rca AlarmRaised --on ${ROUTER} --json`)
}

const step = (n: number, text: string) => console.log(`\n${n}. ${text}\n`)
const indented = (text: string): string => text.split('\n').map((line) => `  ${line}`).join('\n')
const lagText = (ms: number | null): string => (ms === null ? '' : `${(ms / 1000).toFixed(1)} s`)

/** The first lines of a phase say what came of it; what stands further in are its figures. */
async function show(service: Service, phase: string, options: PhaseOptions): Promise<void> {
  for (const run of await service.runPhase(phase, options)) {
    console.log(`  phase ${run.phase} (${run.ms} ms)`)
    for (const line of run.lines) if (!line.startsWith(' ')) console.log(`    ${plain(line)}`)
  }
}
