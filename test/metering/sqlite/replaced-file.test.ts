import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import type { MeterStore } from '#metering/meter-store.ts'
import { StoreUnavailable } from '#metering/store.ts'
import { testClock } from '../../harness/clock.ts'
import { errorOf } from '../../harness/error-of.ts'
import { holdStore } from '../../harness/hold-store.ts'
import { openFiles } from '../../harness/open-files.ts'
import { storeForTest } from '../../harness/store.ts'
import { tempFolder } from '../../harness/temp-folder.ts'
import { send } from '../../harness/http-client.ts'
import { startSmallService } from '../../proxy/small-service.ts'
import { addAnn, ann } from '../ann.ts'

const plans = [{ name: 'trial', perPeriod: 20, perMinute: 1000 }]
const open = (file: string) => storeForTest(`sqlite:${file}`, { plans, clock: testClock() })

/** Opens a store with an account whose key has used this many units. */
async function storeOfAnn(spent: number, file = join(tempFolder(), 'store.sqlite')) {
  const store = await open(file)
  await addAnn(store)
  for (let i = 0; i < spent; i++) await store.counters.consume(ann, 1)
  return { store, file }
}

/** Returns the reason why a consume is refused. */
async function refusal(store: MeterStore): Promise<string> {
  const error = await errorOf(store.counters.consume(ann, 1))
  expect(error).toBeInstanceOf(StoreUnavailable)
  return error.message
}

/** Waits long enough that the store checks its path again. */
const pathIsChecked = () => sleep(60)

/** Returns the units counted by a consume, once the store answers again. */
async function countedOnceBack(store: MeterStore): Promise<number> {
  const consume = () => store.counters.consume(ann, 1).catch(() => null)
  let decision = await consume()
  await expect.poll(async () => (decision ??= await consume())).not.toBeNull()
  return (decision as { quota: { requests: number } }).quota.requests
}

/** Returns the files of a store that this process has open, including deleted ones. */
const openFilesOf = (file: string) => openFiles().filter((path) => path.startsWith(file))
const deletedFilesOpen = (file: string) => openFilesOf(file).filter((path) => path.endsWith(' (deleted)'))

/** Starts a process that opens a store, creates accounts in it and keeps it open. */
async function openElsewhere(file: string, accounts: number) {
  const program = `
    import { openStore } from '#metering/open-store.ts'
    const options = { plans: ${JSON.stringify(plans)}, clock: Date }
    const { directory } = await openStore(${JSON.stringify(`sqlite:${file}`)}, options)
    for (let i = 0; i < ${accounts}; i++) await directory.createAccount('other ' + i, 'trial')
    console.log('done')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: new URL('../../..', import.meta.url),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill())
  await once(child.stdout, 'data')
  return child
}

/** Returns the units of all periods that another process finds at the path. */
function unitsAt(file: string): number {
  const db = new DatabaseSync(file, { readOnly: true })
  const { units } = db.prepare('SELECT sum(requests) AS units FROM periods').get() as { units: number }
  db.close()
  return units
}

test('never writes to a deleted file: every call is unavailable, and no new file is created', async () => {
  const { store, file } = await storeOfAnn(20)
  for (const part of ['', '-wal', '-shm']) rmSync(file + part)
  await pathIsChecked()
  expect(await refusal(store)).toBe(`the store's file "${file}" was deleted or moved away while in use`)
  await expect(store.directory.accounts()).rejects.toBeInstanceOf(StoreUnavailable)
  await expect(store.directory.createAccount('bob', 'trial')).rejects.toBeInstanceOf(StoreUnavailable)
  expect(existsSync(file)).toBe(false)
})

test('a file that is moved away and back keeps every count', async () => {
  const { store, file } = await storeOfAnn(7)
  renameSync(file, `${file}.away`)
  await pathIsChecked()
  expect(await refusal(store)).toContain('deleted or moved away')
  renameSync(`${file}.away`, file)
  expect(await countedOnceBack(store)).toBe(8)
})

test('the only process of a store drops its counts and closes the old file when the file is replaced', async () => {
  const { store, file } = await storeOfAnn(3)
  await store.backup(`${file}.backup`)
  for (let i = 0; i < 10; i++) await store.counters.consume(ann, 1)
  renameSync(`${file}.backup`, file)
  await pathIsChecked()
  // The directory is called, because a refused call of the counters would itself drop the counts.
  await expect(store.directory.accounts()).rejects.toThrow('was replaced while in use')
  await expect.poll(() => store.directory.accounts().catch(() => [])).toHaveLength(1)
  expect(await store.counters.consume(ann, 1)).toMatchObject({ quota: { requests: 4 } })
  expect(deletedFilesOpen(file)).toEqual([])
})

/** Returns a store whose file was replaced by its backup, which another process holds. */
async function storeThatSwitches() {
  const { store, file } = await storeOfAnn(3)
  await store.backup(`${file}.backup`)
  const letGo = holdStore(`${file}.backup`)
  renameSync(`${file}.backup`, file)
  await pathIsChecked()
  return { store, file, letGo }
}

test('a store that is closed while it switches to another file leaves no file open', async () => {
  const { store, file, letGo } = await storeThatSwitches()
  await refusal(store)
  await store.close()
  letGo()
  await expect.poll(() => openFilesOf(file)).toEqual([])
  await refusal(store)
})

