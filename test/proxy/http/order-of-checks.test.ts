import { syncBuiltinESMExports } from 'node:module'
import zlib from 'node:zlib'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startSmallService, type SmallService } from '../small-service.ts'

// Two requests per minute, and one look-up per period.
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

/** Uses up the minute window. */
async function spendWindow(): Promise<void> {
  for (let i = 0; i < 2; i++) await service.get('/words?limit=x', { key })
}

/** Uses up the quota, but leaves a place in the window. */
const spendQuota = async (): Promise<void> => expect((await service.get('/words', { key })).status).toBe(200)

/** Requests to a service whose window or quota may be used up, and the reported fault. */
const cases: [order: string, spent: 'window' | 'quota' | null, path: string, method: string, code: string][] =
  [
    ['route before method', null, '/nowhere', 'POST', 'not_found'],
    ['route before parameters', null, '/nowhere?nonsense=1', 'GET', 'not_found'],
    ['method before parameters', null, '/words?nonsense=1', 'POST', 'method_not_allowed'],
    ['parameters, unknown ones too', null, '/usage?nonsense=1', 'GET', 'invalid_parameter'],
    ['window before parameters', 'window', '/words?limit=x', 'GET', 'rate_limited'],
    ['window before parameters', 'window', '/clips/%zz', 'GET', 'rate_limited'],
    ['window before parameters', 'window', '/words?cursor=x', 'GET', 'rate_limited'],
    ['window before parameters', 'window', '/words?nonsense=1', 'GET', 'rate_limited'],
    ['parameters before quota', 'quota', '/words?limit=x', 'GET', 'invalid_parameter'],
    ['parameters before quota', 'quota', '/words?nonsense=1', 'GET', 'invalid_parameter'],
    ['parameters before quota', 'quota', '/words?cursor=x', 'GET', 'invalid_parameter'],
    ['parameters before quota', 'quota', '/clips/%zz', 'GET', 'invalid_parameter'],
    ['parameters before quota', 'quota', '/feed?limit=1&limit=1', 'GET', 'invalid_parameter'],
    ['quota before look-up', 'quota', '/clips/nothing', 'GET', 'quota_exceeded'],
    ['quota before look-up', 'quota', '/words/nothing/clips', 'GET', 'quota_exceeded'],
    ['the last check is the look-up', null, '/clips/nothing', 'GET', 'not_found'],
  ]

test.each(cases)('%s: with %s used up, %s by %s', async (_, spent, path, method, code) => {
  if (spent === 'window') await spendWindow()
  if (spent === 'quota') await spendQuota()
  expect(await codeOf(path, { method, key })).toBe(code)
})

test('checks the method before the key', async () => {
  expect(await codeOf('/words', { method: 'POST' })).toBe('method_not_allowed')
})

test('checks the key before window and parameters', async () => {
  await spendWindow()
  expect(await codeOf('/words', { key: `${key.slice(0, -1)}!` })).toBe('invalid_key')
  expect(await codeOf('/words?limit=x')).toBe('invalid_key')
  expect(await codeOf('/usage?nonsense=1')).toBe('invalid_key')
  const keyId = (await service.store.directory.keys())[0]!.keyId
  await service.store.directory.setKeyEnabled(keyId, false)
  expect(await codeOf('/words', { key })).toBe('invalid_key')
})

test('checks the window before the quota', async () => {
  await spendQuota()
  await service.get('/words', { key })
  expect(await codeOf('/words', { key })).toBe('rate_limited')
})

test('reports a fault in the path before one in the query, and those in their order', async () => {
  const parameterOf = async (path: string) => (await service.get(path, { key })).json.error.parameter
  expect(await parameterOf('/clips/%zz?gloss=x')).toBe('clipId')
  service.clock.ms += 60_000
  expect(await parameterOf('/words?level=x&limit=x')).toBe('level')
  expect(await parameterOf('/words?limit=x&level=x')).toBe('limit')
  service.clock.ms += 60_000
  expect(await parameterOf('/words?nonsense=1&limit=x')).toBe('nonsense')
  expect(await parameterOf('/words?limit=x&nonsense=1')).toBe('limit')
})

test('unpacks a packed set only for a valid key whose window is not used up', async () => {
  const inflations = vi.spyOn(zlib, 'inflateRawSync')
  syncBuiltinESMExports()
  const set = (...bytes: number[]) => `p.${zlib.deflateRawSync(Uint8Array.from(bytes)).toString('base64url')}`
  const inflationsOf = async (known: string, code: string) => {
    const before = inflations.mock.calls.length
    expect(await codeOf(`/feed?known=${known}`, { key })).toBe(code)
    return inflations.mock.calls.length - before
  }
  try {
    // The set is inflated to check it, and again to read it.
    expect(await inflationsOf(set(1), 'none')).toBe(2)
    expect(await inflationsOf(set(1), 'quota_exceeded')).toBe(0)
    expect(await inflationsOf(set(2), 'rate_limited')).toBe(0)
    service.clock.ms += 60_000
    expect(await inflationsOf(set(3, 0), 'invalid_parameter')).toBe(1)
    const keyId = (await service.store.directory.keys()).find(({ account }) => account === 'tight')!.keyId
    await service.store.directory.setKeyEnabled(keyId, false)
    expect(await inflationsOf(set(3), 'invalid_key')).toBe(0)
    expect(await inflationsOf(set(1), 'invalid_key')).toBe(0)
  } finally {
    inflations.mockRestore()
    syncBuiltinESMExports()
  }
})
