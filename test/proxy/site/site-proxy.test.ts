import { once } from 'node:events'
import { request, type IncomingMessage, type RequestListener } from 'node:http'
import { connect } from 'node:net'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { startUpstream, type Upstream } from '../../harness/upstream.ts'
import { startSmallService, type SmallService } from '../small-service.ts'
import { startServiceWithSite } from './write-site.ts'

const asked: IncomingMessage[] = []
let answer: RequestListener
let site: Upstream
let origin: string

async function startSite(): Promise<Upstream> {
  return await startUpstream((req, res) => {
    asked.push(req)
    answer(req, res)
  })
}

const urlOf = ({ address }: Upstream) => new URL(`${address}/docs/`)

let service: SmallService
beforeEach(async () => {
  asked.length = 0
  answer = (_, res) => void res.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
  site = await startSite()
  service = await startSmallService({ siteUrl: urlOf(site) })
  origin = service.origin
  onTestFinished(() => service.stop())
})

test('forwards requests outside the API without the key', async () => {
  answer = (_, res) => void res.writeHead(203, { 'content-type': 'text/plain', 'x-own': 'yes' }).end('page')
  const headers = { authorization: 'Bearer secret', cookie: 'a=b', 'x-forwarded-for': '192.0.2.1' }
  const got = await fetch(`${origin}/guides/?a=1`, { headers })
  expect([got.status, await got.text(), got.headers.get('x-own')]).toEqual([203, 'page', 'yes'])
  expect(got.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  const [forwarded] = asked
  expect(forwarded!.url).toBe('/docs/guides/?a=1')
  expect(forwarded!.headers).toMatchObject({ cookie: 'a=b', 'x-forwarded-for': '127.0.0.1' })
  expect(forwarded!.headers.authorization).toBeUndefined()
  const api = await fetch(`${origin}/v1/corpus`)
  expect(api.status).toBe(200)
  expect((await fetch(`${origin}/v1/nothing`)).status).toBe(404)
  expect(asked).toHaveLength(1)
})

/** Returns the first line of the response to a request, sent as written. */
async function raw(head: string): Promise<string> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  socket.write(`${head}\r\n\r\n`)
  const [piece] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return piece.toString().split('\r\n')[0]!
}

test.each([
  ['CONNECT other.example:443 HTTP/1.1\r\nHost: other.example', 405],
  ['TRACE /page HTTP/1.1\r\nHost: x', 405],
  ['OPTIONS * HTTP/1.1\r\nHost: x', 404],
  ['GET ftp://x/page HTTP/1.1\r\nHost: x', 404],
  ['GET /page HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket', 400],
])('refuses %j at once', async (head, status) => {
  answer = () => expect.unreachable()
  expect(await raw(head)).toContain(`HTTP/1.1 ${status} `)
  expect(asked).toEqual([])
})

const claims = {
  'x-real-ip': '192.0.2.1',
  'x-original-url': '/admin',
  'x-rewrite-url': '/admin',
  'x-forwarded-for': '2001:db8::7',
  'x-forwarded-proto': 'https',
  'x-forwarded-prefix': '/admin',
  'true-client-ip': '192.0.2.1',
  'client-ip': '192.0.2.1',
  'x-azure-clientip': '192.0.2.1',
  'x-originating-ip': '192.0.2.1',
  'x-remote-addr': '192.0.2.1',
  'x-forwarded': 'for=192.0.2.1',
  'forwarded-for': '192.0.2.1',
}

