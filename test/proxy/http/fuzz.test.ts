import { connect } from 'node:net'
import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '#contract/operations.ts'
import { faultRounds } from '../../harness/fault-rounds.ts'
import { checkAgainstOpenApi } from '../../harness/openapi-check.ts'
import { rawRequest, sendRaw } from './raw-request.ts'
import { startSmallService, type SmallService } from '../small-service.ts'

const seed = Number(process.env.FAST_CHECK_SEED ?? 20_260_301)
const runs = (count: number) => ({ seed, numRuns: Number(process.env.FAST_CHECK_RUNS ?? faultRounds(count)) })

let service: SmallService
let key: string
beforeAll(async () => {
  service = await startSmallService()
  key = await service.newKey()
})
afterAll(async () => {
  expect(service.errors).toEqual([])
  await service.stop()
})

const names = [...new Set(operations.flatMap(({ queryParameters }) => Object.keys(queryParameters))), 'other']
const values = 'en tr A1 A1,B2 true 1 100 101 run watchmaker % %zz %C3%A9 %00 %ff + %2F 🐈 __proto__'.split(
  ' ',
)
const text = fc.oneof(
  fc.constantFrom('', ...values.map((value) => (/%|\+/.test(value) ? value : encodeURIComponent(value)))),
  fc.string({ unit: 'binary', maxLength: 30 }).map((value) => encodeURIComponent(value.toWellFormed())),
  fc.stringMatching(/^[!-~]{0,40}$/),
)
const someName = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...names) }, text)
const query = fc
  .array(fc.tuple(someName, text), { maxLength: 5 })
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'))
const path = fc.oneof(
  fc
    .tuple(fc.constantFrom(...operations.map((operation) => operation.path)), text)
    .map(([pattern, value]) => `/v1${pattern.replace(/\{\w+\}/, () => value)}`),
  text.map((value) => `/${value}`),
  text.map((value) => `/v1/${value}`),
)
const target = fc.tuple(path, query).map(([path, query]) => (query === '' ? path : `${path}?${query}`))

const packedText = (bytes: Uint8Array) => `p.${deflateRawSync(bytes).toString('base64url')}`
/** What inflates to a few bytes, and to as many of one kind as the parameter has room for. */
const packed = fc.oneof(
  fc.uint8Array({ maxLength: 40 }).map(packedText),
  fc
    .tuple(fc.constantFrom(0, 1, 127, 128, 255), fc.constantFrom(199_999, 200_001, 1_000_001, 5_000_000))
    .map(([byte, count]) => packedText(new Uint8Array(count).fill(byte))),
)
const knownItem = fc.oneof(
  fc.constantFrom('A1', 'C2', '', '-', '--1', 'p.', '0', '-0', '9'.repeat(400)),
  fc.integer({ min: -20, max: 20 }).map(String),
  packed,
  // Packed, with characters left out.
  fc
    .tuple(packed, fc.nat(200), fc.nat(3))
    .map(([all, at, count]) => all.slice(0, at) + all.slice(at + count)),
  text,
)
const knownQuery = fc
  .tuple(
    fc.array(knownItem, { maxLength: 4 }).map((items) => items.join()),
    fc.constantFrom(1, 1, 1, 1000),
    fc.constantFrom('', '&minKnownShare=1', '&maxUnknown=0', '&minKnownShare=0.5&maxUnknown=100'),
  )
  .map(([list, times, filter]) => `known=${`${list},`.repeat(times).slice(0, 6200)}${filter}`)

const headerNames =
  'Authorization If-None-Match Accept-Encoding X-Forwarded-For Origin Accept Range Expect Upgrade Cookie Content-Length X'
const headerName = fc.constantFrom(...headerNames.split(' '))
const headerValues =
  ', , | ::1, x | br;q=0, *;q=0.5 | * | "x" | W/" | gzip;q= | Bearer | bytes=0-1 | 0 | 100-continue | websocket'
const headerValue = fc.oneof(
  fc.constantFrom(...headerValues.split(' | ')),
  fc.string({
    unit: fc.integer({ min: 32, max: 255 }).map((code) => String.fromCharCode(code)),
    maxLength: 40,
  }),
)
const header = fc.tuple(headerName, headerValue).map(([name, value]) => `${name}: ${value}`)
const method = fc.constantFrom('GET', 'GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE', 'FOO')

/** The service is as it was. */
afterEach(async () => {
  expect((await service.get('/words?q=run', { key })).json.totalCount).toBe(1)
})

/** Holds for random values. */
async function holds<T>(count: number, values: fc.Arbitrary<T>, check: (value: T) => Promise<void>) {
  await fc.assert(fc.asyncProperty(values, check), runs(count))
}

/** The answers to a request with a key. */
function ask(line: string, ...headers: string[]) {
  return sendRaw(service.origin, rawRequest(line, 'Host: h', ...headers, `Authorization: Bearer ${key}`))
}

