/** Runs one named step after another, shows what each took, and stops at the first that fails. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(fileURLToPath(import.meta.url), '..', '..')

/** The path of a command that a dependency brought along. */
export const tool = (name: string): string => join(root, 'node_modules', '.bin', name)

export function step(name: string, command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): void {
  const seconds = silentStep(name, command, args, env)
  console.log(`ok   ${name} (${seconds} s)`)
}

/** A step whose program shows its own steps. */
export function silentStep(name: string, command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): string {
  const since = performance.now()
  const done = spawnSync(command, args, { cwd: root, stdio: 'inherit', env })
  const seconds = ((performance.now() - since) / 1000).toFixed(1)
  if (done.status === 0) return seconds
  console.error(`FAIL ${name} (${seconds} s)${done.error === undefined ? '' : `: ${done.error.message}`}`)
  process.exit(done.status ?? 1)
}
