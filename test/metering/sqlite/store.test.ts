import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import { textNames } from '#metering/account-record.ts'
import { fillStore, type AccountEntry } from '#metering/copy-store.ts'
import type { MeterStore } from '#metering/meter-store.ts'
import { StoreUnavailable, type KeySubject, type Subject } from '#metering/store.ts'
import { openStore } from '#metering/open-store.ts'
import { errorOf } from '../../harness/error-of.ts'
import { holdStore } from '../../harness/hold-store.ts'
import { storeForTest } from '../../harness/store.ts'
import { sharedFolder } from '../../harness/temp-folder.ts'
import { meterStoreSuite } from '../meter-store.suite.ts'
import { addAnn, ann, keyed, newKey } from '../ann.ts'

const folder = sharedFolder()
let files = 0

const freshFile = (): string => join(folder, `${files++}.sqlite`)

meterStoreSuite('SQLite', async () => `sqlite:${freshFile()}`)

const options = { plans: defaultPlans, clock: { now: () => Date.parse('2026-01-31T08:00:00.000Z') } }

const address = (i: number): Subject => ({ kind: 'address', address: `192.0.2.${i}`, perMinute: 600 })

async function storeWithKey(file: string, patienceMs = 5000): Promise<MeterStore> {
  const store = await openStore(`sqlite:${file}`, { ...options, patienceMs })
  await addAnn(store)
  return store
}

test('a SQLite store logs a step of its clock', async () => {
  const lines: string[] = []
  const clock = { ms: 0, now: () => clock.ms }
  const log = { warn: (line: string) => void lines.push(line) }
  const store = await storeForTest(`sqlite:${freshFile()}`, { ...options, clock, log })
  await addAnn(store)
  await store.counters.consume(ann, 1)
  clock.ms += 86_400_000
  await store.counters.consume(ann, 1)
  expect(lines).toEqual([expect.stringContaining('the clock stepped forward by 86400 s')])
})

test('a SQLite store answers the calls that were made before it is closed', async () => {
  const file = freshFile()
  const store = await storeWithKey(file)
  const answer = store.counters.consume(ann, 1)
  await store.close()
  expect(await answer).toMatchObject({ outcome: 'admitted' })
  const later = await storeForTest(`sqlite:${file}`, options)
  expect(await later.directory.quota('ann')).toMatchObject({ requests: 1 })
})

describe('the file of a SQLite store', () => {
  test('and its folders are created for their owner only, in WAL mode and without the text of a key', async () => {
    const file = join(folder, 'var/deep/new.sqlite')
    const store = await storeWithKey(file)
    expect(statSync(join(folder, 'var')).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'var/deep')).mode & 0o777).toBe(0o700)
    for (const each of [file, `${file}-wal`, `${file}-shm`]) expect(statSync(each).mode & 0o777).toBe(0o600)
    const db = new DatabaseSync(file, { readOnly: true })
    expect(db.prepare('PRAGMA journal_mode').get()).toMatchObject({ journal_mode: 'wal' })
    const columns = db.prepare(`SELECT name FROM pragma_table_info('texts')`).all()
    expect(columns.map(({ name }) => name)).not.toContain('key')
    db.close()
    await store.close()
  })

  test('keeps its mode', async () => {
    const file = freshFile()
    writeFileSync(file, '', { mode: 0o640 })
    await (await storeWithKey(file)).close()
    expect(statSync(file).mode & 0o777).toBe(0o640)
  })

  test.each([0, 45])(
    'loses the windows of addresses once an hour, even if its clock was %i days ahead',
    async (days) => {
      const file = freshFile()
      const startMs = options.clock.now()
      const clock = { ms: startMs + days * 86_400_000, now: () => clock.ms }
      const store = await storeForTest(`sqlite:${file}`, { ...options, clock })
      const consume = () => store.counters.consume(address(1), 0)
      await consume()
      clock.ms = startMs
      await consume()
      const db = new DatabaseSync(file)
      onTestFinished(() => db.close())
      const minute = startMs / 60_000
      for (const [name, at] of Object.entries({ old: minute - 2, new: minute }))
        db.prepare('INSERT INTO address_windows VALUES (?, ?, 1)').run(name, at)
      const addresses = () =>
        db
          .prepare('SELECT address FROM address_windows ORDER BY address')
          .all()
          .map((row) => row.address)
      clock.ms += 59 * 60_000
      await consume()
      expect(addresses()).toContain('old')
      clock.ms += 60_000
      await consume()
      expect(addresses()).toEqual(['192.0.2.1', 'new'])
    },
  )

  test('loses the sign-ups of a network two days after the last one', async () => {
    const clock = { ms: 0, now: () => clock.ms }
    const store = await storeForTest(`sqlite:${freshFile()}`, { ...options, clock })
    const signUpsOf = (network: string) => store.records.get(textNames.signUps(network))
    await store.directory.countSignUp('192.0.2.1', 5)
    clock.ms += 2 * 86_400_000
    await store.directory.countSignUp('192.0.2.2', 5)
    expect(await signUpsOf('192.0.2.1')).not.toBeNull()
    clock.ms += 1
    await store.directory.countSignUp('192.0.2.2', 5)
    expect(await signUpsOf('192.0.2.1')).toBeNull()
    expect(await signUpsOf('192.0.2.2')).not.toBeNull()
  })
})

