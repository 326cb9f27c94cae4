import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

/** One option of a command. Each can also be set by the environment variable `CLIP_LOOKUP_<NAME>`; a flag wins. */
export interface Option {
  /** How the value is called in the help, `DIR` or `N`; absent for a switch. */
  value?: string
  /** What it does, in one line. */
  description: string
  /** Used where neither flag nor environment says otherwise. */
  default?: string
  /** How the default is told, where it depends on the machine. */
  shownDefault?: string
  /** May be given more than once. */
  multiple?: boolean
  required?: boolean
}

/** What a command is run with. */
export interface Input {
  values: Record<string, string | undefined>
  lists: Record<string, string[]>
  switches: Record<string, boolean>
  positionals: string[]
  /** A path as the user typed it → absolute, from where the user stands. */
  path(typed: string): string
  env: NodeJS.ProcessEnv
  /** Prints data: one JSON line under `--json`, else the text, if there is any. */
  print(data: unknown, text: string): void
  /** Prints a line on stderr. */
  say(line: string): void
  /** Shows how far the work is, in one line at the foot of stderr; on a terminal only. Empty: takes it away. */
  progress(line: string): void
  /** Whether stderr is a terminal. */
  isTerminal: boolean
}

export interface Command {
  /** `build`, `keys create`. */
  name: string
  /** What stands behind the name in the usage line: `<path>…`. */
  positionals?: string
  summary: string
  options: Record<string, Option>
  /** Gives the exit code; nothing means 0. */
  run(input: Input): Promise<number | void>
}

/** The command was called wrongly: exit 2, with the usage line. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The command failed in a way that its message explains: exit 1, no stack. */
export class Failure extends Error {
  override name = 'Failure'
}

const common: Record<string, Option> = {
  json: { description: 'print data as JSON' },
  help: { description: 'print this help' },
}

/** The options of a command and those of every command. */
export function everyOption(command: Command): Record<string, Option> {
  return { ...command.options, ...common }
}

/** The environment variable of an option: `max-shrink` → `CLIP_LOOKUP_MAX_SHRINK`. */
export function environmentName(option: string): string {
  return `CLIP_LOOKUP_${option.toUpperCase().replaceAll('-', '_')}`
}

/** Finds the command that the first words name. */
export function findCommand(
  commands: readonly Command[],
  argv: readonly string[],
): { command: Command; rest: string[] } | null {
  const words = (command: Command) => command.name.split(' ')
  const command = commands.find((candidate) => words(candidate).every((word, i) => argv[i] === word))
  return command ? { command, rest: argv.slice(words(command).length) } : null
}

/**
 * Reads the arguments of a command.
 *
 * @throws {UsageError} unknown option, missing value, missing required option
 */
export function readInput(command: Command, rest: string[], env: NodeJS.ProcessEnv): Input {
  // The common ones first: who asks for help need not give what is required.
  const options = { ...common, ...command.options }
  const parsed = parse(options, rest)
  const input: Input = {
    values: {},
    lists: {},
    switches: {},
    positionals: parsed.positionals,
    path: (typed) => resolve(env.INIT_CWD ?? process.cwd(), typed),
    env,
    print(data, text) {
      if (input.switches.json) process.stdout.write(JSON.stringify(data) + '\n')
      else if (text !== '') process.stdout.write(text + '\n')
    },
    ...footed(process.stderr),
    isTerminal: process.stderr.isTTY,
  }
  for (const [name, option] of Object.entries(options)) assign(input, name, option, parsed.values[name])
  return input
}

/** A terminal that does not know how wide it is says 0. */
const unknownWidth = 80

/** Lines on a stream, and at their foot on a terminal one that shows progress. */
function footed(stream: NodeJS.WriteStream): Pick<Input, 'say' | 'progress'> {
  const clear = '\r\x1b[K'
  let foot = ''
  return {
    say(line) {
      stream.write(foot === '' ? `${line}\n` : `${clear}${line}\n${foot}`)
    },
    progress(line) {
      if (!stream.isTTY || line === foot) return
      foot = line.slice(0, (stream.columns || unknownWidth) - 1)
      stream.write(clear + foot)
    },
  }
}

