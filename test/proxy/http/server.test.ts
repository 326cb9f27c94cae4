import { describe, expect, test } from 'vitest'
import { checkAgainstOpenApi } from '../../harness/openapi-check.ts'
import { rawRequest, sendRaw, type RawAnswer } from './raw-request.ts'
import { sharedSmallService, startSmallService } from '../small-service.ts'

const service = sharedSmallService()

const ask = rawRequest('GET /v1/corpus HTTP/1.1', 'Host: h')

function expectError(answer: RawAnswer | undefined, status: number, code: string): void {
  expect(answer).toBeDefined()
  checkAgainstOpenApi('RAW', '', answer!)
  expect(answer!.status).toBe(status)
  expect(JSON.parse(answer!.text).error.code).toBe(code)
  expect(answer!.headers['cache-control']).toBe('no-store')
  expect(answer!.headers['access-control-allow-origin']).toBe('*')
  expect(answer!.headers['access-control-expose-headers']).toContain('Retry-After')
}

test.each([
  ['garbage', '\x00\x01\x02\xff\xfe\r\n\r\n'],
  ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['a line of text', 'hello\r\n\r\n'],
  ['another protocol', 'GET /v1/corpus SPDY/1.1\r\nHost: h\r\n\r\n'],
  ['HTTP/2 without an upgrade', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a blank in the target', 'GET /v1/a b HTTP/1.1\r\nHost: h\r\n\r\n'],
  ['NUL in the target', 'GET /v1/words?q=a\x00b HTTP/1.1\r\nHost: h\r\n\r\n'],
  ['a control character in the target of an unknown method', 'FOO /v1/a\x01 HTTP/1.1\r\nHost: h\r\n\r\n'],
  ['a header without a colon', 'GET /v1/corpus HTTP/1.1\r\nHost h\r\n\r\n'],
  ['a header with NUL', 'GET /v1/corpus HTTP/1.1\r\nHost: h\r\nX: a\x00b\r\n\r\n'],
  [
    'two lengths that differ',
    'GET /v1/corpus HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
  ],
  [
    'a length beside chunks',
    'GET /v1/corpus HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
  ],
  ['a request without Host', rawRequest('GET /v1/corpus HTTP/1.1')],
  ['two Hosts', rawRequest('GET /v1/corpus HTTP/1.1', 'Host: a', 'host: b')],
])('refuses %s with 400 bad_request, and closes the connection', async (what, bytes) => {
  const [answer, ...more] = await sendRaw(service.origin, bytes, ask)
  expectError(answer, 400, 'bad_request')
  expect([answer!.headers.connection, more.length]).toEqual(['close', 0])
  if (what.endsWith('Host')) expect(answer!.headers['x-ratelimit-limit']).toBeDefined()
})

test('garbage after a request does not replace its response', async () => {
  const request = `GET /v1/corpus HTTP/1.1\r\nHost: h\r\n\r\n`
  const answers = await sendRaw(service.origin, `${request}nonsense\r\n\r\n`)
  expect(answers[0]!.status).toBe(200)
  if (answers.length > 1) expectError(answers[1], 400, 'bad_request')
})

// RFC 3986 section 2 allows only ASCII, and so does Node's parser.
test.each([
  ['in the query', ['GET /v1/words?q=caf\xc3\xa9 HTTP/1.1\r\nHost: h\r\n\r\n']],
  ['in the path', ['GET /v1/words/caf\xc3\xa9/clips HTTP/1.1\r\nHost: h\r\n\r\n']],
  ['in the path, in Latin-1', ['GET /v1/words/caf\xe9 HTTP/1.1\r\nHost: h\r\n\r\n']],
  ['in an absolute target', ['GET http://h/v1/words?q=\xc3\xa9 HTTP/1.1\r\nHost: h\r\n\r\n']],
  ['in a later packet', ['GET /v1/words?q=caf', '\xc3\xa9 HTTP/1.1\r\nHost: h\r\n\r\n']],
])('bytes over 0x7F %s get 400, and the message says to percent-encode them', async (_, pieces) => {
  const [answer, ...more] = await sendRaw(service.origin, ...pieces)
  expectError(answer, 400, 'bad_request')
  expect(JSON.parse(answer!.text).error.message).toContain('percent-encode')
  expect([answer!.headers.connection, more.length]).toEqual(['close', 0])
})

describe('a request with an invalidly framed body gets one response', () => {
  test.each([
    ['gzip', 400, ''],
    ['identity', 400, ''],
    ['gzip, chunked', 400, '0\r\n\r\n'],
    ['chunked, gzip', 400, ''],
    ['chunked', 200, 'not a size\r\n'],
  ])('Transfer-Encoding: %s, and the connection is closed', async (coding, status, body) => {
    const head = `GET /v1/corpus HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: ${coding}\r\n\r\n`
    const answers = await sendRaw(service.origin, ask.replace('close', 'keep-alive') + head + body, ask)
    expect(answers.map((answer) => answer.status)).toEqual([200, status])
    if (status === 400) expectError(answers[1], 400, 'bad_request')
    if (status === 400) expect(answers[1]!.headers.connection).toBe('close')
  })

  test('if the body does not arrive in time', async () => {
    await using hasty = await startSmallService({ limits: { headersMs: 50, requestMs: 50 } })
    const request = 'GET /v1/corpus HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\n'
    expect(await sendRaw(hasty.origin, request)).toMatchObject([{ status: 200 }])
  })
})

test.each(['GET', 'HEAD'])('%s with an upgrade is answered, and the connection is closed', async (method) => {
  const fields = 'Host: h\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk'
  const [answer, ...more] = await sendRaw(
    service.origin,
    `${method} /v1/corpus HTTP/1.1\r\n${fields}\r\n\r\n${ask}`,
  )
  expect([answer!.status, answer!.headers.connection, more.length]).toEqual([200, 'close', 0])
})

function piecesOf(bytes: string, size: number): string[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    bytes.slice(i * size, (i + 1) * size),
  )
}

