import { mkdirSync, readdirSync, rmSync, truncateSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mintKey } from '#metering/key.ts'
import { flipBit } from '../../harness/flip-bit.ts'
import { rawRequest, sendRaw } from './raw-request.ts'
import { sharedSmallService, startSmallService } from '../small-service.ts'

type Service = Awaited<ReturnType<typeof startSmallService>>

/** A service that the tests leave as it is. */
const shared = sharedSmallService({ publicPerMinute: 1000 })

const keyedPaths = '/feed /clips/watchmaker /clips/watchmaker/transcript /words /words/run/clips'.split(' ')

async function expectUnavailable(service: Service, path: string, key: string) {
  const answer = await service.get(path, { key })
  expect([path, answer.status, answer.json.error.code]).toEqual([path, 503, 'unavailable'])
  return answer
}

describe('401 invalid_key', () => {
  test('is the response to any invalid key, with WWW-Authenticate and the window of the address', async () => {
    const { key } = shared
    const strange = mintKey(randomBytes)
    const credentials = {
      missing: undefined,
      empty: '',
      'without a scheme': key,
      'of another scheme': `Basic ${Buffer.from(`key:${key}`).toString('base64')}`,
      'without a key': 'Bearer',
      malformed: 'Bearer secret',
      'with a wrong checksum': `Bearer ${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`,
      'cut short': `Bearer ${key.slice(0, -1)}`,
      'in other case': `Bearer ${key.toUpperCase()}`,
      'two of them': `Bearer ${key} ${key}`,
      unknown: `Bearer ${strange}`,
      'sent twice': `Bearer ${key}, Bearer ${key}`,
    }
    for (const [what, authorization] of Object.entries(credentials))
      for (const path of [...keyedPaths, '/usage']) {
        const headers = authorization === undefined ? {} : { authorization }
        const answer = await shared.get(path, { headers })
        expect({ what, path, status: answer.status }).toEqual({ what, path, status: 401 })
        expect(answer.json.error.code).toBe('invalid_key')
        expect(Object.keys(answer.json.error)).toEqual(['code', 'message'])
        expect(answer.headers['www-authenticate']).toBe('Bearer')
        expect(answer.headers['x-ratelimit-limit']).toBe('1000')
        expect(answer.headers['retry-after']).toBeUndefined()
      }
  })

  test('is not the response to a valid key in any case and with any spaces around it', async () => {
    const { key } = shared
    for (const authorization of [`bearer ${key}`, `BEARER   ${key}`, `Bearer ${key} `])
      expect((await shared.get('/usage', { headers: { authorization } })).status).toBe(200)
  })

  test('is the response to a key in the query, where it does not belong', async () => {
    const { key } = shared
    const answer = await shared.get(`/words?access_token=${key}&key=${key}`)
    expect(answer.status).toBe(401)
    expect(answer.text).not.toContain(key)
  })

  test('is the response to two Authorization fields, whichever of them is valid', async () => {
    const right = `Authorization: Bearer ${shared.key}`
    const wrong = `authorization: Bearer ${mintKey(randomBytes)}`
    const both = (first: string, second: string) =>
      sendRaw(shared.origin, rawRequest('GET /v1/words HTTP/1.1', 'Host: h', first, second))
    for (const answers of [await both(right, wrong), await both(wrong, right), await both(right, right)])
      expect(answers).toMatchObject([{ status: 401 }])
  })
})

test('a 404 says what does not exist', async () => {
  for (const [path, named] of [
    ['/clips/nothing', 'nothing'],
    ['/clips/nothing/transcript', 'nothing'],
    ['/clips/%20', ' '],
    ['/words/nothing', 'nothing'],
    ['/words/nothing/clips', 'nothing'],
    ['/words/%20/clips', ' '],
    ['/words/999', '999'],
    ['/words/look+after/clips', 'look+after'],
    ['/nothing', '/v1/nothing'],
    ['/%zz', '/v1/%zz'],
  ]) {
    const { status, json } = await shared.get(path!, { key: shared.key })
    expect(status).toBe(404)
    expect(json.error.message).toContain(`"${named}"`)
    expect(Object.keys(json.error)).toEqual(['code', 'message'])
  }
})

test('a 400 names the parameter, and quotes at most a part of a long value', async () => {
  const { json } = await shared.get(`/words?level=${'x'.repeat(3000)}`, { key: shared.key })
  expect(Object.keys(json.error)).toEqual(['code', 'message', 'parameter'])
  expect(json.error.parameter).toBe('level')
  expect(json.error.message).toContain('which is not a level (A1 to C2)')
  expect(json.error.message.length).toBeLessThan(300)
})

