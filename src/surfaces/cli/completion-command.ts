/** wherefore completion bash | zsh | fish: a script for the shell, made from the commands as they are. */
import { Command } from 'commander'
import { ServiceError } from '../../contracts/index.ts'
import { emitPublic } from '../emit.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const

export const completionCommand = (): Command =>
  new Command('completion')
    .description('print a completion script for a shell')
    .argument('<shell>', SHELLS.join(', '))
    .addHelpText('after', '\nExample:\n  source <(wherefore completion bash)')
    .action((shell: string, _options: unknown, command: Command) => {
      const root = command.parent ?? command
      console.log(emitPublic(completionScript(root, shell)))
    })

export function completionScript(root: Command, shell: string): string {
  const levels = levelsOf(root)
  if (shell === 'bash') return bash(root.name(), levels)
  if (shell === 'zsh') return zsh(root.name(), levels)
  if (shell === 'fish') return fish(root.name(), levels)
  throw new ServiceError('invalid_request', 'no completion for that shell', { hint: `one of ${SHELLS.join(', ')}` })
}

interface Word {
  readonly text: string
  readonly help: string
}

interface Level {
  /** the words typed so far, without the program */
  readonly path: string
  readonly commands: readonly Word[]
  readonly options: readonly Word[]
}

function levelsOf(command: Command, path: readonly string[] = []): Level[] {
  const commands = command.commands.map((each) => ({ text: each.name(), help: each.description() }))
  const options = command.options.flatMap(({ long, description }) =>
    typeof long === 'string' ? [{ text: long, help: description }] : [],
  )
  const here: Level = { path: path.join(' '), commands, options: [...options, { text: '--help', help: 'show how it is used' }] }
  return [here, ...command.commands.flatMap((each) => levelsOf(each, [...path, each.name()]))]
}

/** The deepest command that the words before the cursor name, then its commands and options; otherwise file names. */
function bash(program: string, levels: readonly Level[]): string {
  const cases = levels.map(({ path, commands, options }) => {
    const words = [...commands, ...options].map(({ text }) => text).join(' ')
    return `    ${quoted(path)}) words=${quoted(words)} ;;`
  })
  return `# completion of ${program} for bash
_${program}() {
  local current=\${COMP_WORDS[COMP_CWORD]} path='' word words i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case "\${path:+$path }$word" in
      ${levels.slice(1).map(({ path }) => quoted(path)).join('|')}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _${program} ${program}`
}

function zsh(program: string, levels: readonly Level[]): string {
  const described = ({ text, help }: Word) => quoted(`${text.replaceAll(':', '\\:')}:${help}`)
  const cases = levels.map(({ path, commands, options }) => {
    const words = [...commands, ...options].map(described).join(' ')
    return `    ${quoted(path)}) words_here=(${words}) ;;`
  })
  return `#compdef ${program}
# completion of ${program} for zsh
_${program}() {
  local path_here='' word i
  local -a words_here
  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
    case "\${path_here:+$path_here }$word" in
      ${levels.slice(1).map(({ path }) => `(${quoted(path)})`).join('|')}) path_here="\${path_here:+$path_here }$word" ;;
    esac
  done
  case "$path_here" in
${cases.join('\n')}
  esac
  _describe '${program}' words_here || _files
}
compdef _${program} ${program}`
}

function fish(program: string, levels: readonly Level[]): string {
  const lines = levels.flatMap(({ path, commands, options }) => {
    const when = path === '' ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${path.split(' ').at(-1)}`
    const line = (kind: string, text: string, help: string) =>
      `complete -c ${program} -n ${quoted(when)} ${kind} ${quoted(text)} -d ${quoted(help)}`
    return [
      ...commands.map(({ text, help }) => line('-a', text, help)),
      ...options.map(({ text, help }) => line('-l', text.slice(2), help)),
    ]
  })
  return [`# completion of ${program} for fish`, ...lines].join('\n')
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
