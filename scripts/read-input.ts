import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { closestOf } from '#kit/closest.ts'
import { maskCredentials } from '#kit/mask-credentials.ts'
import { printable } from '#kit/printable.ts'
import { environmentName, UsageError, type Command, type Input, type Option } from './command-line.ts'

/** A stream that text is written to: `process.stderr`, or a recorder. */
interface Output {
  write(text: string): unknown
  isTTY?: boolean
  columns?: number
}

/** Everything that the program takes from its process: no other code reads `process`. */
export interface Surroundings {
  env: NodeJS.ProcessEnv
  stdout: Output
  stderr: Output
  /** Read only if it is a terminal. */
  stdin?: NodeJS.ReadableStream & { isTTY?: boolean }
  commands: readonly Command[]
}

/**
 * Reads the arguments of a command.
 *
 * @throws {UsageError} unknown option, missing value, missing required option
 */
export function readInput(command: Command, args: readonly string[], surroundings: Surroundings): Input {
  const { env, stdout, stderr, stdin, commands } = surroundings
  const { options } = command
  const { optionValues, positionals } = parse(options, args)
  const isTerminal = stderr.isTTY ?? false
  const input: Input = {
    values: {},
    lists: {},
    switches: {},
    positionals,
    path: (path) => resolve(env.INIT_CWD ?? process.cwd(), path),
    env,
    commands,
    print(data, text) {
      if (input.switches.json) stdout.write(maskCredentials(JSON.stringify(data)) + '\n')
      else if (text !== '') stdout.write(printable(maskCredentials(text), { isLines: true }) + '\n')
    },
    ...linesWithFoot(stderr, isTerminal && env.TERM !== 'dumb'),
    isTerminal,
    ask: stdin?.isTTY && stderr.isTTY ? (question) => ask(stdin, stderr, question) : undefined,
  }
  for (const [name, { value, multiple, default: fallback }] of Object.entries(options)) {
    const texts = optionValues[name] as string[] | undefined
    const fromEnv = name === 'help' ? undefined : env[environmentName(name)] || undefined
    if (!value) input.switches[name] = texts !== undefined || isOn(name, fromEnv)
    else if (multiple) input.lists[name] = texts ?? fromEnv?.split(',') ?? []
    else input.values[name] = texts?.at(-1) ?? fromEnv ?? fallback
  }
  const missing = Object.entries(options).find(([name, { required }]) => required && !input.values[name])
  if (missing && !input.switches.help)
    throw new UsageError(`the command needs --${missing[0]} ${missing[1].value}`)
  return input
}

/** The line that the user types; empty at the end of the input. */
async function ask(stdin: NodeJS.ReadableStream, stderr: Output, question: string): Promise<string> {
  stderr.write(question)
  for await (const line of createInterface({ input: stdin })) return line
  return ''
}

/** Prints lines and, on a terminal with escape sequences, a last line that shows progress. */
function linesWithFoot(stream: Output, hasFoot: boolean): Pick<Input, 'say' | 'progress'> {
  const clear = '\r\x1b[K'
  let foot = ''
  return {
    say(line) {
      const text = printable(maskCredentials(line))
      stream.write(foot === '' ? `${text}\n` : `${clear}${text}\n${foot}`)
    },
    progress(line) {
      if (!hasFoot || line === foot) return
      // A terminal that does not know its width reports 0.
      foot = printable(maskCredentials(line)).slice(0, (stream.columns || 80) - 1)
      stream.write(clear + foot)
    },
  }
}

/**
 * Parses leniently and checks the result itself: `parseArgs` writes its messages for programmers.
 *
 * @throws {UsageError} an option is unknown or has no value, or its value looks like another option
 */
function parse(options: Record<string, Option>, args: readonly string[]) {
  const types = Object.entries(options).map(([name, { value }]) => [
    name,
    { type: value ? 'string' : 'boolean', multiple: true },
  ])
  const { tokens, values, positionals } = parseArgs({
    args: [...args],
    strict: false,
    tokens: true,
    options: { ...Object.fromEntries(types), help: { type: 'boolean', multiple: true, short: 'h' } },
  })
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue } = token
    if (!Object.hasOwn(options, name)) {
      const suggestion = closestOf(rawName.replace(/^-+/, ''), Object.keys(options))
      throw new UsageError(
        `${rawName} is not an option of this command.${suggestion ? ` Did you mean --${suggestion}?` : ''}`,
      )
    }
    const placeholder = options[name]!.value
    if (!placeholder && value !== undefined)
      throw new UsageError(`--${name} does not take a value, but "${value}" was given`)
    if (!placeholder || inlineValue) continue
    if (value === undefined) throw new UsageError(`--${name} needs a value. Write --${name} ${placeholder}`)
    // An id may begin with one hyphen, and "-" alone is a stream.
    if (value.startsWith(placeholder === 'ID' ? '--' : '-') && value !== '-')
      throw new UsageError(
        `--${name} needs a value, but the option ${value} follows. If ${value} is the value, write --${name}=${value}`,
      )
  }
  return { optionValues: values, positionals }
}

function isOn(name: string, value: string | undefined): boolean {
  if (value === undefined || /^(0|false|no)$/i.test(value)) return false
  if (/^(1|true|yes)$/i.test(value)) return true
  throw new UsageError(`${environmentName(name)} must be 1 or 0, but it is "${value}"`)
}
