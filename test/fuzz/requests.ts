/** Random requests, from nearly right to hostile. */
import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { operations } from '#contract/operations.ts'

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
export const query = fc
  .array(fc.tuple(someName, text), { maxLength: 5 })
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'))
const path = fc.oneof(
  fc
    .tuple(fc.constantFrom(...operations.map((operation) => operation.path)), text)
    .map(([pattern, value]) => `/v1${pattern.replace(/\{\w+\}/, () => value)}`),
  text.map((value) => `/${value}`),
  text.map((value) => `/v1/${value}`),
)
export const target = fc.tuple(path, query).map(([path, query]) => (query === '' ? path : `${path}?${query}`))

const packedText = (bytes: Uint8Array) => `p.${deflateRawSync(bytes).toString('base64url')}`
/** Sets that inflate to a few bytes, and to as many bytes of one kind as the parameter allows. */
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
  // Packed, with some characters removed.
  fc
    .tuple(packed, fc.nat(200), fc.nat(3))
    .map(([all, at, count]) => all.slice(0, at) + all.slice(at + count)),
  text,
)
export const knownQuery = fc
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
export const header = fc.tuple(headerName, headerValue).map(([name, value]) => `${name}: ${value}`)
export const method = fc.constantFrom('GET', 'GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE', 'FOO')

/** Returns a text with up to three characters altered, inserted or removed. */
export function alteredText(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const change = fc.tuple(fc.nat(), fc.constantFrom('alter', 'insert', 'drop'), fc.nat(255))
  return fc.tuple(text, fc.array(change, { minLength: 1, maxLength: 3 })).map(([whole, changes]) => {
    let text = whole
    for (const [number, how, code] of changes) {
      const at = number % (text.length + 1)
      const put = how === 'drop' ? '' : String.fromCharCode(code)
      text = text.slice(0, at) + put + text.slice(how === 'insert' ? at : at + 1)
    }
    return text
  })
}

/** Returns credentials: an altered key, with other schemes and blanks around it. */
export function credential(key: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const someKey = fc.oneof(key, alteredText(key), fc.constantFrom('', 'clk_', `clk_${'a'.repeat(38)}`))
  const scheme = fc.constantFrom(
    'Bearer ',
    'Bearer ',
    'bearer ',
    'Bearer  ',
    'Basic ',
    'Bearer',
    '',
    'Bearer x ',
  )
  return fc
    .tuple(scheme, someKey, fc.constantFrom('', '', ' ', ',', ' x', '\t'))
    .map(([scheme, key, rest]) => (scheme + key + rest).replace(/[\r\n\0]/g, '?'))
}

const framingHeaders = [
  'Content-Length: 5 | Content-Length: 0 | Content-Length: -1 | Content-Length: +5 | Content-Length: 5, 5',
  'Content-Length: 5\r\nContent-Length: 6 | Content-Length: 99999999999999999999 | Content-Length: 0x5',
  'Transfer-Encoding: chunked | Transfer-Encoding: gzip | Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: chunked\r\nContent-Length: 5 | Transfer-Encoding : chunked | Transfer-Encoding: xchunked',
  'Transfer-Encoding: chunked, identity | Transfer-Encoding:\r\n chunked | Expect: 100-continue | Expect: x',
  'Connection: keep-alive | Connection: Upgrade\r\nUpgrade: websocket | Connection: close | TE: trailers | X: y',
].flatMap((line) => line.split(' | '))
const bodies = [
  '',
  'hello',
  '5\r\nhello\r\n0\r\n\r\n',
  '5;x="y"\r\nhello\r\n0\r\nX: y\r\n\r\n',
  'ffffffffffffffff\r\nhello',
  '-5\r\nhello\r\n0\r\n\r\n',
  '5\nhello\n0\n\n',
  '0\r\n\r\nGET /v1/corpus HTTP/1.1\r\nHost: smuggled\r\n\r\n',
  '5 \r\nhello\r\n0\r\n\r\n',
  `${'1'.repeat(20_000)}\r\n`,
]
const requestLines = [
  'GET /v1/corpus HTTP/1.1',
  'POST /v1/corpus HTTP/1.1',
  'OPTIONS /v1/corpus HTTP/1.1',
  'GET /v1/corpus HTTP/1.0',
  'GET http://h/v1/corpus HTTP/1.1',
  'GET * HTTP/1.1',
]

/** Requests with bodies and with various headers about their lengths. */
export const framedRequest = fc
  .tuple(
    fc.constantFrom(...requestLines),
    fc.array(fc.constantFrom(...framingHeaders), { maxLength: 3 }),
    fc.constantFrom(...bodies),
  )
  .map(([line, headers, body]) => [line, 'Host: h', ...headers, '', body].join('\r\n'))
