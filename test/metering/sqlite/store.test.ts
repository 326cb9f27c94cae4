import { closeSync, openSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import { textNames } from '#metering/account-record.ts'
import type { MeterStore } from '#metering/meter-store.ts'
import { StoreUnavailable } from '#metering/store.ts'
import { openStore } from '#metering/open-store.ts'
import { errorOf } from '../../harness/error-of.ts'
import { holdStore } from '../../harness/hold-store.ts'
import { storeForTest } from '../../harness/store.ts'
import { sharedFolder } from '../../harness/temp-folder.ts'
import { meterStoreSuite } from '../meter-store.suite.ts'
import { addAnn, ann } from '../ann.ts'

const folder = sharedFolder()
let files = 0

const freshFile = (): string => join(folder, `${files++}.sqlite`)

meterStoreSuite('SQLite', async () => `sqlite:${freshFile()}`)

const options = { plans: defaultPlans, clock: { now: () => Date.parse('2026-01-31T08:00:00.000Z') } }
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

  test.each([0, 45 * 86_400_000])(
    'loses the windows of addresses after an hour, even if its clock began at %i ms',
    async (ms) => {
      const file = freshFile()
      const clock = { ms, now: () => clock.ms }
      const store = await openStore(`sqlite:${file}`, { ...options, clock })
      await store.counters.consume({ kind: 'address', address: '198.51.100.1', perMinute: 600 }, 0)
      clock.ms = 0
      for (let minute = 0; minute < 200; minute++, clock.ms += 60_000)
        await store.counters.consume({ kind: 'address', address: `192.0.2.${minute}`, perMinute: 600 }, 0)
      const db = new DatabaseSync(file, { readOnly: true })
      expect(Number(db.prepare('SELECT count(*) AS n FROM address_windows').get()!.n)).toBeLessThanOrEqual(
        120,
      )
      db.close()
      await store.close()
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
    expect(await store.counters.peek(ann)).toMatchObject({ quota: { requests: 0 } })
    letGo()
    expect(await store.counters.consume(ann, 1)).toMatchObject({ outcome: 'admitted' })
    await store.close()
  })

  test('if a write fails: the request is not counted, and the store continues once it can', async () => {
    const file = freshFile()
    await (await storeWithKey(file)).close()
    const db = new DatabaseSync(file)
    db.exec(`CREATE TRIGGER broken BEFORE UPDATE ON periods BEGIN SELECT RAISE(ABORT, 'no room'); END`)
    const store = await openStore(`sqlite:${file}`, options)
    expect(await errorOf(store.counters.consume(ann, 1))).toBeInstanceOf(StoreUnavailable)
    db.exec('DROP TRIGGER broken')
    const expected = { window: { remaining: 59 }, quota: { requests: 1 } }
    expect(await store.counters.consume(ann, 1)).toMatchObject(expected)
    db.close()
    await store.close()
  })

  test('if the file is damaged', async () => {
    const file = freshFile()
    await (await storeWithKey(file)).close()
    const pages = openSync(file, 'r+')
    writeSync(pages, Buffer.alloc(statSync(file).size - 4096, 0xa5), 0, undefined, 4096)
    closeSync(pages)
    expect(await errorOf(openStore(`sqlite:${file}`, options))).toBeInstanceOf(StoreUnavailable)
  })
})
