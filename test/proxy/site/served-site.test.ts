import { brotliDecompressSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { send, type RequestOptions } from '../../harness/http-client.ts'
import { sharedSmallService } from '../small-service.ts'
import { sendRaw } from '../http/raw-request.ts'
import { siteFiles as files, sitePage as page, siteUrl, writeSite } from './write-site.ts'

const service = sharedSmallService()

const get = (path: string, options: RequestOptions = {}) =>
  send(service.origin, path, { ...options, isChecked: false })

beforeAll(async () => {
  await writeSite(service.folder)
  await service.refresh()
})

describe('the site', () => {
  test('is served at /, under its policy, without a key and without counting', async () => {
    const { status, headers, raw } = await get('/')
    expect(status).toBe(200)
    expect(raw.toString()).toBe(page)
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'self'`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
      vary: 'Accept-Encoding',
    })
    expect(headers['x-ratelimit-limit']).toBeUndefined()
  })

  test('is revalidated by a strong tag for each coding', async () => {
    const plain = await get('/quick-start/')
    const coded = await get('/quick-start/', { headers: { 'accept-encoding': 'br' } })
    expect(coded.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(coded.raw).toString()).toBe(page)
    expect(coded.headers.etag).not.toBe(plain.headers.etag)
    const again = await get('/quick-start/', {
      headers: { 'accept-encoding': 'br', 'if-none-match': coded.headers.etag! },
    })
    expect(again.status).toBe(304)
    expect(again.raw.length).toBe(0)
  })

  test('lets files with a digest in their name be cached for a year', async () => {
    const { headers } = await get('/_astro/app.abc123.js?x=1')
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8')
  })

  test('HEAD returns the headers of GET; other methods are refused', async () => {
    const head = await get('/', { method: 'HEAD' })
    expect(head.headers['content-length']).toBe(String(page.length))
    expect(head.raw.length).toBe(0)
    expect((await get('/', { method: 'POST' })).status).toBe(405)
    expect((await get('/signup/', { method: 'DELETE' })).status).toBe(405)
    expect((await get('/nowhere', { method: 'POST' })).status).toBe(404)
  })

  test('OPTIONS lists the methods of a page', async () => {
    const { status, headers } = await get('/', { method: 'OPTIONS' })
    expect([status, headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS'])
    expect((await get('/nowhere', { method: 'OPTIONS' })).status).toBe(404)
  })

  test.each(['', '?operation=feed', '?a=1&b=%2F?c'])(
    'adds a slash to a page and keeps the query %j',
    async (query) => {
      const { status, headers } = await get(`/quick-start${query}`)
      expect([status, headers.location]).toEqual([308, `/quick-start/${query}`])
    },
  )

  test('returns a missing page as HTML for a browser, and as an error object for a program', async () => {
    const seen = await get('/nowhere', { headers: { accept: 'text/html,*/*;q=0.8' } })
    expect([seen.status, seen.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(seen.headers.vary).toBe('Accept, Accept-Encoding')
    const told = await get('/nowhere')
    expect([told.status, told.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8'])
    const outside = await get('/..%2f..%2f.build%2fstate.sqlite')
    expect(outside.status).toBe(404)
  })

  const html = 'text/html; charset=utf-8'
  const json = 'application/json; charset=utf-8'
  test.each([
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', html],
    ['text/html', html],
    ['Text/HTML;charset=UTF-8', html],
    ['text/*', html],
    ['application/json;q=0.5, text/html;q=0.6', html],
    ['*/*;q=0.1, text/html', html],
    ['text/html;q=0', json],
    ['text/html;q=0, */*', json],
    ['text/html;q=0.5, application/json', json],
    ['application/json, text/plain, */*', json],
    ['*/*', json],
    ['image/png', json],
    ['text/htmlish', json],
    ['', json],
    ['\u00ff;;q=,/', json],
    [`${'a/b,'.repeat(300)}text/html`, json],
  ])('returns a missing page, for Accept: %j, as %s', async (accept, type) => {
    const { status, headers } = await get('/nowhere', { headers: { accept } })
    expect([status, headers['content-type']]).toEqual([404, type])
  })

  test('leaves everything under /v1 to the API', async () => {
    for (const path of ['/v1', '/v1/', '/v1/nowhere', '/v1/corpus/']) {
      const { status, headers } = await get(path, { headers: { accept: 'text/html' } })
      expect([status, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8'])
    }
    expect((await service.get('/corpus')).status).toBe(200)
  })
})

test('API errors link to the page that explains them, and the OpenAPI document has the service’s address', async () => {
  const link = (code: string) => `<${siteUrl}/guides/errors/#${code}>; rel="help"`
  const { headers } = await service.get('/words?limit=0', { key: service.key })
  expect(headers.link).toBe(link('invalid_parameter'))
  expect((await service.get('/words')).headers.link).toBe(link('invalid_key'))
  const [answer] = await sendRaw(service.origin, 'nonsense\r\n\r\n')
  expect(answer!.headers.link).toBe(link('bad_request'))
  expect((await service.get('/openapi.json')).json.servers).toEqual([{ url: `${siteUrl}/v1` }])
})

test('does not serve the rules for static hosts as a page', async () => {
  expect((await get('/_headers')).status).toBe(404)
})

// Last, because it replaces the site.
test('loads a site only when it is complete', async () => {
  const next = { ...files, 'index.html': '<h1>Next</h1>' }
  await writeSite(service.folder, next, 'favicon.svg')
  await service.refresh()
  expect((await get('/')).raw.toString()).toBe(page)
  expect(service.errors.join()).toContain('does not match')
  await writeSite(service.folder, { 'index.html': '<h1>Next</h1>', '404.html': 'x' })
  await service.refresh()
  expect((await get('/')).raw.toString()).toBe('<h1>Next</h1>')
  // A page of the previous site that is open in a browser still finds its scripts.
  expect((await get('/_astro/app.abc123.js')).status).toBe(200)
  expect((await get('/quick-start/')).status).toBe(404)
})
