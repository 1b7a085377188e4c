import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const full = process.env['WHEREFORE_FULL'] === '1'

/**
 * Node gives dead objects tens of megabytes before it looks at them, more on a bigger machine. With a heap that is kept small, what
 * is measured is what the stream holds on to; a stream that kept its rows would not come to an end in 64 MB.
 */
const SMALL_HEAP = ['--max-old-space-size=64', '--max-semi-space-size=16']

it.runIf(full).each([
  [1_000_000, 'primary key'],
  [200_000, ''],
])('%i rows (%s) pass through less than 200 MB', async (rows, key) => {
  const folder = mkdtempSync(join(tmpdir(), 'wherefore-memory-'))
  try {
    const script = fileURLToPath(new URL('./memory.test-support.ts', import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [...SMALL_HEAP, script, folder, String(rows), key])
    const { records, megabytes } = JSON.parse(stdout) as { records: number; megabytes: number }
    console.log(`instances: ${records} rows in ${megabytes} MB`)
    expect(records).toBe(rows)
    expect(megabytes).toBeLessThan(200)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}, 600_000)
