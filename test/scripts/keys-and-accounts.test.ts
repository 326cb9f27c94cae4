import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, test } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import { usageSchema } from '#contract/usage.ts'
import { systemClock } from '#kit/clock.ts'
import { openStore } from '#metering/open-store.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { failure, run as runCommand, runJson } from '../harness/command.ts'

let folder: string

beforeEach(() => void (folder = tempFolder()))

const run = (args: readonly string[]) => runCommand(folder, args)
const json = <T = Record<string, unknown>>(...args: string[]) => runJson<T>(folder, args)

/** Creates the default store of the commands, without any data, as `serve` does. */
async function makeStore(): Promise<void> {
  const file = join(folder, 'var/clip-lookup.sqlite')
  await (await openStore(`sqlite:${file}`, { plans: defaultPlans, clock: systemClock })).close()
}

const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const keyFields = ['keyId', 'account', 'plan', 'prefix', 'last4', 'enabled', 'createdAt', 'expiresAt']

type Key = Record<'keyId' | 'key' | 'prefix' | 'last4' | 'createdAt' | 'expiresAt', string>

describe('keys create', () => {
  test('prints account, plan, keyId and key', async () => {
    const created = await json('keys', 'create', '--account', 'ann')
    expect(Object.keys(created)).toEqual(['account', 'plan', 'keyId', 'key'])
    const expected = { account: 'ann', plan: 'trial', key: expect.stringMatching(/^clk_\w{38}$/) }
    expect(created).toMatchObject(expected)
  })

  test('keeps the store in var/ of the user’s folder by default', async () => {
    await json('keys', 'create', '--account', 'ann')
    expect(existsSync(join(folder, 'var/clip-lookup.sqlite'))).toBe(true)
    await json('keys', 'create', '--account', 'ann', '--store', 'sqlite:elsewhere/my store.sqlite')
    expect(existsSync(join(folder, 'elsewhere/my store.sqlite'))).toBe(true)
  })

  test('without --json, prints a table on stdout, and on stderr that the key is shown only once', async () => {
    const { code, stdout, stderr } = await run(['keys', 'create', '--account', 'ann'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^account +plan +keyId +key\nann +trial +key_\w{12} +clk_\w{38}\n$/)
    expect(stderr).toBe('Save the key now. It will not be shown again.\n')
  })

  test('fails at once if the file system allows no folder for the store, and says so', async () => {
    const args = ['keys', 'create', '--account', 'ann', '--store', 'sqlite:/proc/x/y.sqlite']
    const reason = 'cannot make the folder "/proc/x": the file system does not allow a folder there.'
    expect(await run(args)).toEqual(failure(1, `Cannot open the store "/proc/x/y.sqlite": ${reason}`))
  })

  test('fails for an unknown plan, lists the plans, and fails for an invalid name', async () => {
    const reason = 'There is no plan "gold". The plans are trial, starter, growth.\n'
    expect(await run(['keys', 'create', '--account', 'ann', '--plan', 'gold'])).toEqual(failure(1, reason))
    expect(await run(['keys', 'create', '--account', ' '])).toMatchObject({ code: 1 })
  })

  test('leaves no new store behind if it fails', async () => {
    writeFileSync(join(folder, 'accounts.csv'), 'account,plan\nann,trial\nbob,gold\n')
    for (const args of [
      ['--account', 'ann', '--plan', 'gold'],
      ['--account', ' '],
      ['--from', 'accounts.csv'],
      ['--from', 'nowhere.csv'],
    ])
      expect((await run(['keys', 'create', ...args])).code).toBe(1)
    expect(existsSync(join(folder, 'var'))).toBe(false)
  })
})

describe('keys list, disable, enable and rotate', () => {
  test('show the keys without their text', async () => {
    const made = await json<Key>('keys', 'create', '--account', 'ann')
    const listed = await json<Key[]>('keys', 'list')
    expect(Object.keys(listed[0]!)).toEqual(keyFields)
    const text = { prefix: made.key.slice(0, 8), last4: made.key.slice(-4) }
    const account = { account: 'ann', plan: 'trial', enabled: true, createdAt: date, expiresAt: null }
    expect(listed).toEqual([{ keyId: made.keyId, ...text, ...account }])
  })

  test('rotate prints the new key with its record, and the old one expires at once', async () => {
    const old = await json<Key>('keys', 'create', '--account', 'ann', '--plan', 'growth')
    const next = await json<Key>('keys', 'rotate', old.keyId)
    expect(Object.keys(next)).toEqual([...keyFields, 'key'])
    const text = { prefix: next.key.slice(0, 8), last4: next.key.slice(-4) }
    expect(next).toMatchObject({ plan: 'growth', ...text, expiresAt: null })
    expect(next.keyId).not.toBe(old.keyId)
    const [first, second] = await json<Key[]>('keys', 'list')
    expect(first!.keyId).toBe(old.keyId)
    expect(first!.expiresAt! <= second!.createdAt).toBe(true)
  })

  test('enable says that it does not restore a key that rotation has ended; disable prints no note', async () => {
    const { keyId } = await json<Key>('keys', 'create', '--account', 'ann')
    await json('keys', 'rotate', keyId, '--overlap', '24h')
    expect(await run(['keys', 'disable', keyId])).toMatchObject({ code: 0, stderr: '' })
    const { stderr } = await run(['keys', 'enable', keyId])
    expect(stderr).toMatch(/^The key was rotated and still expires at 2\S+Z\./)
  })

  test('print an aligned table with a header without --json', async () => {
    await makeStore()
    expect(await run(['keys', 'list'])).toMatchObject({ code: 0, stdout: 'no keys\n' })
    await json('keys', 'create', '--account', 'ann')
    await json('keys', 'create', '--account', 'bartholomew')
    const lines = (await run(['keys', 'list'])).stdout.trimEnd().split('\n')
    expect(lines[0]!.split(/ +/)).toEqual(keyFields)
    const places = lines.map((line) => line.search(/ (plan|trial) /))
    expect(places).toEqual(Array(3).fill(lines[0]!.indexOf(' plan ')))
  })

  test.each(['disable', 'enable', 'rotate'])('%s fails for a key that does not exist', async (verb) => {
    await makeStore()
    expect(await run(['keys', verb, 'key_x'])).toEqual(failure(1, 'There is no key "key_x".\n'))
  })

  test.each([
    'keys list more',
    'keys disable',
    'keys enable key_x key_y',
    'keys rotate',
    'keys rotate key_x --overlap 1day',
    'keys create ann --account ann',
    'accounts delete ann',
    'accounts purge ann',
    'accounts list more',
    'accounts set-plan ann',
    'accounts usage',
  ])('%s is a usage error, and creates no store', async (command) => {
    const args = command.split(' ')
    expect(await run(args)).toEqual(failure(2, `Usage: clip-lookup ${args.slice(0, 2).join(' ')}`))
    expect(existsSync(join(folder, 'var'))).toBe(false)
  })
})

/** Writes a database whose header says that only later versions of SQLite can write it. */
function writeReadOnlyDatabase(file: string): void {
  using database = new DatabaseSync(file)
  database.exec('VACUUM')
  const bytes = readFileSync(file)
  // https://sqlite.org/fileformat.html#file_format_version_numbers
  bytes[18] = 3
  writeFileSync(file, bytes)
}

test.each([
  ['a folder', '', 'it is a folder, or this user lacks the permission to read and write the file'],
  ['no database', '/plain', 'it is not a SQLite database. Check the path'],
  ['below a file', '/plain/s.sqlite', 'cannot make the folder'],
  ['read-only', '/read-only', 'this user lacks the permission to write the file, the files -wal and -shm'],
])('a store that cannot be opened fails with the path and what to do: %s', async (_, path, reason) => {
  writeFileSync(join(folder, 'plain'), 'no database')
  writeReadOnlyDatabase(join(folder, 'read-only'))
  const store = ['--store', `sqlite:${folder}${path}`]
  const outcome = await run(['keys', 'create', '--account', 'ann', ...store])
  expect(outcome).toEqual(failure(1, `Cannot open the store "${folder}${path}": ${reason}`))
  // The name of a temporary folder may look like an error code.
  expect(outcome.stderr.replaceAll(folder, '')).not.toMatch(/E[A-Z]{4,}|unable to open|\n {4}at /)
})

test('if a backup cannot be written, the error says why and what to do', async () => {
  await json('keys', 'create', '--account', 'ann')
  const { code, stderr } = await run(['accounts', 'backup', 'none/copy.sqlite'])
  const path = join(folder, 'none/copy.sqlite')
  expect(code).toBe(1)
  expect(stderr).toBe(
    `Cannot back up the store to "${path}": cannot open "${path}": there is no such file or folder. Check the path.\n`,
  )
})

test('accounts can be listed and put on another plan, and have a Usage record', async () => {
  await json('keys', 'create', '--account', 'ann')
  const listed = await json<object[]>('accounts', 'list')
  expect(listed.map((each) => Object.keys(each))).toEqual([['account', 'plan', 'createdAt']])
  expect(listed).toEqual([{ account: 'ann', plan: 'trial', createdAt: date }])

  const changed = await json('accounts', 'set-plan', 'ann', 'starter')
  expect(changed).toEqual({ ...listed[0], plan: 'starter' })

  const unknown = 'There is no plan "gold". The plans are trial, starter, growth.\n'
  expect(await run(['accounts', 'set-plan', 'ann', 'gold'])).toEqual(failure(1, unknown))
  expect(await json('accounts', 'list')).toEqual([changed])

  const record = usageSchema.parse(await json('accounts', 'usage', 'ann'))
  expect(record).toMatchObject({ plan: 'starter', requests: 0, limit: 10_000, rateLimitPerMinute: 120 })
  expect(record.periodStart).toBe((changed as { createdAt: string }).createdAt)
})

describe('the store and the plans', () => {
  test.each([
    'keys list',
    'keys disable key_x',
    'keys enable key_x',
    'keys rotate key_x',
    'accounts list',
    'accounts set-plan ann trial',
    'accounts usage ann',
    'accounts backup copy.sqlite',
  ])('%s on a missing store fails, names the file and creates nothing', async (command) => {
    for (const [typed, file] of [
      [[], 'var/clip-lookup.sqlite'],
      [['--store', 'sqlite:typo/typo.sqlite'], 'typo/typo.sqlite'],
    ] as const) {
      const reason = 'the file does not exist. Create it with "keys create" or "serve".\n'
      const stderr = `Cannot open the store "${join(folder, file)}": ${reason}`
      expect(await run([...command.split(' '), ...typed])).toEqual(failure(1, stderr))
      expect(readdirSync(folder)).toEqual([])
    }
  })

  test('--plans replaces the plans, and an account on a plan that they lack can be moved', async () => {
    await json('keys', 'create', '--account', 'ann', '--plan', 'growth')
    const gold = { name: 'gold', perPeriod: null, perMinute: 600 }
    writeFileSync(join(folder, 'plans.json'), JSON.stringify([defaultPlans[0], gold]))
    const lost = 'The account "ann" is on the plan "growth", which does not exist. Check --plans.\n'
    expect(await run(['accounts', 'usage', 'ann', '--plans', 'plans.json'])).toEqual(failure(1, lost))
    await json('accounts', 'set-plan', 'ann', 'gold', '--plans', 'plans.json')
    const usage = await json('accounts', 'usage', 'ann', '--plans', 'plans.json')
    expect(usage).toMatchObject({ plan: 'gold', limit: null })
  })

  test('fail with a line that says why if they cannot be read', async () => {
    expect(await run(['keys', 'list', '--plans', 'none.json'])).toEqual(failure(1, 'none.json'))
    expect(await run(['keys', 'list', '--store', 'nonsense'])).toMatchObject({ code: 2 })
  })
})
