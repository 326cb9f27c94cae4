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
    summary: 'Show how many words of each level the clips of a source corpus say.',
    load: async () => (await import('./commands/corpus.ts')).stats,
  },
  {
    name: 'corpus check',
    summary: 'Show places where words were found, chosen at random, for a person to judge.',
    load: async () => (await import('./commands/corpus.ts')).check,
  },
  {
    name: 'build',
    summary: 'Build a release from a source corpus and publish it: the nightly build.',
    load: async () => (await import('./commands/build.ts')).buildRelease,
  },
  {
    name: 'site',
    summary: 'Build the developer site alone, from the release in service.',
    load: async () => (await import('./commands/site.ts')).buildSite,
  },
  {
    name: 'publish',
    summary: 'Copy the release in service to where it is served from.',
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
    summary: 'End a rollback: put the newest release in service, and those that follow.',
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
    summary: 'Delete old releases and every record that no kept release is served from.',
    load: async () => (await import('./commands/prune.ts')).pruneTree,
  },
  {
    name: 'verify',
    summary: 'Read every file that a release is served from, and name each that is missing or wrong.',
    load: async () => (await import('./commands/verify.ts')).verifyTree,
  },
  {
    name: 'doctor',
    summary: 'Check what the service needs on this machine, and say what to do about what fails.',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    name: 'keys create',
    summary: 'Create a key, and its account if it is new; or many, from a file.',
    load: async () => (await import('./commands/keys.ts')).create,
  },
  {
    name: 'keys list',
    summary: 'List the keys without their secret part.',
    load: async () => (await import('./commands/keys.ts')).list,
  },
  {
    name: 'keys disable',
    summary: 'Refuse a key from its next request on.',
    load: async () => (await import('./commands/keys.ts')).disable,
  },
  {
    name: 'keys enable',
    summary: 'Re-enable a key.',
    load: async () => (await import('./commands/keys.ts')).enable,
  },
  {
    name: 'keys rotate',
    summary: 'Replace a key, or many: create a new one and let the old one expire.',
    load: async () => (await import('./commands/keys.ts')).rotate,
  },
  {
    name: 'accounts list',
    summary: 'List the accounts and their plans.',
    load: async () => (await import('./commands/accounts.ts')).list,
  },
  {
    name: 'accounts set-plan',
    summary: 'Move an account to another plan, from its next request on.',
    load: async () => (await import('./commands/accounts.ts')).changePlan,
  },
  {
    name: 'accounts usage',
    summary: 'Show what an account, or every account, was counted in a billing period.',
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
    summary: 'Copy accounts, keys and counters into a file while they are in use.',
    load: async () => (await import('./commands/accounts.ts')).backUp,
  },
  {
    name: 'store copy',
    summary: 'Copy a store to an empty other, between SQLite and Redis too.',
    load: async () => (await import('./commands/store.ts')).copy,
  },
]
