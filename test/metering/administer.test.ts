import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import {
  createKey,
  listAccounts,
  listKeys,
  rotateKey,
  setKeyEnabled,
  setPlan,
  type AdminContext,
} from '#metering/administer.ts'
import { usage } from '#metering/usage-report.ts'
import { isKey, keyDigest } from '#metering/key.ts'
import { openStore } from '#metering/open-store.ts'

const clock = { ms: 0, now: () => clock.ms }
let next = 0
const random = (sizeBytes: number) => Uint8Array.from({ length: sizeBytes }, () => next++ % 251)

let folder: string
let context: AdminContext

beforeEach(async () => {
  clock.ms = Date.parse('2026-01-31T08:00:00.000Z')
  next = 0
  folder = mkdtempSync(join(tmpdir(), 'clip-lookup-administer-'))
  const store = await openStore(`sqlite:${folder}/store.sqlite`, { plans: defaultPlans, clock })
  context = { store, plans: defaultPlans, clock, random }
})

afterEach(async () => {
  await context.store.close()
  rmSync(folder, { recursive: true })
})

describe('creating a key', () => {
  test('creates its account on trial and gives the key, which works', async () => {
    const created = await createKey(context, { account: 'ann' })
    expect(created).toEqual({
      account: 'ann',
      plan: 'trial',
      keyId: expect.stringMatching(/^key_[0-9A-Za-z]{12}$/),
      key: expect.stringMatching(/^clk_[0-9A-Za-z]{38}$/),
    })
    expect(isKey(created.key)).toBe(true)
    const subject = { kind: 'key' as const, digest: keyDigest(created.key) }
    expect(await context.store.counters.consume(subject, 1)).toMatchObject({ outcome: 'admitted' })
  })

  test('on an account that exists keeps its plan', async () => {
    await createKey(context, { account: 'ann', plan: 'starter' })
    expect(await createKey(context, { account: 'ann' })).toMatchObject({ plan: 'starter' })
    expect(await createKey(context, { account: 'ann', plan: 'starter' })).toMatchObject({ plan: 'starter' })
    expect(await listAccounts(context)).toHaveLength(1)
  })

  test('with another plan than that of the account is an error that names both, and makes no key', async () => {
    await createKey(context, { account: 'ann', plan: 'starter' })
    await expect(createKey(context, { account: 'ann', plan: 'growth' })).rejects.toThrow(
      /"growth".*"ann".*"starter"/,
    )
    expect(await listKeys(context)).toHaveLength(1)
  })

  test('on an unknown plan is an error that lists the plans, and makes no account', async () => {
    await expect(createKey(context, { account: 'ann', plan: 'gold' })).rejects.toThrow(
      '"gold": there are trial, starter, growth',
    )
    expect(await listAccounts(context)).toEqual([])
  })
})

describe('the name of an account', () => {
  test.each(['', '  ', 'a'.repeat(129), '😀'.repeat(129)])('cannot be %j', async (account) => {
    await expect(createKey(context, { account })).rejects.toThrow('it must have 1 to 128 characters')
  })

  test.each(['a\nb', 'ann\n', '\u0000', 'a\u007fb', 'a\u0085b'])(
    'cannot have control characters: %j',
    async (account) => {
      await expect(createKey(context, { account })).rejects.toThrow('it must not have control characters')
    },
  )

  test.each(['a', '😀'.repeat(128), 'Bäckerei Öz & Söhne', '学校'])('can be %s', async (account) => {
    expect(await createKey(context, { account })).toMatchObject({ account })
  })

  test('is trimmed and NFC, so that one name is one account', async () => {
    await createKey(context, { account: 'caf\u00e9' })
    expect(await createKey(context, { account: '  cafe\u0301 ' })).toMatchObject({ account: 'caf\u00e9' })
    expect(await usage(context, 'cafe\u0301')).toMatchObject({ requests: 0 })
  })
})

describe('keys', () => {
  test('are listed in the order of creation, with dates, without their text', async () => {
    const first = await createKey(context, { account: 'zoe' })
    clock.ms += 1
    await createKey(context, { account: 'ann', plan: 'growth' })
    const listed = await listKeys(context)
    expect(listed.map((key) => key.account)).toEqual(['zoe', 'ann'])
    expect(listed[0]).toEqual({
      keyId: first.keyId,
      account: 'zoe',
      plan: 'trial',
      prefix: first.key.slice(0, 8),
      last4: first.key.slice(-4),
      enabled: true,
      createdAt: '2026-01-31T08:00:00.000Z',
      expiresAt: null,
    })
  })

  test('are disabled and enabled', async () => {
    const { keyId } = await createKey(context, { account: 'ann' })
    expect(await setKeyEnabled(context, keyId, false)).toMatchObject({ keyId, enabled: false })
    expect(await setKeyEnabled(context, keyId, true)).toMatchObject({ keyId, enabled: true })
  })

  test('are rotated: a new key, and the old one expires after the overlap', async () => {
    const old = await createKey(context, { account: 'ann', plan: 'growth' })
    const rotated = await rotateKey(context, old.keyId, 3_600_000)
    const fields = ['keyId', 'account', 'plan', 'prefix', 'last4', 'enabled', 'createdAt', 'expiresAt', 'key']
    expect(Object.keys(rotated)).toEqual(fields)
    expect(rotated).toMatchObject({ account: 'ann', plan: 'growth', enabled: true, expiresAt: null })
    expect(rotated.keyId).not.toBe(old.keyId)
    expect(isKey(rotated.key)).toBe(true)
    expect((await listKeys(context))[0]).toMatchObject({
      keyId: old.keyId,
      expiresAt: '2026-01-31T09:00:00.000Z',
    })
  })

  test('that are not there are an error', async () => {
    await expect(setKeyEnabled(context, 'key_x', false)).rejects.toThrow('no key "key_x"')
    await expect(rotateKey(context, 'key_x', 0)).rejects.toThrow('no key "key_x"')
  })
})

describe('accounts', () => {
  test('are listed with their plans and dates', async () => {
    await createKey(context, { account: 'ann' })
    expect(await listAccounts(context)).toEqual([
      { account: 'ann', plan: 'trial', createdAt: '2026-01-31T08:00:00.000Z' },
    ])
  })

  test('are put on another plan', async () => {
    await createKey(context, { account: 'ann' })
    expect(await setPlan(context, 'ann', 'growth')).toMatchObject({ account: 'ann', plan: 'growth' })
    await expect(setPlan(context, 'ann', 'gold')).rejects.toThrow(
      'no plan "gold": there are trial, starter, growth',
    )
    await expect(setPlan(context, 'bob', 'growth')).rejects.toThrow('no account "bob"')
  })

  test('have a Usage record', async () => {
    const { key } = await createKey(context, { account: 'ann' })
    await context.store.counters.consume({ kind: 'key', digest: keyDigest(key) }, 1)
    expect(await usage(context, 'ann')).toEqual({
      plan: 'trial',
      periodStart: '2026-01-31T08:00:00.000Z',
      periodEnd: '2026-02-28T08:00:00.000Z',
      requests: 1,
      limit: 20,
      rateLimitPerMinute: 60,
    })
    await expect(usage(context, 'bob')).rejects.toThrow('no account "bob"')
  })
})
