import type { Command, Option, Run } from './command-line.ts'
import described from './commands.json' with { type: 'json' }

/** The modules of the commands, by the first word of their names. */
const modules: Record<string, () => Promise<{ commands: Record<string, Run> }>> = {
  import: () => import('./commands/import.ts'),
  catalogue: () => import('./commands/catalogue.ts'),
  corpus: () => import('./commands/corpus.ts'),
  build: () => import('./commands/build.ts'),
  site: () => import('./commands/site.ts'),
  publish: () => import('./commands/publish.ts'),
  serve: () => import('./commands/serve.ts'),
  releases: () => import('./commands/releases.ts'),
  prune: () => import('./commands/prune.ts'),
  verify: () => import('./commands/verify.ts'),
  doctor: () => import('./commands/doctor.ts'),
  keys: () => import('./commands/keys.ts'),
  accounts: () => import('./commands/accounts.ts'),
  store: () => import('./commands/store.ts'),
  completion: () => import('./commands/completion.ts'),
  version: () => import('./commands/version.ts'),
}

interface NamedOption extends Option {
  name: string
}

/** The options that several commands have, by name or, if two of them have one name, by another. */
const shared: Record<string, Option & { name?: string }> = described.options

/**
 * Every command, in the order of the help. To add one, describe it in `commands.json` and export
 * what runs it from its module.
 */
export const commands: readonly Command[] = described.commands.map(({ options, ...command }) => ({
  ...command,
  options: optionsOf(options),
  load: async () => (await modules[command.name.split(' ')[0]!]!()).commands[command.name]!,
}))

/** Options that are listed in themselves, by name if they are shared, or as those of a command. */
function optionsOf(listed: string | readonly (string | NamedOption)[]): Record<string, Option> {
  if (typeof listed === 'string')
    return optionsOf(described.commands.find(({ name }) => name === listed)!.options)
  const all = [...listed, 'json', 'help'].map((each) => {
    const { name, ...option } = typeof each === 'string' ? { name: each, ...shared[each]! } : each
    return [name, option]
  })
  return Object.fromEntries(all) as Record<string, Option>
}

/** The command of that name. */
export function commandNamed(name: string): Command {
  return commands.find((command) => command.name === name)!
}
