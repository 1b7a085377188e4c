/** wherefore mine-map: a part of a log becomes a partial state, as a program with standard input and output that any engine can run. */
import { readSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { EXIT, ServiceError, exitCode } from '../../contracts/index.ts'
import { mapLogPaths, mapLogStream } from '../../runtime/mining/index.ts'
import { ioText, problemText } from './print.ts'

interface MapOptions {
  readonly as: string
  readonly offset: string
  readonly written?: string
  readonly root: string
}

export const mineMapCommand = (): Command =>
  new Command('mine-map')
    .description('map a part of a log: lines on standard input, or files, become a partial state on standard output')
    .argument('[paths...]', 'files, folders or patterns; without any, standard input is read')
    .option('--as <name>', 'the name of the file that standard input is a part of', 'stdin')
    .option('--offset <bytes>', 'where standard input starts in that file; parts begin where a record does', '0')
    .option('--written <date>', 'when the log was written, for times without a year; today where nothing is said')
    .option('--root <folder>', 'names of files are relative to this folder', '.')
    .addHelpText('after', '\nExample:\n  head -c 1000000 app.log | wherefore mine-map --as app.log > 1.state\n  wherefore mine-reduce 1.state 2.state')
    .action(async (paths: string[], { as: name, offset, written, root }: MapOptions) => {
      const sink = (bytes: Uint8Array): void => void process.stdout.write(Uint8Array.from(bytes))
      const drained = async (): Promise<void> => {
        if (process.stdout.writableNeedDrain) await new Promise<void>((resolve) => void process.stdout.once('drain', resolve))
      }
      if (paths.length > 0) await mapLogPaths(paths, root, sink, drained)
      else await mapLogStream(standardInput(), sink, { name, offset: readOffset(offset), referenceMs: readDate(written) }, drained)
    })

const CHUNK = 256 * 1024

/** Standard input into one buffer, over and over: a stream would leave a gigabyte of chunks to be collected. */
async function* standardInput(): AsyncGenerator<Uint8Array> {
  const chunk = Buffer.allocUnsafe(CHUNK)
  for (;;) {
    const read = readOnce(chunk)
    if (read === 0) return
    if (read > 0) yield chunk.subarray(0, read)
    else await new Promise((resolve) => void setTimeout(resolve, 1))
  }
}

/** How many bytes came; 0 at the end, -1 where none are there yet. */
function readOnce(chunk: Buffer): number {
  try {
    return readSync(0, chunk, 0, chunk.length, null)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EAGAIN') return -1
    if (code === 'EOF') return 0
    throw error
  }
}

function readOffset(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new ServiceError('invalid_request', '--offset is a number of bytes')
}

function readDate(text: string | undefined): number {
  const ms = text === undefined ? Date.now() : Date.parse(text)
  if (Number.isNaN(ms)) throw new ServiceError('invalid_request', '--written is a date', { hint: 'such as 2026-01-31' })
  return ms
}

/** The command by itself, as main.ts starts it. */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    await mineMapCommand().exitOverride().parseAsync(argv.slice(1), { from: 'user' })
    return Number(process.exitCode ?? EXIT.ok)
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
    const io = ioText(error)
    console.error(io ?? problemText(error))
    return io === null ? exitCode(error) : EXIT.io
  }
}
