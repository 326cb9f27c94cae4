import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import { createKey, listChanges, listKeys, renameAccount, rotateKey } from '#metering/administer.ts'
import { StoreUnavailable } from '#metering/store.ts'
import { testClock } from '../harness/clock.ts'
import { adminContextForTest, storeForTest } from '../harness/store.ts'
import { tempFolder } from '../harness/temp-folder.ts'

test('changes without an author are not logged', async () => {
  const context = await adminContextForTest()
  await createKey(context, { account: 'ann' })
  await renameAccount(context, 'ann', 'eve')
  expect(await listChanges(context)).toEqual([])
})

test('a new key is returned even if the log of changes cannot be written, because it is shown only once', async () => {
  const file = join(tempFolder(), 'store.sqlite')
  const store = await storeForTest(`sqlite:${file}`, { plans: defaultPlans, clock: testClock() })
  const db = new DatabaseSync(file)
  db.exec(`CREATE TRIGGER full BEFORE INSERT ON lines WHEN NEW.list = 'changes'
    BEGIN SELECT RAISE(ABORT, 'no room'); END`)
  db.close()
  const context = { store, plans: defaultPlans, actor: 'ann@office' }
  const { keyId, key } = await createKey(context, { account: 'ann' })
  const next = await rotateKey(context, keyId, 0)
  for (const text of [key, next.key]) expect(text).toMatch(/^clk_/)
  expect(await listKeys(context)).toMatchObject([{ keyId }, { keyId: next.keyId }])
  await expect(renameAccount(context, 'ann', 'eve')).rejects.toBeInstanceOf(StoreUnavailable)
})
