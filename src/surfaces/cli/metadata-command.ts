/** wherefore metadata export | import | set | history: what is said about tables and columns, as a file or a line at a time. */
import { readFileSync, statSync } from 'node:fs'
import { extname } from 'node:path'
import { Command } from 'commander'
import { type Fault, type MetadataRow, ServiceError } from '../../contracts/index.ts'
import {
  type EditPlan, METADATA_FORMATS, type MetadataFormat, editRow, placeNamed, planEdit, readMetadata, writeMetadata,
  writePrivately,
} from '../../runtime/index.ts'
import { emit } from '../emit.ts'
import { plain, table } from './print.ts'
import { type Local, printJson, readTier, withService } from './session.ts'

const MAX_FILE_BYTES = 64 * 1024 * 1024

export function metadataCommand(): Command {
  const metadata = new Command('metadata').description('labels, synonyms, tiers and axioms of tables and columns')
  addExport(metadata)
  addImport(metadata)
  addSet(metadata)
  metadata
    .command('history <place>')
    .description('who said what about a table or a column, oldest first')
    .option('--json', 'print as JSON')
    .addHelpText('after', '\nExample:\n  wherefore metadata history customer.email')
    .action((place: string, { json }: { json?: true }) =>
      withService(async (local) => {
        const { table: name, column } = placeNamed(await rowsOf(local), place)
        const asked = { table: name, ...(column === null ? {} : { column }) }
        const { history } = emit(await local.service.metadata.history(asked, local.caller), local.caller)
        if (json === true) return printJson({ history })
        const rows = history.map(({ at, author, table_name, column_name, after }) => {
          return [at, author, shownPlace(table_name, column_name), JSON.stringify(after)]
        })
        console.log(table(['at', 'author', 'place', 'after'], rows))
      }),
    )
  return metadata
}

function addExport(metadata: Command): void {
  metadata
    .command('export')
    .description('print the metadata as CSV for a spreadsheet or as YAML for an editor')
    .option('--format <format>', METADATA_FORMATS.join(' or '), 'csv')
    .option('--out <file>', 'write to a file instead of the screen')
    .option('--json', 'print as JSON')
    .addHelpText(
      'after',
      '\nA cell that a spreadsheet would run as a formula gets an apostrophe in front; import takes it away again.\n' +
        'Lists are separated by semicolons; a semicolon inside a word is written \\;.',
    )
    .addHelpText('after', '\nExample:\n  wherefore metadata export --out metadata.csv')
    .action(({ format, out, json }: { format: string; out?: string; json?: true }) =>
      withService(async (local) => {
        const known = readFormat(format)
        const rows = await rowsOf(local)
        if (rows.length === 0) console.error('note: nothing is stored yet; toolkit --phase 1 proposes rows')
        const text = json === true ? `${JSON.stringify({ rows }, null, 2)}\n` : writeMetadata(rows, known)
        if (out === undefined) return void process.stdout.write(text)
        writePrivately(out, text)
        console.error(`${rows.length} rows written`)
      }),
    )
}

function addImport(metadata: Command): void {
  metadata
    .command('import <file>')
    .description('take over what a person has changed in an exported file; rows that say nothing new stay as they are')
    .option('--format <format>', 'csv or yaml; default: by the name of the file')
    .option('--dry-run', 'only show what would change')
    .option('--author <name>', 'who says so', 'local')
    .option('--json', 'print the changes as JSON')
    .addHelpText('after', '\nproposed = false takes a proposal over as it is.')
    .addHelpText('after', '\nExample:\n  wherefore metadata import metadata.csv --dry-run')
    .action((file: string, options: { format?: string; dryRun?: true; author: string; json?: true }) =>
      withService(async (local) => {
        const format = readFormat(options.format ?? (/^\.ya?ml$/i.test(extname(file)) ? 'yaml' : 'csv'))
        if (statSync(file).size > MAX_FILE_BYTES) throw new ServiceError('payload_too_large', 'the file is larger than 64 MB')
        const read = readMetadata(readFileSync(file, 'utf8'), format)
        if (!read.ok) throw refused(read.faults)
        const plan = planEdit(await rowsOf(local), read.rows)
        const lines = new Map(read.rows.map(({ row, line }) => [row, line]))
        await store(local, plan, options, (row) => lines.get(row))
        show(plan, options.dryRun === true, options.json === true)
      }),
    )
}

interface SetOptions {
  readonly tier?: string
  readonly label?: string
  readonly description?: string
  readonly synonyms?: string
  readonly semanticType?: string
  readonly event?: boolean
  readonly clear?: string
  readonly author: string
  readonly dryRun?: true
  readonly json?: true
}

