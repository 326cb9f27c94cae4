import { expect, test } from 'vitest'
import { formatAccount, parseAccount, versionOf, type AccountRecord } from '#metering/account-record.ts'

test('a stored account has a version of its own, even if the account is the same', () => {
  const ann = { id: 'x', account: 'ann {1}', plan: 'trial', createdAtMs: 0, bySignUp: false }
  const record: AccountRecord = { ...ann, deletedAtMs: null, keys: [] }
  const texts = [formatAccount(record), formatAccount(record)]
  expect(texts.map(parseAccount)).toEqual([record, record])
  expect(texts.map((text) => text.replace(versionOf(text), ''))).toEqual(
    Array(2).fill(JSON.stringify(record)),
  )
  expect(new Set(texts.map(versionOf)).size).toBe(2)
})
