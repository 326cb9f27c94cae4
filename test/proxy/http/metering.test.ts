import { describe, expect, test } from 'vitest'
import type { Plan } from '#contract/plans.ts'
import type { RequestOptions } from '../../harness/http-client.ts'
import { rawRequest, sendRaw } from './raw-request.ts'
import { startSmallService, type SmallService } from '../small-service.ts'

const plans: Plan[] = [
  { name: 'trial', perPeriod: 20, perMinute: 60 },
  { name: 'slow', perPeriod: null, perMinute: 3 },
  { name: 'small', perPeriod: 2, perMinute: 1000 },
  { name: 'large', perPeriod: 200, perMinute: 1000 },
]

/** Returns the values of the three headers. */
async function windowOf(service: SmallService, path: string, options: object = {}) {
  const { status, headers } = await service.get(path, options)
  return {
    status,
    limit: Number(headers['x-ratelimit-limit']),
    remaining: Number(headers['x-ratelimit-remaining']),
    resetS: Number(headers['x-ratelimit-reset']),
  }
}

async function requestsOf(service: SmallService, key: string): Promise<number> {
  return (await service.get('/usage', { key })).json.requests
}

describe('the minute window of a key', () => {
  test('is in every response: 200, 304, 400, 404, 429', async () => {
    await using service = await startSmallService({
      plans: [...plans, { name: 'five', perPeriod: 3, perMinute: 5 }],
    })
    const key = await service.newKey('a', 'five')
    const resetS = Math.ceil(service.clock.ms / 60_000) * 60
    const { etag } = (await service.get('/clips/watchmaker', { key })).headers
    const answers = [
      await windowOf(service, '/clips/watchmaker', { key, headers: { 'if-none-match': etag } }),
      await windowOf(service, '/clips/nothing', { key }),
      await windowOf(service, '/words?limit=x', { key }),
      await windowOf(service, '/words', { key }),
      await windowOf(service, '/words', { key }),
      await windowOf(service, '/usage', { key }),
    ]
    expect(answers.map(({ status, remaining }) => `${status} ${remaining}`)).toEqual([
      '304 3',
      '404 2',
      '400 1',
      '429 0',
      '429 0',
      '200 0',
    ])
    for (const answer of answers) expect(answer).toMatchObject({ limit: 5, resetS })
  })
})

describe('the public window', () => {
  test('is used by /corpus, /openapi.json and 401s', async () => {
    await using service = await startSmallService({ publicPerMinute: 10 })
    const remaining: number[] = []
    for (const path of ['/corpus', '/openapi.json', '/words', '/usage', '/corpus']) {
      const window = await windowOf(service, path)
      expect(window.limit).toBe(10)
      remaining.push(window.remaining)
    }
    expect(remaining).toEqual([9, 8, 7, 6, 5])
  })

  test('is shown but not used by 405, OPTIONS and unknown paths, with a key or without', async () => {
    await using service = await startSmallService({ publicPerMinute: 10 })
    const key = await service.newKey()
    for (const options of [{}, { key }])
      for (const [path, method, status] of [
        ['/words', 'POST', 405],
        ['/words', 'OPTIONS', 204],
        ['/nowhere', 'GET', 404],
        ['/corpus', 'DELETE', 405],
      ] as const) {
        const window = await windowOf(service, path, { ...options, method })
        expect(window).toMatchObject({ status, limit: 10, remaining: 10 })
      }
    // Methods that Node does not know take another path.
    for (const [path, status] of [
      ['/v1/corpus', 405],
      ['/nowhere', 404],
    ] as const) {
      const [answer] = await sendRaw(service.origin, rawRequest(`FOO ${path} HTTP/1.1`, 'Host: h'))
      expect(answer).toMatchObject({ status, headers: { 'x-ratelimit-remaining': '10' } })
      expect(answer!.headers['x-ratelimit-reset']).toMatch(/^\d+$/)
    }
    expect(await windowOf(service, '/usage', { key })).toMatchObject({ remaining: 1_000_000_000 })
  })

  test('when used up: a 401 stays a 401, the two public operations return 429, the next minute is new', async () => {
    await using service = await startSmallService({ publicPerMinute: 2 })
    await service.get('/corpus')
    await service.get('/words')
    expect(await windowOf(service, '/words')).toMatchObject({ status: 401, remaining: 0 })
    expect((await service.get('/words', { key: 'nonsense' })).status).toBe(401)
    for (const path of ['/corpus', '/openapi.json']) {
      const answer = await service.get(path)
      expect(answer.status).toBe(429)
      expect(answer.json.error).toMatchObject({ code: 'rate_limited', retryAfter: 50 })
      expect(answer.headers['retry-after']).toBe('50')
    }
    expect((await service.get('/words', { method: 'POST' })).status).toBe(405)
    expect((await service.get('/words', { method: 'OPTIONS' })).status).toBe(204)
    expect((await service.get('/nowhere')).status).toBe(404)
    service.clock.ms += 60_000
    expect((await service.get('/corpus')).status).toBe(200)
  })

  test('is not used by a valid key', async () => {
    await using service = await startSmallService({ publicPerMinute: 1 })
    const key = await service.newKey()
    await service.get('/words', { key })
    await service.get('/usage', { key })
    expect(await windowOf(service, '/corpus', { key })).toMatchObject({ status: 200, limit: 1, remaining: 0 })
  })

  test('belongs to an address, or to a /64 of IPv6, as a trusted proxy names it', async () => {
    await using service = await startSmallService({ publicPerMinute: 10, trustProxy: '127.0.0.1' })
    const remainingFor = async (address: string) =>
      (await windowOf(service, '/corpus', { headers: { 'x-forwarded-for': address } })).remaining
    expect(await remainingFor('192.0.2.1')).toBe(9)
    expect(await remainingFor('192.0.2.2')).toBe(9)
    expect(await remainingFor('6.6.6.6, 192.0.2.1')).toBe(8)
    expect(await remainingFor('::ffff:192.0.2.1')).toBe(7)
    expect(await remainingFor('2001:db8:1:2::1')).toBe(9)
    expect(await remainingFor('2001:DB8:1:2:ffff::9')).toBe(8)
    expect(await remainingFor('2001:db8:1:3::1')).toBe(9)
    const unknownMethod = rawRequest('FOO /v1/words HTTP/1.1', 'Host: h', 'X-Forwarded-For: 192.0.2.1')
    const [refused] = await sendRaw(service.origin, unknownMethod)
    expect(refused!.headers).toMatchObject({ allow: 'GET, HEAD, OPTIONS', 'x-ratelimit-remaining': '7' })
  })

  test('is the same for one or several X-Forwarded-For lines', async () => {
    await using service = await startSmallService({
      publicPerMinute: 10,
      trustProxy: '127.0.0.1, 10.0.0.0/8',
    })
    const lines = ['Host: h', 'X-Forwarded-For: 192.0.2.1', 'X-Forwarded-For: 10.0.0.7']
    await sendRaw(service.origin, rawRequest('GET /v1/corpus HTTP/1.1', ...lines))
    const window = await windowOf(service, '/corpus', { headers: { 'x-forwarded-for': '192.0.2.1' } })
    expect(window.remaining).toBe(8)
  })
})

