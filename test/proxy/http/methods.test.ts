import { describe, expect, test } from 'vitest'
import { checkAgainstOpenApi } from '../../harness/openapi-check.ts'
import { rawRequest, sendRaw } from './raw-request.ts'
import { sharedSmallService } from '../small-service.ts'

const service = sharedSmallService()

const records = '/feed?seed=s /clips/watchmaker /clips/watchmaker/transcript /words?limit=5 /words/run/clips'
const knownPaths = `${records} /corpus /usage /openapi.json`.split(' ')

describe('HEAD', () => {
  test.each(knownPaths)('has the headers of GET and no body: %s', async (path) => {
    // The window decreases with every request; the date is the server's, and each request has an
    // id.
    const own = { date: '', 'x-ratelimit-remaining': '', 'x-request-id': '' }
    const comparable = (headers: object) => ({ ...headers, ...own })
    const get = await service.get(path, { key: service.key })
    const head = await service.get(path, { key: service.key, method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(head.raw).toHaveLength(0)
    expect(comparable(head.headers)).toEqual(comparable(get.headers))
    expect(Number(head.headers['content-length'])).toBe(get.raw.length)
  })

  test('has no body on an error either', async () => {
    for (const path of ['/feed', '/nowhere']) {
      const head = await service.get(path, { method: 'HEAD' })
      expect(head.status).toBeGreaterThan(400)
      expect(head.raw).toHaveLength(0)
      expect(Number(head.headers['content-length'])).toBeGreaterThan(0)
    }
  })
})

describe('OPTIONS', () => {
  test.each(knownPaths)('is a preflight that needs no key on a known path: %s', async (path) => {
    const headers = {
      origin: 'https://app.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization',
    }
    const answer = await service.get(path, { method: 'OPTIONS', headers })
    expect(answer.status).toBe(204)
    expect(answer.headers['access-control-allow-origin']).toBe('*')
    expect(answer.headers['access-control-allow-methods']).toBe('GET, HEAD, OPTIONS')
    // In Fetch, the asterisk stands for every header except for this one.
    expect(answer.headers['access-control-allow-headers']).toBe('Authorization, *')
    expect(Number(answer.headers['access-control-max-age'])).toBeGreaterThan(0)
    expect(answer.raw).toHaveLength(0)
  })

  test('returns 404 on an unknown path', async () => {
    expect((await service.get('/nowhere', { method: 'OPTIONS' })).status).toBe(404)
    const [star] = await sendRaw(service.origin, rawRequest('OPTIONS * HTTP/1.1', 'Host: h'))
    expect(star!.status).toBe(404)
  })
})

describe('any other method', () => {
  // No standard defines the last four.
  const others = 'POST PUT PATCH DELETE TRACE PROPFIND PURGE QUERY FOO get GETT M-SEARCHX'.split(' ')
  test.each(others)('%s returns 405 with Allow', async (method) => {
    const [answer] = await sendRaw(service.origin, rawRequest(`${method} /v1/words HTTP/1.1`, 'Host: h'))
    checkAgainstOpenApi(method, '/v1/words', answer!)
    expect(answer!.status).toBe(405)
    expect(JSON.parse(answer!.text).error.code).toBe('method_not_allowed')
    expect(answer!.headers.allow).toBe('GET, HEAD, OPTIONS')
  })

  test.each([
    ['opens no tunnel', 'CONNECT example.org:443 HTTP/1.1', 404],
    ['on a known path is 405', 'CONNECT /v1/words HTTP/1.1', 405],
  ])('CONNECT %s', async (_, line, status) => {
    const [answer] = await sendRaw(service.origin, rawRequest(line, 'Host: h'))
    checkAgainstOpenApi('CONNECT', '/nowhere', answer!)
    expect(answer!.status).toBe(status)
    if (status === 405) expect(answer!.headers.allow).toBe('GET, HEAD, OPTIONS')
  })

  const chunked = 'Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'
  test.each([
    ['POST with a body is refused', 'POST /v1/words', 'Content-Length: 5\r\n\r\nhello', 405],
    ['GET with a body is answered', 'GET /v1/corpus', chunked, 200],
    ['an expectation is passed over', 'GET /v1/corpus', 'Expect: the-unexpected\r\n\r\n', 200],
  ])('%s, and the connection stays open', async (_, line, rest, status) => {
    const next = rawRequest('GET /v1/corpus HTTP/1.1', 'Host: h')
    const answers = await sendRaw(service.origin, `${line} HTTP/1.1\r\nHost: h\r\n${rest}`, next)
    expect(answers.map((answer) => answer.status)).toEqual([status, 200])
  })
})
