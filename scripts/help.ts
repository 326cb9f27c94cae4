import type { Command, Option } from './command-line.ts'

/** The width of help texts, in columns. */
const width = 100

/** The list of commands, with one line for each. */
export function overview(commands: readonly Command[]): string {
  return [
    'Usage: clip-lookup <command> [options]',
    '',
    ...columns(commands.map(({ name, summary }) => [name, summary])),
    '',
    'Run "clip-lookup <command> --help" to see the options of a command.',
    'To run clip-lookup from any folder, run "npm link" once in the folder of the project.',
  ].join('\n')
}

export function commandHelp(command: Command): string {
  const options = Object.entries(command.options).map(([name, option]) => [
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
    '',
    'Examples:',
    ...command.examples.map((line) => `  clip-lookup ${line}`),
    '',
    `Docs: /${command.page}/ on the developer site, or below src/site/content/docs/`,
  ].join('\n')
}

export function usageLine({ name, positionals }: Command): string {
  return `Usage: clip-lookup ${name}${positionals ? ` ${positionals}` : ''} [options]`
}

function note(option: Option): string {
  if (option.required) return ' (required)'
  const defaultText = option.shownDefault ?? option.default
  return defaultText ? ` (default ${defaultText})` : ''
}

/** Formats rows of a name and a text; a long text continues on the next lines. */
function columns(rows: readonly (readonly string[])[]): string[] {
  const columnWidth = Math.max(...rows.map(([name]) => name!.length)) + 4
  return rows.flatMap(([name, text]) =>
    wrap(text!, width - columnWidth).map((line, i) => `  ${i === 0 ? name! : ''}`.padEnd(columnWidth) + line),
  )
}

/** Wraps text into lines of at most `columns` characters, at spaces. */
function wrap(text: string, columns: number): string[] {
  return text.match(new RegExp(`\\S.{0,${columns - 1}}(?!\\S)|\\S+`, 'g')) ?? ['']
}