describe('429', () => {
  test('rate_limited contains the time until the next minute, in the body and in Retry-After', async () => {
    await using service = await startSmallService({
      plans: [
        { name: 'trial', perPeriod: 20, perMinute: 60 },
        { name: 'slow', perPeriod: null, perMinute: 1 },
      ],
    })
    const key = await service.newKey('slow', 'slow')
    await service.get('/words', { key })
    // The clock stands at ten seconds past the minute.
    for (const [forwardMs, waitS] of [
      [0, 50],
      [49_001, 1],
      [998, 1],
    ] as const) {
      service.clock.ms += forwardMs
      const answer = await service.get('/words', { key })
      expect(answer.status).toBe(429)
      expect(answer.json.error).toMatchObject({ code: 'rate_limited', retryAfter: waitS })
      expect(answer.headers['retry-after']).toBe(String(waitS))
      expect(Object.keys(answer.json.error)).toEqual(['code', 'message', 'retryAfter'])
      expect(answer.headers['x-ratelimit-remaining']).toBe('0')
    }
    service.clock.ms += 1
    expect((await service.get('/words', { key })).status).toBe(200)
  })

  test('quota_exceeded contains the time until the end of the period', async () => {
    await using service = await startSmallService()
    const key = await service.newKey('trier', 'trial')
    for (let i = 0; i < 20; i++) expect((await service.get('/words', { key })).status).toBe(200)
    const { periodEnd } = (await service.get('/usage', { key })).json
    service.clock.ms += 5_500
    const answer = await service.get('/words', { key })
    expect(answer.status).toBe(429)
    const waitS = Math.ceil((Date.parse(periodEnd) - service.clock.ms) / 1000)
    expect(answer.json.error).toMatchObject({ code: 'quota_exceeded', retryAfter: waitS })
    expect(answer.headers['retry-after']).toBe(String(waitS))
    expect(answer.json.error.message).toContain('trial')
    service.clock.ms += waitS * 1000
    expect((await service.get('/words', { key })).status).toBe(200)
  })
})

test('500 internal is a fault of the program: the log has the stack, and the response no detail', async () => {
  await using service = await startSmallService()
  const key = await service.newKey()
  Object.assign(service.store.counters, { consume: () => Promise.reject(new TypeError('not foreseen')) })
  const answer = await service.get('/words', { key })
  expect(answer.status).toBe(500)
  expect(answer.json.error.code).toBe('internal')
  expect(Object.keys(answer.json.error)).toEqual(['code', 'message'])
  expect(answer.text).not.toContain('foreseen')
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.headers.etag).toBeUndefined()
  expect(service.errors).toHaveLength(1)
  expect(service.errors[0]).toMatch(/TypeError: not foreseen\n +at /)
  expect(service.errors[0]).not.toContain(key)
})

/** Ways to lose the files of a folder, one at a time. */
const losses: Record<string, (file: string) => void> = {
  missing: (file) => rmSync(file),
  damaged: (file) => flipBit(file, 0.5),
  'cut short': (file) => truncateSync(file, 20),
  empty: (file) => truncateSync(file, 0),
  'a folder': (file) => {
    rmSync(file)
    mkdirSync(file)
  },
}

describe('503 unavailable when a file of the release in a folder', () => {
  const paths = [
    ['/clips/watchmaker', 'data/clips'],
    ['/clips/watchmaker/transcript', 'data/transcripts'],
    // No other test searches in Turkish, because parts of the index stay in memory for the whole
    // process.
    ['/sentences?q=su&language=tr', 'data/sentences'],
    ['/words/run/clips', 'data/words'],
  ] as const
  test.each([
    ...paths.map(([path, folder]) => ['missing', path, folder] as const),
    ...paths.map(([path, folder]) => ['damaged', path, folder] as const),
    ...Object.keys(losses).map((loss) => [loss, ...paths[3]] as const),
  ])('is %s: refunds the unit, and names the file in the log: %s', async (loss, path, folder) => {
    await using service = await startSmallService()
    const key = await service.newKey()
    const lost = join(service.folder, 'dist', folder)
    for (const name of readdirSync(lost, { recursive: true, encoding: 'utf8' }))
      if (/\.\w+$/.test(name)) losses[loss]!(join(lost, name))
    const answer = await service.get(path, { key })
    expect(answer.status).toBe(503)
    expect(answer.json.error.code).toBe('unavailable')
    expect(Object.keys(answer.json.error)).toEqual(['code', 'message'])
    expect(answer.text).not.toContain(service.folder)
    expect(answer.text).not.toContain('data/')
    expect(answer.headers['x-ratelimit-limit']).toBeDefined()
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.headers.etag).toBeUndefined()
    expect(service.errors).toHaveLength(1)
    expect(service.errors[0]).toContain(folder)
    expect(service.errors[0]).not.toContain(key)
    expect((await service.get('/usage', { key })).json.requests).toBe(0)
    // Operations without a file still work.
    expect((await service.get('/feed', { key })).status).toBe(200)
  })
})

