import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import { fixedClock } from '#kit/clock.ts'
import { openStore } from '#metering/open-store.ts'
import { SqliteStore } from '#metering/sqlite-store.ts'

const options = { plans: defaultPlans, clock: fixedClock(0) }
const folder = mkdtempSync(join(tmpdir(), 'clip-lookup-open-'))

afterAll(() => rmSync(folder, { recursive: true }))

test('sqlite:<file> is a SqliteStore', async () => {
  const store = await openStore(`sqlite:${folder}/a store.sqlite`, options)
  expect(store).toBeInstanceOf(SqliteStore)
  await store.close()
})

test.each(['redis://localhost:6379', 'rediss://example.org/1'])('%s is not in this version', async (url) => {
  await expect(openStore(url, options)).rejects.toThrow(
    `cannot open the store "${url}": this version has no Redis store`,
  )
})

test.each(['', 'sqlite:', 'var/store.sqlite', 'postgres://localhost', ' sqlite:x'])(
  '%j is no store',
  async (url) => {
    await expect(openStore(url, options)).rejects.toThrow(
      `cannot open the store "${url}": wanted sqlite:<file>`,
    )
  },
)

test('a password is not repeated', async () => {
  await expect(openStore('redis://ann:secret@localhost', options)).rejects.toThrow('"redis://…@localhost"')
})
