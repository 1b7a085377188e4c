import { expect, it } from 'vitest'
import { readText } from './text.ts'

const REFERENCE = Date.UTC(2026, 5, 30)

function read(text: string) {
  const { records, counts } = readText('app.log', Buffer.from(text), { referenceMs: REFERENCE })
  const shown = records.map(({ tsMs, severity, service, trace, message }) =>
    [tsMs === null ? '' : new Date(tsMs).toISOString(), severity, service, trace, message].join(' | '))
  return { shown, counts, records }
}

const SHIFTED = '2026-01-31T09:20:30.000Z'
const AT = '2026-01-31T10:20:30.000Z'
const MS = '2026-01-31T10:20:30.123Z'

it.each([
  // plain text by its time
  ['2026-01-31T10:20:30.123Z ERROR router: link down', `${MS} | ERROR | router |  | link down`],
  ['2026-01-31 10:20:30,123 - WARN [main] a.b.Router: link down', `${MS} | WARN | a.b.Router |  | link down`],
  ['[2026-01-31 10:20:30] link down', `${AT} | INFO | app |  | link down`],
  ['2026/01/31 10:20:30 [error] link down', `${AT} | ERROR | app |  | link down`],
  ['2026-01-31T10:20:30+01:00 link down', `${SHIFTED} | INFO | app |  | link down`],
  ['26/01/31 10:20:30 INFO store.Disk: full', `${AT} | INFO | store.Disk |  | full`],
  ['260131 102030 148 INFO store.Disk$X: full', `${AT} | INFO | store.Disk$X |  | full`],
  ['20260131-10:20:30:123|Step|7|ready', `${MS} | INFO | app |  | Step|7|ready`],
  ['[Sat Jan 31 10:20:30 2026] [notice] ready', `${AT} | INFO | app |  | ready`],
  ['01-31 10:20:30.123  1702  2395 D Windows: moved', `${MS} | DEBUG | Windows |  | moved`],
  ['W0131 10:20:30.123456    1 node.go:12] not ready', `${MS} | WARN | app |  | not ready`],
  ['1769854830 link down', `${AT} | INFO | app |  | link down`],
  ['1769854830.123 link down', `${MS} | INFO | app |  | link down`],
  ['- 1769854830 R02-M1 link down', `${AT} | INFO | app |  | R02-M1 link down`],
  ['link down without a time', ' | INFO | app |  | link down without a time'],
  ['ERROR: link down', ' | ERROR | app |  | link down'],
  ['2026-02-31 10:20:30 there is no such day', ' | INFO | app |  | 2026-02-31 10:20:30 there is no such day'],
  // syslog
  ['<34>1 2026-01-31T10:20:30.123Z host su 12 ID47 [x@1 node="a\\"b]" trace_id="t1"] failed', `${MS} | CRITICAL | su | t1 | failed node="a\\"b]"`],
  ['<165>1 2026-01-31T10:20:30Z host app - - - ready', `${AT} | INFO | app |  | ready`],
  ['<11>Jan 31 10:20:30 host sshd[123]: no entry', `${AT} | ERROR | sshd |  | no entry`],
  ['Jan 31 10:20:30 host sshd(pam)[123]: no entry', `${AT} | INFO | sshd |  | no entry`],
  ['Dec 31 10:20:30 host cron[1]: ran', '2025-12-31T10:20:30.000Z | INFO | cron |  | ran'],
  // web servers
  ['10.0.0.1 - ann [31/Jan/2026:10:20:30 +0000] "GET /x HTTP/1.1" 500 12 "-" "curl"', `${AT} | ERROR | app |  | 10.0.0.1 - ann "GET /x HTTP/1.1" 500 12 "-" "curl"`],
  // JSON
  ['{"ts":"2026-01-31T10:20:30.123Z","level":"warn","service":"nrf","trace_id":"t1","msg":"lost","node":"crt-07","n":3}', `${MS} | WARN | nrf | t1 | lost node=crt-07 n=3`],
  ['{"@timestamp":1769854830123,"log":{"level":"error"},"service":{"name":"nrf"},"message":"two\\twords","user":{"role":"a b"}}', `${MS} | ERROR | nrf |  | two\twords user.role="a b"`],
  ['{"level":50,"time":1769854830123,"pid":1,"hostname":"h","name":"nrf","msg":"lost"}', `${MS} | ERROR | nrf |  | lost`],
  ['{"msg":"first\\nsecond"}', ' | INFO | app |  | first'],
  ['{"a":1,"b":"x"}', ' | INFO | app |  | a=1 b=x'],
  ['{"msg":"caf\\u00e9 \\ud83d\\ude42"}', ' | INFO | app |  | café 🙂'],
  ['{"__REALTIME_TIMESTAMP":"1769854830123000","PRIORITY":"3","SYSLOG_IDENTIFIER":"sshd","_PID":"1","MESSAGE":"no entry"}', `${MS} | ERROR | sshd |  | no entry`],
  ['{"__REALTIME_TIMESTAMP":"1769854830123000","MESSAGE":[104,105]}', `${MS} | INFO | app |  | hi`],
  ['{"log":"2026-01-31T10:20:30Z ERROR link down\\n","stream":"stdout","time":"2026-01-31T11:00:00Z"}', `${AT} | ERROR | app |  | link down`],
  ['{"log":"link down\\n","stream":"stderr","time":"2026-01-31T10:20:30.123456789Z"}', `${MS} | INFO | app |  | link down`],
  // Kubernetes
  ['2026-01-31T10:20:30.123456789Z stdout F {"level":"error","msg":"lost"}', `${MS} | ERROR | app |  | lost`],
  // logfmt
  ['time=2026-01-31T10:20:30Z level=warn component=nrf msg="lost it" node=crt-07', `${AT} | WARN | nrf |  | lost it node=crt-07`],
  ['node=crt-07 is down', ' | INFO | app |  | node=crt-07 is down'],
])('reads %s', (line, expected) => {
  const { shown, counts } = read(line)
  expect(shown).toEqual([expected])
  expect(counts).toMatchObject({ lines: 1, records: 1, bytes: Buffer.byteLength(line) })
})

