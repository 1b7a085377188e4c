import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvRows, type RowFaults } from './csv-rows.ts'
import { LineBook, SeriesBook, SpanBook, cellTimeMs, serviceOfPod, tarFiles } from './index.ts'

/** Bytes in pieces of a size: where a stream is cut must not matter. */
async function* pieces(bytes: Uint8Array | string, size = 7): AsyncGenerator<Uint8Array> {
  const all = Buffer.from(bytes)
  for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size)
}
const rowsOf = async (text: string, size?: number): Promise<{ rows: string[][]; faults: RowFaults }> => {
  const faults: RowFaults = {}
  return { rows: await Array.fromAsync(csvRows(pieces(text, size), faults)), faults }
}

describe('CSV out of a stream', () => {
  it.each<[string, string, string[][], RowFaults]>([
    ['quotes, commas, line breaks inside', 'a,"b ""x"", y\nz"\r\nc,d', [['a', 'b "x", y\nz'], ['c', 'd']], {}],
    ['a byte-order mark and empty lines', '\ufeffa,b\n\n1,2\n', [['a', 'b'], ['1', '2']], {}],
    ['empty cells at the end', 'a,\n,b', [['a', ''], ['', 'b']], {}],
    ['text behind a quote', 'a,b\n"x"y,1\n2,3\n', [['a', 'b'], ['2', '3']], { text_behind_quote: 1 }],
    ['a quote that is never closed', 'a,b\n"x,1\n2,3\n', [['a', 'b'], ['2', '3']], { unclosed_quote: 1 }],
    ['nothing', '', [], {}],
  ])('%s', async (_, text, rows, faults) => {
    for (const size of [1, 3, 1000]) expect(await rowsOf(text, size)).toEqual({ rows, faults })
  })

  it('reads back what was written, wherever it is cut', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', '\n', '\r\n', ' '), maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(cell, { minLength: 2, maxLength: 3 }), { maxLength: 5 }), fc.integer({ min: 1, max: 9 }), async (rows, size) => {
        const text = rows.map((row) => `${row.map((each) => `"${each.replaceAll('"', '""')}"`).join(',')}\n`).join('')
        expect(await rowsOf(text, size)).toEqual({ rows, faults: {} })
      }),
      { numRuns: 60 },
    )
  })
})

