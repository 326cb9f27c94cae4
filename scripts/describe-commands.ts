import type { CommandLine } from '#site/site-input.ts'
import { environmentName, everyOption, loadCommand, type CommandEntry } from './command-line.ts'

/** The commands in the form that the pages of the site show. */
export async function describeCommands(commands: readonly CommandEntry[]): Promise<CommandLine[]> {
  const loaded = await Promise.all(commands.map(loadCommand))
  return loaded.map((command) => ({
    name: command.name,
    positionals: command.positionals,
    summary: [command.summary, command.details].join(' ').trim(),
    options: Object.entries(everyOption(command)).map(([name, option]) => ({
      name,
      ...option,
      default: option.shownDefault ?? option.default,
      environment: environmentName(name),
    })),
  }))
}