function addSet(metadata: Command): void {
  metadata
    .command('set <place>')
    .description('say something about a table or a column (customer or customer.email); what is not named stays')
    .option('--tier <tier>', 'Public, Internal, Confidential, Restricted')
    .option('--label <text>', 'what people call it')
    .option('--description <text>', 'one sentence')
    .option('--synonyms <words>', 'other words for it, separated by semicolons')
    .option('--semantic-type <word>', 'what kind of thing it is: email, money, name ...')
    .option('--event', 'its rows are events')
    .option('--no-event', 'its rows are no events')
    .option('--clear <fields>', 'fields to leave to the proposal again, separated by commas')
    .option('--author <name>', 'who says so', 'local')
    .option('--dry-run', 'only show what would change')
    .option('--json', 'print the changes as JSON')
    .addHelpText('after', '\nExample:\n  wherefore metadata set customer.email --tier Restricted --label "e-mail address"')
    .action((place: string, options: SetOptions) =>
      withService(async (local) => {
        const current = await rowsOf(local)
        const row = editRow(current, place, saidBy(options))
        // naming a row is a decision, also where it says the same as the proposal
        const plan = planEdit(current, [{ row, proposed: false, line: 1 }])
        await store(local, plan, options, () => undefined)
        show(plan, options.dryRun === true, options.json === true)
      }),
    )
}

const CLEARABLE = [
  'semantic_type', 'label', 'description', 'synonyms', 'sensitivity_tier', 'is_event_class',
] as const satisfies readonly (keyof MetadataRow)[]

const wordsOf = (text: string, separator: string): string[] =>
  text.split(separator).map((word) => word.trim()).filter((word) => word !== '')

function saidBy(options: SetOptions): Partial<MetadataRow> {
  const said: Partial<MetadataRow> = {
    ...(options.tier === undefined ? {} : { sensitivity_tier: readTier(options.tier) }),
    ...(options.label === undefined ? {} : { label: options.label }),
    ...(options.description === undefined ? {} : { description: options.description }),
    ...(options.synonyms === undefined ? {} : { synonyms: wordsOf(options.synonyms, ';') }),
    ...(options.semanticType === undefined ? {} : { semantic_type: options.semanticType }),
    ...(options.event === undefined ? {} : { is_event_class: options.event }),
  }
  const cleared = wordsOf(options.clear ?? '', ',')
  const unknown = cleared.find((name) => !CLEARABLE.some((field) => field === name))
  if (unknown !== undefined) {
    throw new ServiceError('invalid_request', 'no such field to clear', { hint: `one of ${CLEARABLE.join(', ')}` })
  }
  if (cleared.length + Object.keys(said).length === 0) {
    throw new ServiceError('invalid_request', 'nothing was said', {
      hint: 'name at least one of --tier, --label, --description, --synonyms, --clear',
    })
  }
  return { ...said, ...Object.fromEntries(cleared.map((name) => [name, name === 'synonyms' ? [] : null])) }
}

const rowsOf = async ({ service, caller }: Local) => emit(await service.metadata.list(caller), caller).rows

/** Stores the rows, or only has them checked. Faults about rows are given back with the lines that a person sees. */
async function store(
  { service, caller }: Local,
  { rows }: EditPlan,
  { author, dryRun }: { readonly author: string; readonly dryRun?: true },
  lineOf: (row: MetadataRow) => number | undefined,
): Promise<void> {
  if (rows.length === 0) return
  try {
    // a version that never fits: everything is checked and nothing is stored
    emit(await service.metadata.set(rows, { ...caller, name: author }, dryRun === true ? () => false : undefined), caller)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    if (error.code === 'stale' && dryRun === true) return
    if (error.about.errors === undefined) throw error
    const errors = error.about.errors.map((fault): Fault => {
      const [, at, field] = /^rows\.(\d+)\.?(.*)$/.exec(fault.path ?? '') ?? []
      const row = rows[Number(at)]
      if (row === undefined) return fault
      const line = lineOf(row)
      const path = [shownPlace(row.table_name, row.column_name), field].filter(Boolean).join(' ')
      return { message: fault.message, path, ...(line === undefined ? {} : { line }) }
    })
    const hint = 'check the names against the database: toolkit --phase 1 reads it again'
    throw new ServiceError(error.code, error.message, { ...error.about, errors, hint, cause: error })
  }
}

function show({ changes, unchanged, rows }: EditPlan, dryRun: boolean, json: boolean): void {
  if (json) return printJson({ dry_run: dryRun, changed: rows.length, unchanged, changes })
  const cell = (value: unknown) => (value === null ? '-' : typeof value === 'string' ? value : JSON.stringify(value))
  if (changes.length > 0) {
    const lines = changes.map((each) => [shownPlace(each.table, each.column), each.field, cell(each.from), cell(each.to)])
    console.log(table(['place', 'field', 'from', 'to'], lines))
  }
  console.log(plain(`${rows.length} rows ${dryRun ? 'would change' : 'changed'}, ${unchanged} say nothing new`))
}

const shownPlace = (name: string, column: string | null): string => (column === null ? name : `${name}.${column}`)

function readFormat(text: string): MetadataFormat {
  const known = METADATA_FORMATS.find((format) => format === text)
  if (known !== undefined) return known
  throw new ServiceError('invalid_request', 'no such format', { hint: `one of ${METADATA_FORMATS.join(', ')}` })
}

const refused = (errors: readonly Fault[]): ServiceError =>
  new ServiceError('invalid_request', 'the file cannot be taken over; nothing was changed', {
    errors,
    hint: 'mend these places and import it again',
  })