function tar(name: string, body: string, alter: (header: Buffer) => void = () => {}): Buffer {
  const header = Buffer.alloc(512)
  header.write(name, 0, 100)
  header.write(`${Buffer.byteLength(body).toString(8).padStart(11, '0')}\0`, 124)
  header.write('0', 156)
  alter(header)
  header.fill(' ', 148, 156)
  header.write(`${header.reduce((sum, byte) => sum + byte, 0).toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([header, Buffer.from(body), Buffer.alloc((512 - (Buffer.byteLength(body) % 512)) % 512)])
}
const END = Buffer.alloc(1024)
async function filesOf(bytes: Buffer): Promise<string[]> {
  const found: string[] = []
  for await (const { name, body } of tarFiles(pieces(bytes, 300))) found.push(`${name}=${Buffer.concat(await Array.fromAsync(body)).toString()}`)
  return found
}
const withType = (type: string) => (header: Buffer) => void header.write(type, 156)

describe('tar', () => {
  it('gives files, and passes over folders and links', async () => {
    const bytes = Buffer.concat([tar('./d/', '', withType('5')), tar('./d/a.csv', 'x'.repeat(600)), tar('l', '', withType('2')), tar('b', ''), END])
    expect(await filesOf(bytes)).toEqual([`d/a.csv=${'x'.repeat(600)}`, 'b='])
  })
  it('reads long names of GNU and of pax', async () => {
    const long = `d/${'n'.repeat(150)}`
    const pax = `${9 + long.length} path=${long}\n`
    const bytes = Buffer.concat([tar('././@LongLink', long, withType('L')), tar('short', 'x'), tar('pax', pax, withType('x')), tar('short', 'y'), END])
    expect(await filesOf(bytes)).toEqual([`${long}=x`, `${long}=y`])
  })
  it('passes over what was not read of a file', async () => {
    const names: string[] = []
    for await (const { name } of tarFiles(pieces(Buffer.concat([tar('a', 'x'.repeat(2000)), tar('b', 'y'), END])))) names.push(name)
    expect(names).toEqual(['a', 'b'])
  })
  it.each<[string, Buffer, RegExp]>([
    ['a name that climbs out', tar('../a', 'x'), /leads out/],
    ['an absolute name', tar('/etc/x', 'x'), /leads out/],
    ['a size that is no number', tar('a', 'x', (header) => void header.write('99999999999\0', 124)), /size is no number/],
    ['a body that is cut off', tar('a', 'x'.repeat(5000)).subarray(0, 2000), /ends inside a file/],
    ['a header that is cut off', tar('a', 'x').subarray(0, 200), /ends inside a header/],
    ['a wrong sum', Buffer.from(tar('a', 'x').map((byte, i) => (i === 0 ? byte + 1 : byte))), /checksum/],
    ['a name without end', tar('l', 'n'.repeat(70_000), withType('L')), /too long/],
  ])('refuses %s', async (_, bytes, message) => {
    await expect(filesOf(bytes)).rejects.toThrow(message)
  })
})

describe('times and pods', () => {
  it.each([
    ['1674981742383150913', 1674981742383.1509],
    ['1674981742', 1674981742000],
    ['2023-01-29T08:42:22.383150913Z', 1674981742383.1509],
    ['2023-01-29 08:42:22', 1674981742000],
    ['2023-01-29 16:42:22.5 +0800', 1674981742500],
    ['2023-01-29 08:41:09.043 +0000 UTC m=+0.1', 1674981669043],
  ])('%s', (text, ms) => expect(cellTimeMs(text)).toBeCloseTo(ms, 3))
  it.each(['', 'noon', '-6795364578871345152', '2023-13-45T99:00:00Z', '12'])('%s is no time', (text) => expect(cellTimeMs(text)).toBeNaN())
  it.each([
    ['ts-travel2-service-5c66d57d58-6mp2b', 'ts-travel2-service'],
    ['adservice-5f6585d649-fnmft', 'adservice'],
    ['redis-0', 'redis'],
    ['ts-ui-dashboard', 'ts-ui-dashboard'],
  ])('%s is a copy of %s', (pod, service) => expect(serviceOfPod(pod)).toBe(service))
})

describe('tables', () => {
  it('of lines: read as lines are, each row once, what cannot be read counted by reason', async () => {
    const faults: RowFaults = {}
    const book = new LineBook()
    const row = '2023-01-29T08:00:00Z,a-5f6585d649-fnmft,t,s,"{""log"":""08:00:00.1 ERROR x failed for 17\\n"",""stream"":""stdout"",""time"":""2023-01-29T08:00:00Z""}"'
    const text = `Timestamp,PodName,TraceID,SpanID,Log\n${row}\n${row}\nnoon,a,t,s,hello\n2023-01-29T08:00:00Z,,t,s,x\n2023-01-29T08:00:01Z,b\n`
    await book.read(pieces(text, 50), faults, 'log.csv')
    expect(book.lines).toMatchObject([{ service: 'a', severity: 'ERROR', trace: 't', span: 's', tsMs: 1674979200000 }])
    expect([...book.shapes.values()].map(({ count }) => count)).toEqual([1])
    expect(faults).toEqual({ repeated: 1, no_time: 1, no_pod: 1, wrong_number_of_cells: 1 })
  })

  it.each([
    ['another text of the same length', ['t,s,paid 17', 't,s,paid 18'], 2],
    ['another request', ['t,s,paid 17', 'u,s,paid 17'], 2],
    ['another span', ['t,s,paid 17', 't,r,paid 17'], 2],
    ['nothing else', ['t,s,paid 17', 't,s,paid 17'], 1],
  ])('of lines at one time with %s', async (_, rows, count) => {
    const book = new LineBook()
    await book.read(pieces(`Timestamp,PodName,TraceID,SpanID,Log\n${rows.map((row) => `2023-01-29T08:00:00Z,a,${row}\n`).join('')}`), {}, 'log.csv')
    expect(book.lines).toHaveLength(count)
  })

  it('of spans: roots have no parent; what cannot be is counted', async () => {
    const faults: RowFaults = {}
    const book = new SpanBook()
    const header = 'TraceID,SpanID,ParentID,PodName,OperationName,StartTimeUnixNano,EndTimeUnixNano,Duration'
    const row = (id: string, parent: string, from: number, to: number) => `t,${id},${parent},p,/x,16749792${from}000000000,16749792${to}000000000,1`
    await book.read(pieces([header, row('a', 'root', 10, 20), row('a', 'root', 10, 20), row('b', 'a', 20, 10), row('c', 'c', 10, 20), row('', 'a', 10, 20)].join('\n')), faults, 'trace.csv')
    expect(book.spans).toMatchObject([{ id: 'a', parent: '', service: 'p', operation: '/x' }])
    expect(faults).toEqual({ repeated: 1, ends_before_start: 1, own_parent: 1, no_id: 1 })
  })

  it('of measurements: a series for each column, gaps left, doors told from pods', async () => {
    const faults: RowFaults = {}
    const book = new SeriesBook()
    await book.read(pieces('Time,TimeStamp,PodName,Cpu(m),Mem\n2023-01-29 08:01:00 +0000 UTC,1674979260,a-5f6585d649-fnmft,5,\nx,1674979200,a-5f6585d649-fnmft,4,zz\n'), faults)
    await book.read(pieces('TimeStamp,ServiceName,P99\n1674979200,Front,7\n'), faults)
    await book.read(pieces('a,b\n1,2\n'), faults)
    expect(book.series).toEqual([
      { service: 'Front', metric: 'P99', byPod: false, times: [1674979200000], values: [7] },
      { service: 'a', metric: 'Cpu(m)', byPod: true, times: [1674979200000, 1674979260000], values: [4, 5] },
    ])
    expect(faults).toEqual({ no_number: 1, table_without_time_or_pod: 1 })
  })
})
