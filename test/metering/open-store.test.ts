import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { inspect } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import { fixedClock } from '#kit/clock.ts'
import { openStore, type OpeningFault } from '#metering/open-store.ts'
import { StoreUnavailable } from '#metering/store.ts'
import { errorOf } from '../harness/error-of.ts'
import { freePort } from '../harness/free-port.ts'
import { holdStore } from '../harness/hold-store.ts'
import { tempFolder } from '../harness/temp-folder.ts'

const options = { plans: defaultPlans, clock: fixedClock(0) }

test('sqlite:<file> opens a store in the file', async () => {
  const file = `${tempFolder()}/a #1 store?.sqlite`
  await (await openStore(`sqlite:${file}`, options)).close()
  expect(existsSync(file)).toBe(true)
})

test.each([
  ['', ''],
  ['sqlite:', 'sqlite:'],
  ['var/store.sqlite', 'var/store.sqlite'],
  ['postgres://localhost', 'postgres://localhost'],
  ['postgres://ann:secret@localhost', 'postgres://…@localhost'],
  [' sqlite:x', ' sqlite:x'],
  ['redis:', 'redis:'],
  ['xredis://localhost', 'xredis://localhost'],
  ['redis://', 'redis://'],
  ['redis:6379', 'redis:…'],
  ['redis://ann:secret@:6379', 'redis://…'],
  ['redis://:secret', 'redis://…'],
  ['redis://:secret@', 'redis://…'],
  ['rediss://ann:secret', 'rediss://…'],
  ['redis:secret@host', 'redis:…'],
])('%j is not a store, and the message repeats no password', async (url, shown) => {
  await expect(openStore(url, options)).rejects.toThrow(
    `cannot open the store "${shown}": its address must be sqlite:<file>`,
  )
})

test.each<[string, boolean, (file: string) => unknown]>([
  ['a folder', true, (file) => mkdirSync(file)],
  ['a store with an account on an unknown plan', true, makeStoreOnGold],
  ['the database of another program', false, makeOtherDatabase],
  ['a store that another process holds', false, (file) => onTestFinished(holdStore(file))],
])('the fault of %s says whether it ends with advice: %j', async (_, hasAdvice, make) => {
  const file = join(tempFolder(), 'store.sqlite')
  await make(file)
  const fault: OpeningFault = await errorOf(openStore(`sqlite:${file}`, { ...options, patienceMs: 10 }))
  expect(fault.message.split('. ')).toHaveLength(hasAdvice ? 2 : 1)
  expect(fault.hasAdvice ?? false).toBe(hasAdvice)
})

test.each<[string, (file: string) => unknown]>([
  ['a folder', (file) => mkdirSync(file)],
  ['a store that lacks a table', makeStoreWithoutLists],
])('a service does not wait for %s, which does not become available', async (_, make) => {
  const file = join(tempFolder(), 'store.sqlite')
  await make(file)
  const refused = await errorOf(openStore(`sqlite:${file}`, { ...options, waits: true }))
  expect(refused).toBeInstanceOf(StoreUnavailable)
})

async function makeStoreWithoutLists(file: string): Promise<void> {
  await (await openStore(`sqlite:${file}`, options)).close()
  using database = new DatabaseSync(file)
  database.exec('DROP TABLE lines')
}

async function makeStoreOnGold(file: string): Promise<void> {
  const store = await openStore(`sqlite:${file}`, options)
  await store.directory.createAccount('ann', 'gold')
  await store.close()
}

function makeOtherDatabase(file: string): void {
  using database = new DatabaseSync(file)
  database.exec('CREATE TABLE theirs (id INTEGER)')
}

test('redis:// and rediss:// fail if nobody listens, and the message repeats no password', async () => {
  const port = await freePort()
  const refusals = ['redis', 'rediss'].map(async (scheme) => {
    const url = `${scheme}://ann:secret@127.0.0.1:${port}`
    const refused: OpeningFault = await errorOf(openStore(url, options))
    expect(refused).toBeInstanceOf(StoreUnavailable)
    expect(refused.hasAdvice).toBe(true)
    expect(refused.message).toContain(`the store "${scheme}://…@127.0.0.1:${port}": connect ECONNREFUSED`)
    expect(inspect(refused, { depth: null })).not.toContain('secret')
  })
  await Promise.all(refusals)
})
