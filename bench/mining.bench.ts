/**
 * How fast logs become templates, against Drain3 on the same files in the same run: from opening the file to a template id per
 * line, with templates and slots written to the store. Later stages are timed apart. Goals: 50 times Drain3 on a log of many
 * statements, 10 times on one of few, 250,000 lines/s on two cores. With `--full` also memory: 2 GB through a pipe below 400 MB,
 * growing less than 5 MB per GB in the second half, and one line of 1 GB below 150 MB.
 * Run it with `node bench/mining.bench.ts`; `--help` lists the options.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { mapFiles, mineReduced, reduceRows, reduceTemplates, withEvents } from '../src/logs/index.ts'
import { rng } from '../src/kernel/stats/index.ts'
import { openWorkspace } from '../src/store/index.ts'
import { mixedLog, storageLog, writeLog } from './log-corpora.ts'
import { miningPython } from './mining-python.ts'

const HELP = `node bench/mining.bench.ts [options]
  --lines N     lines of each log (500000)
  --peer N      lines of it that Drain3 is given, for a quick look; it gets slower with more, so without this it gets all
  --workers N   threads (2)
  --memory      the memory of a pipe with --gb gigabytes, and of one line of a gigabyte
  --gb N        (2)
  --full        everything
  --json        one JSON document instead of the table`

const { values: options } = parseArgs({
  options: {
    lines: { type: 'string', default: '500000' }, peer: { type: 'string' }, workers: { type: 'string', default: '2' },
    memory: { type: 'boolean', default: false }, gb: { type: 'string', default: '2' }, full: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false }, help: { type: 'boolean', default: false },
  },
})

const GOALS = { mixed: 50, storage: 10 } as const
const FLOOR = 250_000

interface Speed {
  readonly log: keyof typeof GOALS
  readonly lines: number
  readonly megabytes: number
  readonly templates: number
  /** reading and counting shapes; template pass; writing; a template id per line; events to be stored, the rest with --full */
  readonly mapMs: number
  readonly templatesMs: number
  readonly storeMs: number
  readonly rowsMs: number
  readonly linesPerSecond: number
  readonly eventsMs: number
  readonly laterMs: number
  /** all threads together: tells more than the clock where others use the machine too */
  readonly linesPerCpuSecond: number
  readonly drain3: { readonly lines: number; readonly linesPerSecond: number; readonly linesPerCpuSecond: number; readonly clusters: number } | null
  readonly times: number | null
  readonly timesPerCpuSecond: number | null
}

async function speedOf(log: keyof typeof GOALS, root: string): Promise<Speed> {
  const file = join(root, `${log}.log`)
  const count = Number(options.lines)
  const bytes = writeLog(file, log === 'mixed' ? mixedLog(count) : storageLog(count))
  const workspace = openWorkspace(join(root, `${log}.db`))
  const cpu = process.cpuUsage()
  const steps: number[] = [performance.now()]
  const lap = () => steps.push(performance.now())
  const { states } = await mapFiles(file, { work: join(root, `${log}.work`), workers: Number(options.workers) })
  lap()
  const templates = reduceTemplates(states)
  lap()
  workspace.logs.save({ templates: templates.templates, events: [], edges: [] }, { run: file, now: new Date().toISOString() })
  lap()
  const reduced = reduceRows(templates)
  lap()
  const used = process.cpuUsage(cpu)
  const whole = withEvents(templates, reduced)
  lap()
  const mined = options.full ? mineReduced(whole) : null
  lap()
  workspace.close()
  if (reduced.counts.records !== count) throw new Error(`${reduced.counts.records} of ${count} lines were read`)
  const [start = 0, mapped = 0, made = 0, saved = 0, relabelled = 0, told = 0, later = 0] = steps
  const linesPerSecond = count / ((relabelled - start) / 1000)
  const linesPerCpuSecond = count / ((used.user + used.system) / 1e6)
  const drain3 = drain3On(file)
  return {
    log, lines: count, megabytes: bytes / 1e6, templates: reduced.templates.length, mapMs: mapped - start, templatesMs: made - mapped,
    storeMs: saved - made, rowsMs: relabelled - saved, linesPerSecond, eventsMs: told - relabelled, laterMs: mined === null ? 0 : later - told, drain3,
    linesPerCpuSecond, times: drain3 === null ? null : linesPerSecond / drain3.linesPerSecond,
    timesPerCpuSecond: drain3 === null ? null : linesPerCpuSecond / drain3.linesPerCpuSecond,
  }
}

