/** The Python peers of log mining: one group for all of its benches and golden values. */
import { spawnSync } from 'node:child_process'
import { type Peers, pythonWith } from './python.ts'

export const miningPython = (): Peers => pythonWith('mining', { drain3: '0.9.11', statsmodels: '0.15.0', hmmlearn: '0.3.3' })

/** Runs a script on a JSON document and reads what it prints as JSON. */
export function askPython(python: string, args: readonly string[], input: unknown): unknown {
  const { status, stdout, stderr } = spawnSync(python, args, { input: JSON.stringify(input), encoding: 'utf8', maxBuffer: 1 << 30 })
  if (status !== 0) throw new Error(`${args[0]} failed: ${stderr.trim().split('\n').at(-1)}`)
  return JSON.parse(stdout)
}