describe('the quota', () => {
  test.each<[string, number, RequestOptions?]>([
    ['/feed', 200],
    ['/clips/watchmaker', 200],
    ['/clips/watchmaker/transcript', 200],
    ['/words', 200],
    ['/words?q=zzz', 200],
    ['/words/run/clips', 200],
    ['/feed?language=xx', 200],
    ['/clips/nothing', 404],
    ['/clips/nothing/transcript', 404],
    ['/words/nothing/clips', 404],
    ['/words', 200, { method: 'HEAD' }],
    ['/words', 304, { headers: { 'if-none-match': '*' } }],
  ])('counts a look-up once, whatever the result: %s returns %i', async (path, status, options = {}) => {
    await using service = await startSmallService()
    const key = await service.newKey()
    expect((await service.get(path, { key, ...options })).status).toBe(status)
    expect(await requestsOf(service, key)).toBe(1)
  })

  test('does not count 400, 401, 405, 429, OPTIONS, unknown paths, /usage and operations without a key', async () => {
    await using service = await startSmallService({ plans })
    const key = await service.newKey('a', 'slow')
    for (const [path, options] of [
      ['/nowhere', { key }],
      ['/words/', { key }],
      ['/words', { key, method: 'POST' }],
      ['/words', { key, method: 'OPTIONS' }],
      ['/words', {}],
      ['/usage', { key }],
      ['/corpus', { key }],
      ['/openapi.json', { key }],
      ['/words?limit=x', { key }],
      ['/clips/%zz', { key }],
      ['/words?cursor=x', { key }],
      ['/words', { key }],
    ] as const)
      await service.get(path, options)
    expect((await service.get('/words', { key })).status).toBe(429)
    expect(await requestsOf(service, key)).toBe(0)
  })

  test('admits 20 of 40 concurrent requests of a new trial account, and /usage shows 20', async () => {
    await using service = await startSmallService()
    const key = await service.newKey('fresh', 'trial')
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => service.get(i % 2 ? '/words' : '/clips/watchmaker', { key })),
    )
    const outcomes = Map.groupBy(answers, ({ status, json }) => (status === 200 ? 200 : json.error.code))
    expect(outcomes.get(200)).toHaveLength(20)
    expect(outcomes.get('quota_exceeded')).toHaveLength(20)
    const { json } = await service.get('/usage', { key })
    const { periodStart, periodEnd } = json
    // Its fields in the order of the contract.
    const usage = { plan: 'trial', periodStart, periodEnd, requests: 20, limit: 20, rateLimitPerMinute: 60 }
    expect(JSON.stringify(json)).toBe(JSON.stringify(usage))
  })
})