test('forwards a peer’s headers about the client only if the peer is trusted', async () => {
  await fetch(`${origin}/page`, { headers: claims })
  const { host } = new URL(origin)
  const expected = { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-host': host, 'x-forwarded-proto': 'http' }
  expect(asked[0]!.headers).toMatchObject(expected)
  const otherClaims = Object.keys(claims).filter((name) => !/^x-forwarded-(for|proto)$/.test(name))
  for (const name of otherClaims) expect(asked[0]!.headers[name], name).toBeUndefined()

  await using trusting = await startSmallService({ siteUrl: urlOf(site), trustProxy: '127.0.0.1' })
  await fetch(`${trusting.origin}/page`, { headers: claims })
  expect(asked[1]!.headers).toMatchObject(claims)
})

test('does not forward hop-by-hop headers', async () => {
  const hopHeaders =
    'Connection: close, x-own\r\nX-Own: 1\r\nTE: trailers\r\nProxy-Connection: close\r\nProxy: x'
  await raw(`GET /page HTTP/1.1\r\nHost: x\r\n${hopHeaders}`)
  for (const name of ['x-own', 'te', 'proxy-connection', 'proxy'])
    expect(asked[0]!.headers[name], name).toBeUndefined()
})

/** Sends bytes, and returns everything until the connection closes. */
async function exchangeRaw(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  socket.write(bytes)
  let text = ''
  for await (const piece of socket) text += String(piece)
  return text
}

const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
const framings: Record<string, string> = {
  'Content-Length': `Content-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
  chunks: `Transfer-Encoding: chunked\r\n\r\n${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`,
}
const connectionTricks = ['keep-alive', 'content-length', 'transfer-encoding', 'Content-Length, host', 'host']

test.each(
  ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'POST', 'PUT', 'PATCH'].flatMap((method) =>
    Object.keys(framings).flatMap((framing) =>
      connectionTricks.map((trick): [string, string, string] => [method, framing, trick]),
    ),
  ),
)('%s with a body by %s and Connection: %s never becomes two requests', async (method, framing, trick) => {
  answer = (req, res) => void req.resume().on('end', () => res.end(`page of ${req.url}`))
  const head = `${method} /attack HTTP/1.1\r\nHost: x\r\nConnection: ${trick}\r\nX-Close: 1\r\n`
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  socket.write(head + framings[framing]!)
  const [piece] = (await once(socket, 'data')) as [Buffer]
  expect(Number(piece.toString().split(' ')[1])).toBe(method.startsWith('P') ? 200 : 400)
  // Another client on the pooled connection gets its own page.
  const pages = await Promise.all(
    [1, 2, 3].map((i) => fetch(`${origin}/page-${i}`).then((got) => got.text())),
  )
  expect(pages).toEqual([1, 2, 3].map((i) => `page of /docs/page-${i}`))
  expect(asked.map(({ url }) => url)).not.toContain('/smuggled')
  socket.destroy()
})

test.each([
  '/\\host/x',
  '/x/../../v1/usage',
  '//host/x',
  '/a//b/./c',
  '/%2e%2e/x?y=../z&a=?b',
  '/a?',
  '/a?b?',
])('forwards the path %j unchanged', async (path) => {
  await exchangeRaw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  expect(asked.map(({ url }) => url)).toEqual([`/docs${path}`])
})

test('drops headers with underscores', async () => {
  await exchangeRaw(
    'GET /page HTTP/1.1\r\nHost: x\r\nX_Forwarded_For: 192.0.2.1\r\nX-Own: 1\r\nConnection: close\r\n\r\n',
  )
  expect(Object.keys(asked[0]!.headers).filter((name) => name.includes('_'))).toEqual([])
  expect(asked[0]!.headers['x-own']).toBe('1')
})

test('Connection: close closes the connection, and the response says so', async () => {
  const text = await exchangeRaw('GET /page HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  expect(text).toMatch(/^HTTP\/1\.1 200 /)
  expect(text).toMatch(/^connection: close\r$/im)
})

test('answers a request with Connection: close, whatever bytes follow it', async () => {
  const text = await exchangeRaw(
    'POST /page HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhiGET /next HTTP/1.1\r\n\r\n',
  )
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200'])
  expect(asked.map(({ url }) => url)).toEqual(['/docs/page'])
})

test('does not forward a request behind one that closes the connection', async () => {
  const chunks = 'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n'
  const text = await exchangeRaw(
    `DELETE /page HTTP/1.1\r\nHost: x\r\n${chunks}GET /next HTTP/1.1\r\nHost: x\r\n\r\n`,
  )
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400'])
  await fetch(`${origin}/last`)
  expect(asked.map(({ url }) => url)).toEqual(['/docs/last'])
})

test('streams bodies in both directions', async () => {
  answer = (req, res) => void req.pipe(res)
  const req = request(`${origin}/echo`, { method: 'POST' })
  req.write('one')
  const [res] = (await once(req, 'response')) as [IncomingMessage]
  const received: string[] = []
  for await (const piece of res) if (received.push(String(piece)) === 1) req.end('two')
  expect(received.join(' ')).toBe('one two')
})

test('cuts the response off if the site cuts it off, and returns 503 if the site is down', async () => {
  answer = (_, res) => {
    res.writeHead(200, { 'content-length': 100 }).write('half')
    setTimeout(() => res.socket!.destroy(), 10)
  }
  await expect(fetch(`${origin}/page`).then((got) => got.text())).rejects.toThrow('terminated')
  answer = (_, res) => void res.socket!.destroy()
  const got = await fetch(`${origin}/page`)
  expect([got.status, await got.json()]).toMatchObject([503, { error: { code: 'unavailable' } }])
  expect(service.errors.join()).toContain('the site cannot be reached')
})

test.each([
  ['200 a\x01b', 200],
  ['099 a', 502],
])('survives a malformed status line of the site: %j', async (line, status) => {
  answer = (_, res) => void res.socket!.end(`HTTP/1.1 ${line}\r\nContent-Length: 4\r\n\r\npage`)
  const response = await fetch(`${origin}/page`)
  expect([response.status, await response.text()]).toEqual([status, 'page'])
})

test('returns 503 if the site switches to another protocol', async () => {
  answer = (_, res) =>
    void res.socket!.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n')
  expect((await fetch(`${origin}/page`)).status).toBe(503)
})

test.each(['GET', 'HEAD'])('survives a response to %s that announces trailers', async (method) => {
  answer = (_, res) => {
    res.writeHead(200, { trailer: 'x-sum', 'transfer-encoding': 'chunked' }).write('page')
    res.addTrailers({ 'x-sum': '1' })
    res.end()
  }
  const response = await fetch(`${origin}/page`, { method })
  expect([response.status, await response.text()]).toEqual([200, method === 'GET' ? 'page' : ''])
})

test('sign-up: serves the form of the other site, and handles its POST itself', async () => {
  answer = (_, res) => void res.writeHead(200, { 'content-type': 'text/html' }).end('<form>')
  const siteUrl = urlOf(await startSite())
  await using signing = await startServiceWithSite({ siteUrl, signUpPerDay: 1 })
  const form = await fetch(`${signing.origin}/signup/`)
  expect([form.status, await form.text()]).toEqual([200, '<form>'])
  asked.length = 0
  const post = (account: string) =>
    fetch(`${signing.origin}/signup/`, { method: 'POST', body: new URLSearchParams({ account }) })
  const created = await post('ann')
  const [, key] = /(clk_\w{38})/.exec(await created.text())!
  expect((await signing.get('/usage', { key: key! })).json).toMatchObject({ plan: 'trial', requests: 0 })
  expect((await post('bob')).status).toBe(429)
  const withoutSlash = await fetch(`${signing.origin}/signup`, { method: 'POST', redirect: 'manual' })
  expect([withoutSlash.status, withoutSlash.headers.get('location')]).toEqual([308, '/signup/'])
  expect(asked).toEqual([])
})

const chunkedHead = 'Host: x\r\nTransfer-Encoding: chunked\r\n'
test.each([
  ['a folded field', 'Host: x\r\nX-A: 1\r\n Transfer-Encoding: chunked\r\n\r\n'],
  ['two lengths', 'Host: x\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nabcde'],
  ['a list of lengths', 'Host: x\r\nContent-Length: 3, 3\r\n\r\nabc'],
  ['a signed length', 'Host: x\r\nContent-Length: +3\r\n\r\nabc'],
  ['a length and chunks', `${chunkedHead}Content-Length: 3\r\n\r\n0\r\n\r\nabc`],
  ['chunks twice', `${chunkedHead}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ['a blank before the colon', 'Host: x\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n'],
  ['a vertical tab', 'Host: x\r\nTransfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n'],
  ['a lone CR', 'Host: x\r\nX: a\rTransfer-Encoding: chunked\r\n\r\n'],
  ['a NUL', 'Host: x\r\nX: a\0b\r\n\r\n'],
  ['two hosts', 'Host: x\r\nHost: y\r\n\r\n'],
  ['a lone LF behind a chunk extension', `${chunkedHead}\r\n3;\nxx\r\nabc\r\n0\r\n\r\n`],
  ['a chunk without end', `${chunkedHead}\r\nfffffffffffffffff\r\nabc\r\n0\r\n\r\n`],
])('answers %s with 400 only, and sends the site no request', async (_, fields) => {
  const text = await exchangeRaw(`POST /a HTTP/1.1\r\n${fields}${smuggled}`)
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400'])
  expect(asked.filter(({ complete }) => complete)).toEqual([])
})