function drain3On(file: string): Speed['drain3'] {
  const peers = miningPython()
  if (!peers.ready) {
    console.error(`without Drain3: ${peers.missing}`)
    return null
  }
  const limit = options.peer ?? options.lines
  const said = execFileSync(peers.python, [join(import.meta.dirname, 'drain3-peer.py'), file, limit], { encoding: 'utf8' })
  const { lines, seconds, cpu, clusters } = JSON.parse(said) as { lines: number; seconds: number; cpu: number; clusters: number }
  return { lines, linesPerSecond: lines / seconds, linesPerCpuSecond: lines / cpu, clusters }
}

interface Memory {
  readonly input: string
  readonly bytes: number
  readonly seconds: number
  readonly peakMb: number
  /** resident megabytes at each tenth of the input */
  readonly tenths: readonly number[]
  readonly growthMbPerGb: number | null
}

/** mine-map reads a pipe that this process fills; its resident memory is looked at as the input goes on. */
async function memoryOf(input: string, bytes: number, chunks: Iterable<Uint8Array>): Promise<Memory> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', 'src', 'surfaces', 'cli', 'main.ts'), 'mine-map', '--as', 'pipe.log'], { stdio: ['pipe', 'ignore', 'inherit'] })
  const since = performance.now()
  const tenths: number[] = []
  let [written, peak] = [0, 0]
  const looks: (readonly [gigabytes: number, megabytes: number])[] = []
  const look = () => {
    const now = residentMb(child.pid ?? 0)
    peak = Math.max(peak, now)
    if (now > 0) looks.push([written / 1e9, now])
  }
  const timer = setInterval(look, 50)
  for (const chunk of chunks) {
    if (!child.stdin.write(chunk)) await once(child.stdin, 'drain')
    written += chunk.length
    if (written >= (bytes * (tenths.length + 1)) / 10) tenths.push(residentMb(child.pid ?? 0))
  }
  child.stdin.end()
  const [code] = await once(child, 'exit')
  clearInterval(timer)
  if (code !== 0) throw new Error(`mine-map ended with ${code}`)
  return {
    input, bytes: written, seconds: (performance.now() - since) / 1000, peakMb: peak, tenths,
    growthMbPerGb: slopeOf(looks.filter(([gigabytes]) => gigabytes > written / 2e9)),
  }
}

/** The straight line through all that was seen, by least squares: two single looks would say where the collector of garbage just was. */
function slopeOf(points: readonly (readonly [number, number])[]): number | null {
  const mean = (which: 0 | 1): number => points.reduce((sum, point) => sum + point[which], 0) / points.length
  const [x, y] = [mean(0), mean(1)]
  const spread = points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0)
  return spread === 0 ? null : points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0) / spread
}

