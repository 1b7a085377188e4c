/** wherefore rules list | show | add | remove | validate | preview | coverage | library | compile | summarise. */
import { readFileSync, statSync } from 'node:fs'
import { extname } from 'node:path'
import { Command } from 'commander'
import { type Fault, LIMITS, RULE_KINDS, RuleInput, type RuleKind, type RulePreview, ServiceError } from '../../contracts/index.ts'
import { readYamlDocument, shortNames } from '../../runtime/index.ts'
import { emit } from '../emit.ts'
import { faultText, plain, table, wrapped } from './print.ts'
import { type Local, printJson, withService } from './session.ts'

interface Output {
  readonly json?: true
}

const FILE_HELP = `
The file is the rule itself (.ttl, .rq, .dl: then --kind tells SHACL from OWL), or a document (.yaml, .json) with
kind, body or meta, label, nl_summary and so on, as PUT /api/rules/{id} takes it.`

export function rulesCommand(): Command {
  const rules = new Command('rules').description('write, check, try out and list rules')
  addReads(rules)
  addWrites(rules)
  addTrials(rules)
  return rules
}

function addReads(rules: Command): void {
  rules
    .command('list')
    .description('all rules, with where they come from')
    .option('--json', 'print as JSON')
    .addHelpText('after', '\nExample:\n  wherefore rules list')
    .action(({ json }: Output) =>
      withService(async ({ service, caller }) => {
        const { rules: all } = emit(await service.rules.list(caller), caller)
        if (json === true) return printJson({ rules: all })
        const rows = all.map(({ id, kind, enabled, tier, source, label }) => [id, kind, enabled ? 'on' : 'off', tier, source, label])
        console.log(table(['id', 'kind', 'state', 'tier', 'source', 'label'], rows))
      }),
    )
  rules
    .command('show <id>')
    .description('one rule: what it says in words, and its text')
    .option('--json', 'print as JSON')
    .addHelpText('after', '\nExample:\n  wherefore rules show tel-alarm-escalation')
    .action((id: string, { json }: Output) =>
      withService(async ({ service, caller }) => {
        const { rule } = emit(await service.rules.get(id, caller), caller)
        if (json === true) return printJson(rule)
        const notes = [rule.kind, rule.enabled ? 'on' : 'off', rule.tier, rule.source, ...(rule.read_only ? ['read-only'] : [])]
        console.log([`${rule.id}  (${notes.join(', ')})`, wrapped(plain(rule.nl_summary)), '', plain(rule.body)].join('\n'))
      }),
    )
  rules
    .command('coverage')
    .description('per class the rules that use it')
    .option('--json', 'print as JSON')
    .option('--all', 'classes that no rule uses, too')
    .addHelpText('after', '\nExample:\n  wherefore rules coverage --all')
    .action(({ json, all }: Output & { all?: true }) =>
      withService(async ({ service, caller }) => {
        const coverage = emit(await service.rules.coverage(caller), caller)
        if (json === true) return printJson(coverage)
        const shown = coverage.classes.filter(({ rules: some }) => all === true || some.length > 0)
        console.log(table(['class', 'rules'], shown.map(({ qname, rules: some }) => [qname, some.map(({ id }) => id).join(', ') || '-'])))
        console.log(`${coverage.covered} of ${coverage.total} classes are used by a rule`)
      }),
    )
  rules
    .command('library [name]')
    .description('the starter libraries, or the rules of one with whether they fit here')
    .option('--json', 'print as JSON')
    .addHelpText('after', '\nExamples:\n  wherefore rules library\n  wherefore rules library telecom')
    .action((name: string | undefined, { json }: Output) =>
      withService(async ({ service, caller }) => {
        if (name === undefined) {
          const libraries = emit(service.rules.libraries(caller), caller)
          if (json === true) return printJson({ libraries })
          return console.log(table(['name', 'rules', 'label'], libraries.map((one) => [one.name, String(one.rules), one.label])))
        }
        const library = emit(await service.rules.library(name, caller), caller)
        if (json === true) return printJson(library)
        const rows = library.rules.map(({ id, kind, added, fits, errors, label }) => [id, kind, added ? 'added' : fits ? 'fits' : (errors[0]?.message ?? 'does not fit'), label])
        console.log(table(['id', 'kind', 'here', 'label'], rows))
      }),
    )
}

