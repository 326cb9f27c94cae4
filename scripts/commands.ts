import type { Command, Option, Run } from './command-line.ts'
import described from './commands.json' with { type: 'json' }

interface NamedOption extends Option {
  name: string
}

/** The options of several commands, by name, or by another key if two have the same name. */
const sharedOptions: Record<string, Option & { name?: string }> = described.options

/**
 * Every command, in the order of the help. To add one, describe it in `commands.json` and export
 * what runs it from the module that is named after its first word.
 */
export const commands: readonly Command[] = described.commands.map(({ options, ...command }) => ({
  ...command,
  options: optionsOf(options),
  load: () => runOf(command.name),
}))

/** Returns the function that runs a command. Its module is named after the command's first word. */
async function runOf(name: string): Promise<Run> {
  const module = (await import(`./commands/${name.split(' ')[0]}.ts`)) as { commands: Record<string, Run> }
  return module.commands[name]!
}

/** Resolves options: some are written out, others refer to shared ones or to those of a command. */
function optionsOf(names: string | readonly (string | NamedOption)[]): Record<string, Option> {
  if (typeof names === 'string')
    return optionsOf(described.commands.find(({ name }) => name === names)!.options)
  const all = [...names, 'json', 'help'].map((each) => {
    const { name, ...option } = typeof each === 'string' ? { name: each, ...sharedOptions[each]! } : each
    return [name, option]
  })
  return Object.fromEntries(all) as Record<string, Option>
}

export function commandNamed(name: string): Command {
  return commands.find((command) => command.name === name)!
}
