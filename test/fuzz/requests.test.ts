import fc from 'fast-check'
import { afterEach, beforeAll, describe, expect } from 'vitest'
import { operations } from '#contract/operations.ts'
import { rawRequest } from '../proxy/http/raw-request.ts'
import { fuzz } from './fuzz.ts'
import { expectDocumented, FuzzedServer } from './fuzzed-server.ts'
import {
  alteredText,
  credential,
  framedRequest,
  header,
  knownQuery,
  method,
  query,
  target,
} from './requests.ts'

const server = new FuzzedServer()

/** The service still works as before. */
afterEach(async () => {
  const { text } = await server.expectAnswer('/v1/words?q=run', [200])
  expect(JSON.parse(text).totalCount).toBe(1)
})

describe('whatever clients send, the response is never a server error, and the service continues', () => {
  fuzz('random targets', 24_000, target, async (target) => {
    await server.expectAnswer(target, [200, 400, 404, 414])
  })

  const listPath = fc.constantFrom('/v1/feed', '/v1/words/run/clips', '/v1/sentences')
  fuzz('hostile sets of known words', 6_000, fc.tuple(listPath, knownQuery), async ([path, query]) => {
    const q = path === '/v1/sentences' ? '&q=cat' : ''
    await server.expectAnswer(`${path}?${query}${q}`, [200, 400])
  })

  const headers = fc.array(header, { maxLength: 6 })
  fuzz('random methods and headers', 10_000, fc.tuple(method, target, headers), async (request) => {
    const [method, target, headers] = request
    const line = `${method} ${target} HTTP/1.1`
    const answers = await server.send(rawRequest(line, 'Host: h', ...headers))
    // `Expect: 100-continue` has an answer of its own.
    const answer = answers.find(({ status }) => status !== 100)
    expect(answer!.status).toBeLessThan(500)
    expectDocumented(method, target, answer!)
  })

  const key = fc.constant(null).map(() => server.key)
  fuzz('altered keys', 4_000, credential(key), async (credential) => {
    const { status, text } = await server.expectAnswer(
      '/v1/usage',
      [200, 400, 401],
      `Authorization: ${credential}`,
    )
    if (status === 200) expect(credential).toContain(server.key)
    if (credential.length > 20) expect(text).not.toContain(credential.slice(-20))
  })

  fuzz('random bytes', 6_000, fc.uint8Array({ minLength: 1, maxLength: 300 }), async (bytes) => {
    // Bytes that might be the beginning of a request are ended, so that nobody waits for more.
    const ended = Buffer.concat([bytes, Buffer.from('\r\n\r\n\0\r\n\r\n')])
    for (const answer of await server.send(ended)) {
      expect([200, 400, 404, 405]).toContain(answer.status)
      expectDocumented('GET', '/', answer)
    }
  })

  const whole = rawRequest('GET /v1/words?q=run&limit=5 HTTP/1.1', 'Host: h', 'If-None-Match: "x"')
  fuzz('altered requests', 8_000, alteredText(fc.constant(whole)), async (bytes) => {
    const answers = await server.send(`${bytes}\0\r\n\r\n`)
    expect(answers.length).toBeGreaterThan(0)
    for (const { status } of answers) expect([200, 204, 400, 401, 404, 405]).toContain(status)
  })

  const requests = fc.array(framedRequest, { minLength: 1, maxLength: 3 })
  fuzz('bodies of doubtful length', 8_000, requests, async (requests) => {
    // Closing the client's side ends a body that would otherwise never end.
    const answers = await server.send(requests.join(''), '')
    expect(answers.length).toBeGreaterThan(0)
    for (const answer of answers) {
      expect([100, 200, 204, 400, 404, 405, 408, 417]).toContain(answer.status)
      expect(answer.text).not.toContain('smuggled')
    }
  })

  const one = 'GET /v1/corpus HTTP/1.1\r\nHost: h\r\n\r\n'
  const last = rawRequest('GET /v1/corpus HTTP/1.1', 'Host: h')
  const pieces = fc.tuple(fc.nat(4), fc.array(fc.nat(200), { maxLength: 3 }))
  fuzz('requests in pieces, and several in one', 800, pieces, async ([before, cuts]) => {
    const bytes = one.repeat(before) + last
    const ends = [...cuts.filter((cut) => cut < bytes.length), bytes.length].sort((a, b) => a - b)
    const pieces = ends.map((end, i) => bytes.slice(ends[i - 1] ?? 0, end)).filter((piece) => piece !== '')
    const answers = await server.send(...pieces)
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: before + 1 }, () => 200))
  })
})

describe('a cursor is served or refused', () => {
  const firstPages = {
    '/v1/feed': 'limit=1&seed=monday',
    '/v1/words': 'limit=1&q=a',
    '/v1/words/run/clips': 'limit=1',
    '/v1/sentences': 'limit=1&q=the',
  }
  const path = fc.constantFrom(...Object.keys(firstPages))
  const cursors: string[] = []
  beforeAll(async () => {
    for (const [path, query] of Object.entries(firstPages)) {
      const { text } = await server.expectAnswer(`${path}?${query}`, [200])
      cursors.push(JSON.parse(text).nextCursor)
    }
  })

  const cursor = fc.nat({ max: 3 }).map((i) => cursors[i]!)
  const someCursor = fc.oneof(cursor, alteredText(cursor))
  fuzz('altered, with other parameters', 6_000, fc.tuple(path, someCursor, query), async (request) => {
    const [path, cursor, query] = request
    const statuses = cursors.includes(cursor) ? [200, 400] : [400]
    await server.expectAnswer(`${path}?cursor=${encodeURIComponent(cursor)}&${query}`, statuses)
  })

  /** The path to which cursors are sent, keyed by operation. */
  const paths = operations
    .filter(({ queryParameters }) => 'cursor' in queryParameters)
    .map(({ id, path }) => [id, `/v1${path.replace('{word}', 'run')}`] as const)
  const field = fc.oneof(
    fc.constantFrom('en', 'tr', 'xx', 'forms', 'spellings', 'meanings', 'run', 'A1,B2', 'true', '', 'NaN'),
    fc.constantFrom('0', '1', '-1', '1.5', '1e3', '9'.repeat(20), '1e400', 'monday'),
    fc.string({ maxLength: 10 }).map((text) => text.replaceAll('\0', '')),
  )
  const fields = fc.array(field, { minLength: 1, maxLength: 8 })
  fuzz(
    'signed, but with other fields',
    4_000,
    fc.tuple(fc.constantFrom(...paths), fields),
    async (sealed) => {
      const [[id, path], fields] = sealed
      const cursor = await server.thread.call('sealCursor', `${id} ${await server.tree()}`, fields)
      await server.expectAnswer(`${path}?limit=2&cursor=${cursor}`, [200, 400])
    },
  )
})