function addWrites(rules: Command): void {
  rules
    .command('add <what>')
    .description('add a library, one of its rules, or a rule of your own from a file')
    .option('--file <file>', 'the rule; <what> is then its id')
    .option('--kind <kind>', RULE_KINDS.join(', '))
    .option('--label <text>', 'what people call it')
    .option('--off', 'save it, but do not run it')
    .option('--json', 'print as JSON')
    .addHelpText('after', `${FILE_HELP}\n\nExamples:\n  wherefore rules add telecom\n  wherefore rules add telecom/tel-flapping-link\n  wherefore rules add escalate-alarm --file escalate.rq`)
    .action((what: string, options: FileOptions & Output & { off?: true; label?: string }) =>
      withService(async (local) => {
        if (options.file !== undefined) return saveFile(local, what, options)
        const [name = '', id, ...more] = what.split('/')
        if (more.length > 0 || name === '' || id === '') throw new ServiceError('invalid_request', 'name a library, or a library and a rule: telecom/tel-flapping-link')
        const added = emit(await local.service.rules.add(name, id, local.caller), local.caller)
        if (options.json === true) printJson(added)
        else {
          for (const one of added.added) console.log(`added      ${one}`)
          for (const one of added.unchanged) console.log(`unchanged  ${one}`)
          for (const one of added.refused) console.log(`refused    ${one.id}${one.errors.map(faultText).join('')}`)
        }
        // nothing of what was asked for is there now
        if (added.added.length + added.unchanged.length === 0) process.exitCode = 1
      }),
    )
  rules
    .command('remove <id>')
    .description('remove a rule of the session')
    .option('--json', 'print as JSON')
    .addHelpText('after', '\nExample:\n  wherefore rules remove escalate-alarm')
    .action((id: string, { json }: Output) =>
      withService(async ({ service, caller }) => {
        const removed = emit(await service.rules.remove(id, caller), caller)
        if (json === true) return printJson(removed)
        console.log(`removed ${removed.removed}`)
        for (const { path = '', message } of removed.warnings) console.log(`note: ${path}: ${message}`)
      }),
    )
}

interface FileOptions {
  readonly file?: string
  readonly kind?: string
}

function addTrials(rules: Command): void {
  rules
    .command('validate')
    .description('what keeps a rule from being saved, with line and column')
    .requiredOption('--file <file>', 'the rule')
    .option('--kind <kind>', RULE_KINDS.join(', '))
    .option('--id <id>', 'the id it shall have')
    .option('--json', 'print as JSON')
    .addHelpText('after', `${FILE_HELP}\n\nExample:\n  wherefore rules validate --file escalate.rq`)
    .action((options: FileOptions & Output & { id?: string }) =>
      withService(async ({ service, caller }) => {
        const validation = emit(await service.rules.validate(readRuleFile(options, options.id), caller), caller)
        if (options.json === true) printJson(validation)
        else console.log(`${validation.ok ? 'valid' : 'not valid'}${[...validation.errors, ...validation.warnings.map(asNote)].map(faultText).join('')}`)
        if (!validation.ok) process.exitCode = 1
      }),
    )
  rules
    .command('preview [id]')
    .description('run one rule on data made for it, on the graph, or on a Turtle file; nothing is kept')
    .option('--file <file>', 'a rule that is not saved yet')
    .option('--kind <kind>', RULE_KINDS.join(', '))
    .option('--data <data>', 'synthetic, graph, or a Turtle file', 'synthetic')
    .option('--json', 'print as JSON')
    .addHelpText('after', `${FILE_HELP}\n\nExamples:\n  wherefore rules preview tel-flapping-link\n  wherefore rules preview --file escalate.rq --data graph`)
    .action((id: string | undefined, options: FileOptions & Output & { data: string }) =>
      withService(async (local) => {
        const rule = await ruleFor(local, id, options)
        const data = ['synthetic', 'graph'].includes(options.data) ? options.data : readText(options.data)
        const preview = emit(await local.service.rules.preview({ rule, data }, local.caller), local.caller)
        if (options.json === true) printJson(preview)
        else console.log(previewText(preview, shortNames(local.project)))
        if (preview.errors.length > 0) process.exitCode = 1
      }),
    )
  rules
    .command('compile')
    .description('the SHACL rule that slots stand for')
    .requiredOption('--file <file>', 'slots in YAML or JSON: target_class, conditions, assertion')
    .option('--id <id>', 'the id of the rule')
    .option('--json', 'print as JSON')
    .addHelpText('after', '\nExample:\n  wherefore rules compile --file slots.yaml --id escalate-alarm')
    .action(({ file, id, json }: { file: string; id?: string } & Output) =>
      withService(async ({ service, caller }) => {
        const slots = readYamlDocument(readText(file), 'the file')
        const meta = typeof slots === 'object' && slots !== null && 'meta' in slots ? slots.meta : slots
        const compiled = emit(service.rules.compile(meta, id, caller), caller)
        if (json === true) return printJson(compiled)
        process.stdout.write(compiled.body)
      }),
    )
  rules
    .command('summarise [id]')
    .description('one sentence that says what a rule says')
    .option('--file <file>', 'a rule that is not saved yet')
    .option('--kind <kind>', RULE_KINDS.join(', '))
    .option('--json', 'print as JSON')
    .addHelpText('after', '\nExample:\n  wherefore rules summarise --file escalate.rq')
    .action((id: string | undefined, options: FileOptions & Output) =>
      withService(async (local) => {
        const summary = emit(await local.service.rules.summarise(await ruleFor(local, id, options), local.caller), local.caller)
        if (options.json === true) return printJson(summary)
        console.log(plain(summary.nl_summary))
      }),
    )
}

