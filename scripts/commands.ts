import type { Command, CommandEntry } from './command-line.ts'

/** Every command, in the order of the help. To add one, write its module and a row here. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'import',
    summary: 'Convert subtitle files and their metadata into clips in a source corpus.',
    load: async () => (await import('./commands/import.ts')).importSubtitles,
  },
  ...group('catalogue', () => import('./commands/catalogue.ts'), {
    import: 'Merge a word list into the catalogue of a source corpus.',
    check: 'List words without meanings, and conflicting forms and levels.',
  }),
  ...group('corpus', () => import('./commands/corpus.ts'), {
    stats: 'Show how many words of each level are spoken in a source corpus.',
    check: 'Show a random sample of matched words to check by hand.',
  }),
  {
    name: 'build',
    summary: 'Build a release from a source corpus and put it in service.',
    load: async () => (await import('./commands/build.ts')).buildRelease,
  },
  {
    name: 'site',
    summary: 'Build only the developer site, from the release in service.',
    load: async () => (await import('./commands/site.ts')).buildSite,
  },
  {
    name: 'publish',
    summary: 'Copy the release in service to a folder or an object store.',
    load: async () => (await import('./commands/publish.ts')).publishTree,
  },
  {
    name: 'serve',
    summary: 'Serve the API from a published tree, with authentication and metering.',
    load: async () => (await import('./commands/serve.ts')).serveTree,
  },
  ...group('releases', () => import('./commands/releases.ts'), {
    list: 'List the releases of the tree, newest first.',
    diff: 'List clips and words added, changed or withdrawn between releases A and B.',
    rollback: 'Put another release in service until you run "releases resume".',
    resume: 'End a rollback: put the newest release in service, and later releases when they are built.',
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
    summary: 'Check every file of a release and list the missing and damaged ones.',
    load: async () => (await import('./commands/verify.ts')).verifyTree,
  },
  {
    name: 'doctor',
    summary: 'Check this machine and its settings, and suggest a fix for each problem.',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  ...group('keys', () => import('./commands/keys.ts'), {
    create: 'Create a key and, if it is new, its account; or many keys from a file.',
    list: 'List the keys without their secrets.',
    disable: 'Disable a key, starting with its next request.',
    enable: 'Enable a disabled key.',
    rotate: 'Replace one or more keys: create new keys and let the old keys expire.',
  }),
  ...group('accounts', () => import('./commands/accounts.ts'), {
    list: 'List the accounts and their plans.',
    'set-plan': 'Move an account to another plan, starting with its next request.',
    usage: 'Show the usage of one account or of all accounts in a billing period.',
    rename: 'Rename an account without changing its keys and counts.',
    delete: 'Delete an account and its keys, but keep its billing periods.',
    purge: 'Delete everything stored under an account name, including billing periods.',
    backup: 'Back up accounts, keys and counters to a file, without downtime.',
  }),
  ...group('store', () => import('./commands/store.ts'), {
    copy: 'Copy a store to an empty store, for example from SQLite to Redis.',
    log: 'List the changes made by commands and the admin API: when, who, what.',
  }),
  {
    name: 'completion',
    summary: 'Print a shell completion script for commands and options.',
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
