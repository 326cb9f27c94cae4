import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startSmallService, type SmallService } from '../small-service.ts'

// Two requests a minute, and a look-up a period.
const plans = [
  { name: 'trial', perPeriod: 20, perMinute: 60 },
  { name: 'tight', perPeriod: 1, perMinute: 2 },
]

let service: SmallService
let key: string
beforeEach(async () => {
  service = await startSmallService({ plans })
  key = await service.newKey('tight', 'tight')
})
afterEach(() => service.stop())

async function codeOf(path: string, options: { method?: string; key?: string } = {}): Promise<string> {
  return (await service.get(path, options)).json.error?.code ?? 'none'
}

/** Leaves no place in the minute window. */
async function spendWindow(): Promise<void> {
  for (let i = 0; i < 2; i++) await service.get('/words?limit=x', { key })
}

/** Leaves a place in the window and no unit of the quota. */
async function spendQuota(): Promise<void> {
  expect((await service.get('/words', { key })).status).toBe(200)
}

describe('of two faults, the one of the earlier check is reported', () => {
  test('route before method', async () => {
    expect(await codeOf('/nowhere', { method: 'POST' })).toBe('not_found')
  })

  test('method before key', async () => {
    expect(await codeOf('/words', { method: 'POST' })).toBe('method_not_allowed')
  })

  test('key before window', async () => {
    await spendWindow()
    expect(await codeOf('/words', { key: `${key.slice(0, -1)}!` })).toBe('invalid_key')
    const keyId = (await service.store.directory.keys())[0]!.keyId
    await service.store.directory.setKeyEnabled(keyId, false)
    expect(await codeOf('/words', { key })).toBe('invalid_key')
  })

  test('key before parameters', async () => {
    expect(await codeOf('/words?limit=x')).toBe('invalid_key')
    expect(await codeOf('/usage?nonsense=1')).toBe('invalid_key')
  })

  test('window before parameters', async () => {
    await spendWindow()
    expect(await codeOf('/words?limit=x', { key })).toBe('rate_limited')
    expect(await codeOf('/clips/%zz', { key })).toBe('rate_limited')
    expect(await codeOf('/words?cursor=x', { key })).toBe('rate_limited')
  })

  test('window before quota', async () => {
    await spendQuota()
    await service.get('/words', { key })
    expect(await codeOf('/words', { key })).toBe('rate_limited')
  })

  test('an unknown parameter in its place among the others', async () => {
    expect(await codeOf('/nowhere?nonsense=1', { key })).toBe('not_found')
    expect(await codeOf('/words?nonsense=1', { method: 'POST', key })).toBe('method_not_allowed')
    expect(await codeOf('/words?nonsense=1')).toBe('invalid_key')
    expect(await codeOf('/usage?nonsense=1', { key })).toBe('invalid_parameter')
    await spendQuota()
    expect(await codeOf('/words?nonsense=1', { key })).toBe('invalid_parameter')
    expect(await codeOf('/words?nonsense=1', { key })).toBe('rate_limited')
  })

  test.each(['/words?limit=x', '/words?cursor=x', '/clips/%zz', '/feed?limit=1&limit=1'])(
    'parameters before quota: %s',
    async (path) => {
      await spendQuota()
      expect(await codeOf(path, { key })).toBe('invalid_parameter')
    },
  )

  test.each(['/clips/nothing', '/words/nothing/clips'])('quota before look-up: %s', async (path) => {
    await spendQuota()
    expect(await codeOf(path, { key })).toBe('quota_exceeded')
  })

  test('the last check is the look-up', async () => {
    expect(await codeOf('/clips/nothing', { key })).toBe('not_found')
  })
})

test('a fault in the path is reported before one in the query, and those in their order', async () => {
  const parameterOf = async (path: string) => (await service.get(path, { key })).json.error.parameter
  expect(await parameterOf('/clips/%zz?gloss=x')).toBe('clipId')
  service.clock.ms += 60_000
  expect(await parameterOf('/words?level=x&limit=x')).toBe('level')
  expect(await parameterOf('/words?limit=x&level=x')).toBe('limit')
  service.clock.ms += 60_000
  expect(await parameterOf('/words?nonsense=1&limit=x')).toBe('nonsense')
  expect(await parameterOf('/words?limit=x&nonsense=1')).toBe('limit')
})
