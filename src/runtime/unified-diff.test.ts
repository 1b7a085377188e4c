import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { unifiedDiff } from './unified-diff.ts'

const NAMES = { before: 'a', after: 'b' }
const diff = (before: string, after: string) => unifiedDiff(before, after, NAMES)

it('shows a changed line with three lines around it', () => {
  const before = '1\n2\n3\n4\n5\n6\n7\n8\n9\n'
  expect(diff(before, before.replace('5', 'five'))).toBe('--- a\n+++ b\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n')
})

it.each([
  ['nothing', 'a\n', 'a\n', ''],
  ['all of it', '', 'a\nb\n', '--- a\n+++ b\n@@ -0,0 +1,2 @@\n+a\n+b\n'],
  ['all of it away', 'a\n', '', '--- a\n+++ b\n@@ -1 +0,0 @@\n-a\n'],
  ['the last line break', 'a\n', 'a', '--- a\n+++ b\n@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n'],
])('tells a change of %s', (_what, before, after, expected) => {
  expect(diff(before, after)).toBe(expected)
})

/** Applies a diff by its own line numbers. */
function patched(before: string, text: string): string {
  if (text === '') return before
  const lines = before === '' ? [] : before.replace(/\n$/, '').split('\n')
  const out: string[] = []
  let at = 0
  for (const line of text.split('\n').slice(2, -1)) {
    const [, start, length = '1'] = /^@@ -(\d+)(?:,(\d+))? /.exec(line) ?? []
    if (start !== undefined) {
      const upTo = Number(start) - (length === '0' ? 0 : 1)
      while (at < upTo) out.push(lines[at++]!)
    } else if (line.startsWith('+')) out.push(line.slice(1))
    else {
      expect(lines[at]).toBe(line.slice(1))
      if (line.startsWith(' ')) out.push(line.slice(1))
      at += 1
    }
  }
  const all = [...out, ...lines.slice(at)]
  return all.length === 0 ? '' : `${all.join('\n')}\n`
}

const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd', '', '@@ -1 +1 @@', '-x', '+y'), { maxLength: 30 }).map((lines) => lines.map((line) => `${line}\n`).join(''))

it('turns the old text into the new one when it is applied', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(patched(before, diff(before, after))).toBe(after)
    }),
    { numRuns: 500 },
  )
})

it('is what patch(1) understands, where there is one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wherefore-diff-'))
  try {
    const before = Array.from({ length: 400 }, (_, i) => `line ${i}`).join('\n')
    const after = before.replace('line 7\n', '').replace('line 200\n', 'line two hundred\nand one\n').replace('line 399', 'line 399\n')
    writeFileSync(join(folder, 'file'), before)
    writeFileSync(join(folder, 'change'), diff(before, after))
    try {
      execFileSync('patch', ['-s', 'file', 'change'], { cwd: folder })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
      throw error
    }
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe(after)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('stays quick on a large file that changed throughout', () => {
  const lines = Array.from({ length: 40_000 }, (_, i) => `:r${i} :p ${i} .`)
  const began = performance.now()
  const changed = diff(lines.join('\n'), lines.map((line, i) => (i % 10 === 0 ? line.replace(':p', ':q') : line)).join('\n'))
  expect(changed.match(/^\+:r/gm)).toHaveLength(4000)
  expect(performance.now() - began).toBeLessThan(2000)
})

it('a hunk of any size is only text', () => {
  const lines = (mark: string) => `${Array.from({ length: 100_000 }, (_, i) => `${mark}${i}`).join('\n')}\n`
  expect(diff(lines('a'), lines('b')).split('\n').length).toBeGreaterThan(200_000)
})
