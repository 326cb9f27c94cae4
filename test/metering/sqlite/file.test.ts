import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import { openSqliteFile, retryWhileBusy } from '#metering/sqlite/file.ts'
import type { StoreOptions } from '#metering/store.ts'
import { testClock } from '../../harness/clock.ts'
import { openFiles } from '../../harness/open-files.ts'
import { tempFolder } from '../../harness/temp-folder.ts'

const newFile = () => join(tempFolder(), 'store.sqlite')
const options = { plans: defaultPlans, clock: testClock() }

async function open(file: string, more: Partial<StoreOptions> = {}) {
  const db = await openSqliteFile(file, { ...options, ...more })
  onTestFinished(() => db.close())
  return db
}

test.each([
  ['process', 1],
  ['power', 2],
] as const)(
  'with the durability "%s", SQLite has the synchronous mode %i',
  async (durability, synchronous) => {
    const db = await open(newFile(), { durability })
    expect(db.prepare('PRAGMA synchronous').get()).toEqual({ synchronous })
  },
)

test('a new file has small pages, because each commit writes whole ones', async () => {
  const db = await open(newFile())
  expect(db.prepare('PRAGMA page_size').get()).toEqual({ page_size: 1024 })
})

test('a file in use cannot be opened exclusively, and a file opened exclusively cannot be opened again', async () => {
  const file = newFile()
  const db = await openSqliteFile(file, options)
  await expect(open(file, { exclusive: true, patienceMs: 10 })).rejects.toThrow('another process is using it')
  db.close()
  await open(file, { exclusive: true })
  await expect(open(file, { patienceMs: 10 })).rejects.toThrow('database is locked')
})

test('a file that should have taken the place of another one is not created if it is missing', async () => {
  const file = newFile()
  await expect(openSqliteFile(file, options, 'id')).rejects.toThrow('unable to open database file')
  expect(existsSync(file)).toBe(false)
})

test.each([
  ['an empty database of another program', 'PRAGMA application_id = 7', 'not a clip-lookup store'],
  [
    'a store without a version',
    `DELETE FROM meta WHERE name = 'schema_version'`,
    'has format version undefined',
  ],
])('%s is refused, and is not left open', async (_, change, reason) => {
  const file = newFile()
  if (change.startsWith('DELETE')) (await openSqliteFile(file, options)).close()
  const theirs = new DatabaseSync(file)
  theirs.exec(change)
  theirs.close()
  await expect(open(file)).rejects.toThrow(reason)
  expect(openFiles().filter((path) => path.startsWith(file))).toEqual([])
})

test('work that fails for a reason other than a lock is not repeated', async () => {
  let calls = 0
  const work = () => {
    calls++
    throw new Error('broken')
  }
  await expect(retryWhileBusy(60_000, work)).rejects.toThrow('broken')
  expect(calls).toBe(1)
})