/** Sends a GET, whose answer has one of these statuses and is as the document says. */
async function expectAnswer(target: string, statuses: number[]): Promise<void> {
  const [answer] = await ask(`GET ${target} HTTP/1.1`)
  expect(statuses).toContain(answer?.status)
  // Whether a path that is no request names an operation, the document does not say.
  if (JSON.parse(answer!.text).error?.code !== 'bad_request')
    checkAgainstOpenApi('GET', target.replace(/#.*/, ''), answer!)
}

describe('whatever is sent, the answer is no fault of ours, and the service goes on', () => {
  test('random targets', async () => {
    await holds(1200, target, (target) => expectAnswer(target, [200, 400, 404, 414]))
  })

  test('hostile sets of known words', async () => {
    const path = fc.constantFrom('/v1/feed', '/v1/words/run/clips')
    await holds(400, fc.tuple(path, knownQuery), ([path, query]) =>
      expectAnswer(`${path}?${query}`, [200, 400]),
    )
  })

  test('random methods and headers', async () => {
    await holds(600, fc.tuple(method, target, fc.array(header, { maxLength: 6 })), async (random) => {
      const [method, target, headers] = random
      // A length that promises a body keeps the connection open for it: the answer is there all the
      // same.
      const answers = await ask(`${method} ${target} HTTP/1.1`, ...headers)
      expect(answers.length).toBeGreaterThan(0)
      for (const { status } of answers) expect(status).toBeLessThan(500)
    })
  })

  test('random bytes', async () => {
    await holds(400, fc.uint8Array({ minLength: 1, maxLength: 300 }), async (bytes) => {
      // What might be the beginning of a request is ended, so that nobody waits for more.
      const ended = Buffer.concat([bytes, Buffer.from('\r\n\r\n\0\r\n\r\n')])
      for (const { status } of await sendRaw(service.origin, ended))
        expect([200, 400, 404, 405]).toContain(status)
    })
  })

  test('requests with bytes altered, put in and left out', async () => {
    const headers = ['Host: h', 'Accept-Encoding: gzip', 'If-None-Match: "x"']
    const whole = rawRequest('GET /v1/words?q=run&limit=5 HTTP/1.1', ...headers)
    const change = fc.tuple(fc.nat(whole.length - 1), fc.constantFrom('alter', 'insert', 'drop'), fc.nat(255))
    await holds(500, fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
      let bytes = whole
      for (const [at, how, code] of changes) {
        const put = how === 'drop' ? '' : String.fromCharCode(code)
        bytes = bytes.slice(0, at) + put + bytes.slice(how === 'insert' ? at : at + 1)
      }
      const answers = await sendRaw(service.origin, `${bytes}\0\r\n\r\n`)
      expect(answers.length).toBeGreaterThan(0)
      for (const { status } of answers) expect([200, 204, 400, 401, 404, 405]).toContain(status)
    })
  })

  test('requests in random pieces, and several in one', async () => {
    const one = 'GET /v1/corpus HTTP/1.1\r\nHost: h\r\n\r\n'
    const last = rawRequest('GET /v1/corpus HTTP/1.1', 'Host: h')
    await holds(40, fc.tuple(fc.nat(4), fc.array(fc.nat(200), { maxLength: 3 })), async ([before, cuts]) => {
      const bytes = one.repeat(before) + last
      const ends = [...cuts.filter((cut) => cut < bytes.length), bytes.length].sort((a, b) => a - b)
      const pieces = ends.map((end, i) => bytes.slice(ends[i - 1] ?? 0, end)).filter((piece) => piece !== '')
      const answers = await sendRaw(service.origin, ...pieces)
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: before + 1 }, () => 200))
    })
  })

  test('connections that end in the middle', async () => {
    const whole = rawRequest('GET /v1/words HTTP/1.1', 'Host: h', `Authorization: Bearer ${key}`)
    for (let end = 0; end < whole.length; end += 3) {
      await new Promise<void>((resolve) => {
        const socket = connect(Number(new URL(service.origin).port), '127.0.0.1', () => {
          socket.write(whole.slice(0, end))
          if (end % 2) socket.destroy()
          else socket.end()
        })
        socket.on('error', () => {})
        socket.on('close', () => resolve())
        socket.resume()
      })
    }
  })

  test.each([
    ['a request', 'GET /v1/words HTTP/1.1\r\nHost: h\r\n\r\n'],
    ['half a request', 'GET /v1/words HTTP/1.1\r\nHo'],
    ['garbage', 'nonsense\r\n\r\n'],
    ['too long a line', `GET /${'a'.repeat(100_000)}`],
    ['a tunnel', 'CONNECT h:443 HTTP/1.1\r\nHost: h\r\n\r\n'],
  ])('connections that are reset after %s', async (_, bytes) => {
    for (let i = 0; i < 30; i++) {
      await new Promise<void>((resolve) => {
        const socket = connect(Number(new URL(service.origin).port), '127.0.0.1')
        socket.on('error', () => {})
        socket.on('close', () => resolve())
        // At once, on the first bytes of an answer, or a little later.
        const reset = () => socket.resetAndDestroy()
        socket.write(bytes, () =>
          i % 3 === 0 ? reset() : i % 3 === 1 ? socket.once('data', reset) : setTimeout(reset, 5),
        )
        if (i % 3 === 1) setTimeout(reset, 50)
      })
    }
  })
})
