import { everyOption, type CommandEntry, type NamedCommand, type Option } from './command-line.ts'
import { examples } from './examples.ts'

/** Help texts keep to this many columns. */
const width = 100

/** The commands with a line each. */
export function overview(commands: readonly CommandEntry[]): string {
  return [
    'Usage: clip-lookup <command> [options]',
    '',
    ...columns(commands.map(({ name, summary }) => [name, summary])),
    '',
    'Run "clip-lookup <command> --help" to see the options of a command.',
    'To run clip-lookup from any folder, run "npm link" once in the folder of the project.',
  ].join('\n')
}

/** The help of one command. */
export function commandHelp(command: NamedCommand): string {
  const options = Object.entries(everyOption(command)).map(([name, option]) => [
    `--${name}${option.value ? ` ${option.value}` : ''}${option.multiple ? ' …' : ''}`,
    option.description + note(option),
  ])
  return [
    usageLine(command),
    '',
    ...wrap([command.summary, command.details].join(' ').trim(), width),
    '',
    'Options (you can also set CLIP_LOOKUP_<OPTION> in the environment; options take precedence):',
    ...columns(options),
    ...moreHelp(command.name),
  ].join('\n')
}

function moreHelp(name: string): string[] {
  const more = examples[name]
  if (!more) return []
  return [
    '',
    'Examples:',
    ...more.lines.map((line) => `  clip-lookup ${line}`),
    '',
    `Docs: /operate/${more.page}/ on the developer site, or src/content/docs/operate/`,
  ]
}

export function usageLine({ name, positionals }: Pick<NamedCommand, 'name' | 'positionals'>): string {
  return `Usage: clip-lookup ${name}${positionals ? ` ${positionals}` : ''} [options]`
}

function note(option: Option): string {
  if (option.required) return ' (required)'
  return option.default ? ` (default ${option.shownDefault ?? option.default})` : ''
}

/** Rows of a name and a text; a long text continues on the next lines. */
function columns(rows: readonly (readonly string[])[]): string[] {
  const left = Math.max(...rows.map(([name]) => name!.length)) + 4
  return rows.flatMap(([name, text]) =>
    wrap(text!, width - left).map((line, i) => `  ${i === 0 ? name! : ''}`.padEnd(left) + line),
  )
}

/** Lines of at most `columns` characters, broken at spaces. */
function wrap(text: string, columns: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > columns) {
      lines.push(line)
      line = word
    } else {
      line += (line === '' ? '' : ' ') + word
    }
  }
  return [...lines, line]
}
