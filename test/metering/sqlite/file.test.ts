import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import { openSqliteFile, retryWhileBusy } from '#metering/sqlite/file.ts'
import type { StoreOptions } from '#metering/store.ts'
import { testClock } from '../../harness/clock.ts'
import { tempFolder } from '../../harness/temp-folder.ts'

const newFile = () => join(tempFolder(), 'store.sqlite')

async function open(file: string, options: Partial<StoreOptions> = {}) {
  const db = await openSqliteFile(file, { plans: defaultPlans, clock: testClock(), ...options })
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
  const db = await openSqliteFile(file, { plans: defaultPlans, clock: testClock() })
  await expect(open(file, { exclusive: true, patienceMs: 10 })).rejects.toThrow('another process is using it')
  db.close()
  await open(file, { exclusive: true })
  await expect(open(file, { patienceMs: 10 })).rejects.toThrow('database is locked')
})

test('a file that should have taken the place of another one is not created if it is missing', async () => {
  const file = newFile()
  const options = { plans: defaultPlans, clock: testClock() }
  await expect(openSqliteFile(file, options, 'id')).rejects.toThrow('unable to open database file')
  expect(existsSync(file)).toBe(false)
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