async function saveFile({ service, caller }: Local, id: string, options: FileOptions & Output & { off?: true; label?: string }): Promise<void> {
  const input = { ...readRuleFile(options, id), ...(options.off === true ? { enabled: false } : {}), ...(options.label === undefined ? {} : { label: options.label }) }
  const saved = emit(await service.rules.put(id, input, caller), caller)
  if (options.json === true) return printJson({ rule: saved.rule, warnings: saved.warnings })
  console.log(`${saved.created ? 'added' : 'changed'}  ${id}\n${wrapped(plain(saved.rule.nl_summary))}${saved.warnings.map(asNote).map(faultText).join('')}`)
}

async function ruleFor({ service, caller }: Local, id: string | undefined, options: FileOptions): Promise<RuleInput> {
  if (options.file !== undefined) return readRuleFile(options, id)
  if (id === undefined) throw new ServiceError('invalid_request', 'name a rule, or a file with --file')
  const { rule } = emit(await service.rules.get(id, caller), caller)
  const { read_only: _fixed, tier: _tier, source: _source, meta: _meta, ...rest } = rule
  return RuleInput.parse(rest)
}

const KINDS: Readonly<Record<string, RuleKind>> = { '.rq': 'sparql', '.sparql': 'sparql', '.dl': 'datalog' }

/** A document says all about a rule; any other file is its text. */
function readRuleFile({ file = '', kind }: FileOptions, id: string | undefined): RuleInput {
  const text = readText(file)
  const named = kind === undefined ? undefined : RULE_KINDS.find((one) => one === kind)
  if (kind !== undefined && named === undefined) throw new ServiceError('invalid_request', 'no such kind of rule', { hint: `one of ${RULE_KINDS.join(', ')}` })
  const ending = extname(file).toLowerCase()
  const isDocument = ['.yaml', '.yml', '.json'].includes(ending)
  const known = named ?? KINDS[ending] ?? (/\bsh:rule\b/.test(text) ? 'shacl' : 'owl')
  const value = isDocument ? readYamlDocument(text, 'the file') : { kind: known, body: text }
  const input = RuleInput.safeParse(id === undefined ? value : { ...(value as object), id })
  if (input.success) return input.data
  const errors = input.error.issues.map(({ path, message }): Fault => ({ path: path.join('.'), message }))
  throw new ServiceError('invalid_request', 'the file does not hold a rule', { errors, hint: 'a document has kind, and body or meta' })
}

function readText(file: string): string {
  if (statSync(file).size > LIMITS.body_bytes) throw new ServiceError('payload_too_large', `the file is larger than ${LIMITS.body_bytes / 1024} KB`)
  return readFileSync(file, 'utf8')
}

const asNote = (fault: Fault): Fault => ({ ...fault, message: `note: ${fault.message}` })

function previewText(preview: RulePreview, short: (term: string) => string): string {
  const lines = preview.derived.map(({ subject, predicate, object }) => `  ${plain([subject, predicate, object].map(short).join(' '))}`)
  return [
    `${preview.count} ${preview.count === 1 ? 'triple' : 'triples'} (${preview.duration_ms} ms)`, ...lines,
    ...preview.errors.map((fault) => faultText(fault).slice(1)), ...preview.warnings.map((warning) => `note: ${plain(warning)}`),
    ...(preview.sample === undefined ? [] : ['', plain(preview.sample).trimEnd()]),
  ].join('\n')
}