describe('503 unavailable with no release', () => {
  test('is the response to whatever needs one, but /usage and /openapi.json work', async () => {
    await using service = await startSmallService({ published: false })
    const key = await service.newKey()
    for (const path of [...keyedPaths, '/corpus']) {
      const answer = await expectUnavailable(service, path, key)
      expect(Object.keys(answer.json.error)).toEqual(['code', 'message'])
      expect(answer.headers['x-ratelimit-limit']).toBeDefined()
      expect(answer.headers['retry-after']).toBeUndefined()
    }
    expect((await service.get('/openapi.json')).status).toBe(200)
    const usage = await service.get('/usage', { key })
    expect(usage.status).toBe(200)
    expect(usage.json.requests).toBe(0)
  })
})

describe('503 unavailable with the store out of reach', () => {
  test('serves nothing that must be metered, but serves /corpus and /openapi.json', async () => {
    await using service = await startSmallService()
    const key = await service.newKey()
    await service.store.close()
    for (const path of [...keyedPaths, '/usage']) {
      const answer = await expectUnavailable(service, path, key)
      expect(answer.text).not.toMatch(/sqlite|database/i)
      expect(answer.headers['x-ratelimit-limit']).toBeUndefined()
    }
    for (const path of ['/corpus', '/openapi.json']) {
      const answer = await service.get(path)
      expect({ path, status: answer.status }).toEqual({ path, status: 200 })
      expect(answer.headers['x-ratelimit-limit']).toBeUndefined()
    }
    expect(service.errors.length).toBeGreaterThan(0)
    expect(service.errors.join()).not.toContain(key)
  })

  test('answers an account on a plan that this process lacks with 503, and logs both', async () => {
    await using service = await startSmallService()
    const key = await service.newKey('acme')
    await service.store.directory.setPlan('acme', 'vanished')
    const answer = await service.get('/words', { key })
    expect(answer.status).toBe(503)
    expect(service.errors.join()).toMatch(/acme.*vanished/)
    await service.store.directory.setPlan('acme', 'ample')
    expect((await service.get('/words', { key })).status).toBe(200)
  })
})

test.each(['the store', 'a release'])(
  'without %s, the checks that do not need it still come first',
  async (lost) => {
    await using service = await startSmallService(lost === 'a release' ? { published: false } : {})
    const key = await service.newKey()
    if (lost === 'the store') await service.store.close()
    expect((await service.get('/nowhere', { key })).status).toBe(404)
    expect((await service.get('/words', { key, method: 'POST' })).status).toBe(405)
    expect((await service.get('/words', { method: 'OPTIONS' })).status).toBe(204)
    expect((await service.get('/words')).status).toBe(401)
    if (lost === 'a release') expect((await service.get('/words?limit=x', { key })).status).toBe(400)
  },
)

test('no message repeats a key, wherever the request contains it', async () => {
  const { key } = shared
  const encoded = [...key].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('')
  const inside = [key, `x${key}`, `${'y'.repeat(20)}${key}`]
  const places = [...inside, encoded, `%63${key.slice(1)}`, `${key.slice(0, 3)}%5F${key.slice(4)}`]
  for (const put of places) {
    for (const path of [
      `/${put}`,
      `/${put}/clips`,
      `/clips/${put}`,
      `/clips/${put}/transcript`,
      `/words/${put}/clips`,
      ...['language', 'gloss', 'level', 'limit', 'cursor'].map((name) => `/feed?${name}=${put}`),
      ...['language', 'gloss', 'level', 'hasClips', 'limit', 'cursor'].map((name) => `/words?${name}=${put}`),
      `/feed?seed=${put}${put}`,
      `/words?q=${put}${put}${put}`,
      `/feed?exclude=${Array.from({ length: 51 }, () => put).join()}`.slice(0, 7000),
      `/words?${put}=1&${put}=2&limit=x`,
      `/${put}%zz`,
    ]) {
      const answer = await shared.get(path, { key })
      if (answer.status === 200) continue
      expect(decodeURIComponent(answer.text.replaceAll(/%(?![0-9a-f]{2})/gi, '%25'))).not.toContain(
        key.slice(4, 30),
      )
    }
  }
})
