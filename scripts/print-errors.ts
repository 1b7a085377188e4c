/** Prints docs/errors.md from the error table, so that the two cannot drift apart. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EXIT, PROBLEMS, type ProblemCode, ServiceError, exitCode } from '../src/contracts/index.ts'
import { root } from './steps.ts'

export function errorsPage(): string {
  const rows = Object.entries(PROBLEMS).map(([code, { status, title }]) => {
    const exit = exitCode(new ServiceError(code as ProblemCode, ''))
    return `| \`${code}\` | ${status} | ${exit} | ${title} |`
  })
  const exits = Object.entries(EXIT).map(([name, code]) => `${code} ${name}`).join(', ')
  return `# Errors

Every failure is a problem document (RFC 9457, \`application/problem+json\`):
\`{type, title, status, detail, code, stage?, hint?, errors?[], leaving?[], request_id}\`.
This page is printed from \`src/contracts/errors.ts\` by \`npm run errors\`.

| code | HTTP status | exit code | title |
|---|---|---|---|
${rows.join('\n')}

Exit codes of the command line: ${exits}. A pipeline that finds another writer at work ends with ${EXIT.locked}.
`
}

if (process.argv[1]?.endsWith('print-errors.ts') === true) writeFileSync(join(root, 'docs', 'errors.md'), errorsPage())
