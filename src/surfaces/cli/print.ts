/** What the command line prints: plain text that a pipe can read, with nothing of the data able to drive the terminal. */
import { type Fault, type SearchAnswer, ServiceError } from '../../contracts/index.ts'

/** Control characters in data (colours, cursor moves, bells) would be obeyed by a terminal. */
export const plain = (text: string): string => text.replaceAll(/(?![\n\t])\p{Cc}/gu, '\uFFFD')

/** What stands within a line stays within it, and nothing in it is invisible or turns the line round. */
export const inline = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD')

export function answerText(answer: SearchAnswer): string {
  // one claim a line: each is a sentence of its own, with its own records
  const lines = answer.claims.length === 0 ? [plain(answer.answer), ''] : claimLines(answer)
  const offered = answer.clarification?.options ?? []
  for (const [at, { label }] of offered.entries()) lines.push(`  ${at + 1}. ${plain(label)}`)
  if (offered.length > 0) lines.push('Ask again with --choose 1 (or another number), or say which is meant.', '')
  if (answer.citations.length > 0) {
    lines.push('Records')
    for (const { n, label, source_table, key, tier } of answer.citations.slice(0, MAX_PRINTED)) {
      const named = Object.entries(key).map(([column, value]) => `${column}=${value}`).join(', ')
      lines.push(`  [${n}] ${plain(label).replaceAll(/\s+/g, ' ')}  (${inline(source_table)}: ${inline(named)}; ${tier})`)
    }
    lines.push('')
  }
  if (answer.executed_query !== '') lines.push('SQL (read-only)', `  ${plain(answer.executed_query)}`, '')
  if (answer.subgraph.count > 0) lines.push(`Subgraph: ${answer.subgraph.count} triples`, '')
  const passed = answer.status === 'ok' || answer.status === 'empty' ? (answer.plan?.uncovered ?? []) : []
  if (passed.length > 0) lines.push(`note: read without ${passed.map((word) => `"${inline(word)}"`).join(', ')}`)
  for (const warning of answer.warnings) lines.push(`note: ${plain(warning)}`)
  lines.push(`status ${answer.status}, confidence ${answer.confidence.toFixed(2)}, ${answer.claims.length} verified claims`)
  return lines.join('\n')
}

/** As many as a person reads; the rest is counted, and --json has it. */
const MAX_PRINTED = 40

function claimLines({ claims }: SearchAnswer): string[] {
  const more = claims.length > MAX_PRINTED ? [`... and ${claims.length - MAX_PRINTED} more claims; --json prints them all`, ''] : []
  return [...claims.slice(0, MAX_PRINTED).flatMap(({ text }) => [wrapped(plain(text)), '']), ...more]
}

/** Broken at spaces, so that a long sentence stays readable on a narrow terminal. */
export function wrapped(text: string, width = 110): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = ''
    }
    line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].join('\n  ')
}

export function problemText(error: unknown): string {
  if (!(error instanceof ServiceError)) {
    return `wherefore: an unexpected failure: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
  }
  const { hint, errors = [], leaving = [] } = error.about
  const advice = hint === undefined ? '' : `\n  hint: ${hint}`
  return `wherefore: ${error.message} (${error.code})${errors.map(faultText).join('')}${leaving.map((each) => `\n  would leave: ${plain(each)}`).join('')}${advice}`
}

/** One fault on a line of its own, its place first. */
export function faultText({ path, line, column, message }: Fault): string {
  const at = line === undefined ? '' : `line ${line}${column === undefined ? '' : `, column ${column}`}`
  const place = [path, at].filter(Boolean).join(' ')
  return `\n  ${place === '' ? '' : `${plain(place)}: `}${plain(message)}`
}

const IO_CAUSES: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder', EACCES: 'the rights do not allow it', EPERM: 'the rights do not allow it',
  EROFS: 'the disk is read-only', EISDIR: 'it is a folder', ENOTDIR: 'a part of the path is a file', EEXIST: 'it is already there',
  ENOSPC: 'no room is left', EIO: 'the disk failed', EMFILE: 'too many files are open', ENAMETOOLONG: 'the name is too long',
  ELOOP: 'its links lead in a circle',
}

/** What to say of a file that cannot be read or written; null when the failure is another one. */
export function ioText(error: unknown): string | null {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return null
  const cause = IO_CAUSES[String(error.code)]
  if (cause === undefined) return null
  const path = 'path' in error && typeof error.path === 'string' ? ` ${plain(error.path)}` : ''
  return `wherefore: cannot ${String(error.syscall)}${path}: ${cause}`
}

/** Left-aligned columns, two spaces apart. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((name, at) => Math.max(name.length, ...rows.map((row) => plain(row[at] ?? '').length)))
  const line = (cells: readonly string[]) => cells.map((cell, at) => plain(cell).padEnd(widths[at] ?? 0)).join('  ').trimEnd()
  return [line(header), ...rows.map(line)].join('\n')
}
