/** What the help of each command shows below its options: examples, and the page that says more. */
export const examples: Record<string, { page: string; lines: readonly string[] }> = {
  import: {
    page: 'import',
    lines: ['import talks/ --corpus corpus --language en --level B1'],
  },
  'catalogue import': {
    page: 'import',
    lines: ['catalogue import words.csv --corpus corpus --language en'],
  },
  'catalogue check': { page: 'import', lines: ['catalogue check --corpus corpus --language en'] },
  'corpus stats': { page: 'build', lines: ['corpus stats --corpus corpus'] },
  'corpus check': { page: 'build', lines: ['corpus check --corpus corpus'] },
  build: {
    page: 'build',
    lines: ['build --corpus corpus', 'build --corpus corpus --out dist --strict --json'],
  },
  site: { page: 'build', lines: ['site --out dist'] },
  publish: {
    page: 'cdn',
    lines: ['publish --to /srv/clip-lookup/dist', 'publish --to s3://my-bucket/tree'],
  },
  serve: {
    page: 'serve',
    lines: [
      'serve --port 8080',
      'serve --data https://tree.example.com --store redis://10.0.0.5 --admin-port 9090',
    ],
  },
  'releases list': { page: 'releases', lines: ['releases list'] },
  'releases diff': { page: 'releases', lines: ['releases diff 11 12'] },
  'releases rollback': { page: 'releases', lines: ['releases rollback'] },
  'releases resume': { page: 'releases', lines: ['releases resume'] },
  'releases export-ledger': { page: 'releases', lines: ['releases export-ledger > ledger.jsonl'] },
  'releases import-ledger': { page: 'releases', lines: ['releases import-ledger < ledger.jsonl'] },
  prune: { page: 'releases', lines: ['prune --dry-run'] },
  verify: { page: 'releases', lines: ['verify', 'verify --data https://tree.example.com'] },
  doctor: { page: 'serve', lines: ['doctor', 'doctor --store redis://10.0.0.5 --json'] },
  'keys create': {
    page: 'keys-and-accounts',
    lines: [
      'keys create --account ann --plan starter --name production',
      'keys create --from accounts.csv --csv > keys.csv',
    ],
  },
  'keys list': { page: 'keys-and-accounts', lines: ['keys list --details'] },
  'keys disable': { page: 'keys-and-accounts', lines: ['keys disable key_4fJ2kLm9QwXz'] },
  'keys enable': { page: 'keys-and-accounts', lines: ['keys enable key_4fJ2kLm9QwXz'] },
  'keys rotate': {
    page: 'keys-and-accounts',
    lines: [
      'keys rotate key_4fJ2kLm9QwXz --overlap 24h',
      'keys rotate --all --overlap 7d --yes --csv > keys.csv',
    ],
  },
  'accounts list': { page: 'keys-and-accounts', lines: ['accounts list --json'] },
  'accounts set-plan': { page: 'keys-and-accounts', lines: ['accounts set-plan ann growth'] },
  'accounts usage': {
    page: 'keys-and-accounts',
    lines: ['accounts usage ann --by-key', 'accounts usage --all --period 2026-10 --csv > october.csv'],
  },
  'accounts rename': { page: 'keys-and-accounts', lines: ['accounts rename ann "Ann & Co"'] },
  'accounts delete': { page: 'keys-and-accounts', lines: ['accounts delete ann --yes'] },
  'accounts purge': { page: 'keys-and-accounts', lines: ['accounts purge ann --yes'] },
  'accounts backup': { page: 'stores', lines: ['accounts backup backup/store.sqlite'] },
  'store copy': {
    page: 'stores',
    lines: ['store copy sqlite:var/clip-lookup.sqlite redis://127.0.0.1:6379'],
  },
  'store log': { page: 'keys-and-accounts', lines: ['store log --json'] },
  completion: {
    page: 'commands',
    lines: ['completion bash > ~/.local/share/bash-completion/completions/clip-lookup'],
  },
  version: { page: 'commands', lines: ['version'] },
}