describe('a backup', () => {
  test('never replaces a file', async () => {
    const store = await storeWithKey(freshFile())
    const target = freshFile()
    writeFileSync(target, 'a file')
    await expect(store.backup(target)).rejects.toThrow('the file already exists')
    expect(readFileSync(target, 'utf8')).toBe('a file')
    await store.close()
  })

  test('of a store whose file was deleted fails, and creates no file', async () => {
    const file = freshFile()
    const store = await storeWithKey(file)
    for (const part of ['', '-wal', '-shm']) rmSync(file + part)
    await expect(store.backup(`${file}.backup`)).rejects.toBeInstanceOf(StoreUnavailable)
    for (const each of [file, `${file}.backup`]) expect(existsSync(each)).toBe(false)
    await store.close()
  })
})

describe('a process forgets a key', () => {
  test.each([
    ['keys', (i: number) => keyed(String(i))],
    ['addresses', address],
  ])('once it knows more than 10,000 %s, so that its memory stays bounded', async (_, subject) => {
    const store = await storeForTest(`sqlite:${freshFile()}`, options)
    await fillStore(store, Buffer.alloc(32), accountsWithKeys(10_001), noChanges())
    const { digest } = keyed('0') as KeySubject
    await store.counters.peek(keyed('0'))
    await Promise.all(Array.from({ length: 10_001 }, (_, i) => store.counters.peek(subject(i))))
    expect(store.counters.keyIdOf(digest)).toBe('key_0')
    await store.counters.peek(address(0))
    expect(store.counters.keyIdOf(digest)).toBeUndefined()
    expect(await store.counters.peek(keyed('0'))).toMatchObject({ outcome: 'admitted' })
  })
})

/** Yields accounts with one key each, which are named by their numbers. */
async function* accountsWithKeys(count: number): AsyncGenerator<AccountEntry> {
  const common = { plan: 'trial', createdAtMs: 0, bySignUp: false, deletedAtMs: null }
  const counts = { latestMs: null, periods: [] }
  for (let i = 0; i < count; i++) {
    const name = String(i)
    const unset = { enabled: true, createdAtMs: 0, expiresAtMs: null, name: null, note: null }
    const account = { ...common, id: name, account: name, keys: [{ ...newKey(name), ...unset }] }
    yield { account, counts, countsOfKeys: [counts] }
  }
}

async function* noChanges(): AsyncGenerator<string> {}

