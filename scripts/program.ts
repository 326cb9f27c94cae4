import packageInfo from '../package.json' with { type: 'json' }
import { closestOf } from '#kit/closest.ts'
import { maskCredentials } from '#kit/mask-credentials.ts'
import { printable } from '#kit/printable.ts'
import { toSentence } from '#kit/to-sentence.ts'
import { explainSystemError, isSystemError } from '#kit/explain-system-error.ts'
import { TreeFault } from '#release/tree.ts'
import { Refused, TreeLocked } from '#tree/refused.ts'
import { Failure, positionals, UsageError, type Command } from './command-line.ts'
import { commandHelp, overview, usageLine } from './help.ts'
import { readInput, type Surroundings } from './read-input.ts'

/** Runs a command, and returns the exit code: 0, 1 (failed) or 2 (called incorrectly). */
export async function runProgram(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const { commands, stdout, stderr } = surroundings
  const args = argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv
  if (args[0] === '--version') return print(stdout, packageInfo.version)
  const command = commands.find((each) => words(each).every((word, i) => args[i] === word))
  if (command) return await runCommand(command, args.slice(words(command).length), surroundings)
  const group = commands.filter((each) => words(each).length > 1 && words(each)[0] === args[0])
  const overviewText = overview(group.length > 0 ? group : commands)
  if (args.includes('--help') || args.includes('-h')) return print(stdout, overviewText)
  if (args[0]?.startsWith('-')) {
    const suggestion = closestOf(args[0].replace(/^-+/, ''), ['help', 'version'])
    const error = `the option ${args[0]} must follow a command`
    return print(stderr, refusal('', error, suggestion && `--${suggestion}`), 2)
  }
  const commandWords = args.slice(0, args.findIndex((arg) => arg.startsWith('-')) >>> 0)
  if (commandWords.length <= (group.length > 0 ? 1 : 0))
    return print(stderr, `${overviewText}\nName one of these commands.`, 2)
  return print(stderr, unknownCommand(commands, commandWords), 2)
}

function print(stream: Surroundings['stdout'], text: string, code = 0): number {
  stream.write(`${printable(maskCredentials(text), { isLines: true })}\n`)
  return code
}

function words({ name }: Command): string[] {
  return name.split(' ')
}

/** Returns the error about a word that is not a command, with what was probably meant. */
function refusal(group: string, error: string, suggestion: string | undefined): string {
  const hint = `For a list of commands, run "clip-lookup ${group}--help".`
  return `${hint}\n${toSentence(error)}${suggestion === undefined ? '' : ` Did you mean ${suggestion}?`}`
}

function unknownCommand(commands: readonly Command[], commandWords: readonly string[]): string {
  const names = commands.map(({ name }) => name)
  const isGroup = names.some((name) => name.startsWith(`${commandWords[0]} `))
  const commandText = commandWords.slice(0, isGroup ? 2 : 1).join(' ')
  const suggestion =
    closestOf(commandWords.slice(0, 2).join(' '), names) ?? closestOf(commandWords[0]!, names)
  return refusal(
    isGroup ? `${commandWords[0]} ` : '',
    `there is no command "${commandText}"`,
    suggestion && `"${suggestion}"`,
  )
}

/**
 * Reads the arguments of a command, runs it, and reports what went wrong. Returns the exit code.
 */
export async function runCommand(
  command: Command,
  args: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  const { stdout, stderr } = surroundings
  try {
    const input = readInput(command, args, surroundings)
    if (input.switches.help) return print(stdout, commandHelp(command))
    if (command.positionals === undefined) positionals(input)
    if (input.switches.csv && input.switches.json)
      throw new UsageError('--csv and --json cannot be used together')
    return (await (await command.load())(input)) ?? 0
  } catch (error) {
    if (!(error instanceof UsageError)) return print(stderr, describeFailure(error), 1)
    const help = `For help, run "clip-lookup ${command.name} --help".`
    return print(stderr, `${usageLine(command)}. ${help}\n${toSentence(error.message)}`, 2)
  }
}

/** Errors whose messages explain them. A `SyntaxError` says which file is malformed, and how. */
const userErrors = [Failure, Refused, TreeLocked, TreeFault, SyntaxError]

/** The message of an expected failure; for an unexpected one, the stack. */
function describeFailure(error: unknown): string {
  if (userErrors.some((kind) => error instanceof kind)) return toSentence((error as Error).message)
  if (isSystemError(error)) return toSentence(explainSystemError(error))
  const missingPackage = /Cannot find package '(.+?)' imported/.exec(String(error))?.[1]
  if (missingPackage !== undefined)
    return `The package "${missingPackage}" is not installed. Run "npm install" in the folder of the project.`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