describe('a request line', () => {
  const lineOf = (size: number) => {
    const [start, end] = ['GET /v1/corpus?x=', ' HTTP/1.1']
    return start + 'a'.repeat(size - start.length - end.length) + end
  }

  test('of 8 KiB is accepted', async () => {
    const [answer] = await sendRaw(service.origin, rawRequest(lineOf(8192), 'Host: h'))
    expect(JSON.parse(answer!.text).error.parameter).toBe('x')
  })

  test.each([8193, 9000, 20_000, 32_000, 40_000, 100_000, 1_000_000])(
    'of %i bytes gets 414',
    async (size) => {
      const [answer] = await sendRaw(service.origin, rawRequest(lineOf(size), 'Host: h'))
      expectError(answer, 414, 'request_too_large')
      if (size === 8193) expect(answer!.headers['x-ratelimit-remaining']).toBeDefined()
    },
  )

  test('far over the limit and in pieces also gets 414', async () => {
    const pieces = piecesOf(`${lineOf(60_000)}\r\n\r\n`, 20_000)
    const [answer] = await sendRaw(service.origin, ...pieces)
    expectError(answer, 414, 'request_too_large')
  })
})

describe('headers', () => {
  const fixed = 'Host: h\r\nConnection: close\r\n'.length
  const headerOf = (size: number) => `X: ${'a'.repeat(size - fixed - 'X: \r\n'.length)}`

  test('of 16 KiB are accepted', async () => {
    const request = rawRequest('GET /v1/corpus HTTP/1.1', 'Host: h', headerOf(16_384))
    expect(await sendRaw(service.origin, request)).toMatchObject([{ status: 200 }])
  })

  test.each([16_385, 20_000, 31_000, 40_000, 100_000, 1_000_000])('of %i bytes get 431', async (size) => {
    const request = rawRequest('GET /v1/corpus HTTP/1.1', 'Host: h', headerOf(size))
    const [answer] = await sendRaw(service.origin, request)
    expectError(answer, 431, 'request_too_large')
  })

  test('far over the limit, with many fields and in pieces, also get 431', async () => {
    const fields = Array.from({ length: 60 }, (_, i) => `X-${i}: ${'a'.repeat(1000)}`)
    const bytes = rawRequest('GET /v1/corpus HTTP/1.1', 'Host: h', ...fields).slice(0, 40_000)
    for (const size of [1460, 9000]) {
      const [answer] = await sendRaw(service.origin, ...piecesOf(bytes, size))
      expectError(answer, 431, 'request_too_large')
    }
  })

  test('get 431 if they are many and small', async () => {
    const many = Array.from({ length: 4000 }, (_, i) => `X-${i}: a`)
    const [answer] = await sendRaw(service.origin, rawRequest('GET /v1/corpus HTTP/1.1', 'Host: h', ...many))
    expectError(answer, 431, 'request_too_large')
  })

  test('are all read if they are many and within the limit', async () => {
    const many = Array.from({ length: 1500 }, () => 'X: a')
    const headers = ['Host: h', ...many, `Authorization: Bearer ${service.key}`]
    const request = rawRequest('GET /v1/usage HTTP/1.1', ...headers)
    expect(await sendRaw(service.origin, request)).toMatchObject([{ status: 200 }])
  })
})

test('the refusal of a long request with a key does not repeat the key', async () => {
  const auth = `Authorization: Bearer ${service.key}`
  for (const request of [
    rawRequest(`GET /v1/${service.key} HTTP/1.1`, 'Host: h', auth),
    rawRequest(`${service.key} /v1/words HTTP/1.1`, 'Host: h', auth),
    rawRequest(`${service.key} /nowhere HTTP/1.1`, 'Host: h', auth),
    rawRequest('GET /v1/words HTTP/1.1', 'Host: h', auth, `X: ${'a'.repeat(50_000)}`),
    rawRequest(`GET /v1/words?${service.key}${'a'.repeat(9000)} HTTP/1.1`, 'Host: h', auth),
  ]) {
    const [answer] = await sendRaw(service.origin, request)
    expect(answer!.status).toBeGreaterThanOrEqual(400)
    expect(answer!.text).not.toContain(service.key.slice(4))
  }
})

test.each([
  ['a line that is not ended', 'GET /v1/corp'],
  ['headers that are not ended', 'GET /v1/corpus HTTP/1.1\r\nHost: h\r\n'],
])('%s: 408 bad_request in time', async (_, bytes) => {
  await using hasty = await startSmallService({ limits: { headersMs: 50, requestMs: 50 } })
  const [answer] = await sendRaw(hasty.origin, bytes)
  expectError(answer, 408, 'bad_request')
  expect(Math.abs(Date.parse(answer!.headers.date!) - Date.now())).toBeLessThan(60_000)
  expect(answer!.headers.connection).toBe('close')
})
