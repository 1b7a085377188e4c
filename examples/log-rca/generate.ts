/**
 * The sample logs of the root-cause story: 215 lines of a small mobile core over two hours, with a planted truth (README.md).
 * Run `node examples/log-rca/generate.ts [folder]` to write them again; the same seed gives the same bytes.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'

const LINES = 215
const START = Date.UTC(2026, 2, 14, 8)
const SECONDS = 7200

interface Line {
  readonly at: number // seconds after the start
  readonly service: string
  readonly level: string
  readonly msg: string
  readonly trace?: string
}

/** Routers of the seven incidents, in order: crt-07 has the faulty card. */
const FAULTY = ['crt-07', 'crt-03', 'crt-07', 'crt-11', 'crt-02', 'crt-07', 'crt-05'] as const

/** The files of the sample, one per service. */
export function generateLogs(seed = 7): { file: string; text: string }[] {
  const random = mulberry32(seed)
  const between = (from: number, to: number): number => from + random() * (to - from)
  const whole = (from: number, to: number): number => Math.floor(between(from, to))
  const pick = <T>(items: readonly T[]): T => items[whole(0, items.length)] as T
  const router = (): string => `crt-${String(whole(1, 13)).padStart(2, '0')}`
  const imsi = (): string => `26201${String(whole(0, 1e10)).padStart(10, '0')}`
  const lines: Line[] = []
  const say = (at: number, service: string, level: string, msg: string, trace?: string): void => {
    lines.push({ at, service, level, msg, ...(trace === undefined ? {} : { trace }) })
  }

  // the truth: a lost link takes the routing session, the heartbeats behind it and at last the network function with it
  const incidents = FAULTY.map((node, i) => ({ node, at: 500 + i * 920 + between(0, 240) }))
  for (const { node, at } of incidents) {
    const port = `ge-0/0/${whole(0, 8)}`
    const nf = `amf-${whole(1, 5)}`
    const peer = `10.20.${whole(0, 4)}.${Number(node.slice(4))}`
    const [lost, missed, gone] = [between(1.4, 2.6), between(3.2, 4.8), between(5, 7)]
    say(at, 'router', 'ERROR', `link down node=${node} port=${port} reason=${pick(['los', 'lof', 'remote-fault'])}`)
    say(at + lost, 'bgpd', 'ERROR', `bgp peer lost node=${node} peer=${peer} hold_timer=expired`)
    say(at + lost + missed, 'nrf', 'WARN', `nf heartbeat lost node=${node} nf=${nf} missed=${whole(3, 6)}`)
    say(at + lost + missed + gone, 'amf', 'CRITICAL', `nf deregister node=${node} nf=${nf} cause=heartbeat-timeout`)
    say(at + lost + between(0.8, 1.6), 'nrf', 'ERROR', `alarm raised node=${node} kind=path-lost`)
    say(at + lost + missed + gone + between(0.8, 1.6), 'nrf', 'ERROR', `alarm raised node=${node} kind=nf-down`)
    const after = whole(150, 280)
    say(at + after, 'router', 'INFO', `link up node=${node} port=${port} after=${after}s`)
  }

  // decoys: planned deregistrations without a cause, and link drops that redundancy absorbs without an effect
  const calm = (margin: number): number => {
    for (;;) {
      const at = between(60, SECONDS - 60)
      if (incidents.every((incident) => Math.abs(incident.at - at) > margin)) return at
    }
  }
  for (let i = 0; i < 4; i += 1) {
    say(calm(90), 'amf', 'CRITICAL', `nf deregister node=${router()} nf=amf-${whole(1, 5)} cause=planned`)
  }
  for (let i = 0; i < 2; i += 1) {
    say(calm(90), 'router', 'ERROR', `link down node=${router()} port=ge-0/0/${whole(0, 8)} reason=admin`)
  }

  // everyday life
  for (let i = 0; i < 8; i += 1) say(calm(0), 'router', 'INFO', `config reload node=${router()} duration=${whole(300, 1500)}ms`)
  for (let i = 0; i < 24; i += 1) {
    const [subscriber, session, at] = [imsi(), `s-${1040 + i}`, between(0, SECONDS - 900)]
    say(at, 'amf', 'INFO', `registration accepted imsi=${subscriber} session=${session} node=${router()}`)
    if (i >= 20) continue
    const amount = between(0.2, 9).toFixed(2)
    say(at + between(60, 800), 'billing', 'INFO', `charge recorded imsi=${subscriber} session=${session} amount=${amount}`)
  }
  for (let i = 0; i < 6; i += 1) {
    const mailbox = `${pick(['ann.lee', 'b.okoro', 'c.ruiz', 'd.novak'])}@example.org`
    say(calm(0), 'billing', 'INFO', `invoice mailed email=${mailbox} invoice=inv-${2040 + i}`)
  }
  for (let i = 0; i < 14; i += 1) {
    const trace = `t-${String(i).padStart(3, '0')}`
    const at = between(0, SECONDS - 10)
    const route = pick(['/nudm-sdm/v2', '/nsmf-pdusession/v1', '/namf-comm/v1'])
    const took = whole(20, 180)
    say(at, 'gateway', 'INFO', `request accepted route=${route} client=10.9.${whole(0, 4)}.${whole(1, 250)}`, trace)
    say(at + between(0.01, 0.05), 'gateway', 'INFO', `token verified scope=${pick(['read', 'write'])}`, trace)
    say(at + between(0.06, 0.2), 'gateway', 'INFO', `request forwarded route=${route} upstream=nf-${whole(1, 6)}`, trace)
    say(at + 0.2 + took / 1000, 'gateway', 'INFO', `response sent status=200 took=${took}ms`, trace)
  }

  // one request that skips its token and reads far too much
  const odd = calm(120)
  say(odd, 'gateway', 'INFO', 'request accepted route=/nudm-sdm/v2 client=10.9.3.77', 't-odd')
  say(odd + 0.08, 'gateway', 'INFO', 'request forwarded route=/nudm-sdm/v2 upstream=nf-3', 't-odd')
  say(odd + 4.2, 'gateway', 'WARN', 'subscriber dump exported rows=48211 email=ops@example.org', 't-odd')
  say(odd + 4.4, 'gateway', 'INFO', 'response sent status=200 took=4391ms', 't-odd')

  // heartbeats fill the rest, so that the sample keeps its size
  const beats = LINES - lines.length
  for (let i = 0; i < beats; i += 1) {
    const at = (i + between(0.1, 0.9)) * (SECONDS / beats)
    say(at, 'nrf', 'INFO', `nf heartbeat ok node=${router()} nf=amf-${whole(1, 5)} rtt=${whole(2, 30)}ms`)
  }
  return files(lines)
}

function files(lines: readonly Line[]): { file: string; text: string }[] {
  const sorted = lines.toSorted((x, y) => x.at - y.at)
  const services = [...new Set(sorted.map((line) => line.service))].toSorted()
  return services.map((service) => ({
    file: `${service}.jsonl`,
    text: sorted
      .filter((line) => line.service === service)
      .map(({ at, level, trace, msg }) => {
        const ts = new Date(START + Math.round(at * 1000)).toISOString()
        return `${JSON.stringify({ ts, level, service, ...(trace === undefined ? {} : { trace }), msg })}\n`
      })
      .join(''),
  }))
}

/** Tommy Ettinger's small generator: enough for a sample, and in one place with what it makes. */
function mulberry32(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
}

const here = fileURLToPath(import.meta.url)
if (argv[1] !== undefined && join(argv[1]) === here) {
  const folder = argv[2] ?? join(dirname(here), 'sample')
  mkdirSync(folder, { recursive: true })
  for (const { file, text } of generateLogs()) writeFileSync(join(folder, file), text)
}