test('a store that is called again while it switches to another file opens that file once', async () => {
  const { store, file, letGo } = await storeThatSwitches()
  for (let i = 0; i < 3; i++) await refusal(store)
  letGo()
  expect(await countedOnceBack(store)).toBe(4)
  expect(openFilesOf(file).filter((path) => path === `${file}-wal`)).toHaveLength(1)
})

test('never writes its deleted log into a file that another process has used since', async () => {
  const { store: first, file } = await storeOfAnn(1)
  await first.close()
  const store = await open(file)
  for (let i = 0; i < 5; i++) await store.counters.consume(ann, 1)
  for (const part of ['-wal', '-shm']) rmSync(file + part)
  const child = await openElsewhere(file, 20)
  await pathIsChecked()
  await refusal(store)
  expect(await countedOnceBack(store)).toBe(2)
  expect(await store.directory.accounts()).toHaveLength(21)
  const { id } = await store.directory.account('ann')
  expect(await store.records.counts(id, 'key_a')).toMatchObject({ periods: [{ requests: 2 }] })
  child.kill()
  await once(child, 'exit')
  const db = new DatabaseSync(file, { readOnly: true })
  expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  db.close()
})

test('while another process reads the replaced file, waits, because its counts may still be needed', async () => {
  const { store, file } = await storeOfAnn(3)
  await store.backup(`${file}.backup`)
  const reader = new DatabaseSync(file)
  reader.exec('BEGIN')
  reader.prepare('SELECT * FROM periods').all()
  for (let i = 0; i < 10; i++) await store.counters.consume(ann, 1)
  renameSync(file, `${file}.away`)
  renameSync(`${file}.backup`, file)
  await pathIsChecked()
  await refusal(store)
  expect(await refusal(store)).toContain('replaced while in use: another process still has the -wal file')
  reader.close()
  expect(await countedOnceBack(store)).toBe(4)
  expect(unitsAt(`${file}.away`)).toBe(13)
  // The next replacement has nothing to do with that process.
  await store.backup(`${file}.backup`)
  renameSync(`${file}.backup`, file)
  await pathIsChecked()
  expect(await refusal(store)).toBe(`the store's file "${file}" was replaced while in use`)
})

test('every process switches to a backup that replaces the file, and counts in it', async () => {
  const { store, file } = await storeOfAnn(3)
  const other = await open(file)
  await store.backup(`${file}.backup`)
  for (let i = 0; i < 10; i++) await other.counters.consume(ann, 1)
  renameSync(`${file}.backup`, file)
  await pathIsChecked()
  expect(await refusal(store)).toBe(`the store's file "${file}" was replaced while in use`)
  expect(await countedOnceBack(store)).toBe(4)
  expect(await countedOnceBack(other)).toBe(5)
  expect(unitsAt(file)).toBe(5)
})

test('refuses another store in place of the file, until the file is moved back with every count', async () => {
  const { store, file } = await storeOfAnn(20)
  const idle = await open(file)
  const another = await storeOfAnn(0)
  await another.store.close()
  renameSync(file, `${file}.away`)
  copyFileSync(another.file, file)
  await pathIsChecked()
  await refusal(store)
  await expect.poll(() => refusal(store)).toContain('replaced while in use: it is a different store')
  expect(unitsAt(file)).toBe(0)
  rmSync(file)
  renameSync(`${file}.away`, file)
  const peeked = () => store.counters.peek(ann).catch(() => null)
  await expect.poll(peeked).toMatchObject({ quota: { requests: 20 } })
  // A process without requests in the meantime finds its log replaced, and opens the new one.
  const consumed = () => idle.counters.consume(ann, 1).catch(() => null)
  await expect.poll(consumed).toMatchObject({ outcome: 'quota_exceeded' })
})

test('refuses another kind of file in its place, and leaves it unchanged', async () => {
  const { store, file } = await storeOfAnn(1)
  rmSync(file)
  writeFileSync(file, 'WEBVTT\n\n'.repeat(1000))
  await pathIsChecked()
  await refusal(store)
  await expect.poll(() => refusal(store)).toContain('replaced while in use: file is not a database')
  rmSync(file)
  writeFileSync(file, '')
  await expect.poll(() => refusal(store)).toContain('replaced while in use: it is empty')
  expect(readdirSync(dirname(file))).toContain(basename(file))
})

test('deleting the log loses no count', async () => {
  const { store, file } = await storeOfAnn(7)
  for (const part of ['-wal', '-shm']) rmSync(file + part)
  await pathIsChecked()
  expect(await countedOnceBack(store)).toBe(8)
  expect(unitsAt(file)).toBe(8)
  // Otherwise, other processes would not see what this one writes, nor wait for its lock.
  expect(deletedFilesOpen(file)).toEqual([])
})

test('over HTTP, it is 503 with a line in the log, and the service recovers when the file is back', async () => {
  await using service = await startSmallService({})
  const key = await service.newKey()
  const file = join(service.folder, 'store.sqlite')
  const status = async () =>
    (await send(service.origin, '/v1/words', { headers: { authorization: `Bearer ${key}` } })).status
  expect(await status()).toBe(200)
  renameSync(file, `${file}.away`)
  await pathIsChecked()
  expect([await status(), await status()]).toEqual([503, 503])
  expect(service.errors.filter((line) => line.includes('was deleted or moved away'))).toHaveLength(1)
  renameSync(`${file}.away`, file)
  expect(await status()).toBe(200)
})
