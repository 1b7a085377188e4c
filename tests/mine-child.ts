/** The phase mine as a process of its own, to be killed: `node mine-child.ts <project folder> <logs>`. Only what it needs is loaded. */
import { join } from 'node:path'
import { MINING } from '../src/contracts/index.ts'
import { mine } from '../src/pipeline/mine.ts'
import type { PhaseContext } from '../src/pipeline/phase.ts'
import { asOnlyWriter } from '../src/pipeline/writer-lock.ts'
import { openWorkspace } from '../src/store/index.ts'

const [folder = '.', logPath = '.'] = process.argv.slice(2)
const clock = () => new Date('2026-11-15T00:00:00Z')
const config = { store: join(folder, '.wherefore', 'store.db'), out: join(folder, 'output'), base_iri: 'https://example.org/#' }
const workspace = openWorkspace(config.store, { clock })
const context = { config, workspace, logPath, clock, maxTier: 'Restricted', windowSeconds: MINING.window_seconds, progress: () => {} }
await asOnlyWriter(join(config.out, '.lock'), 'mine', () => mine(context as unknown as PhaseContext))
workspace.close()