it('takes the records of an OTLP batch one by one', () => {
  const value = (text: string) => ({ stringValue: text })
  const batch = {
    resourceLogs: [{
      resource: { attributes: [{ key: 'service.name', value: value('nrf') }] },
      scopeLogs: [{ logRecords: [
        { timeUnixNano: '1769854830123000000', severityNumber: 17, traceId: 't1', body: value('lost'), attributes: [{ key: 'node', value: value('crt-07') }] },
        { timeUnixNano: '1769854830000000000', severityText: 'WARN', body: value('late') },
      ] }],
    }],
  }
  const { shown, counts } = read(JSON.stringify(batch))
  expect(shown).toEqual([`${MS} | ERROR | nrf | t1 | lost node=crt-07`, `${AT} | WARN | nrf |  | late`])
  expect(counts).toMatchObject({ lines: 1, heads: 1, records: 2 })
})

it('joins what Docker and Kubernetes have cut, and says where the rest is missing', () => {
  const cri = (tag: string, text: string) => `2026-01-31T10:20:30Z stdout ${tag} ${text}\n`
  const { shown, counts, records } = read(cri('P', 'link ') + cri('P', 'is ') + cri('F', 'down') + cri('P', 'half') + 'plain\n')
  expect(shown.map((each) => each.split(' | ').at(-1))).toEqual(['link is down', 'plain', 'half'])
  expect(records[0]?.offset).toBe(0)
  expect(counts).toMatchObject({ lines: 5, heads: 2, partial: 3, records: 3, notes: { orphan_partial: 1 } })
  const docker = (text: string) => `${JSON.stringify({ log: text, stream: 'stdout', time: '2026-01-31T10:20:30Z' })}\n`
  expect(read(docker('link ') + docker('down\n')).shown).toEqual([`${AT} | INFO | app |  | link down`])
})

it('folds stack traces into the line above them', () => {
  const trace = [
    '2026-01-31 10:20:30 ERROR a.B: it broke', 'java.io.IOException: no room', '\tat a.B.c(B.java:12)', '    at a.B.d(B.java:13)',
    'Caused by: java.lang.Error: x', '\t... 12 more', '2026-01-31 10:20:30 INFO next', 'Traceback (most recent call last):',
    '  File "x.py", line 3, in f', '    g()', 'ValueError: bad',
  ]
  const { shown, counts } = read(trace.join('\n'))
  expect(shown.map((each) => each.split(' | ').at(-1))).toEqual(['it broke', 'next'])
  expect(counts).toMatchObject({ lines: 11, heads: 2, folded: 9 })
})

it.each([
  ['{"ts":"2026-01-31T10:20:30Z","msg":', { bad_json: { lines: 1, bytes: 35, files: 0 } }],
  ['  \t ', { blank: { lines: 1, bytes: 4, files: 0 } }],
  ['2026-01-31T10:20:30Z ERROR', { no_message: { lines: 1, bytes: 26, files: 0 } }],
  ['{}', { no_message: { lines: 1, bytes: 2, files: 0 } }],
])('counts %j as skipped', (line, skipped) => {
  expect(read(line).counts.skipped).toEqual(skipped)
})

it('is not troubled by depth', () => {
  const deep = `{"msg":"x","a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`
  expect(read(deep).shown).toEqual([' | INFO | app |  | x'])
  expect(read(`{"a":`.repeat(10_000)).counts.skipped).toHaveProperty('bad_json')
})

it('takes a time out of the ordinary as none, and says so', () => {
  const { records, counts } = read('{"ts":"1969-01-01T00:00:00Z","msg":"x"}')
  expect(records[0]?.tsMs).toBeNull()
  expect(counts.notes).toEqual({ implausible_time: 1 })
})
