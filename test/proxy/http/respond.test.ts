import { describe, expect, test } from 'vitest'
import { send, type HttpAnswer } from '../../harness/http-client.ts'
import { sharedSmallService, startSmallService } from '../small-service.ts'

const service = sharedSmallService()

const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<HttpAnswer> =>
  service.get(path, { key: service.key, headers, method })

const cacheControl: Record<string, string> = {
  '/clips/watchmaker': 'private, max-age=31536000, immutable',
  '/clips/watchmaker/transcript': 'private, max-age=31536000, immutable',
  '/words': 'private, max-age=3600, stale-while-revalidate=86400',
  '/words/run': 'private, max-age=3600, stale-while-revalidate=86400',
  '/words/run/clips': 'private, max-age=3600, stale-while-revalidate=86400',
  '/clips?ids=watchmaker': 'private, max-age=3600, stale-while-revalidate=86400',
  '/sentences?q=cat': 'private, max-age=3600, stale-while-revalidate=86400',
  '/corpus': 'public, max-age=300, stale-while-revalidate=86400',
  '/openapi.json': 'public, max-age=300, stale-while-revalidate=86400',
  '/feed': 'no-store',
  '/usage': 'no-store',
}
const cors = ['access-control-allow-origin', 'access-control-expose-headers']
const kept = Object.keys(cacheControl).filter((path) => cacheControl[path] !== 'no-store')

describe('Cache-Control', () => {
  test.each(Object.entries(cacheControl))(
    'of %s is %s, with a strong ETag if cacheable',
    async (path, value) => {
      const { headers } = await get(path)
      expect(headers['cache-control']).toBe(value)
      if (value === 'no-store') {
        expect(headers.etag).toBeUndefined()
        expect((await get(path, { 'if-none-match': '*' })).status).toBe(200)
      } else {
        expect(headers.etag).toMatch(/^"[\x21\x23-\x7e]+"$/)
        expect((await get(path)).headers.etag).toBe(headers.etag)
      }
    },
  )

  test('of an error is no-store, without an ETag', async () => {
    for (const path of ['/nowhere', '/clips/nothing', '/words?limit=x']) {
      const { headers } = await get(path)
      expect([headers['cache-control'], headers.etag]).toEqual(['no-store', undefined])
    }
  })
})

test('the ETag differs between responses to different requests', async () => {
  const paths = '/words /words?gloss=es /words?limit=1 /words?q=run /words/run/clips /words/cat/clips'.split(
    ' ',
  )
  const tags = await Promise.all(paths.map(async (path) => (await get(path)).headers.etag))
  expect(new Set(tags).size).toBe(tags.length)
})

describe('If-None-Match', () => {
  test.each(kept)(
    'with the current tag returns 304 without a body but with the headers of the 200: %s',
    async (path) => {
      const full = await get(path)
      for (const method of ['GET', 'HEAD']) {
        const answer = await get(path, { 'if-none-match': full.headers.etag! }, method)
        expect(answer.status).toBe(304)
        expect(answer.raw).toHaveLength(0)
        for (const name of ['cache-control', 'etag', 'vary', 'x-ratelimit-limit', ...cors])
          expect(answer.headers[name]).toBe(full.headers[name])
        expect(answer.headers['content-encoding']).toBeUndefined()
      }
    },
  )

  test('with the tag of another coding returns the whole response', async () => {
    const ask = (coding: string, tag = '"x"') =>
      get('/openapi.json', { 'accept-encoding': coding, 'if-none-match': tag })
    const [identity, coded] = [await ask('identity'), await ask('gzip')]
    expect((await ask('gzip', identity.headers.etag)).status).toBe(200)
    expect((await ask('identity', coded.headers.etag)).status).toBe(200)
    const same = await ask('gzip', coded.headers.etag)
    expect([same.status, same.headers.etag]).toEqual([304, coded.headers.etag])
  })

  test('does not hide an error', async () => {
    expect((await get('/clips/nothing', { 'if-none-match': '*' })).status).toBe(404)
    expect((await get('/words?limit=x', { 'if-none-match': '*' })).status).toBe(400)
    expect((await service.get('/words', { headers: { 'if-none-match': '*' } })).status).toBe(401)
  })
})

// Each is over 1 KiB on the small corpus.
const large =
  '/feed?seed=s&limit=5 /clips/watchmaker/transcript /words/run/clips /corpus /openapi.json'.split(' ')

test.each(large)(
  'uses the best accepted coding, which loses nothing and has its own ETag: %s',
  async (path) => {
    const plain = await get(path)
    expect(plain.raw.length).toBeGreaterThan(1024)
    expect(plain.headers['content-encoding']).toBeUndefined()
    const tags = [plain.headers.etag]
    for (const [accept, coding] of [
      ['br', 'br'],
      ['zstd', 'zstd'],
      ['gzip;q=0.9, br;q=0.8', 'gzip'],
    ]) {
      const answer = await get(path, { 'accept-encoding': accept! })
      expect({ accept, coding: answer.headers['content-encoding'] }).toEqual({ accept, coding })
      expect(answer.text).toBe(plain.text)
      expect(Number(answer.headers['content-length'])).toBe(answer.raw.length)
      expect(answer.raw.length).toBeLessThan(plain.raw.length)
      tags.push(answer.headers.etag)
    }
    expect(new Set(tags).size).toBe(path.startsWith('/feed') ? 1 : 4)
  },
)

describe('on every status', () => {
  const cases: [string, string, Record<string, string>, number][] = [
    ['GET', '/words', {}, 200],
    ['GET', '/words', { 'if-none-match': '*' }, 304],
    ['OPTIONS', '/words', {}, 204],
    ['GET', '/words?limit=x', {}, 400],
    ['GET', '/nowhere', {}, 404],
    ['POST', '/words', {}, 405],
    ['GET', `/words?x=${'x'.repeat(8192)}`, {}, 414],
    ['GET', '/words', { x: 'x'.repeat(16_384) }, 431],
  ]

  test.each(cases)(
    '%s %s %j: any origin may read it, with the rate headers and ETag, and Vary is set',
    async (method, path, headers, status) => {
      const answer = await get(path, { origin: 'https://app.example', ...headers }, method)
      expect(answer.status).toBe(status)
      expect(answer.headers['access-control-allow-origin']).toBe('*')
      expect(answer.headers.vary).toMatch(/\bAccept-Encoding\b/)
      const exposed = String(answer.headers['access-control-expose-headers']).split(', ')
      const rateHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']
      expect(exposed.sort()).toEqual(['ETag', 'Retry-After', ...rateHeaders, 'X-Request-Id'])
      expect(answer.headers['x-ratelimit-limit']).toBeDefined()
    },
  )

  test('including 401, 429 and 503', async () => {
    await using tight = await startSmallService({ publicPerMinute: 1, published: false })
    const answers = [
      await tight.get('/words'),
      await tight.get('/corpus'),
      await tight.get('/words', { key: await tight.newKey() }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 429, 503])
    for (const { headers } of answers) {
      expect(headers['access-control-allow-origin']).toBe('*')
      expect(headers['access-control-expose-headers']).toContain('Retry-After')
      expect(headers.vary).toBe('Accept-Encoding')
    }
  })
})

test('bodies are unescaped UTF-8', async () => {
  expect((await get('/words?q=caf')).raw.toString('utf8')).toContain('"café"')
})

test('the tree is not exposed', async () => {
  const paths = '/data/clips /current.json /releases /../dist/current.json /v1/data/corpus.json'.split(' ')
  for (const path of paths) expect((await send(service.origin, path, { key: service.key })).status).toBe(404)
})
