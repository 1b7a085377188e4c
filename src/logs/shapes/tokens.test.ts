import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { line } from './lines.test-support.ts'
import { MAX_TOKENS, tokenise } from './tokens.ts'

const seen = (message: string): string[] =>
  tokenise(message).map(({ kind, start, end, key }) => `${kind} ${key === '' ? '' : `${key}=`}${message.slice(start, end)}`)
const values = (message: string): string[] => seen(message).filter((each) => !/^(word|punctuation) /.test(each))

describe('tokenise', () => {
  it('reads a statement as words and named values', () => {
    expect(seen('link down node=crt-07 port=ge-0/0/1 reason=los')).toEqual([
      'word link', 'word down', 'word node', 'punctuation =', 'identifier node=crt-07', 'word port', 'punctuation =',
      'identifier port=ge-0/0/1', 'word reason', 'punctuation =', 'name reason=los',
    ])
  })

  it.each([
    ['took 12ms, 4KiB of 97% at -1.5e3', ['duration 12ms', 'bytes 4KiB', 'number 97', 'number -1.5e3']],
    ['from /10.0.0.1:443 to 10.0.0.2', ['ip 10.0.0.1', 'number 443', 'ip 10.0.0.2']],
    ['addr=10.0.0.1:443', ['ip addr=10.0.0.1', 'number 443']],
    ['id f81d4fae-7dec-11d0-a765-00a0c91e6bf6 0xff 5f3a9c 00:1b:44:11:3a:b7', [
      'uuid f81d4fae-7dec-11d0-a765-00a0c91e6bf6', 'hex 0xff', 'hex 5f3a9c', 'hex 00:1b:44:11:3a:b7',
    ]],
    ['peer fe80::1 up', ['ip fe80::1']],
    ['at 2026-03-14T09:15:02.5Z or 14/3/2026 or 09:15:02 or 09:15', [
      'timestamp 2026-03-14T09:15:02.5Z', 'timestamp 14/3/2026', 'timestamp 09:15:02', 'timestamp 09:15',
    ]],
    ['on Fri Jun 17 07:07:00 UTC', ['timestamp Fri', 'timestamp Jun', 'number 17', 'timestamp 07:07:00', 'timestamp UTC']],
    ['this may run', []],
    ['see https://a.example/x?y=1, or hdfs://n:9000', ['iri https://a.example/x?y=1', 'iri hdfs://n:9000']],
    ['open /var/log/x.log and C:\\a\\b.txt and ./run and /root', ['path /var/log/x.log', 'path C:\\a\\b.txt', 'path ./run']],
    ['and/or n/a', []],
    ['mail ann@example.org from mx.example.org', ['email ann@example.org', 'host mx.example.org']],
    ['node-3:8080 file.java:12 r2.example.hk:80', ['host node-3', 'number 8080', 'number 12', 'host r2.example.hk', 'number 80']],
    ['version 1.2.3.4 and 1.2.3', ['version 1.2.3.4', 'version 1.2.3']],
    ['"GET /a/b HTTP/1.1" by curl/7.88.1 on PS/2', ['path /a/b', 'version HTTP/1.1', 'version curl/7.88.1', 'number 2']],
    ['say="a b" it\'s', ['quoted say=a b']],
    ['r24=1 r25=2', ['number r24=1', 'number r25=2']],
    ['bounds=Rect(0, 1)', ['number 0', 'number 1']],
    ['ok:true done:none null', ['name true', 'name null']],
    ['from () and call()', ['empty ']],
    ['\\042node-7\\042', ['identifier node-7']],
    ['part \\042WWID:0100:6005-08b4\\042 of "a:b:1" and "x:y"', ['identifier WWID:0100:6005-08b4', 'identifier a:b:1']],
    ['from ::ffff:10.0.0.1 port 22', ['ip ::ffff:10.0.0.1', 'number 22']],
    ['key eyJhbGciOi-_J9.eyJzdWIi.-x_ end', ['identifier eyJhbGciOi-_J9.eyJzdWIi.-x_']],
    ['enable......0', ['number 0']],
    ['', []],
  ])('%j has the values %j', (message, expected) => {
    expect(values(message)).toEqual(expected)
  })

  it('every token lies where it says it lies, in order, and only space is left out', () => {
    fc.assert(
      fc.property(line, (message) => {
        let reached = 0
        for (const token of tokenise(message)) {
          expect(message.slice(reached, token.start).trim()).toBe('')
          expect(token.start).toBeGreaterThanOrEqual(reached)
          reached = token.end
        }
        expect(message.slice(reached).trim()).toBe('')
      }),
    )
  })

  it('any letter beyond ASCII is like any other, so that bytes of UTF-8 give the same tokens', () => {
    fc.assert(
      fc.property(line, (message) => {
        const other = message.replace(/[\u0080-\uffff]/g, '\u00e4\u00f6')
        expect(seen(other)).toEqual(seen(message).map((each) => each.replace(/[\u0080-\uffff]/g, '\u00e4\u00f6')))
      }),
    )
  })

  it('a hostile line takes time in proportion to its length', () => {
    const started = performance.now()
    for (const unit of ['"', 'a="', 'a=', '(', ':/', '/', '-', 'a.', '1:', '[a, ', '://', 'eyJ']) tokenise(unit.repeat(65_536 / unit.length))
    expect(performance.now() - started).toBeLessThan(5000)
  })

  it('a line of ten thousand words ends in free text', () => {
    const tokens = tokenise('a '.repeat(10_000))
    expect(tokens).toHaveLength(MAX_TOKENS + 1)
    expect(tokens.at(-1)?.kind).toBe('text')
  })
})
