/** wherefore verify <answer.json>: a stored answer against its database, one line per claim; reads only, asks nobody. */
import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { EXIT, ServiceError } from '../../contracts/index.ts'
import type { Verification } from '../../runtime/index.ts'
import { emit } from '../emit.ts'
import { inline, plain } from './print.ts'
import { repeatedName } from './repeated-name.ts'
import { printJson, readTier, withService } from './session.ts'

interface Options {
  readonly db?: string
  readonly flavor?: string
  readonly maxTier?: string
  readonly json?: true
}

export const verifyCommand = (): Command =>
  new Command('verify')
    .description('check a stored answer against the database: its records are read and its derivations made and checked again')
    .argument('<answer.json>', 'what `wherefore search --json` printed; - reads it from standard input')
    .option('--db <path>', 'a SQLite file, an address, or the name of a configured source')
    .option('--flavor <name>', 'whose rules the answer used; by default those of the source')
    .option('--max-tier <tier>', 'the ceiling of the answer; by default each within your grant is tried')
    .option('--json', 'print the verdicts as JSON')
    .addHelpText('after', '\nExample:\n  wherefore verify answer.json --db network-ops.sqlite')
    .action((file: string, options: Options) =>
      withService(async ({ service, caller }) => {
        const document = readDocument(file)
        const asked = {
          anyPath: true,
          ...(options.db === undefined ? {} : { db: options.db }),
          ...(options.flavor === undefined ? {} : { flavor: options.flavor }),
          ...(options.maxTier === undefined ? {} : { maxTier: readTier(options.maxTier) }),
        }
        const found = emit(await service.verify(document, asked, caller), caller)
        if (options.json === true) printJson(found)
        else console.log(verificationText(found))
        process.exitCode = found.ok ? EXIT.ok : EXIT.refused
      }),
    )

export function verificationText({ ok, claims, document, unchecked, max_tier: ceiling }: Verification): string {
  const lines = claims.map(({ id, text, verified, why }) => {
    const said = plain(text).replaceAll(/\s+/g, ' ')
    return verified ? `verified  ${inline(id)}  ${said}` : `failed    ${inline(id)}  ${why}: ${said}`
  })
  for (const { part, why } of document) lines.push(`failed    ${inline(part)}: ${why}`)
  lines.push(`not checked, as no database can confirm it: ${unchecked.join(', ')}`)
  const held = claims.filter(({ verified }) => verified).length
  const end = ok ? 'the answer holds' : 'the answer does not hold'
  return [...lines, '', `${held} of ${claims.length} claims verified within tier ${ceiling}: ${end}`].join('\n')
}

function readDocument(file: string): unknown {
  const text = readFileSync(file === '-' ? 0 : file, 'utf8')
  const hint = 'wherefore search "<question>" --json prints an answer document'
  const document = parsed(text)
  if (document === undefined) throw new ServiceError('invalid_request', 'the file is not JSON', { hint })
  const twice = repeatedName(text)
  if (twice === null) return document
  // other readers take the first of them: what they show is not what would be checked here
  const errors = [{ path: inline(twice), message: 'this name stands twice in one object' }]
  throw new ServiceError('invalid_request', 'the file can be read in two ways', { hint, errors })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
