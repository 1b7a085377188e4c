import fc from 'fast-check'
import { expect, it } from 'vitest'
import { KIND_NAMES } from './scan-classes.ts'
import { Scanner } from './scan.ts'
import { partsOf } from './shape.ts'

const utf8 = new TextEncoder()
const runs = process.env['WHEREFORE_FULL'] === '1' ? 200_000 : 5000
const scanner = new Scanner()

/** What the scanner says, in the words of the reference. */
function scanned(message: string) {
  const bytes = utf8.encode(message)
  scanner.scan(scanner.load(bytes, 0, bytes.length))
  const text = (from: number, to: number): string => Buffer.from(scanner.bytes.subarray(from, to)).toString('utf8')
  return Array.from({ length: scanner.parts }, (_, i) => {
    const kind = KIND_NAMES[scanner.kind[i] ?? 0] ?? ''
    const own = text(scanner.start[i] ?? 0, scanner.end[i] ?? 0)
    const spaced = scanner.spaced[i] === 1
    if (kind === 'word' || kind === 'punctuation') return { slot: false, text: own, spaced }
    return { slot: true, kind, key: scanner.keysAreTexts ? (scanner.keys[i] ?? '') : text(scanner.keyStart[i] ?? 0, scanner.keyEnd[i] ?? 0), spaced, value: own }
  })
}

const expected = (message: string) =>
  partsOf(message).map((part) => {
    if (!part.slot) return { slot: false, text: part.text, spaced: part.spaced }
    return { slot: true, kind: part.kind, key: part.key, spaced: part.spaced, value: message.slice(part.start, part.end) }
  })

it.each([
  '', ' ', 'link down node=crt-07 port=3', 'took 12ms, 4KiB of 0x1f at 10.0.0.1:443', 'GET https://a.example/x?y=1 -> 200',
  'user "ann lee" said \'no\'', 'msg="two words" k=\'v w\' e=', 'ids 1, 2, 3; 4 5 6', 'a::b fe80::1 00:11:22:33:44:55', '/a/b/c.txt:12 C:\\x\\y ~/z /10.1.2.3:80',
  'x@y.org at 2026-01-31T10:20:30Z v1.2.3 -5 +7 a-5', 'k=10.0.0.1:80 k=a,b [x]=y == ...', 'größe=12 übermäßig 東京-3', 'a=b=c d=/x/1=2', '1e5 1e 5e+3 7d 7days', '0\\1100000000\\1010', '[a, b]=[c] x=[d]', '\\042e5=',
])('reads %j as the reference does', (message) => {
  expect(scanned(message)).toEqual(expected(message))
})

const piece = fc.oneof(
  fc.constantFrom(
    'link', 'down', 'blk_', 'v1', 'K', '=', '==', ':', '::', '/', '//', '\\', '"', "'", '.', '..', '-', '+', ',', ';', '(', ')', '[', ']', '{', '<', '>', '|', '@', '!', '?', '*',
    '$', '~', '#', '%', ' ', '  ', '\t', '10.0.0.1', '255.256.1.1', ':8080', '12', '0x1F', 'deadbeef12', '2026-01-31', '10:20:30', 'T', 'Z', 'ms', 'KiB', 'e5', '_', 'http://', 'C:\\',
    'fe80::1', '00:11:22:33:44:55', 'a@b.org', 'é', '東', '🙂', '550e8400-e29b-41d4-a716-446655440000', '/var/log', '7', '\\"', 'bytes', 'mins', 'Mon', 'Jan', 'UTC', 'PM', 'www.a.com', '()', ' [] ', '../', './', '5M', '--', 'r24', 'x-1', 'abcdefab', '12:05', 'http', 'true', 'NULL', 'version', 'Rect', '\\101', 'a.java', 'x.so', 'a.b.de', 'ab12', 'ab12cd', '.0', 'k=', '\\042', '::ffff:10.0.0.1', 'curl/7.8', 'HTTP/1.1', 'eyJhbGciOiJIUzI1NiJ9.abc-def',
  ),
  fc.string({ maxLength: 4 }),
  fc.integer().map(String),
)

it('reads any message as the reference does', { timeout: 300_000 }, () => {
  const message = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(''))
  fc.assert(fc.property(message, (text) => void expect(scanned(text)).toEqual(expected(text))), { numRuns: runs })
})

it('reads more tokens than there may be as the reference does', () => {
  const long = Array.from({ length: 700 }, (_, i) => (i % 3 === 0 ? `w${i}` : 'word')).join(' , ')
  expect(scanned(long)).toEqual(expected(long))
})