describe('a SQLite store is refused, with the reason,', () => {
  test('if its schema has another version', async () => {
    const file = freshFile()
    await (await storeWithKey(file)).close()
    const db = new DatabaseSync(file)
    db.exec(`UPDATE meta SET value = 7 WHERE name = 'schema_version'`)
    db.close()
    const error = await errorOf(openStore(`sqlite:${file}`, options))
    expect(error.message).toBe(
      `cannot open the store "${file}": it has format version 7, but this program reads version 3. It was written by a later version of the program: run that version, or restore a backup from before the upgrade`,
    )
    expect(error).not.toBeInstanceOf(StoreUnavailable)
  })

  test('if it is another SQLite database, which stays unchanged', async () => {
    const file = freshFile()
    const theirs = new DatabaseSync(file)
    theirs.exec('CREATE TABLE meta (note TEXT)')
    const error = await errorOf(openStore(`sqlite:${file}`, options))
    expect(error.message).toContain('it is a SQLite database, but not a clip-lookup store')
    expect(theirs.prepare('PRAGMA journal_mode').get()).toMatchObject({ journal_mode: 'delete' })
    theirs.close()
  })
})

describe('while another process holds the file', () => {
  test.each([
    ['creating an account', (store: MeterStore) => store.directory.createAccount('bob', 'trial'), 'bob'],
    ['counting a sign-up', (store: MeterStore) => store.directory.countSignUp('192.0.2.1', 5), true],
    ['consuming', (store: MeterStore) => store.counters.consume(ann, 1), 'admitted'],
  ])('%s waits for it, and the event loop continues', async (_, call, wanted) => {
    const file = freshFile()
    const store = await storeWithKey(file)
    const letGo = holdStore(file)
    const answer = call(store)
    // If the loop stopped, the file would never be released and the call would give up.
    await sleep(20)
    letGo()
    expect(JSON.stringify(await answer)).toContain(String(wanted))
    await store.close()
  })

  test('the store opens once the file is released', async () => {
    const file = freshFile()
    await (await storeWithKey(file)).close()
    const letGo = holdStore(file)
    const opening = openStore(`sqlite:${file}`, options)
    await sleep(20)
    letGo()
    await (await opening).close()
  })
})

describe('a fault of SQLite is StoreUnavailable, with its cause', () => {
  test('if another process does not release the file', async () => {
    const file = freshFile()
    const store = await storeWithKey(file, 20)
    const letGo = holdStore(file)
    const error = await errorOf(store.counters.consume(ann, 1))
    expect(error).toBeInstanceOf(StoreUnavailable)
    expect(error.message).toBe('cannot count the requests: database is locked')
    expect(error.cause).toMatchObject({ code: 'ERR_SQLITE_ERROR' })
    await expect(store.directory.createAccount('bob', 'trial')).rejects.toThrow(
      'cannot use the store: database is locked',
    )
    expect(await store.counters.peek(ann)).toMatchObject({ quota: { requests: 0 } })
    expect(await store.counters.peek(address(1))).toMatchObject({ outcome: 'admitted' })
    letGo()
    expect(await store.counters.consume(ann, 1)).toMatchObject({ outcome: 'admitted' })
    await store.close()
  })

  test.each(['ABORT', 'ROLLBACK'])(
    'if a write fails with %s: the request is not counted, and the store continues once it can',
    async (resolution) => {
      const file = freshFile()
      await (await storeWithKey(file)).close()
      const db = new DatabaseSync(file)
      db.exec(
        `CREATE TRIGGER broken BEFORE UPDATE ON periods BEGIN SELECT RAISE(${resolution}, 'no room'); END`,
      )
      const store = await openStore(`sqlite:${file}`, options)
      const error = await errorOf(store.counters.consume(ann, 1))
      expect(error).toBeInstanceOf(StoreUnavailable)
      expect(error.message).toBe('cannot count the requests: no room')
      db.exec('DROP TRIGGER broken')
      const expected = { window: { remaining: 59 }, quota: { requests: 1 } }
      expect(await store.counters.consume(ann, 1)).toMatchObject(expected)
      db.close()
      await store.close()
    },
  )

  test('if the file is damaged', async () => {
    const file = freshFile()
    await (await storeWithKey(file)).close()
    const pages = openSync(file, 'r+')
    writeSync(pages, Buffer.alloc(statSync(file).size - 4096, 0xa5), 0, undefined, 4096)
    closeSync(pages)
    expect(await errorOf(openStore(`sqlite:${file}`, options))).toBeInstanceOf(StoreUnavailable)
  })
})
