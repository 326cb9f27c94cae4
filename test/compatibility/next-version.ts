import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A change of the text of the files in a folder or of one file. */
type Edit = [path: string, from: RegExp, to: string]

/** Adds a migration after the existing ones. */
const migration = (text: string): [RegExp, string] => [
  /migrations: (.*?),\n {2}adviceForOld/s,
  `migrations: [...$1, ${text}],\n  adviceForOld`,
]

/**
 * A change of every stored format: tables of the state and of the store are renamed, the ledger and
 * the manifest get a new field, and a column of a release table and a key in Redis are renamed.
 */
const edits: Edit[] = [
  ['src/tree/state.ts', /(TABLE|ON|FROM|INTO|UPDATE) clips/g, '$1 records'],
  ['src/tree/ledger-lines.ts', /FROM clips/g, 'FROM records'],
  [
    'src/tree/state-format.ts',
    ...migration(`(db) => {
      db.exec('ALTER TABLE clips RENAME TO records')
      db.exec("UPDATE head SET json = json_set(json, '$.origin', 'unknown') WHERE json != ''")
    }`),
  ],
  ['src/tree/ledger.ts', /version: z.int\(\),/, 'version: z.int(), origin: z.string(),'],
  [
    'src/tree/ledger-format.ts',
    ...migration(`{ head: (fields) => ({ ...fields, origin: 'unknown' }), entry: (fields) => fields }`),
  ],
  ['src/release/words', /pageEnds/g, 'endsOfPages'],
  ['src/release/manifest.ts', /(release: z.string)/, 'origin: z.string(), $1'],
  ['src/release/manifest.ts', /(version: formatVersion, )/, `$1origin: 'next', `],
  [
    'src/release/release-format.ts',
    ...migration(`{
      manifest: (fields) => ({ ...fields, origin: 'unknown' }),
      table: (table, { pageEnds, ...others }) =>
        table === 'words' ? { ...others, endsOfPages: pageEnds } : others,
    }`),
  ],
  ['src/metering/sqlite', /address_windows/g, 'windows_of_addresses'],
  [
    'src/metering/sqlite/store-format.ts',
    ...migration(`(db) => db.exec('ALTER TABLE address_windows RENAME TO windows_of_addresses')`),
  ],
  ['src/metering/redis/keys.ts', /prefix \+ list$/m, `prefix + (list === 'changes' ? 'log' : list)`],
  [
    'src/metering/redis/store-format.ts',
    ...migration(`async ({ send }) => {
      const key = 'clip-lookup:changes'
      if (await send(key, ['EXISTS', key])) await send(key, ['RENAMENX', key, 'clip-lookup:log'])
    }`),
  ],
]

/** Copies the program into a folder with new versions of all stored formats. Returns its path. */
export function writeNextVersion(folder: string): string {
  for (const name of ['src', 'scripts', 'package.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const [path, from, to] of edits) {
    const place = join(folder, path)
    const files = path.endsWith('.ts') ? [place] : readdirSync(place).map((name) => join(place, name))
    const changes = files.map((file) => {
      const text = readFileSync(file, 'utf8')
      const changed = text.replace(from, to)
      writeFileSync(file, changed)
      return changed !== text
    })
    if (!changes.includes(true)) throw new Error(`nothing in "${path}" matches ${from}`)
  }
  return join(folder, 'scripts/clip-lookup.mjs')
}
