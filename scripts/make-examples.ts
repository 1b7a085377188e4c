/** Writes the example databases that are missing or older than the code that makes them. */
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CLINICAL_TRIAL_FILE, generateClinicalTrial } from '../examples/clinical-trial/generate.ts'
import { NETWORK_OPS_FILE, generateNetworkOps } from '../examples/network-ops/generate.ts'

export function makeExamples(): void {
  makeNewer(NETWORK_OPS_FILE, generateNetworkOps)
  makeNewer(CLINICAL_TRIAL_FILE, generateClinicalTrial)
}

function makeNewer(file: string, generate: (file: string) => void): void {
  const folder = dirname(file)
  const sources = readdirSync(folder).filter((name) => name.endsWith('.ts')).map((name) => modified(join(folder, name)))
  if (modified(file) >= Math.max(...sources)) return
  mkdirSync(folder, { recursive: true })
  generate(file)
}

const modified = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

if (import.meta.main) makeExamples()
