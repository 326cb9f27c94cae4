import type { Command, CommandEntry } from './command-line.ts'

/** Every command, in the order of the help. To add one, write its module and a row here. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'import',
    summary: 'Turn subtitle files and their metadata into clips of a source corpus.',
    load: async () => (await import('./commands/import.ts')).importSubtitles,
  },
  ...group('catalogue', () => import('./commands/catalogue.ts'), {
    import: 'Merge a word list into the catalogue of a source corpus.',
    check: 'List words without a meaning, forms that clash and levels that conflict.',
  }),
  ...group('corpus', () => import('./commands/corpus.ts'), {
    stats: 'Show how many words of each level are said in a source corpus.',
    check: 'Show a random sample of matched words for a person to judge.',
  }),
  {
    name: 'build',
    summary: 'Build a release from a source corpus and put it in service.',
    load: async () => (await import('./commands/build.ts')).buildRelease,
  },
  {
    name: 'site',
    summary: 'Build the developer site alone, from the release in service.',
    load: async () => (await import('./commands/site.ts')).buildSite,
  },
  {
    name: 'publish',
    summary: 'Copy the release in service to a folder or an object store.',
    load: async () => (await import('./commands/publish.ts')).publishTree,
  },
  {
    name: 'serve',
    summary: 'Authenticate, meter and answer API requests from a published tree.',
    load: async () => (await import('./commands/serve.ts')).serveTree,
  },
  ...group('releases', () => import('./commands/releases.ts'), {
    list: 'List the releases of the tree, newest first.',
    diff: 'Show which clips and words release B added, changed and withdrew since A.',
    rollback: 'Put another release in service, until "releases resume".',
    resume: 'End a rollback: put the newest release in service, and each later one.',
    'export-ledger': 'Print the ledger of the tree as JSON Lines.',
    'import-ledger': 'Replace the ledger of the tree with the JSON Lines on stdin.',
  }),
  {
    name: 'prune',
    summary: 'Delete old releases and the files that no remaining release needs.',
    load: async () => (await import('./commands/prune.ts')).pruneTree,
  },
  {
    name: 'verify',
    summary: 'Check every file of a release, and name each that is missing or damaged.',
    load: async () => (await import('./commands/verify.ts')).verifyTree,
  },
  {
    name: 'doctor',
    summary: 'Check this machine and the settings, and say how to fix each problem.',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  ...group('keys', () => import('./commands/keys.ts'), {
    create: 'Create a key, and its account if it is new; or many keys, from a file.',
    list: 'List the keys without their secret part.',
    disable: 'Disable a key, effective from its next request.',
    enable: 'Enable a disabled key.',
    rotate: 'Replace one key or many: create a new key and let the old one expire.',
  }),
  ...group('accounts', () => import('./commands/accounts.ts'), {
    list: 'List the accounts and their plans.',
    'set-plan': 'Move an account to another plan, effective from its next request.',
    usage: 'Show the usage of one account, or of all, in a billing period.',
    rename: 'Rename an account; it keeps its keys and counts.',
    delete: 'Delete an account and its keys; its billing periods are kept.',
    purge: 'Delete all that is kept under the name of an account, billing periods too.',
    backup: 'Back up accounts, keys and counters to a file, even while the service runs.',
  }),
  ...group('store', () => import('./commands/store.ts'), {
    copy: 'Copy a store to an empty one, for example from SQLite to Redis.',
    log: 'Show what commands and the admin API changed: when, who, what.',
  }),
  {
    name: 'completion',
    summary: 'Print a script that completes commands and options in a shell.',
    load: async () => (await import('./commands/completion.ts')).completion,
  },
  {
    name: 'version',
    summary: 'Print the version.',
    load: async () => (await import('./commands/version.ts')).version,
  },
]

/** The commands of one module, whose names begin with the same word. */
function group<Name extends string>(
  first: string,
  load: () => Promise<{ commands: Record<Name, Command> }>,
  summaries: Record<Name, string>,
): CommandEntry[] {
  return (Object.keys(summaries) as Name[]).map((name) => ({
    name: `${first} ${name}`,
    summary: summaries[name],
    load: async () => (await load()).commands[name],
  }))
}
