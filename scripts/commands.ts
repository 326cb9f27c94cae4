import type { CommandEntry } from './command-line.ts'

/** Every command, in the order of the help. To add one, write its module and a row here. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'import',
    summary: 'Turn subtitle files and their metadata into clips of a source corpus.',
    load: async () => (await import('./commands/import.ts')).importSubtitles,
  },
  {
    name: 'catalogue import',
    summary: 'Merge a word list into the catalogue of a source corpus.',
    load: async () => (await import('./commands/catalogue.ts')).importWords,
  },
  {
    name: 'catalogue check',
    summary: 'List words without a meaning, forms that clash and levels that conflict.',
    load: async () => (await import('./commands/catalogue.ts')).check,
  },
  {
    name: 'corpus stats',
    summary: 'Show how many words of each level are said in a source corpus.',
    load: async () => (await import('./commands/corpus.ts')).stats,
  },
  {
    name: 'corpus check',
    summary: 'Show a random sample of matched words for a person to judge.',
    load: async () => (await import('./commands/corpus.ts')).check,
  },
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
  {
    name: 'releases list',
    summary: 'List the releases of the tree, newest first.',
    load: async () => (await import('./commands/releases.ts')).list,
  },
  {
    name: 'releases diff',
    summary: 'Show which clips and words release B added, changed and withdrew since A.',
    load: async () => (await import('./commands/releases.ts')).diff,
  },
  {
    name: 'releases rollback',
    summary: 'Put another release in service, until "releases resume".',
    load: async () => (await import('./commands/releases.ts')).rollBack,
  },
  {
    name: 'releases resume',
    summary: 'End a rollback: put the newest release in service, and each later one.',
    load: async () => (await import('./commands/releases.ts')).resumeLatest,
  },
  {
    name: 'releases export-ledger',
    summary: 'Print the ledger of the tree as JSON Lines.',
    load: async () => (await import('./commands/releases.ts')).exportLedger,
  },
  {
    name: 'releases import-ledger',
    summary: 'Replace the ledger of the tree with the JSON Lines on stdin.',
    load: async () => (await import('./commands/releases.ts')).replaceLedger,
  },
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
  {
    name: 'keys create',
    summary: 'Create a key, and its account if it is new; or many keys, from a file.',
    load: async () => (await import('./commands/keys.ts')).create,
  },
  {
    name: 'keys list',
    summary: 'List the keys without their secret part.',
    load: async () => (await import('./commands/keys.ts')).list,
  },
  {
    name: 'keys disable',
    summary: 'Disable a key, effective from its next request.',
    load: async () => (await import('./commands/keys.ts')).disable,
  },
  {
    name: 'keys enable',
    summary: 'Enable a disabled key.',
    load: async () => (await import('./commands/keys.ts')).enable,
  },
  {
    name: 'keys rotate',
    summary: 'Replace one key or many: create a new key and let the old one expire.',
    load: async () => (await import('./commands/keys.ts')).rotate,
  },
  {
    name: 'accounts list',
    summary: 'List the accounts and their plans.',
    load: async () => (await import('./commands/accounts.ts')).list,
  },
  {
    name: 'accounts set-plan',
    summary: 'Move an account to another plan, effective from its next request.',
    load: async () => (await import('./commands/accounts.ts')).changePlan,
  },
  {
    name: 'accounts usage',
    summary: 'Show the usage of one account, or of all, in a billing period.',
    load: async () => (await import('./commands/accounts.ts')).showUsage,
  },
  {
    name: 'accounts rename',
    summary: 'Rename an account; it keeps its keys and counts.',
    load: async () => (await import('./commands/accounts.ts')).rename,
  },
  {
    name: 'accounts delete',
    summary: 'Delete an account, its keys and its counts.',
    load: async () => (await import('./commands/accounts.ts')).remove,
  },
  {
    name: 'accounts backup',
    summary: 'Back up accounts, keys and counters to a file, even while the service runs.',
    load: async () => (await import('./commands/accounts.ts')).backUp,
  },
  {
    name: 'store copy',
    summary: 'Copy a store to an empty one, for example from SQLite to Redis.',
    load: async () => (await import('./commands/store.ts')).copy,
  },
]
