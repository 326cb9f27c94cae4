import {
  commandHelp,
  Failure,
  findCommand,
  readInput,
  usageLine,
  UsageError,
  type Command,
} from './command-line.ts'
import { commands as allCommands } from './commands.ts'

const commands = allCommands()

function overview(): string {
  const width = Math.max(...commands.map((command) => command.name.length))
  return [
    'usage: clip-lookup <command> [options]',
    '',
    ...commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary.split('\n')[0]}`),
    '',
    'clip-lookup <command> --help tells more.',
  ].join('\n')
}

async function main(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  if (argv[0] === '--help' || argv[0] === 'help') {
    process.stdout.write(overview() + '\n')
    return 0
  }
  const found = findCommand(commands, argv)
  if (!found) {
    const group = commands.filter((command) => command.name.startsWith(`${argv[0]} `))
    const wanted = group.length > 0 ? group.map(usageLine).join('\n') : overview()
    if (group.length > 0 && argv.includes('--help')) {
      process.stdout.write(wanted + '\n')
      return 0
    }
    process.stderr.write((argv.length > 0 ? `unknown command "${argv.join(' ')}"\n` : '') + wanted + '\n')
    return 2
  }
  return await runCommand(found.command, found.rest, env)
}

async function runCommand(command: Command, rest: string[], env: NodeJS.ProcessEnv): Promise<number> {
  try {
    const input = readInput(command, rest, env)
    if (input.switches.help) {
      process.stdout.write(commandHelp(command) + '\n')
      return 0
    }
    return (await command.run(input)) ?? 0
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}\n${usageLine(command)}\n`)
      return 2
    }
    process.stderr.write(
      error instanceof Failure ? `${error.message}\n` : `${(error as Error).stack ?? error}\n`,
    )
    return 1
  }
}

process.exitCode = await main(process.argv.slice(2), process.env)
