import type { Command } from './command-line.ts'
import { accountsCommands } from './commands/accounts.ts'
import { buildCommand } from './commands/build.ts'
import { catalogueCommands } from './commands/catalogue.ts'
import { corpusCommands } from './commands/corpus.ts'
import { importCommand } from './commands/import.ts'
import { keysCommands } from './commands/keys.ts'
import { pruneCommand } from './commands/prune.ts'
import { releasesCommands } from './commands/releases.ts'
import { serveCommand } from './commands/serve.ts'
import { siteCommand } from './commands/site.ts'
import { verifyCommand } from './commands/verify.ts'

/** Every command, in the order of the help. A function: the site, itself a command, tells of them all. */
export function commands(): readonly Command[] {
  return [
    importCommand,
    ...catalogueCommands,
    ...corpusCommands,
    buildCommand,
    siteCommand,
    serveCommand,
    ...releasesCommands,
    pruneCommand,
    verifyCommand,
    ...keysCommands,
    ...accountsCommands,
  ]
}