/** `--video-id -x`: what follows an option for an id is its value also where it begins with a hyphen, as ids may. */
function joinHyphened(options: Record<string, Option>, args: readonly string[]): string[] {
  const joined: string[] = []
  for (const arg of args) {
    const open = joined.at(-1)
    const takes = open !== undefined && open.startsWith('--') && options[open.slice(2)]?.value === 'ID'
    if (takes && /^-[^-]/.test(arg)) joined.push(`${joined.pop()}=${arg}`)
    else joined.push(arg)
  }
  return joined
}

function parse(options: Record<string, Option>, args: string[]) {
  try {
    return parseArgs({
      args: joinHyphened(options, args),
      allowPositionals: true,
      options: Object.fromEntries(
        Object.entries(options).map(([name, option]) => [
          name,
          {
            type: option.value ? ('string' as const) : ('boolean' as const),
            multiple: option.multiple ?? false,
          },
        ]),
      ),
    })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function assign(
  input: Input,
  name: string,
  option: Option,
  given: string | boolean | (string | boolean)[] | undefined,
) {
  const fromEnv = name === 'help' ? undefined : input.env[environmentName(name)] || undefined
  if (!option.value) {
    input.switches[name] = given === true || (given === undefined && isOn(name, fromEnv))
  } else if (option.multiple) {
    input.lists[name] = (given as string[] | undefined) ?? fromEnv?.split(',') ?? []
  } else {
    input.values[name] = (given as string | undefined) ?? fromEnv ?? option.default
    if (option.required && !input.values[name] && !input.switches.help)
      throw new UsageError(`missing --${name} ${option.value}`)
  }
}

function isOn(name: string, value: string | undefined): boolean {
  if (value === undefined || /^(0|false|no)$/i.test(value)) return false
  if (/^(1|true|yes)$/i.test(value)) return true
  throw new UsageError(`${environmentName(name)} must be 1 or 0, got "${value}"`)
}

/** The help of one command. */
export function commandHelp(command: Command): string {
  const rows = Object.entries(everyOption(command)).map(([name, option]) => {
    const flag = `--${name}${option.value ? ` ${option.value}` : ''}${option.multiple ? ' …' : ''}`
    const note = option.required
      ? ' (required)'
      : option.default
        ? ` (default ${option.shownDefault ?? option.default})`
        : ''
    return [flag, option.description + note] as const
  })
  const width = Math.max(...rows.map(([flag]) => flag.length))
  return [
    usageLine(command),
    '',
    command.summary,
    '',
    'Options (each also as an environment variable CLIP_LOOKUP_<OPTION>; a flag wins):',
    ...rows.map(([flag, text]) => `  ${flag.padEnd(width)}  ${text}`),
  ].join('\n')
}

export function usageLine(command: Command): string {
  return `usage: clip-lookup ${command.name}${command.positionals ? ` ${command.positionals}` : ''} [options]`
}

/** A whole number given to an option. @throws {UsageError} */
export function wholeNumber(name: string, value: string, min: number, max: number): number {
  if (!/^\d{1,15}$/.test(value) || Number(value) < min || Number(value) > max) {
    throw new UsageError(`--${name} must be a whole number from ${min} to ${max}, got "${value}"`)
  }
  return Number(value)
}

/** The words behind the command, just as many as are wanted. @throws {UsageError} more or fewer */
export function positionals(input: Input, ...wanted: string[]): string[] {
  const given = input.positionals
  if (given.length < wanted.length) throw new UsageError(`missing ${wanted.slice(given.length).join(' ')}`)
  if (given.length > wanted.length) throw new UsageError(`unexpected "${given[wanted.length]}"`)
  return given
}

/** What parses an option gives, its exception being a fault of the call. `prefix` goes before its message. @throws {UsageError} */
export function orUsageError<T>(parse: () => T, prefix = ''): T {
  try {
    return parse()
  } catch (error) {
    throw new UsageError(prefix + (error as Error).message)
  }
}
