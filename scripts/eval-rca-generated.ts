/**
 * `npm run eval:rca-generated`: root causes of generated incidents, along the whole path: mine, approve, phase 2, reason, ask.
 *
 *   --seeds N      20, from --first (1) on
 *   --density N    lines a minute (50)
 *   --minutes N    120
 *   --silent S     share of effects that happen without a line (0)
 *   --drills N     lines for each root statement that read as a root does and cause nothing (0)
 *   --repeats N    every line that begins incidents is written so many times more, three seconds apart (0)
 *   --approve X    mined, true or both (both)
 *   --failures F   writes every incident whose root is not first to this file, with its class
 *   --keep DIR     keeps the projects in this folder
 */
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type IncidentsEvaluation, type JudgedIncident, evaluateIncidents } from '../src/runtime/evaluating-incidents.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' }, first: { type: 'string', default: '1' }, density: { type: 'string', default: '50' },
    minutes: { type: 'string', default: '120' }, silent: { type: 'string', default: '0' }, drills: { type: 'string', default: '0' }, repeats: { type: 'string', default: '0' }, approve: { type: 'string', default: 'both' },
    failures: { type: 'string' }, keep: { type: 'string' }, every: { type: 'string', default: '1' },
  },
})

const of = (part: number, whole: number): string => `${part} of ${whole} (${whole === 0 ? '-' : (part / whole).toFixed(3)})`
const misses: string[] = []

for (const approve of values.approve === 'both' ? (['mined', 'true'] as const) : [values.approve as 'mined' | 'true']) {
  const runs: IncidentsEvaluation[] = []
  const since = performance.now()
  for (let seed = Number(values.first); seed < Number(values.first) + Number(values.seeds); seed += 1) {
    const folder = values.keep === undefined ? mkdtempSync(join(tmpdir(), 'wherefore-rca-')) : join(values.keep, `${approve}-${seed}`)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    const run = await evaluateIncidents({
      folder, approve, seed, linesPerMinute: Number(values.density), minutes: Number(values.minutes),
      silentShare: Number(values.silent), plannedStatements: 4, drills: Number(values.drills), repeats: Number(values.repeats), every: Number(values.every),
    })
    if (values.keep === undefined) rmSync(folder, { recursive: true, force: true })
    runs.push(run)
    console.log(`${approve} seed ${seed}: ${line([run])}`)
    misses.push(...run.incidents.filter(({ rank }) => rank !== 1).map((each) => JSON.stringify({ approve, seed, ...each })))
  }
  console.log(`\n${approve}, ${runs.length} seeds: ${line(runs)}`)
  const all = runs.flatMap(({ incidents }) => incidents)
  const classes = Map.groupBy(all.flatMap(({ failure }) => failure ?? []), (name) => name)
  for (const [name, own] of [...classes].toSorted(([, x], [, y]) => y.length - x.length)) console.log(`  ${name}: ${own.length}`)
  const byHops = Map.groupBy(all, ({ hops }) => hops)
  for (const [hops, own] of [...byHops].toSorted(([x], [y]) => (x ?? Infinity) - (y ?? Infinity))) {
    console.log(`  ${hops === null ? 'a line in between missing' : `${hops} ${hops === 1 ? 'hop' : 'hops'}`}: ${placed(own)}`)
  }
  const sum = (pick: (run: IncidentsEvaluation) => number): number => runs.reduce((total, run) => total + pick(run), 0)
  console.log(`  rules true: ${of(sum((run) => run.trueRules), sum((run) => run.rules))}`)
  console.log(`  chains that the proof checker refused: ${of(sum((run) => run.refused), sum((run) => run.chains))}`)
  console.log(`  chains with a step marked as supposed, which has no proof: ${of(sum((run) => run.supposed), sum((run) => run.chains))}`)
  const proven = (most: number) => of(all.filter(({ provenRank: rank }) => rank !== null && rank <= most).length, all.length)
  console.log(`  among causes whose every step is proven: top-1 ${proven(1)}, top-3 ${proven(3)}`)
  console.log(`  planned lines given a cause: ${of(sum((run) => run.plannedExplained), sum((run) => run.planned))}`)
  console.log(`  ${((performance.now() - since) / 1000 / runs.length).toFixed(1)} s a seed\n`)
}
if (values.failures !== undefined) writeFileSync(values.failures, `${misses.join('\n')}\n`)

function line(runs: readonly IncidentsEvaluation[]): string {
  const all = runs.flatMap(({ incidents }) => incidents)
  return `${placed(all)}, planned work first ${all.filter((each) => each.topIsPlanned).length}`
}

function placed(all: readonly JudgedIncident[]): string {
  const upTo = (most: number): string => of(all.filter(({ rank }) => rank !== null && rank <= most).length, all.length)
  return `top-1 ${upTo(1)}, top-3 ${upTo(3)}`
}