const residentMb = (pid: number): number => {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** The same statements over and over, their times going on and their values other ones each time: numbers, ids, addresses. */
function* pipeOf(bytes: number): Generator<Uint8Array> {
  const block = Buffer.from([...mixedLog(40_000, 7)].join('\n') + '\n')
  const stamps = lineStarts(block)
  const places = placesOfValues(block, stamps)
  const draw = rng(11)
  let now = Date.UTC(2026, 0, 5)
  for (let written = 0; written < bytes; written += block.length) {
    for (const at of stamps) block.write(new Date((now += 20)).toISOString().replace('T', ' ').slice(0, 23), at, 'latin1')
    for (const at of places) block[at] = DIGITS.charCodeAt(Math.floor(draw() * (isDigit(block[at] ?? 0) ? 10 : 16)))
    yield Buffer.from(block)
  }
}

const DIGITS = '0123456789abcdef'
const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57
const isHexLetter = (byte: number): boolean => byte >= 97 && byte <= 102
const STAMP_BYTES = 23

function lineStarts(block: Buffer): number[] {
  const starts = [0]
  for (let at = block.indexOf(10); at >= 0 && at + 1 < block.length; at = block.indexOf(10, at + 1)) starts.push(at + 1)
  return starts
}

/** Behind the time, the last digits of numbers that stay of their kind with any others, and all but the first of long hex numbers. */
function placesOfValues(block: Buffer, starts: readonly number[]): number[] {
  const places: number[] = []
  for (const start of starts) {
    for (let at = start + STAMP_BYTES; block[at] !== 10 && at < block.length; ) {
      let [end, digits] = [at, 0]
      while (isDigit(block[end] ?? 0) || isHexLetter(block[end] ?? 0)) if (isDigit(block[end++] ?? 0)) digits += 1
      const from = end - at >= 8 && digits >= 4 ? at + 1 : digits === end - at && digits >= 3 && block[at - 1] !== 46 ? end - Math.min(3, digits - 1) : end
      for (let place = from; place < end; place += 1) places.push(place)
      at = end + 1
    }
  }
  return places
}

function* oneLine(bytes: number): Generator<Uint8Array> {
  const block = Buffer.alloc(1024 * 1024, 'a word and another ')
  yield Buffer.from('2026-01-05 00:00:00 INFO long: ')
  for (let written = 0; written < bytes; written += block.length) yield block
}

async function main(): Promise<void> {
  if (options.help) return console.log(HELP)
  enableCompileCache() // as the command does
  const root = mkdtempSync(join(tmpdir(), 'wherefore-mining-'))
  try {
    const speeds = options.memory ? [] : [await speedOf('mixed', root), await speedOf('storage', root)]
    const gb = Number(options.gb) * 1e9
    const memories = options.memory || options.full ? [await memoryOf('pipe', gb, pipeOf(gb)), await memoryOf('one line', 1e9, oneLine(1e9))] : []
    if (options.json) return console.log(JSON.stringify({ cpus: cpus().length, load: loadavg(), speeds, memories }, null, 2))
    console.log(`${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, load ${loadavg().map((each) => each.toFixed(1)).join(' ')}`)
    for (const each of speeds) console.log(speedText(each))
    for (const each of memories) console.log(memoryText(each))
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

const ms = (value: number): string => `${Math.round(value)} ms`

const speedText = ({ log, lines, megabytes, templates, linesPerSecond, mapMs, templatesMs, storeMs, rowsMs, eventsMs, laterMs, drain3, times, linesPerCpuSecond, timesPerCpuSecond }: Speed): string => [
  `${log}: ${lines} lines, ${Math.round(megabytes)} MB, ${templates} templates`,
  `  ${Math.round(linesPerSecond)} lines/s (floor ${FLOOR}): map ${ms(mapMs)}, templates ${ms(templatesMs)}, store ${ms(storeMs)}, a template per line ${ms(rowsMs)}`,
  `  later: events to be stored ${ms(eventsMs)}${laterMs === 0 ? '' : `, causes and candidates ${ms(laterMs)}`}`,
  drain3 === null
    ? '  Drain3 is not installed'
    : `  Drain3 ${Math.round(drain3.linesPerSecond)} lines/s on ${drain3.lines} lines, ${drain3.clusters} clusters: ${times?.toFixed(1)} times (goal ${GOALS[log]})`,
  ...(drain3 === null ? [] : [`  per second of processor time ${Math.round(linesPerCpuSecond)} and ${Math.round(drain3.linesPerCpuSecond)}: ${timesPerCpuSecond?.toFixed(1)} times`]),
].join('\n')

const memoryText = ({ input, bytes, seconds, peakMb, tenths, growthMbPerGb }: Memory): string =>
  `${input}: ${(bytes / 1e9).toFixed(2)} GB in ${seconds.toFixed(1)} s, peak ${Math.round(peakMb)} MB, at each tenth ${tenths.map(Math.round).join(' ')}`
  + (growthMbPerGb === null ? '' : `, growth in the second half ${growthMbPerGb.toFixed(1)} MB per GB`)

await main()
